import type { IncomingMessage } from 'node:http';
import { addressesIn, addressHolder, plainAddress } from './address.js';

/** Whom a request counts as coming from: an address, or of version 6 its network. */
export type ClientAddress = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string;

/** The other end of the connection, whatever it says of itself. */
export const socketAddress: ClientAddress = ({ socket }) => addressHolder(socket.remoteAddress ?? '');

/**
 * Believes X-Forwarded-For from these addresses and ranges alone. Each proxy adds whom it heard from at the end, so the list is read
 * from there, to the first address that is no proxy of ours: what stands before it was written by a stranger.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  if (trustedProxies.length === 0) return socketAddress;
  const isProxy = addressesIn(trustedProxies);
  return (request) => {
    let at = request.socket.remoteAddress ?? '';
    const hops = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
    while (isProxy(at)) {
      const before = plainAddress(hops.pop()?.trim() ?? '');
      if (before === undefined) break;
      at = before;
    }
    return addressHolder(at);
  };
}
