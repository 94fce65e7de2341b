const MAX_MESSAGE_CHARS = 4000;

/** Returns a text without markup, control characters and direction overrides, in one line. */
export function plainText(text: string): string {
  return text
    .slice(0, MAX_MESSAGE_CHARS)
    .normalize('NFC')
    .replace(/<(script|style)\b[^>]*>.*?(<\/\1\s*>|$)/gisu, ' ')
    .replace(/<\/?[a-z!][^>]*>/giu, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]+/gu, (found) => (/\u200d/.test(found) ? found : ' '))
    .replace(/\s+/gu, ' ')
    .trim();
}

/** Whether a text contains another one that is not empty, in upper or lower case. */
export function hasWords(text: string, other: string | undefined): boolean {
  return other !== undefined && other !== '' && text.toLowerCase().includes(other.toLowerCase());
}

/** Returns a text with its first letter in upper case. */
export function upperFirst<T extends string | undefined>(text: T): T | string {
  return text === undefined || text === '' ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns a text without punctuation around it. */
export function withoutStop(text: string): string {
  return text
    .trim()
    .replace(/[\s.,;:]+$/u, '')
    .replace(/^[\s.,;:–—-]+/u, '');
}

/** Returns a text that ends in a full stop or another sign that ends a sentence. */
export function withStop(text: string): string {
  return /[.!?…]$/u.test(text) ? text : `${text}.`;
}
