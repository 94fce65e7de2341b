import type { LookupFunction } from 'node:net';
import { connect, type PeerCertificate } from 'node:tls';
import { SECOND_MS } from '../kernel/clock.js';
import { addressKind, literalAddress } from './address.js';
import { guardedLookup, PUBLIC, PUBLIC_AND_LOOPBACK, systemNames } from './connections.js';

/** A certificate as a stranger sees it: until when it holds, and why it is not trusted, if it is not. Or why there is none. */
export type SeenCertificate =
  | { readonly validToMs: number; readonly distrusted: string | undefined }
  | { readonly fault: string };

const TIMEOUT_MS = 10 * SECOND_MS;

/** Returns the certificate of an address that the operator's own settings name; nothing is sent there. */
export function readCertificate(host: string, port: number, lookup?: LookupFunction): Promise<SeenCertificate> {
  return new Promise((resolve) => {
    // A name is for hosts that have one: TLS knows none for an address.
    const servername = literalAddress(host) === undefined ? host : '';
    const socket = connect({ host, port, servername, rejectUnauthorized: false, timeout: TIMEOUT_MS, lookup });
    const end = (seen: SeenCertificate): void => {
      socket.destroy();
      resolve(seen);
    };
    socket.once('secureConnect', () => {
      const { valid_to }: PeerCertificate = socket.getPeerCertificate();
      end({
        validToMs: Date.parse(valid_to),
        distrusted: socket.authorized ? undefined : String(socket.authorizationError),
      });
    });
    socket.once('error', (error) => end({ fault: error.message }));
    socket.once('timeout', () => end({ fault: 'no answer in time' }));
  });
}

/**
 * Returns the certificate of an address that a stranger chose: it has to lead to the public internet, or to this machine where it is
 * `local`, and nothing is sent there.
 */
export async function readPublicCertificate(
  host: string,
  port: number,
  { local = false }: { readonly local?: boolean } = {},
): Promise<SeenCertificate> {
  const allowed = local ? PUBLIC_AND_LOOPBACK : PUBLIC;
  const literal = literalAddress(host);
  if (literal !== undefined && !allowed.has(addressKind(literal)))
    return { fault: 'it does not lead to the public internet' };
  return readCertificate(literal ?? host, port, guardedLookup(allowed, systemNames));
}
