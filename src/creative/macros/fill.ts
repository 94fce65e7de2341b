import { webUrl } from '../../platform/net/url.js';
import { escapeHtml } from '../../platform/web/html.js';

/** Macro values by name, without braces. */
export type MacroValues = Readonly<Record<string, string>>;

/** One placeholder in single braces; doubled braces belong to other template languages. */
export const PLACEHOLDER = /(?<!\{)\{([A-Z][A-Z0-9_]{0,63})\}(?!\})/g;

/** Returns a text of which all but the placeholders is encoded. */
export function encodeAroundPlaceholders(text: string, encode: (part: string) => string): string {
  let result = '';
  let at = 0;
  for (const match of text.matchAll(PLACEHOLDER)) {
    result += encode(text.slice(at, match.index)) + match[0];
    at = match.index + match[0].length;
  }
  return result + encode(text.slice(at));
}

/** Returns the names of the placeholders of a text, each once, in their order. */
export function listPlaceholders(text: string): readonly string[] {
  return [...new Set(Array.from(text.matchAll(PLACEHOLDER), (match) => match[1] ?? ''))];
}

/** Fills plain text. Values come in as they are, so the result still has to be escaped where it goes. */
export function fillText(text: string, values: MacroValues): string {
  return fillPlaceholders(text, values, (value) => value);
}

/** Fills a URL: values are percent-encoded, except that a web address may stand for the URL's whole beginning. */
export function fillUrl(url: string, values: MacroValues): string {
  return fillPlaceholders(
    url,
    values,
    (value, before) => (before.trim() === '' ? webUrl(value) : undefined) ?? percentEncode(value),
  );
}

/**
 * Fills HTML, each value escaped for the context where it stands: text, attribute, URL, script or style.
 * One pass: a placeholder inside a value stays what it is, and one without a value stays literal.
 */
export function fillHtml(source: string, values: MacroValues): string {
  if (listPlaceholders(source).every((name) => !Object.hasOwn(values, name))) return source;
  return splitHtml(source)
    .map(({ text, context }) => fillPlaceholders(text, values, (value, before) => encodeValue(value, context, before)))
    .join('');
}

/** Returns a value after NFC normalization with everything outside RFC 3986's unreserved characters percent-encoded as UTF-8. */
export function percentEncode(value: string): string {
  let text = '';
  for (const byte of Buffer.from(value.normalize('NFC'), 'utf8')) {
    const char = String.fromCharCode(byte);
    text += /[A-Za-z0-9._~-]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return text;
}

function fillPlaceholders(
  text: string,
  values: MacroValues,
  encode: (value: string, before: string) => string,
): string {
  if (!text.includes('{')) return text;
  return text.replaceAll(PLACEHOLDER, (placeholder, name: string, at: number) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined ? placeholder : encode(value.normalize('NFC'), text.slice(0, at));
  });
}

/** The context of a piece of HTML: `name` the names of tags and attributes, `document` markup inside an attribute (srcdoc). */
export type FillContext = 'text' | 'name' | 'attribute' | 'document' | 'url' | 'script' | 'style';
/** A piece of HTML that is one context. */
export type Segment = { readonly text: string; readonly context: FillContext };

const ENCODERS: Readonly<Record<FillContext, (value: string) => string>> = {
  text: escapeHtml,
  name: escapeAttribute,
  attribute: escapeAttribute,
  document: (value) => escapeAttribute(escapeHtml(value)),
  url: percentEncode,
  script: (value) => value.replaceAll(/[^A-Za-z0-9 _.]/g, (char) => `\\u${hexDigits(char.charCodeAt(0), 4)}`),
  style: (value) => value.replaceAll(/[^A-Za-z0-9]/gu, (char) => `\\${hexDigits(char.codePointAt(0) ?? 0, 6)}`),
};

/** Escapes a value for HTML, and also what would end one without quotation marks. */
function escapeAttribute(value: string): string {
  return value.replaceAll(/[\s&<>"'`=]/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** Returns a text for the context where it stands; `before` is what precedes it there. */
export function encodeValue(value: string, context: FillContext, before: string): string {
  if (endsInUrl(before.slice(-2000))) return percentEncode(value);
  const whole = context === 'url' && before.trim() === '' ? webUrl(value) : undefined;
  return whole === undefined ? ENCODERS[context](value) : escapeAttribute(whole);
}

/** Returns an address that somebody has checked, for the context where it stands: whole where one may begin, else as part of another. */
export function encodeAddress(value: string, context: FillContext, before: string): string {
  if (endsInUrl(before.slice(-2000))) return percentEncode(value);
  // In srcset an address follows on another.
  if (context === 'url') return /(?:^|[\s,])$/.test(before) ? escapeAttribute(value) : percentEncode(value);
  if (context !== 'style' && context !== 'script') return ENCODERS[context](value);
  return value.replaceAll(/[^A-Za-z0-9:/.?=%#_~+-]/gu, (char) => ENCODERS[context](char));
}

/** Whether a web address, wherever it is written, goes on at the end of a text. */
function endsInUrl(text: string): boolean {
  const at = text.lastIndexOf('://');
  return at > 0 && /[a-z]/i.test(text.charAt(at - 1)) && !/[\s"'<>()]/.test(text.slice(at));
}

function hexDigits(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}

const URL_ATTRIBUTES: ReadonlySet<string> = new Set(
  'href src action formaction poster data srcset cite background longdesc manifest ping xlink:href'.split(' '),
);
/** Elements whose content is no markup, and what it is instead. */
const RAW_ELEMENTS: Readonly<Record<string, FillContext>> = {
  script: 'script',
  style: 'style',
  textarea: 'text',
  title: 'text',
  noscript: 'text',
  iframe: 'text',
};
const TAG_START = /<(\/?)([a-zA-Z][^\s/>]*)/y;
const ATTRIBUTE = /([\s/]*)([^\s/>=]+)(?:(\s*=\s*)("[^"]*"|'[^']*'|[^\s>]*))?/y;

/** Cuts HTML into pieces of one context each; together they are the source. */
export function splitHtml(source: string): readonly Segment[] {
  const parts: Segment[] = [];
  let at = 0;
  const put = (end: number, context: FillContext): void => {
    if (end > at) parts.push({ text: source.slice(at, end), context });
    at = end;
  };
  while (at < source.length) {
    const start = source.indexOf('<', at);
    put(start < 0 ? source.length : start, 'text');
    if (at >= source.length) break;
    if (source.startsWith('<!--', at)) {
      put(indexAfter(source, '-->', at), 'text');
      continue;
    }
    TAG_START.lastIndex = at;
    const tag = TAG_START.exec(source);
    if (tag === null) {
      put(at + 1, 'text');
      continue;
    }
    put(TAG_START.lastIndex, 'name');
    putAttributes(source, () => at, put);
    const name = (tag[2] ?? '').toLowerCase();
    const inside = tag[1] === '' && Object.hasOwn(RAW_ELEMENTS, name) ? RAW_ELEMENTS[name] : undefined;
    if (inside !== undefined) put(indexOfEndTag(source, name, at), inside);
  }
  return parts;
}

/** Puts the attributes of the tag that begins at the cursor, up to and with its end. */
function putAttributes(source: string, cursor: () => number, put: (end: number, context: FillContext) => void): void {
  for (;;) {
    ATTRIBUTE.lastIndex = cursor();
    const match = ATTRIBUTE.exec(source);
    if (match === null) break;
    const [whole, , name = '', , value = ''] = match;
    const end = cursor() + whole.length;
    const quote = /^(["']).*\1$/s.test(value) ? 1 : 0;
    put(end - value.length + quote, 'name');
    put(end - quote, attributeContext(name.toLowerCase()));
    put(end, 'name');
  }
  const close = source.indexOf('>', cursor());
  put(close < 0 ? source.length : close + 1, 'name');
}

function attributeContext(attribute: string): FillContext {
  if (URL_ATTRIBUTES.has(attribute)) return 'url';
  if (attribute.startsWith('on')) return 'script';
  if (attribute === 'srcdoc') return 'document';
  return attribute === 'style' ? 'style' : 'attribute';
}

function indexAfter(source: string, text: string, from: number): number {
  const at = source.indexOf(text, from);
  return at < 0 ? source.length : at + text.length;
}

function indexOfEndTag(source: string, name: string, from: number): number {
  const pattern = new RegExp(`</${name}(?![a-z0-9-])`, 'gi');
  pattern.lastIndex = from;
  return pattern.exec(source)?.index ?? source.length;
}
