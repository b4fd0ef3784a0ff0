import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isGit, isSecret } from '#dist/security/secrets.js';

const secrets = [
  '.env',
  '.env.local',
  '.env.production',
  '.env.example.local',
  '.env.example.bak',
  '.env.examples',
  'a.pem',
  '.pem',
  'server.key',
  'cert.p12',
  'cert.pfx',
  'id_rsa',
  'id_rsa.pub',
  'id_rsa_work',
  'id_ed25519',
  'id_ed25519.pub',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.aws/credentials',
  'home/.aws/credentials',
  '.AWS/Credentials',
  '.ENV',
  '.Env.Local',
  'SERVER.KEY',
  'deep/er/.env',
  'deep/.npmrc/file',
  '.env/readme.md',
  'x.pem/notes.txt',
  '.env.local/a',
  // A line feed is a character of a name like any other.
  'a\nb.pem',
  'id_rsa\n',
  '.env.\nlocal',
  'x\n/.env',
];
for (const path of secrets) test(`${JSON.stringify(path)} is a secret`, () => assert.equal(isSecret(path), true));

const harmless = [
  '.env.example',
  '.env.sample',
  '.env.template',
  '.env.production.example',
  '.env.EXAMPLE',
  'deep/.env.sample',
  '.envrc',
  'env',
  'my.env',
  'pem',
  'a.pem.txt',
  'keyboard.ts',
  'a.keys',
  'credentials',
  'aws/credentials',
  '.aws/config',
  '.aws/sub/credentials',
  'my_id_rsa',
  'npmrc',
  '.npmrc.example',
  '.env\n',
  '.env.a\n.example',
  '',
];
for (const path of harmless) test(`"${path}" is no secret`, () => assert.equal(isSecret(path), false));

const git = ['.git', '.git/config', 'sub/.git', 'sub/.git/HEAD', '.GIT/config', 'a/.Git'];
for (const path of git) test(`${path} belongs to .git`, () => assert.equal(isGit(path), true));

const notGit = ['.gitignore', '.github/workflows/ci.yml', '.gitattributes', 'x.git/config', 'git/HEAD', '.git-blame-ignore-revs', ''];
for (const path of notGit) test(`"${path}" does not belong to .git`, () => assert.equal(isGit(path), false));
