import { createRequire } from 'node:module';
import { isIPv6 } from 'node:net';
import { TaskError } from '../kernel/errors.js';
import { isUrl } from '../net/url.js';

/** A URL in the one spelling that is signed and compared, and its host and port as the Host header has them. */
export type TargetUri = { readonly uri: string; readonly authority: string };

/** Why a URL has no canonical form; stands in the error's `details.reason`. */
export type TargetUriReason = keyof typeof FAULTS;

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
/** What no request line can carry; every client encodes it before it sends. */
const UNSENDABLE = /[^\x21-\x7e]/gu;

/**
 * The canonical form of an http(s) URL in eight steps (facts 2.2): scheme and host in lower case (IDN as A-labels), no user, no
 * default port, no dot segments, percent-encoding in its one form, the query as it is, no fragment. Doing it twice changes nothing.
 * Throws VALIDATION_ERROR with `details.reason` (TargetUriReason) and `field`.
 */
export function canonicalTargetUri(url: string, field = 'url'): TargetUri {
  const parts = PARTS.exec(url);
  const [, scheme = '', authority = '', path = '', query = ''] = parts ?? [];
  if (parts === null) throw refusal('not_absolute', field);
  const canonicalScheme = scheme.toLowerCase();
  const canonical = canonicalAuthority(canonicalScheme, authority, field);
  return {
    uri: `${canonicalScheme}://${canonical}${canonicalPath(path)}${sendable(query)}`,
    authority: canonical,
  };
}

/** How many addresses are remembered; a sender calls few, each again and again. */
const REMEMBERED = 1000;
const called = new Map<string, TargetUri>();

/** The canonical form of what a URL parser, and so every client, makes of a URL. Throws like `canonicalTargetUri`. */
export function calledTarget(url: string, field = 'url'): TargetUri {
  const known = called.get(url);
  if (known !== undefined) return known;
  const target = canonicalTargetUri(isUrl(url) ? new URL(url).href : url, field);
  if (called.size >= REMEMBERED) called.clear();
  called.set(url, target);
  return target;
}

/** The canonical form of a host and port, as of a Host header. Throws like `canonicalTargetUri`. */
export function canonicalAuthority(scheme: string, authority: string, field = 'url'): string {
  // A URL parser takes a backslash for a slash, and would go to another host than the one that is read here.
  if (authority.includes('\\')) throw refusal('bad_host', field);
  const address = authority.slice(authority.lastIndexOf('@') + 1);
  const split = address.startsWith('[') ? splitLiteral(address, field) : splitName(address, field);
  if (split.host === '') throw refusal('no_host', field);
  const host = split.host.startsWith('[') ? literalHost(split.host, field) : namedHost(split.host, field);
  if (!/^\d{0,8}$/.test(split.port) || Number(split.port) > 65_535) throw refusal('bad_port', field);
  return split.port === '' || Number(split.port) === DEFAULT_PORTS[scheme] ? host : `${host}:${Number(split.port)}`;
}

/** Why an error says that a URL cannot be signed; undefined for an error of something else. */
export function targetUriReason(error: unknown): TargetUriReason | undefined {
  const reason = error instanceof TaskError ? error.extras.details?.reason : undefined;
  return isReason(reason) ? reason : undefined;
}

function isReason(value: unknown): value is TargetUriReason {
  return typeof value === 'string' && Object.hasOwn(FAULTS, value);
}

type HostAndPort = { readonly host: string; readonly port: string };

function splitLiteral(address: string, field: string): HostAndPort {
  const end = address.indexOf(']') + 1;
  const port = address.slice(end);
  if (end === 0 || !(port === '' || port.startsWith(':'))) throw refusal('bad_ip_literal', field);
  return { host: address.slice(0, end), port: port.slice(1) };
}

function splitName(address: string, field: string): HostAndPort {
  const [host = '', port = '', ...more] = address.split(':');
  if (more.length > 0) throw refusal('bad_ip_literal', field);
  return { host, port };
}

function literalHost(host: string, field: string): string {
  const address = host.slice(1, -1).toLowerCase();
  if (address.includes('%')) throw refusal('zone_id', field);
  if (!isIPv6(address)) throw refusal('bad_ip_literal', field);
  return `[${address}]`;
}

function namedHost(host: string, field: string): string {
  const ascii = /^[\x21-\x7e]+$/.test(host) ? host.toLowerCase() : asciiHost(host);
  const name = ascii?.replace(/\.$/, '') ?? '';
  if (!HOST.test(name)) throw refusal('bad_host', field);
  return name;
}

type Rules = Readonly<Record<string, boolean>>;
type Idna = {
  readonly toASCII: (name: string, rules: Rules) => string | null;
  readonly toUnicode: (name: string, rules: Rules) => { readonly domain: string; readonly error: boolean };
};
const RULES: Rules = { transitionalProcessing: false, checkBidi: true, checkJoiners: true };
let loaded: Idna | undefined;

/** The tables, loaded for the first host that needs them. */
function idna(): Idna {
  loaded ??= createRequire(import.meta.url)('tr46') as Idna;
  return loaded;
}

/** A host as people read it, its A-labels decoded (UTS 46); undefined where one of them decodes to nothing. */
export function unicodeHost(ascii: string): string | undefined {
  const { domain, error } = idna().toUnicode(ascii, RULES);
  return error ? undefined : domain;
}

/** UTS 46, non-transitional; null is a name that has no such form. */
function asciiHost(host: string): string | null {
  return idna().toASCII(host, RULES);
}

/** Unreserved characters are decoded before dot segments go, so that an encoded dot cannot climb later. */
function canonicalPath(path: string): string {
  const decoded = sendable(path.replace(/%(?![0-9A-Fa-f]{2})/g, '%25')).replace(
    /%([0-9A-Fa-f]{2})/g,
    (triplet, hex: string) => {
      const character = String.fromCharCode(Number.parseInt(hex, 16));
      return UNRESERVED.test(character) ? character : triplet.toUpperCase();
    },
  );
  return withoutDots(decoded) || '/';
}

/** RFC 3986 5.2.4 for a path that begins with a slash or is empty. Empty segments stay. */
function withoutDots(path: string): string {
  const segments = path.split('/').slice(1);
  const kept: string[] = [];
  for (const segment of segments) {
    if (segment === '..') kept.pop();
    else if (segment !== '.') kept.push(segment);
  }
  const last = segments.at(-1);
  if (last === '.' || last === '..') kept.push('');
  return kept.map((segment) => `/${segment}`).join('');
}

function sendable(text: string): string {
  return text.replace(UNSENDABLE, (character) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}

function refusal(reason: TargetUriReason, field: string): TaskError {
  return new TaskError('VALIDATION_ERROR', `The URL cannot be signed: ${FAULTS[reason]}.`, {
    field,
    suggestion: 'Send an absolute https URL such as https://buyer.example/hooks.',
    details: { reason },
  });
}
