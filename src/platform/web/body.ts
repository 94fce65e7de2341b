import type { IncomingMessage, ServerResponse } from 'node:http';
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

/** Why a body is not read to its end: it is larger than it may be, too much is in hand already, or its sender is gone. */
export type Unread = 'too_large' | 'too_many' | 'cut_off';

/** Reads a body of at most `maxBytes`. One that is not read to its end leaves the connection to be closed with the answer. */
export async function readBytes(
  { request, response, bodies }: BodyExchange,
  maxBytes: number,
): Promise<Buffer | Unread> {
  const refuse = (why: Unread): Unread => {
    request.pause();
    // What was not read cannot be followed by another request on this connection.
    response.setHeader('connection', 'close');
    return why;
  };
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
