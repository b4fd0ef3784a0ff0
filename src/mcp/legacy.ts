/** The handshake era: `initialize` settles one of four revisions for the whole connection. */
import { ProtocolError, RPC } from '../base/errors.js';
import type { Request } from '../jsonrpc/messages.js';
import { type Era, type Method, paramsOf, type ServerInfo } from './era.js';

export const LEGACY_REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;
const NEWEST = '2025-11-25';
/** The only revision in which a client may send batches. */
const BATCH_REVISION = '2025-03-26';
const METHODS: readonly string[] = ['initialize', 'ping', 'tools/list', 'tools/call'] satisfies Method[];

export class LegacyEra implements Era {
  readonly name = 'legacy';
  readonly #info: ServerInfo;
  #revision: string | undefined;

  constructor(info: ServerInfo) {
    this.#info = info;
  }

  get isNegotiated(): boolean {
    return this.#revision !== undefined;
  }

  get takesBatches(): boolean {
    return this.#revision === BATCH_REVISION;
  }

  admit(request: Request): Method | undefined {
    const isKnown = METHODS.includes(request.method);
    if (!this.isNegotiated && request.method !== 'initialize' && request.method !== 'ping') {
      throw new ProtocolError(
        RPC.invalidParams,
        `"${request.method.slice(0, 100)}" came before the handshake: send "initialize" first, or put io.modelcontextprotocol/protocolVersion ` +
          'and io.modelcontextprotocol/clientCapabilities into params._meta (revision 2026-07-28).',
      );
    }
    return isKnown ? (request.method as Method) : undefined;
  }

  /** Answers the asked revision where it is served, else the newest: a client that cannot speak that one leaves by itself. */
  initialize(request: Request): object {
    const asked = paramsOf(request)?.protocolVersion;
    if (typeof asked !== 'string')
      throw new ProtocolError(RPC.invalidParams, 'initialize needs params.protocolVersion, a text such as "2025-11-25".');
    this.#revision = LEGACY_REVISIONS.find((revision) => revision === asked) ?? NEWEST;
    const { name, title, version, instructions } = this.#info;
    return { protocolVersion: this.#revision, capabilities: { tools: {} }, serverInfo: { name, title, version }, instructions };
  }

  dress(_method: Method, result: object): object {
    return result;
  }
}
