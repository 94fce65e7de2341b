/** What a URL cannot hold and the parser leaves out without a word: control characters, and blanks at either end. */
const DROPPED_BY_PARSING = /\p{Cc}|^ | $/u;

/**
 * Whether a text is an absolute URL, or one relative to `base`, as it is written. Not `URL.canParse`: once it is compiled, that of Node 20
 * now and then says no to letters beyond ASCII.
 */
export function isUrl(text: string, base?: string): boolean {
  if (DROPPED_BY_PARSING.test(text)) return false;
  try {
    return new URL(text, base) !== undefined;
  } catch {
    return false;
  }
}

/** Names that never lead anywhere: they are reserved for documents and tests (RFC 2606, 6761). */
const RESERVED = /(^|\.)(example|invalid|test)$/;

/** Whether the host of a URL is a name that can never be resolved. */
export function isReservedHost(url: string): boolean {
  return RESERVED.test(new URL(url).hostname);
}

/** Names for examples that do lead somewhere: to a page that says so (RFC 2606). */
const EXAMPLE = /(^|\.)example\.(com|net|org)$/;

/** Whether the host of a URL is a name that nobody can own: examples in documents, and tests. */
export function isExampleHost(url: string): boolean {
  return isReservedHost(url) || EXAMPLE.test(new URL(url).hostname);
}

/** A host name in lower-case ASCII, of one label or more. */
export const HOST_NAME = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;

/** A token that a header can carry: visible ASCII. */
export const HEADER_TOKEN = /^[\x21-\x7e]+$/;

/** Returns the normalized address of an http or https URL without credentials; undefined for anything else, `javascript:` and `data:` included. */
export function webUrl(text: string): string | undefined {
  if (!isUrl(text)) return undefined;
  const url = new URL(text);
  const isWeb = (url.protocol === 'https:' || url.protocol === 'http:') && url.username === '' && url.password === '';
  return isWeb ? url.href : undefined;
}
