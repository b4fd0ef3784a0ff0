/** How well-known keys and tokens look: what they begin with, which characters follow, and how many. Only formats that their makers
 *  gave a mark of their own are here, so that what is masked is a secret and nothing else. Data alone. */

/** Characters of a token; each is one run in a text. */
export const ALPHABETS = {
  alnum: /[A-Za-z0-9]/,
  upper: /[A-Z2-7]/,
  hex: /[0-9a-fA-F]/,
  word: /[\w-]/,
  dotted: /[\w.=-]/,
  base64: /[A-Za-z0-9+/=]/,
  bech32: /[A-Z0-9]/,
} as const;

export type Alphabet = keyof typeof ALPHABETS;

export interface SecretFormat {
  readonly prefix: string;
  readonly alphabet: Alphabet;
  /** Characters behind the prefix. */
  readonly min: number;
  readonly max: number;
  /** The prefix is the name of a key, not a part of the secret: only what follows is masked. */
  readonly isLabel?: true;
  /** What the part behind the prefix must look like besides. */
  readonly like?: RegExp;
}

const format = (prefix: string, alphabet: Alphabet, min: number, max = min, like?: RegExp): SecretFormat => ({
  prefix,
  alphabet,
  min,
  max,
  ...(like === undefined ? {} : { like }),
});
const label = (prefix: string, alphabet: Alphabet, min: number, max = min): SecretFormat => ({ prefix, alphabet, min, max, isLabel: true });

/** A token that its maker may make longer. */
const LONG = 2_000;

export const FORMATS: readonly SecretFormat[] = [
  // Amazon: the id alone opens nothing, but names the account and stands beside the key.
  ...['AKIA', 'ASIA', 'ABIA', 'ACCA'].map((prefix) => format(prefix, 'upper', 16)),
  format('ABSK', 'base64', 109, 271),
  ...['aws_secret_access_key', 'AWS_SECRET_ACCESS_KEY', 'aws_secret_key', 'AWS_SECRET_KEY', 'secretAccessKey', 'SecretAccessKey'].map(
    (name) => label(name, 'base64', 40),
  ),
  // GitHub, GitLab.
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((prefix) => format(prefix, 'alnum', 36, 255)),
  format('github_pat_', 'word', 82),
  ...['glpat-', 'gldt-', 'glft-', 'glffct-', 'glimt-', 'glrt-', 'glsoat-', 'glcbt-', 'glagent-', 'gloas-', 'glptt-'].map((prefix) =>
    format(prefix, 'dotted', 20, 320),
  ),
  format('GR1348941', 'word', 20),
  // Slack.
  ...['xoxa-', 'xoxb-', 'xoxe-', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-'].map((prefix) => format(prefix, 'word', 20, 300, /\d/)),
  format('xapp-', 'word', 40, 300, /^\d-/),
  label('hooks.slack.com/services/', 'base64', 40, 60),
  // Payment.
  ...['sk_live_', 'rk_live_', 'sk_prod_', 'rk_prod_', 'whsec_'].map((prefix) => format(prefix, 'alnum', 16, 255)),
  ...['sq0atp-', 'sq0csp-'].map((prefix) => format(prefix, 'word', 22, 60)),
  ...['shpat_', 'shpca_', 'shppa_', 'shpss_'].map((prefix) => format(prefix, 'hex', 32)),
  // Google.
  format('AIza', 'word', 35),
  format('GOCSPX-', 'word', 28),
  format('ya29.', 'dotted', 30, LONG),
  // Models.
  format('sk-ant-', 'word', 80, LONG),
  ...['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-or-v1-'].map((prefix) => format(prefix, 'word', 40, 400)),
  format('sk-', 'alnum', 32, 100, /\d/),
  ...['hf_', 'api_org_'].map((prefix) => format(prefix, 'alnum', 34)),
  format('gsk_', 'alnum', 52),
  format('xai-', 'alnum', 80),
  format('pplx-', 'alnum', 48),
  format('r8_', 'alnum', 37),
  // Registries of packages.
  format('npm_', 'alnum', 36),
  format('pypi-AgE', 'word', 50, LONG),
  format('rubygems_', 'hex', 48),
  format('dckr_pat_', 'word', 27, 40),
  format('oy2', 'alnum', 43),
  // Mail and messages.
  format('SG.', 'dotted', 66, 66, /^[\w-]{22}\.[\w-]{43}$/),
  format('SK', 'hex', 32),
  format('xkeysib-', 'word', 81),
  // Clouds and services.
  ...['dop_v1_', 'doo_v1_', 'dor_v1_'].map((prefix) => format(prefix, 'hex', 64)),
  format('dapi', 'hex', 32),
  format('dp.pt.', 'alnum', 43),
  ...['hvs.', 'hvb.'].map((prefix) => format(prefix, 'word', 90, 300)),
  ...['glsa_', 'glc_'].map((prefix) => format(prefix, 'word', 40, 400, /\d/)),
  ...['sntryu_', 'sntrys_'].map((prefix) => format(prefix, 'word', 64, 600)),
  ...['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'].map((prefix) => format(prefix, 'dotted', 32, 64)),
  format('lin_api_', 'alnum', 40),
  format('ntn_', 'alnum', 46),
  format('PMAK-', 'word', 59),
  format('HRKU-AA', 'word', 58),
  format('ATATT3', 'dotted', 180, 220),
  format('pul-', 'hex', 40),
  format('sbp_', 'hex', 40),
  format('AGE-SECRET-KEY-1', 'bech32', 58),
  // Azure: keys of storage accounts, service bus, event hubs.
  ...['AccountKey=', 'SharedAccessKey='].map((prefix) => label(prefix, 'base64', 40, 90)),
  // A token of three parts, of which the first two are JSON.
  format('eyJ', 'dotted', 40, 8_000, /^[\w-]{10,}\.eyJ[\w-]{10,}\.[\w=-]{16,}$/),
];
