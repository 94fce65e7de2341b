import { isUrl } from '../platform/net/url.js';

/** Why a URL is not taken: the requirement that it breaks, what was found and what is wanted. */
type UrlFault = {
  readonly keyword: 'format' | 'protocols';
  readonly message: string;
  readonly found: string;
  readonly wanted: string;
};

/** Places that are filled in later: `{NAME}`, RFC 6570 expressions, `[NAME]`, `${NAME}` and `%%NAME%%`. */
const MACROS = /\$?\{[^{}\s]{1,200}\}|\[[A-Za-z0-9_]{1,60}\]|%%[A-Za-z0-9_:]{1,60}%%/g;
const LEADING_MACROS = /^(?:\$?\{[^{}\s]{1,200}\}|\[[A-Za-z0-9_]{1,60}\]|%%[A-Za-z0-9_:]{1,60}%%)+/;

/** Schemes that people and browsers follow. */
export const WEB_PROTOCOLS: readonly string[] = ['https', 'http'];

/** Whether a URL has places that are filled in later. */
export function hasMacros(url: string): boolean {
  return url.search(MACROS) >= 0;
}

/**
 * Returns why a URL must not be followed: it is not absolute, or of none of `protocols` (without colon); undefined when it may. Macros
 * are taken anywhere but for the scheme, and macros alone as a URL that comes later.
 */
export function findUrlFault(url: string, protocols: readonly string[] = WEB_PROTOCOLS): UrlFault | undefined {
  const wanted = `${protocols.map((each) => `${each}://`).join(' or ')}…`;
  if (url.trim() === '') return { keyword: 'format', message: 'is empty', found: '', wanted };
  if (hasControlCharacters(url)) {
    return { keyword: 'format', message: 'has control characters or spaces around it', found: 'control', wanted };
  }
  const parsed = parseUrl(url);
  if (parsed === 'later') return undefined;
  if (parsed === undefined) return { keyword: 'format', message: 'is no absolute URL', found: shorten(url), wanted };
  const scheme = parsed.protocol.slice(0, -1);
  if (protocols.includes(scheme)) return undefined;
  return { keyword: 'protocols', message: `must not be a ${scheme}: URL`, found: `${scheme}:`, wanted };
}

/** Returns the host of a URL without its macros; undefined when it is none or comes later. */
export function hostOf(url: string): string | undefined {
  const parsed = parseUrl(url);
  return parsed === undefined || parsed === 'later' ? undefined : parsed.hostname;
}

/** Whether a host is one of the domains or below one. */
export function isWithin(host: string, domains: readonly string[]): boolean {
  return domains.some((domain) => host === domain.toLowerCase() || host.endsWith(`.${domain.toLowerCase()}`));
}

/** Returns a value as an answer may repeat it. */
export function shorten(value: string, most = 100): string {
  return value.length <= most ? value : `${value.slice(0, most - 1)}…`;
}

function parseUrl(url: string): URL | 'later' | undefined {
  const rest = url.replace(LEADING_MACROS, '');
  if (rest === '') return 'later';
  const plain = rest.replaceAll(MACROS, 'x');
  if (isUrl(plain)) return new URL(plain);
  // Behind a macro, a path or a query goes on with what the macro brings.
  return rest !== url && !/^[a-z][a-z0-9+.-]*:/i.test(plain) ? 'later' : undefined;
}

function hasControlCharacters(url: string): boolean {
  if (url !== url.trim()) return true;
  for (let index = 0; index < url.length; index += 1) if (url.charCodeAt(index) < 0x20) return true;
  return false;
}
