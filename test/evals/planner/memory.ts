import type { Facts } from '../task.js';
import { countShared, wordsOf } from './words.js';

/** An object of an answer, within the one that holds it. */
type Place = { readonly value: Readonly<Record<string, unknown>>; readonly within: Place | undefined };

/** Less than this share of the words of a name is another thing. */
const MOST_WORDS = 0.5;

/** What the answers so far brought. Values are recalled by the name of a member, from the object that suits what was stated. */
export class Memory {
  readonly #places: Place[] = [];
  readonly #banned = new Set<unknown>();

  /** Remembers every object of an answer. */
  learn(answer: unknown): void {
    this.#learn(answer, undefined);
  }

  /** Never recalls a value again: it was refused. */
  ban(value: unknown): void {
    this.#banned.add(value);
  }

  /** Returns the value of a member in the object that suits best: within what was chosen before, where anything is. */
  recall(name: string, facts: Facts, chosen: Place[]): unknown {
    const all = this.#places.filter(({ value }) => isUsable(value[name]) && !this.#banned.has(value[name]));
    const near = all.filter((place) => chosen.some((one) => isWithin(place, one) || isWithin(one, place)));
    const among = near.length > 0 ? near : all;
    const scored = among.map((place, index) => ({ place, score: scoreOf(place, name, facts), index }));
    const [best] = scored.sort((a, b) => b.score - a.score || a.index - b.index);
    if (best === undefined || best.score < 0) return undefined;
    chosen.push(best.place);
    return best.place.value[name];
  }

  /** Returns the value of a member in the object that is called so; undefined where none has most of the words in its texts. */
  find(wanted: string, words: string, facts: Facts, chosen: Place[]): unknown {
    const name = this.#nameOf(wanted);
    const scored = this.#places
      .filter(({ value }) => isUsable(value[name]) && !this.#banned.has(value[name]))
      .map((place, index) => ({
        place,
        index,
        share: countShared(words, JSON.stringify(place.value)) / wordsOf(words).length,
      }))
      .filter(({ share }) => share > MOST_WORDS)
      .map((one) => ({ ...one, score: one.share * 100 + scoreOf(one.place, name, facts) }));
    const [best] = scored.sort((a, b) => b.score - a.score || a.index - b.index);
    if (best === undefined) return undefined;
    chosen.push(best.place);
    return best.place.value[name];
  }

  /** The name under which answers have a value: a `target_format_id` is the `format_id` of what is listed. */
  #nameOf(wanted: string): string {
    const isThere = this.#places.some(({ value }) => wanted in value);
    return isThere ? wanted : wanted.replace(/^[a-z]+_(?=[a-z]+_id$)/, '');
  }

  /** Returns the value of a member of what was chosen last itself. */
  partOf(name: string, chosen: readonly Place[]): unknown {
    return chosen.at(-1)?.value[name];
  }

  #learn(value: unknown, within: Place | undefined): void {
    if (Array.isArray(value)) for (const item of value) this.#learn(item, within);
    else if (typeof value === 'object' && value !== null) {
      const place = { value: value as Place['value'], within };
      this.#places.push(place);
      for (const member of Object.values(value)) this.#learn(member, place);
    }
  }
}

function isUsable(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

function isWithin(place: Place, other: Place): boolean {
  return place.value === other.value || (place.within !== undefined && isWithin(place.within, other));
}

/** How well an object suits what was stated; below 0 where it contradicts that. */
function scoreOf({ value, within }: Place, name: string, facts: Facts): number {
  const text = JSON.stringify(value);
  let score = 0;
  for (const [stated, fact] of Object.entries(facts)) {
    const own = value[stated] ?? within?.value[stated];
    if (stated === 'avoid') score -= countShared(String(fact), text) * 10;
    else if (typeof own === 'string' && typeof fact === 'string' && stated !== 'name') {
      if (own === fact) score += 10;
      else if (stated !== name && isCode(own)) score -= 100;
    } else if (typeof fact === 'string') score += countShared(fact, text);
    else if (Array.isArray(fact) && Array.isArray(own)) score += fact.filter((one) => own.includes(one)).length * 5;
  }
  return score;
}

/** Whether a text is a word of the protocol, such as a currency or an id, and no prose. */
function isCode(text: string): boolean {
  return /^[\w.:-]+$/.test(text);
}
