import { glueOf } from './language/glue.js';
import type { CopyLanguage } from './language/table.js';

/** Most characters of a message that are read: as many as build_creative takes. */
const MAX_MESSAGE_CHARS = 10_000;

/** Returns a text without markup, control characters and direction overrides, in one line. */
export function plainText(text: string): string {
  return plainLines(text).replace(/\s+/gu, ' ').trim();
}

/** Returns a text without markup, control characters and direction overrides, in the lines that it has. */
export function plainLines(text: string): string {
  return text
    .slice(0, MAX_MESSAGE_CHARS)
    .normalize('NFC')
    .replace(/<(script|style)\b[^>]*>.*?(<\/\1\s*>|$)/gisu, ' ')
    .replace(/<\/?[a-z!][^>]*>/giu, ' ')
    .replace(/\r\n?|[\u2028\u2029]/gu, '\n')
    .replace(/(?:(?!\n)[\p{Cc}\p{Cf}\p{Co}\p{Cs}])+/gu, keepJoiners)
    .replace(/[^\S\n]+/gu, ' ')
    .trim();
}

/** Joiners shape letters of Indic and Arabic writing and hold emoji together. */
function keepJoiners(run: string): string {
  return run.replace(/[^\u200c\u200d]/gu, '') || ' ';
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
  return withoutEnd(text.trim(), /[\s.,;:。।]/u).replace(/^(?:[\s.,;:]|[–—-](?!\s?\p{N}))+/u, '');
}

/** Returns a line without its full stop; other signs at its end belong to it. */
export function withoutFullStop(text: string): string {
  return text.replace(/(?<![.。])[.]$/u, '').trim();
}

/** Returns a text without the signs at its end that a pattern of one sign matches; `/x+$/` would try each sign of each run before. */
export function withoutEnd(text: string, sign: RegExp): string {
  let end = text.length;
  while (end > 0 && sign.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Returns a text without the word of its language that joins it to the sentence before it. */
export function withoutConjunction(text: string, language: CopyLanguage): string {
  return text.replace(glueOf(language).conjunction, '');
}

/** Returns a text as the source of a pattern that matches it. */
export function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Returns the pattern of a name, also where it stands in the possessive. */
export function possessive(name: string): RegExp {
  return new RegExp(`(?<!\\p{L})${escapePattern(name)}(?:['’]s?)?(?!\\p{L})`, 'giu');
}
