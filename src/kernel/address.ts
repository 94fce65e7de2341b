import ipaddr from 'ipaddr.js';

/** What an address is to a process that must not be led into its own network. */
export type AddressKind = 'public' | 'loopback' | 'metadata' | 'private';

/** Where clouds answer questions about the machine; never called, in no mode. The Azure one stands in a public range. */
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

/** The IP address that a URL's host name is, without brackets; undefined for a name that has to be resolved. */
export function literalAddress(hostname: string): string | undefined {
  const literal = hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(literal) ? literal : undefined;
}

/** What a URL's host name says of itself before anything is resolved; undefined for an ordinary name. */
export function hostKind(hostname: string): AddressKind | undefined {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost')) return 'loopback';
  const literal = literalAddress(name);
  return literal === undefined ? undefined : addressKind(literal);
}
