import { PART_NAMES } from '../../build/report.js';
import { listReplacements } from './replacement.js';
import * as words from './words.js';

const ADDRESSED = 'another one by its https address, or none';
const TEXT = 'other words in quotation marks, another color, or none';

/** What can be asked for of each part. */
const ASKABLE: Readonly<Record<words.Part, string>> = {
  headline: 'other words in quotation marks, shorter ones, or another color of the text',
  callToAction: 'other words in quotation marks, or another color',
  body: TEXT,
  legal: 'other words in quotation marks, or none',
  eyebrow: 'other words in quotation marks, or none',
  offer: 'other words in quotation marks, or none',
  logo: ADDRESSED,
  picture: ADDRESSED,
  click: 'another https address',
  ground: 'another color, or a picture by its https address',
  'button color': 'another color',
  'text color': 'another color',
  motif: 'another motif, or none',
  tone: 'elegant, playful, bold, thoughtful, modern, calm or warm',
  language: 'another language',
  size: 'another size by target_format_id',
  style: 'another tone; fonts, borders and animations cannot be chosen',
};

const STAYS = 'so it was read as a brief, and the words of the creative stay as they are';

/** Returns what of a message was understood that was read as a brief and changes nothing, what was not, and what can be asked for. */
export function explainBrief(message: string): string {
  const [replacement] = listReplacements(message.trim());
  if (replacement !== undefined)
    return `"${shorten(replacement.from)}" is in none of the creative's words, so nothing is replaced by "${shorten(replacement.to)}". Name words that are in it, as in: replace "these" with "those".`;
  const part = words.findPart(message)?.part;
  if (part !== undefined)
    return `The message names ${PART_NAMES[part]}, but what is to change of it was not understood, ${STAYS}. What can be asked for: ${ASKABLE[part]}.`;
  const subject = words.TAKEN_OUT.map(([pattern]) => pattern.exec(message)?.[0]).find((name) => name !== undefined);
  if (subject !== undefined)
    return `The message names "${subject}", which is no part of the layout but of its words, ${STAYS}. Say where it is to stand, as in: change the text to "…", or set the badge to "…"; or have it left out: remove the ${subject}.`;
  if (words.REMOVES.test(message) || words.REMOVES_IT.test(message))
    return `The message takes something away, but names no part that can be, ${STAYS}. Name it, as in: remove the logo; the picture, text, legal line, badge and motif can be left out too.`;
  return `The message names no part and no change that is known, ${STAYS}.`;
}

function shorten(text: string): string {
  return text.length > MAX_QUOTED_CHARS ? `${text.slice(0, MAX_QUOTED_CHARS)}…` : text;
}

const MAX_QUOTED_CHARS = 60;
