import { createRequire } from 'node:module';
import { isIPv6 } from 'node:net';
import { InputError } from '../kernel/errors.js';
import { isUrl } from '../net/url.js';

/** A URL in the one spelling that is signed and compared, and its host and port as the Host header has them. */
export type TargetUri = { readonly uri: string; readonly authority: string };

/** The reason that a URL has no canonical form, as the error's `details.reason` names it. */
type TargetUriReason = keyof typeof FAULTS;

/** Each reason as the end of "The URL cannot be signed: …". */
const FAULTS = {
  not_absolute: 'it is not an absolute URL',
  no_host: 'it names no host',
  bad_host: 'its host name is not valid',
  bad_ip_literal: 'its IPv6 address is not valid or not in brackets',
  zone_id: 'its IPv6 address carries a zone, which means nothing on another machine',
  bad_port: 'its port is not a number up to 65535',
} as const satisfies Record<string, string>;

const PARTS = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)(\?[^#]*)?(?:#.*)?$/s;
const HOST = /^(?:[A-Za-z0-9_-]+\.)*[A-Za-z0-9_-]+$/;
const DEFAULT_PORTS: Readonly<Record<string, number>> = { https: 443, http: 80 };
const UNRESERVED = /[A-Za-z0-9._~-]/;
/** Characters that no request line can carry; every client encodes them before it sends. */
const UNSENDABLE = /[^\x21-\x7e]/gu;

/**
 * Returns the canonical form of an http(s) URL: scheme and host in lower case (IDN as A-labels), no user, no default port, no dot
 * segments, percent-encoding in its one form, the query as it is, no fragment. A canonical URL comes back unchanged.
 * Throws VALIDATION_ERROR with `details.reason` (TargetUriReason) and `field`.
 */
export function canonicalTargetUri(url: string, field = 'url'): TargetUri {
  const parts = PARTS.exec(url);
  const [, scheme = '', authority = '', path = '', query = ''] = parts ?? [];
  if (parts === null) throw targetError('not_absolute', field);
  const canonicalScheme = scheme.toLowerCase();
  const canonical = canonicalAuthority(canonicalScheme, authority, field);
  return {
    uri: `${canonicalScheme}://${canonical}${canonicalPath(path)}${encodeUnsendable(query)}`,
    authority: canonical,
  };
}

/** Returns the canonical form of the URL that a URL parser, and so every client, sends. Throws like `canonicalTargetUri`. */
export function parsedTarget(url: string, field = 'url'): TargetUri {
  return canonicalTargetUri(isUrl(url) ? new URL(url).href : url, field);
}

/** Returns the canonical form of a host and port, as of a Host header. Throws like `canonicalTargetUri`. */
export function canonicalAuthority(scheme: string, authority: string, field = 'url'): string {
  // A URL parser takes a backslash for a slash, and would go to another host than the one that is read here.
  if (authority.includes('\\')) throw targetError('bad_host', field);
  const address = authority.slice(authority.lastIndexOf('@') + 1);
  const split = address.startsWith('[') ? splitLiteral(address, field) : splitName(address, field);
  if (split.host === '') throw targetError('no_host', field);
  const host = split.host.startsWith('[') ? literalHost(split.host, field) : namedHost(split.host, field);
  if (!/^\d{0,8}$/.test(split.port) || Number(split.port) > 65_535) throw targetError('bad_port', field);
  return split.port === '' || Number(split.port) === DEFAULT_PORTS[scheme] ? host : `${host}:${Number(split.port)}`;
}

/** Returns the reason for which an error says that a URL cannot be signed; undefined for any other error. */
export function targetUriReason(error: unknown): TargetUriReason | undefined {
  const reason = error instanceof InputError ? error.extras.details?.reason : undefined;
  return isReason(reason) ? reason : undefined;
}

function isReason(value: unknown): value is TargetUriReason {
  return typeof value === 'string' && Object.hasOwn(FAULTS, value);
}

type HostAndPort = { readonly host: string; readonly port: string };

function splitLiteral(address: string, field: string): HostAndPort {
  const end = address.indexOf(']') + 1;
  const port = address.slice(end);
  if (end === 0 || !(port === '' || port.startsWith(':'))) throw targetError('bad_ip_literal', field);
  return { host: address.slice(0, end), port: port.slice(1) };
}

function splitName(address: string, field: string): HostAndPort {
  const [host = '', port = '', ...more] = address.split(':');
  if (more.length > 0) throw targetError('bad_ip_literal', field);
  return { host, port };
}

function literalHost(host: string, field: string): string {
  const address = host.slice(1, -1).toLowerCase();
  if (address.includes('%')) throw targetError('zone_id', field);
  if (!isIPv6(address)) throw targetError('bad_ip_literal', field);
  return `[${address}]`;
}

function namedHost(host: string, field: string): string {
  const ascii = /^[\x21-\x7e]+$/.test(host) ? host.toLowerCase() : asciiHost(host);
  const name = ascii?.replace(/\.$/, '') ?? '';
  if (!HOST.test(name)) throw targetError('bad_host', field);
  return name;
}

type Rules = Readonly<Record<string, boolean>>;
type Idna = {
  readonly toASCII: (name: string, rules: Rules) => string | null;
  readonly toUnicode: (name: string, rules: Rules) => { readonly domain: string; readonly error: boolean };
};
const RULES: Rules = { transitionalProcessing: false, checkBidi: true, checkJoiners: true };
const requireModule = createRequire(import.meta.url);

/** Returns the tables of UTS 46, which are loaded for the first host that needs them. */
function idna(): Idna {
  return requireModule('tr46') as Idna;
}

/** Returns a host as people read it, its A-labels decoded (UTS 46); undefined where one of them decodes to nothing. */
export function unicodeHost(ascii: string): string | undefined {
  const { domain, error } = idna().toUnicode(ascii, RULES);
  return error ? undefined : domain;
}

/** Returns the A-labels of a name (UTS 46, non-transitional), null for a name that has none. */
function asciiHost(host: string): string | null {
  return idna().toASCII(host, RULES);
}

/**
 * Returns a path with unreserved characters decoded before dot segments go, so that an encoded dot cannot climb later.
 */
function canonicalPath(path: string): string {
  const decoded = encodeUnsendable(path.replace(/%(?![0-9A-Fa-f]{2})/g, '%25')).replace(
    /%([0-9A-Fa-f]{2})/g,
    (triplet, hex: string) => {
      const character = String.fromCharCode(Number.parseInt(hex, 16));
      return UNRESERVED.test(character) ? character : triplet.toUpperCase();
    },
  );
  return removeDotSegments(decoded) || '/';
}

/** Removes dot segments (RFC 3986 5.2.4) of a path that begins with a slash or is empty. Empty segments stay. */
function removeDotSegments(path: string): string {
  const segments = path.split('/').slice(1);
  const result: string[] = [];
  for (const segment of segments) {
    if (segment === '..') result.pop();
    else if (segment !== '.') result.push(segment);
  }
  const last = segments.at(-1);
  if (last === '.' || last === '..') result.push('');
  return result.map((segment) => `/${segment}`).join('');
}

function encodeUnsendable(text: string): string {
  return text.replace(UNSENDABLE, (character) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}

function targetError(reason: TargetUriReason, field: string): InputError {
  return new InputError('VALIDATION_ERROR', `The URL cannot be signed: ${FAULTS[reason]}.`, {
    field,
    suggestion: 'Send an absolute https URL such as https://buyer.example/hooks.',
    details: { reason },
  });
}
