import type { IncomingMessage, ServerResponse } from 'node:http';
import { SECOND_MS } from '../kernel/clock.js';
import { callAfter } from '../kernel/loop.js';
import type { ClientAddress } from '../net/address.js';

/** Bytes of one body that are never too many at once: connections are few enough. */
const FREE_BYTES = 64 * 1024;
/** Bytes of bodies in hand, of all senders together and of one. */
const MAX_TOTAL_BYTES = 128 * 1024 * 1024;
const MAX_SENDER_BYTES = 32 * 1024 * 1024;

/** Counts the bytes of bodies whose requests are not answered yet, so that many large ones together do not fill the memory. */
export class BodyBudget {
  readonly #addressOf: ClientAddress;
  readonly #bySender = new Map<string, number>();
  #total = 0;

  constructor(addressOf: ClientAddress) {
    this.#addressOf = addressOf;
  }

  /** Returns a function that counts further bytes of a request, and is false where they are too many; the answer's end gives them back. */
  open(request: IncomingMessage, response: ServerResponse): (bytes: number) => boolean {
    // Its end was missed: nothing would give back what is counted from here on.
    if (response.destroyed) return () => false;
    const sender = this.#addressOf(request);
    let free = FREE_BYTES;
    let counted = 0;
    response.once('close', () => this.#add(sender, -counted));
    return (bytes) => {
      const beyond = Math.max(0, bytes - free);
      free = Math.max(0, free - bytes);
      counted += beyond;
      this.#add(sender, beyond);
      return this.#total <= MAX_TOTAL_BYTES && (this.#bySender.get(sender) ?? 0) <= MAX_SENDER_BYTES;
    };
  }

  #add(sender: string, bytes: number): void {
    const held = (this.#bySender.get(sender) ?? 0) + bytes;
    this.#total += bytes;
    if (held > 0) this.#bySender.set(sender, held);
    else this.#bySender.delete(sender);
  }
}

/** How requests are told apart by who sent them, and the bytes of theirs that are in hand. */
export type Senders = { readonly addressOf: ClientAddress; readonly bodies: BodyBudget };

/** Returns the senders of an address, told apart by `addressOf`. */
export function openSenders(addressOf: ClientAddress): Senders {
  return { addressOf, bodies: new BodyBudget(addressOf) };
}

/** A request whose body is read. */
export type BodyExchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly bodies: BodyBudget;
};

/** Bytes and time of the rest of a refused body, which is passed over until its sender comes to read the answer. */
const MAX_REST_BYTES = 32 * 1024 * 1024;
const MAX_REST_MS = 10 * SECOND_MS;

/** The header of an answer to a body that is encoded: what is taken instead (RFC 9110, 15.5.16). */
const IDENTITY_ONLY = { 'accept-encoding': 'identity' } as const;

/** Whether a request says that its body is encoded, compressed for instance. */
function isEncoded({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const codings = headers['content-encoding']?.toLowerCase().split(',') ?? [];
  return codings.some((coding) => !['', 'identity'].includes(coding.trim()));
}

const ENCODED = 'The body is compressed or otherwise encoded. Send it as it is, without Content-Encoding.';

/** Answers a request whose body is encoded with 415, as every address of the server does; `next` goes on with any other. */
export function refuseEncoded(request: IncomingMessage, response: ServerResponse, next: () => void): void {
  if (isEncoded(request)) {
    request.resume();
    response.writeHead(415, { ...IDENTITY_ONLY, 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: ENCODED }));
  } else next();
}

/** Why a body is not read to its end: it is encoded, larger than it may be, too much is in hand already, or its sender is gone. */
export type Unread = 'encoded' | 'too_large' | 'too_many' | 'cut_off';

/** Reads a body of at most `maxBytes` that is not encoded. The rest of one that is refused is passed over; one without end closes the connection. */
export async function readBytes(
  { request, response, bodies }: BodyExchange,
  maxBytes: number,
): Promise<Buffer | Unread> {
  const refuse = (why: Unread): Unread => {
    passOverRest(request, response);
    return why;
  };
  if (isEncoded(request)) {
    response.setHeader('accept-encoding', IDENTITY_ONLY['accept-encoding']);
    return refuse('encoded');
  }
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return refuse('too_large');
  const count = bodies.open(request, response);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let isRefused = false;
    request.on('data', (chunk: Buffer) => {
      if (isRefused) return;
      bytes += chunk.length;
      isRefused = bytes > maxBytes || !count(chunk.length);
      if (isRefused) {
        chunks.length = 0;
        resolve(refuse(bytes > maxBytes ? 'too_large' : 'too_many'));
      } else chunks.push(chunk);
    });
    request.on('end', () => {
      const [only] = chunks;
      resolve(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks));
    });
    request.on('error', () => resolve('cut_off'));
  });
}

/**
 * Reads on and throws away what comes: a sender that writes all before it reads would lose the answer if the connection closed at once
 * (RFC 9112, 9.6). The connection closes after the answer where the rest is too much or takes too long.
 */
function passOverRest(request: IncomingMessage, response: ServerResponse): void {
  let restBytes = 0;
  const close = (): void => {
    stopWaiting();
    request.off('data', count).pause();
    if (response.writableFinished) request.socket.destroySoon();
    else response.once('finish', () => request.socket.destroySoon());
  };
  const count = (chunk: Buffer): void => {
    restBytes += chunk.length;
    if (restBytes > MAX_REST_BYTES) close();
  };
  const stopWaiting = callAfter(MAX_REST_MS, close);
  request.once('close', stopWaiting);
  request.on('data', count);
}
