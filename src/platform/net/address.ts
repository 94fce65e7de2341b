import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

/** The kind of an address, to a process that must not be led into its own network. */
export type AddressKind = 'public' | 'loopback' | 'metadata' | 'private';

/** Addresses where clouds answer questions about the machine; never called, in no mode. The one of Azure is in a public range. */
const METADATA: ReadonlySet<string> = new Set(['169.254.169.254', '168.63.129.16', '100.100.100.200', 'fd00:ec2::254']);

/** The addresses of the internet at large; everything of version 6 outside 2000::/3 is special. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

/**
 * Judges an IP address, as text, in any form that the system's resolver takes (`0x7f.1`, `::ffff:127.0.0.1`).
 * Only plain unicast is public: what embeds another address (6to4, Teredo, NAT64) or is reserved counts as private, and so does text that is no address.
 */
export function addressKind(text: string): AddressKind {
  if (!ipaddr.isValid(text)) return 'private';
  const address = ipaddr.process(text);
  if (METADATA.has(address.toString())) return 'metadata';
  const range = address.range();
  if (range === 'loopback') return 'loopback';
  if (range !== 'unicast') return 'private';
  return address instanceof ipaddr.IPv6 && !address.match(GLOBAL_UNICAST) ? 'private' : 'public';
}

/** What addresses are written with, zones of version 6 left out: most host names have another character, and an exception costs more. */
const ADDRESS_CHARACTERS = /^[\da-fx.:]+(?:%|$)/i;

/** Returns the IP address that a URL's host name is, without brackets; undefined for a name that has to be resolved. */
export function literalAddress(hostname: string): string | undefined {
  const literal = hostname.replace(/^\[|\]$/g, '');
  return ADDRESS_CHARACTERS.test(literal) && ipaddr.isValid(literal) ? literal : undefined;
}

/** Returns the kind of a URL's host name as far as the name itself tells, before it is resolved; undefined for an ordinary name. */
export function hostKind(hostname: string): AddressKind | undefined {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost')) return 'loopback';
  const literal = literalAddress(name);
  return literal === undefined ? undefined : addressKind(literal);
}

/** Whether a text is an IP address or a range of them, such as `10.0.0.0/8`. */
export function isAddressRange(text: string): boolean {
  return ipaddr.isValidCIDR(text) || ipaddr.isValid(text);
}

/** Returns a test for the addresses in some ranges. An IPv4 address mapped into IPv6 is the IPv4 address. Throws for what is no range. */
export function addressesIn(ranges: readonly string[]): (address: string) => boolean {
  const read = ranges.map((range) => {
    const [base, bits] = ipaddr.isValidCIDR(range) ? ipaddr.parseCIDR(range) : [ipaddr.parse(range), undefined];
    if (!isMapped(base)) return [base, bits ?? (base.kind() === 'ipv4' ? 32 : 128)] as const;
    return [base.toIPv4Address(), Math.max(0, (bits ?? 128) - 96)] as const;
  });
  return (address) => {
    if (!ipaddr.isValid(address)) return false;
    const wanted = ipaddr.process(address);
    return read.some(([base, bits]) => base.kind() === wanted.kind() && wanted.match(base, bits));
  };
}

function isMapped(address: ipaddr.IPv4 | ipaddr.IPv6): address is ipaddr.IPv6 {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress();
}

/**
 * Returns the holder that an address counts as: the address itself, or of version 6 its network of 64 bits, of which one customer
 * has all addresses. Text that is no address counts as itself.
 */
export function addressHolder(address: string): string {
  if (!address.includes(':') || !ipaddr.isValid(address)) return address;
  const read = ipaddr.process(address);
  if (read instanceof ipaddr.IPv4) return read.toString();
  return `${read.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}

/** Returns an IP address as it is usually written, without the port that some proxies add; undefined for what is none. */
function plainAddress(text: string): string | undefined {
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? [];
  const bare = bracketed ?? text.replace(/^([\d.]+):\d+$/, '$1');
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : undefined;
}

/** Returns the sender that a request counts as: an address, or of version 6 its network. */
export type ClientAddress = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string;

/** Returns the other end of the connection, whatever its headers claim. */
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
