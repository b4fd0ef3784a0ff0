/** The stateless era (2026-07-28): every request says in `_meta` what it speaks, every result says what it is. */
import { ProtocolError, RPC } from '../base/errors.js';
import type { Request } from '../jsonrpc/messages.js';
import { type Era, type Method, metaOf, type Params, type ServerInfo } from './era.js';

export const MODERN_REVISIONS: readonly string[] = ['2026-07-28'];
const PREFIX = 'io.modelcontextprotocol/';
const VERSION = `${PREFIX}protocolVersion`;
const CAPABILITIES = `${PREFIX}clientCapabilities`;
const LOG_LEVEL = `${PREFIX}logLevel`;
const SERVER_INFO = `${PREFIX}serverInfo`;
const METHODS: readonly string[] = ['server/discover', 'tools/list', 'tools/call'] satisfies Method[];
const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
/** Nothing in discovery or the tool list depends on a user or a repository, so both may be kept for long and shared. */
const CACHE = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

/** Whether a request is of this era, whatever else is wrong with it. */
export function isModern(request: Request): boolean {
  const meta = metaOf(request);
  return request.method === 'server/discover' || (meta !== undefined && (VERSION in meta || CAPABILITIES in meta));
}

export class ModernEra implements Era {
  readonly name = 'modern';
  readonly #info: ServerInfo;

  constructor(info: ServerInfo) {
    this.#info = info;
  }

  admit(request: Request): Method | undefined {
    checkMeta(metaOf(request) ?? {});
    return METHODS.includes(request.method) ? (request.method as Method) : undefined;
  }

  discover(): object {
    return { supportedVersions: MODERN_REVISIONS, capabilities: { tools: {} }, instructions: this.#info.instructions };
  }

  dress(method: Method, result: object): object {
    const { name, version } = this.#info;
    return {
      resultType: 'complete',
      ...result,
      ...(method === 'tools/call' ? {} : CACHE),
      _meta: { [SERVER_INFO]: { name, version } },
    };
  }
}

function checkMeta(meta: Params): void {
  const version = meta[VERSION];
  const capabilities = meta[CAPABILITIES];
  if (typeof version !== 'string')
    throw new ProtocolError(RPC.invalidParams, `params._meta["${VERSION}"] must be a text such as "${MODERN_REVISIONS[0]}".`);
  if (typeof capabilities !== 'object' || capabilities === null || Array.isArray(capabilities)) {
    throw new ProtocolError(RPC.invalidParams, `params._meta["${CAPABILITIES}"] must be an object; {} is enough.`);
  }
  if (!MODERN_REVISIONS.includes(version)) {
    throw new ProtocolError(RPC.unsupportedVersion, 'Unsupported protocol version', { supported: MODERN_REVISIONS, requested: version });
  }
  const level = meta[LOG_LEVEL];
  if (level !== undefined && !LOG_LEVELS.includes(level as string)) {
    throw new ProtocolError(RPC.invalidParams, `params._meta["${LOG_LEVEL}"] must be one of ${LOG_LEVELS.join(', ')}.`);
  }
}
