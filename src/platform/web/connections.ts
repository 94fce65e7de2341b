import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { MINUTE_MS, monotonicMs, SECOND_MS } from '../kernel/clock.js';
import type { Log } from '../kernel/log.js';
import { addressesIn, addressHolder } from '../net/address.js';
import { settleTarget } from './origin.js';

/** How many connections an address that is bound takes at once. */
export type ConnectionBounds = {
  /** In all, and of one sender: an IP address, or of version 6 a network of 64 bits. */
  readonly connections: { readonly total: number; readonly perAddress: number };
  /** Addresses and ranges that speak for many senders: `perAddress` is not for them. */
  readonly trustedProxies: readonly string[];
};

/** Requests of one connection that wait for the one before them to be answered. */
const MAX_PIPELINED = 32;
/** Bytes that were written and that nobody has read yet, of all connections together. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;
/** Time without any progress that a reader has, and beyond that the slowest rate at which an answer in one piece is sent. */
const MAX_STALL_MS = 30 * SECOND_MS;
const MIN_BYTES_PER_SECOND = 32 * 1024;
/** Between two notes in the log that connections were turned away. */
const NOTE_MS = MINUTE_MS;

type Waiting = readonly [request: IncomingMessage, response: ServerResponse];

/** One connection and how far its reader is. */
type Connection = {
  readonly socket: Socket;
  readonly holder: string;
  readonly waiting: Waiting[];
  /** The answer in hand. */
  answer: ServerResponse | undefined;
  /** Bytes that were written and not sent, when that was last looked at. */
  unread: number;
  /** Bytes that were sent when the reader was last looked at, and when that number last changed. */
  sent: number;
  sentAt: number;
};

/** The connections of one bound address: how many there are and of whom, one request of each at a time, and no answer kept for long for who does not read it. */
export class Connections {
  readonly #bounds: ConnectionBounds['connections'];
  readonly #isProxy: (address: string) => boolean;
  readonly #listener: RequestListener;
  readonly #open = new Map<Socket, Connection>();
  readonly #byHolder = new Map<string, Set<Connection>>();
  readonly #busy = new Set<Connection>();
  /** The longest unread first. */
  readonly #unread = new Set<Connection>();
  #unreadBytes = 0;
  /** Called when no connection is left, once they retire. */
  #whenEmpty: (() => void) | undefined;
  #dropped = 0;
  #notedAt = Number.NEGATIVE_INFINITY;

  constructor(bounds: ConnectionBounds, listener: RequestListener) {
    this.#bounds = bounds.connections;
    this.#isProxy = addressesIn(bounds.trustedProxies);
    this.#listener = listener;
  }

  /** Takes a new connection, or ends it where there are enough. */
  add(socket: Socket): void {
    const { remoteAddress = '' } = socket;
    const holder = addressHolder(remoteAddress);
    const connections = this.#byHolder.get(holder) ?? new Set<Connection>();
    const isFull = connections.size >= this.#bounds.perAddress && !this.#isProxy(remoteAddress);
    if (isFull || (this.#open.size >= this.#bounds.total && !this.#makeRoom(connections.size))) {
      this.#drop(socket);
      return;
    }
    const connection: Connection = { socket, holder, waiting: [], answer: undefined, unread: 0, sent: 0, sentAt: 0 };
    this.#open.set(socket, connection);
    this.#byHolder.set(holder, connections.add(connection));
    socket.once('close', () => this.#remove(connection));
  }

  /** Answers a request when the one before it on its connection is answered and read. */
  serve(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#open.get(request.socket);
    if (connection === undefined) request.socket.destroy();
    else if (!settleTarget(request)) refuseTarget(response);
    else if (connection.answer === undefined) this.#begin(connection, request, response);
    else if (connection.waiting.length < MAX_PIPELINED) connection.waiting.push([request, response]);
    else this.#drop(connection.socket);
  }

  /** Lets each connection end with its next answer, which says so. Resolves when none is left. */
  retire(): Promise<void> {
    for (const connection of this.#busy) endAfter(connection);
    return new Promise((resolve) => {
      this.#whenEmpty = resolve;
      if (this.#open.size === 0) resolve();
    });
  }

  /** Ends the connections whose reader takes nothing, and notes what was turned away; to be called several times a second. */
  sweep(log: Log): void {
    const now = monotonicMs();
    for (const connection of this.#busy) {
      const { socket } = connection;
      const { writableLength } = socket;
      this.#countUnread(connection, writableLength);
      const sent = socket.bytesWritten - writableLength;
      if (writableLength === 0 || sent !== connection.sent) Object.assign(connection, { sent, sentAt: now });
      else if (now - connection.sentAt > MAX_STALL_MS + (writableLength / MIN_BYTES_PER_SECOND) * SECOND_MS)
        this.#drop(socket);
    }
    this.#endSlowest();
    if (this.#dropped === 0 || now - this.#notedAt < NOTE_MS) return;
    log.warn({ dropped: this.#dropped, open: this.#open.size }, 'connections were turned away');
    this.#dropped = 0;
    this.#notedAt = now;
  }

  #begin(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    connection.answer = response;
    if (this.#whenEmpty !== undefined) endAfter(connection);
    connection.sentAt = monotonicMs();
    this.#busy.add(connection);
    // Each comes once by itself, and `once` wraps its listener for every request.
    response.on('prefinish', () => {
      this.#countUnread(connection, connection.socket.writableLength);
      this.#endSlowest();
    });
    response.on('close', () => this.#end(connection));
    this.#listener(request, response);
  }

  #end(connection: Connection): void {
    this.#busy.delete(connection);
    connection.answer = undefined;
    this.#countUnread(connection, 0);
    const next = connection.waiting.shift();
    if (next !== undefined && !connection.socket.destroyed) this.#begin(connection, ...next);
  }

  #countUnread(connection: Connection, bytes: number): void {
    if (bytes > 0) this.#unread.add(connection);
    else this.#unread.delete(connection);
    this.#unreadBytes += bytes - connection.unread;
    connection.unread = bytes;
  }

  /** Ends readers while too much is unread: of those who hold the most, the one that began first. */
  #endSlowest(): void {
    while (this.#unreadBytes > MAX_UNREAD_BYTES) {
      const slowest = this.#slowestReader();
      if (slowest === undefined) return;
      this.#countUnread(slowest, 0);
      this.#drop(slowest.socket);
    }
  }

  #slowestReader(): Connection | undefined {
    const byHolder = new Map<string, number>();
    for (const { holder, unread } of this.#unread) byHolder.set(holder, (byHolder.get(holder) ?? 0) + unread);
    const most = Math.max(...byHolder.values());
    return [...this.#unread].find(({ holder }) => byHolder.get(holder) === most);
  }

  /** Ends an idle connection of whoever has the most, for somebody who has fewer; false where there is none. */
  #makeRoom(held: number): boolean {
    let most: Set<Connection> = new Set();
    for (const connections of this.#byHolder.values()) if (connections.size > most.size) most = connections;
    if (most.size <= held + 1) return false;
    for (const connection of most) {
      if (connection.answer !== undefined) continue;
      this.#remove(connection);
      this.#drop(connection.socket);
      return true;
    }
    return false;
  }

  #remove(connection: Connection): void {
    const { holder, socket, waiting } = connection;
    this.#open.delete(socket);
    this.#busy.delete(connection);
    this.#countUnread(connection, 0);
    waiting.length = 0;
    const connections = this.#byHolder.get(holder);
    connections?.delete(connection);
    if (connections?.size === 0) this.#byHolder.delete(holder);
    if (this.#open.size === 0) this.#whenEmpty?.();
  }

  #drop(socket: Socket): void {
    this.#dropped += 1;
    socket.destroy();
  }
}

/** Has the answer in hand say that it is the last of its connection, unless another request waits behind it. */
function endAfter({ answer, waiting }: Connection): void {
  if (waiting.length === 0 && answer?.headersSent === false) answer.setHeader('connection', 'close');
}

function refuseTarget(response: ServerResponse): void {
  const error = {
    code: 'INVALID_REQUEST',
    message: 'The request names several hosts, or an address that cannot be read.',
    field: 'Host',
    suggestion: 'Send one Host header, with the host of the address that is called.',
  };
  response.writeHead(400, { 'content-type': 'application/json', connection: 'close' }).end(JSON.stringify({ error }));
}
