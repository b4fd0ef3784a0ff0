/** A client of one server process: starts it, calls tools over stdio one JSON message a line, cancels, and ends it. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const HELLO = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '0' } };

export class Server {
  #process;
  #rest = '';
  #serial = 0;
  #waiting = new Map();
  /** Lines of stderr, parsed: the server's own log. */
  log = [];
  /** Replies that were waited for, and messages that nobody waited for. */
  answered = 0;
  strays = 0;

  /** @param root the repository that it serves
   *  @param flags further flags of the program */
  constructor(root, flags = []) {
    this.#process = spawn(process.execPath, [CLI, '--root', root, ...flags], { stdio: ['pipe', 'pipe', 'pipe'] });
    this.#process.stdout.setEncoding('utf8').on('data', (text) => this.#take(text));
    let tail = '';
    this.#process.stderr.setEncoding('utf8').on('data', (text) => {
      const lines = (tail + text).split('\n');
      tail = lines.pop();
      for (const line of lines) this.log.push(JSON.parse(line));
    });
    this.closed = new Promise((resolve) => this.#process.once('close', resolve));
    void this.closed.then(() => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the server ended'));
    });
  }

  /** A server that has answered initialize. */
  static async start(root, flags) {
    const server = new Server(root, flags);
    await server.initialize();
    return server;
  }

  /** A server that has also answered a first call, so that everything lazy is loaded. */
  static async warm(root, flags) {
    const server = await Server.start(root, flags);
    await server.call('list_files', { maxResults: 1 });
    return server;
  }

  get pid() {
    return this.#process.pid;
  }

  async initialize() {
    await this.request('initialize', HELLO).reply;
    this.#send({ method: 'notifications/initialized' });
  }

  request(method, params) {
    const id = ++this.#serial;
    const reply = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#send({ id, method, params });
    return { id, reply };
  }

  /** Calls a tool and returns the text of its reply. An error is a broken benchmark, not a result. */
  async call(name, args) {
    const { result, error } = await this.request('tools/call', { name, arguments: args }).reply;
    if (error !== undefined || result.isError) throw new Error(`${name}: ${error?.message ?? result.content[0].text}`);
    return result.content[0].text;
  }

  /** A cancelled call gets no reply, so none is awaited. */
  cancel(id) {
    this.#waiting.delete(id);
    this.#send({ method: 'notifications/cancelled', params: { requestId: id } });
  }

  /** Process ids of what the server runs at this moment. */
  children() {
    return readFileSync(`/proc/${this.pid}/task/${this.pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  }

  async end() {
    this.#process.stdin.end();
    await this.closed;
  }

  #send(message) {
    this.#process.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #take(text) {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop();
    for (const line of lines) {
      const message = JSON.parse(line);
      const waiting = this.#waiting.get(message.id);
      if (waiting === undefined) this.strays++;
      else this.answered++;
      waiting?.resolve(message);
      this.#waiting.delete(message.id);
    }
  }
}
