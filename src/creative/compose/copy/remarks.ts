import type { Copy } from './copy.js';
import { COPY_LANGUAGES, TOPICS } from './language/table.js';
import type { Material } from './material.js';
import { hasWords, withoutStop } from './text.js';

const MAX_QUOTED_CHARS = 80;

/** Returns what a buyer may want to know of how a brief was followed: what it forbids, and what it wants in the ad that found no room. */
export function listRemarks(copy: Copy, { brief }: Material): readonly string[] {
  const { topics, words } = brief.forbidden;
  const named = TOPICS.filter((topic) => topics.includes(topic)).map((topic) => TOPIC_NAMES[topic]);
  const left = [...named, ...words.map((word) => `"${quote(word)}"`)];
  const texts = [copy.headline, copy.body, copy.callToAction, copy.eyebrow, copy.legal].join('\n');
  const missing = brief.statements.filter(({ isMust, text }) => isMust && !hasWords(texts, withoutStop(text)));
  return [
    ...(left.length === 0 ? [] : [`As the brief asks, the texts leave out: ${left.join(', ')}.`]),
    ...missing.map(({ text }) => `The brief wants "${quote(text)}" in the ad; there was no room for it.`),
    ...(brief.unread === undefined ? [] : [remarkUnread(brief.unread)]),
    ...(brief.language === brief.readIn ? [] : [remarkUntranslated(brief.readIn, brief.language)]),
  ];
}

const TOPIC_NAMES = { price: 'the price', discount: 'the discount', date: 'dates', competitor: 'competitors' } as const;

function quote(text: string): string {
  return text.length <= MAX_QUOTED_CHARS ? text : `${text.slice(0, MAX_QUOTED_CHARS)}…`;
}

function remarkUnread(language: string): string {
  return `The brief is in ${nameLanguage(language)}, which briefs are not read in: its words stand as they are, and what it says to those who make the ad may be among them. Write it in one of ${COPY_LANGUAGES.map(nameLanguage).join(', ')}, or send the texts as assets of creative_manifest.`;
}

function nameLanguage(language: string): string {
  return new Intl.DisplayNames('en', { type: 'language' }).of(language) ?? language;
}

function remarkUntranslated(from: string, to: string): string {
  return `The button is in ${nameLanguage(to)}; the words of the brief stay in ${nameLanguage(from)}, since nothing is translated without a text model.`;
}
