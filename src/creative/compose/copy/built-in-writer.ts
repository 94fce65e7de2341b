import type { Offering } from '../brand.js';
import { type Brief, readBrief } from './brief.js';
import { BANNER_LIMITS, type Copy, type CopyOrder, type CopyWriter, chooseFitting, chooseOffering } from './copy.js';
import { hasWords, plainText, upperFirst, withoutStop, withStop } from './text.js';
import { ACTION_SIGNS, detectLanguage, WORDING, type Wording } from './wording.js';

/** The writer that needs nothing and nobody: rules over the message, the brand and its offerings. Same order, same words. */
export const builtInWriter: CopyWriter = { write: async (order) => writeCopy(order) };

/** An order read: what the texts of the ad are chosen from. */
type Material = {
  readonly order: CopyOrder;
  readonly message: string;
  readonly offering: Offering | undefined;
  readonly words: Wording;
  readonly brief: Brief;
};

/** Writes the words of an ad by rules, as {@link builtInWriter} does. */
export function writeCopy(order: CopyOrder): Copy {
  const { brand, limits = BANNER_LIMITS } = order;
  const message = plainText(order.message ?? '');
  const offering = chooseOffering(message, brand.offerings);
  const language = detectLanguage([message, offering?.description, brand.tagline].join(' '));
  const words = WORDING[language];
  const brief = readBrief(message, words, brand.name);
  const material: Material = { order, message, offering, words, brief };
  const headline = chooseFitting(headlines(material).map(upperFirst), limits.headline);
  const { about } = brief;
  const eyebrow = [about.event, about.isNew ? words.newWord : undefined].find(
    (text) => text !== undefined && !headline.toLowerCase().includes(text.toLowerCase()),
  );
  const body = chooseFitting(bodies(material, headline), limits.body);
  const callToAction = chooseFitting(callsToAction(material), limits.callToAction);
  return {
    headline: headline === '' ? [...brand.name].slice(0, limits.headline).join('') : headline,
    callToAction: callToAction === '' ? '→' : callToAction,
    language,
    body: body === '' ? undefined : body,
    eyebrow: upperFirst(eyebrow),
    offer: about.offer,
  };
}

/** What may be the headline, the best first. */
function headlines({ order, offering, words, brief }: Material): readonly (string | undefined)[] {
  const { quoted, about } = brief;
  const { brand, given = {} } = order;
  const subject =
    about.subject === '' || hasWords(about.subject, offering?.name) ? (offering?.name ?? about.subject) : about.subject;
  const isEventAlone = about.subject === '' && about.event !== undefined && offering === undefined;
  return [
    given.headline,
    quoted.headline,
    about.slogan,
    isEventAlone ? joinEvent(about.event, about.offer) : undefined,
    joinOffer(about.offer, subject, words),
    subject,
    about.event,
    offering?.name,
    brand.tagline,
    brand.name,
  ];
}

/** What the button may say, the best first. */
function callsToAction({ order, message, offering, words, brief }: Material): readonly (string | undefined)[] {
  const subject = `${message} ${offering?.name ?? ''} ${offering?.description ?? ''} ${order.brand.industry ?? ''}`;
  const action = ACTION_SIGNS.find(([sign]) => sign.test(subject))?.[1];
  return [
    order.given?.callToAction,
    brief.quoted.callToAction,
    brief.buttonWords,
    words.actions[action ?? 'learn'],
    words.actions.learn,
    words.actions.join,
    'OK',
  ];
}

/** What may stand below the headline, the best first. */
function bodies({ order, offering, brief: { about } }: Material, headline: string): readonly (string | undefined)[] {
  const deadline = about.deadline === undefined ? undefined : `${upperFirst(about.deadline)}.`;
  const further = about.more.join(' ');
  const detail = about.detail === undefined ? undefined : withStop(upperFirst(about.detail));
  const text = [further === '' ? undefined : further, detail, offering?.description, order.brand.tagline].find(
    (one) => one !== undefined && !hasWords(headline, withoutStop(one)),
  );
  const both = text !== undefined && deadline !== undefined ? `${withStop(text)} ${deadline}` : undefined;
  return [order.given?.body, both, text, deadline].filter(
    (one) => one === undefined || one.toLowerCase() !== headline.toLowerCase(),
  );
}

function joinEvent(event: string, offer: string | undefined): string {
  return offer === undefined ? event : `${upperFirst(event)}: ${offer.charAt(0).toLowerCase()}${offer.slice(1)}`;
}

/** A subject that begins like this is a sentence of its own. */
const IMPERATIVE =
  /^(?:book|get|shop|buy|discover|try|save|start|join|find|meet|explore|enjoy|visit|learn|upgrade|switch|order|plan|make|take|give|see|go|feel|win|grab|treat)\s/iu;

function joinOffer(offer: string | undefined, subject: string, words: Wording): string | undefined {
  if (offer === undefined || IMPERATIVE.test(subject)) return undefined;
  return subject === '' ? offer : words.on(offer, subject);
}
