import type { LookupFunction } from 'node:net';
import { connect, type PeerCertificate } from 'node:tls';
import { SECOND_MS } from '../kernel/clock.js';
import { addressKind, literalAddress } from './address.js';
import { guardedLookup, PUBLIC, systemNames } from './connections.js';

/** A certificate as a stranger sees it: until when it holds, and why it is not trusted, if it is not. Or why there is none. */
export type SeenCertificate =
  | { readonly validToMs: number; readonly distrusted: string | undefined }
  | { readonly fault: string };

const TIMEOUT_MS = 10 * SECOND_MS;

/** Returns the certificate of an address that the operator's own settings name; nothing is sent there. */
export function readCertificate(host: string, port: number, lookup?: LookupFunction): Promise<SeenCertificate> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, servername: host, rejectUnauthorized: false, timeout: TIMEOUT_MS, lookup });
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

/** Returns the certificate of an address that a stranger chose: it has to lead to the public internet, and nothing is sent there. */
export async function readPublicCertificate(host: string, port: number): Promise<SeenCertificate> {
  const literal = literalAddress(host);
  if (literal !== undefined && addressKind(literal) !== 'public')
    return { fault: 'it does not lead to the public internet' };
  return readCertificate(host, port, guardedLookup(PUBLIC, systemNames));
}
