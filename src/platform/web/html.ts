const MARKUP = Symbol('markup');

/** HTML that is safe to send: made by `html` or vouched for by `raw`. No JSON value can pass for it. */
export type Html = { readonly [MARKUP]: string };

/** A value that an `html` template takes: text and numbers are escaped, lists joined, `undefined` and `false` leave nothing. */
export type HtmlPart = string | number | Html | false | undefined | readonly HtmlPart[];

/** Returns HTML with every value escaped, for text and for quoted attributes: html`<a title="${title}">${text}</a>`. */
export function html(texts: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return raw(texts.reduce((text, next, index) => `${text}${partText(parts[index - 1])}${next}`));
}

/** Vouches for text that is HTML already. */
export function raw(text: string): Html {
  return { [MARKUP]: text };
}

/** Returns the text of an HTML value. */
export function htmlText(value: Html): string {
  return value[MARKUP];
}

function partText(part: HtmlPart): string {
  if (part === undefined || part === false) return '';
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  return MARKUP in part ? part[MARKUP] : part.map(partText).join('');
}

/** Characters that turn the direction of what stands behind them, also of what a page says itself. */
const BIDI_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

/** Returns the text of a page that people decide by: no value in it turns the direction of what stands behind it. */
export function pageText(page: Html): string {
  return withoutBidiControls(htmlText(page));
}

/** Returns a text without the characters that turn directions; letters that are written from the right go so by themselves. */
export function withoutBidiControls(text: string): string {
  return text.replaceAll(BIDI_CONTROLS, '');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Returns a text as HTML writes it, between tags or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => ENTITIES[char] ?? '');
}
