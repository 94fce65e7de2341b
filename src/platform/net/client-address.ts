import type { IncomingMessage } from 'node:http';
import { addressesIn, addressHolder, plainAddress } from './address.js';

/** Returns the sender that a request counts as: an address, or of version 6 its network. */
export type ClientAddress = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string;

/** The other end of the connection, whatever its headers claim. */
export const socketAddress: ClientAddress = ({ socket }) => addressHolder(socket.remoteAddress ?? '');

/**
 * Returns the sender of a request, believing X-Forwarded-For from these addresses and ranges alone. Each proxy adds whom it heard from at the end, so the list is read
 * from there, to the first address that is no proxy of ours: a stranger wrote everything before it.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  if (trustedProxies.length === 0) return socketAddress;
  const isProxy = addressesIn(trustedProxies);
  return (request) => {
    let address = request.socket.remoteAddress ?? '';
    const hops = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
    while (isProxy(address)) {
      const before = plainAddress(hops.pop()?.trim() ?? '');
      if (before === undefined) break;
      address = before;
    }
    return addressHolder(address);
  };
}
