import { lookup as systemLookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import type { Agent, buildConnector } from 'undici';
import { SECOND_MS } from '../kernel/clock.js';
import { startDeadline } from '../kernel/loop.js';
import { type AddressKind, addressKind, literalAddress } from './address.js';
import { FetchError } from './fetch-error.js';

/** The addresses of a host name, as the system would answer. */
export type Lookup = (hostname: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;

/** Returns the addresses of a host name by the system's own resolver. */
export function systemNames(hostname: string): ReturnType<Lookup> {
  return systemLookup(hostname, { all: true });
}

/** Returns the addresses of a host name; none for one that does not resolve, or not in time. */
export async function resolveHost(hostname: string, lookup: Lookup, timeoutMs: number): ReturnType<Lookup> {
  const deadline = startDeadline(timeoutMs);
  return Promise.race([lookup(hostname), deadline.passed])
    .catch(() => [])
    .finally(deadline.end);
}

const CONNECT_TIMEOUT_MS = 10 * SECOND_MS;
/** Those who call have lower bounds of their own; a connection that hangs holds up nobody else's call to the same origin. */
const CONNECTIONS_PER_ORIGIN = 768;
/** The networks that a call may reach: by rule, of local callers in development, of the operator. */
export const PUBLIC: ReadonlySet<AddressKind> = new Set(['public']);
export const PUBLIC_AND_LOOPBACK: ReadonlySet<AddressKind> = new Set(['public', 'loopback']);
const ALL_NETWORKS: ReadonlySet<AddressKind> = new Set(['public', 'loopback', 'private']);

/** A pool of connections for each kind of call. */
export type Agents = { readonly open: Agent; readonly local: Agent; readonly trusted: Agent };

/** Loads the HTTP client, which takes a while; whatever goes out needs it. */
export const loadClient = () => import('undici');

/** Opens a pool for each kind of call, so that a connection that one was allowed is never handed to another. */
export async function openAgents(lookup: Lookup): Promise<Agents> {
  const undici = await loadClient();
  const open = (allowed: ReadonlySet<AddressKind>): Agent =>
    new undici.Agent({
      connect: guardedConnector(undici.buildConnector, allowed, lookup),
      connections: CONNECTIONS_PER_ORIGIN,
      // The deadline of the call covers both.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  return { open: open(PUBLIC), local: open(PUBLIC_AND_LOOPBACK), trusted: open(ALL_NETWORKS) };
}

/**
 * Returns the connector that every connection passes through: a literal address is judged before (nothing is looked up for it), a
 * name when it is resolved, in the one look-up whose answer is connected to, and the peer once more when it is there.
 */
function guardedConnector(
  build: typeof buildConnector,
  allowed: ReadonlySet<AddressKind>,
  lookup: Lookup,
): buildConnector.connector {
  const connect = build({ lookup: guardedLookup(allowed, lookup), timeout: CONNECT_TIMEOUT_MS });
  const isAllowed = (address: string): boolean => allowed.has(addressKind(address));
  return (options, callback) => {
    const literal = literalAddress(options.hostname);
    if (literal !== undefined && !isAllowed(literal)) {
      callback(new FetchError('private_address'), null);
      return;
    }
    connect(options, (...[error, socket]) => {
      if (error !== null || socket === null) callback(error ?? new FetchError('unreachable'), null);
      else if (isAllowed(socket.remoteAddress ?? '')) callback(null, socket);
      else {
        socket.destroy();
        callback(new FetchError('private_address'), null);
      }
    });
  };
}

/** Returns the look-up of a connection, which fails for a name with any address of another kind: the others may be bait. */
export function guardedLookup(allowed: ReadonlySet<AddressKind>, lookup: Lookup): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined) callback(new FetchError('unresolved'), '', 0);
        else if (!addresses.every(({ address }) => allowed.has(addressKind(address)))) {
          callback(new FetchError('private_address'), '', 0);
        } else if (options.all === true) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      () => callback(new FetchError('unresolved'), '', 0),
    );
  };
}
