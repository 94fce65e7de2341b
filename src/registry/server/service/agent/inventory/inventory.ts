import type { AuthorizationRecord, PropertyRecord, RecordSelector } from '../../../../model/records.js';

/** A set of the places of an inventory: a bit for each, so that joining and counting take one step for 32 of them. */
export class Places {
  readonly #words: Uint32Array;

  /** None of the places 0 to `length` - 1. */
  constructor(length: number) {
    this.#words = new Uint32Array(Math.ceil(length / WORD));
  }

  add(place: number): void {
    const at = Math.floor(place / WORD);
    this.#words[at] = (this.#words[at] ?? 0) | (1 << (place % WORD));
  }

  has(place: number): boolean {
    return ((this.#words[Math.floor(place / WORD)] ?? 0) & (1 << (place % WORD))) !== 0;
  }

  /** Adds the places of `others` that are `among` these. */
  join(others: Places, among: Places): void {
    const [words, more, mask] = [this.#words, others.#words, among.#words];
    for (let at = 0; at < words.length; at += 1) words[at] = (words[at] ?? 0) | ((more[at] ?? 0) & (mask[at] ?? 0));
  }

  /** Visits the places in their order. */
  each(visit: (place: number) => void): void {
    for (let at = 0; at < this.#words.length; at += 1) {
      // The lowest bit that is left goes first.
      for (let left = this.#words[at] ?? 0; left !== 0; left &= left - 1) {
        visit(at * WORD + WORD - 1 - Math.clz32(left & -left));
      }
    }
  }

  /** A text that is the same for the same places of one inventory, and for no others. */
  key(): string {
    return Buffer.from(this.#words.buffer).toString('latin1');
  }

  /** How many there are. */
  count(): number {
    let count = 0;
    for (const word of this.#words) count += bitsOf(word);
    return count;
  }
}

/** Places of a word. */
const WORD = 32;

/** The bits of a word that are set, added up pairwise. */
function bitsOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** At which places of an inventory each value stands. Where that is many, they are made a set when it is first needed. */
class Postings {
  readonly #places = new Map<string, number[]>();
  readonly #sets = new Map<string, Places>();
  #length = 0;

  /** Takes up the values of the next place. */
  add(values: readonly string[]): void {
    for (const value of values) {
      const places = this.#places.get(value);
      if (places === undefined) this.#places.set(value, [this.#length]);
      else places.push(this.#length);
    }
    this.#length += 1;
    if (this.#sets.size > 0) this.#sets.clear();
  }

  /** Adds the places of a value that are `among` these to `into`. */
  join(value: string, into: Places, among: Places): void {
    const places = this.#places.get(value);
    if (places === undefined) return;
    if (places.length > this.#length / WORD) into.join(this.#setOf(value, places), among);
    else for (const place of places) if (among.has(place)) into.add(place);
  }

  #setOf(value: string, places: readonly number[]): Places {
    const known = this.#sets.get(value);
    if (known !== undefined) return known;
    const made = new Places(this.#length);
    for (const place of places) made.add(place);
    this.#sets.set(value, made);
    return made;
  }
}

/** Counts how often values stand at some of the places of an inventory. */
export class ValueCounts {
  readonly #numbers = new Map<string, number>();
  readonly #values: string[] = [];
  /** The numbers of the values of all places, one place behind the other, and where each place begins. */
  readonly #stands: number[] = [];
  readonly #begins = [0];
  #counts = new Uint32Array(0);

  /** Takes up the values of the next place. */
  add(values: readonly string[]): void {
    for (const value of values) {
      const number = this.#numbers.get(value) ?? this.#values.length;
      if (number === this.#values.length) {
        this.#numbers.set(value, number);
        this.#values.push(value);
      }
      this.#stands.push(number);
    }
    this.#begins.push(this.#stands.length);
  }

  /** How often each value stands at some places; values that do not are left out. */
  at(places: Places): Readonly<Record<string, number>> {
    const [stands, begins] = [this.#stands, this.#begins];
    if (this.#counts.length < this.#values.length) this.#counts = new Uint32Array(this.#values.length);
    const counts = this.#counts;
    const met: number[] = [];
    places.each((place) => {
      const end = begins[place + 1] ?? 0;
      for (let at = begins[place] ?? 0; at < end; at += 1) {
        const number = stands[at] ?? 0;
        const count = counts[number] ?? 0;
        if (count === 0) met.push(number);
        counts[number] = count + 1;
      }
    });
    return Object.fromEntries(
      met.map((number) => {
        const count = counts[number] ?? 0;
        counts[number] = 0;
        return [this.#values[number] ?? '', count];
      }),
    );
  }
}

/** The active properties of one publisher, each at its place, by what rows pick them by: a row costs what it names. */
export class Inventory {
  readonly #ids = new Postings();
  readonly #tags = new Postings();
  readonly #rids = new Map<string, number>();
  readonly #inline: number[] = [];
  #listed: Places | undefined;
  #size = 0;

  /** Takes up a property at the next place. A stale one is passed over; the answer is whether it was taken. */
  add({ inline, property_id, property_rid, status, tags }: PropertyRecord): boolean {
    if (status !== 'active') return false;
    const place = this.#size;
    this.#size += 1;
    this.#listed = undefined;
    this.#rids.set(property_rid, place);
    if (inline === true) this.#inline.push(place);
    this.#ids.add(property_id === null ? [] : [property_id]);
    this.#tags.add(tags);
    return true;
  }

  /** How many properties there are. */
  get size(): number {
    return this.#size;
  }

  /** No place of it: the set that `cover` adds to, once all properties are taken up. */
  none(): Places {
    return new Places(this.#size);
  }

  /** Adds the places of the properties that a row covers, whatever else limits the row. */
  cover({ authorization_type, property_rid, selectors }: CoveringRow, covered: Places): void {
    if (authorization_type === 'signal_ids' || authorization_type === 'signal_tags') return;
    if (property_rid !== null) {
      const place = this.#rids.get(property_rid);
      if (place !== undefined) covered.add(place);
      return;
    }
    const listed = this.#listedPlaces();
    for (const selector of selectors ?? EVERYTHING) {
      if (selector.selection_type === 'all') covered.join(listed, listed);
      else {
        const [postings, values] =
          selector.selection_type === 'by_id'
            ? [this.#ids, selector.property_ids]
            : [this.#tags, selector.property_tags];
        for (const value of new Set(values)) postings.join(value, covered, listed);
      }
    }
  }

  /** The places that selectors reach. */
  #listedPlaces(): Places {
    if (this.#listed !== undefined) return this.#listed;
    const inline = new Set(this.#inline);
    const listed = this.none();
    for (let place = 0; place < this.#size; place += 1) if (!inline.has(place)) listed.add(place);
    this.#listed = listed;
    return listed;
  }
}

type CoveringRow = Pick<AuthorizationRecord, 'authorization_type' | 'property_rid' | 'selectors'>;
const EVERYTHING: readonly RecordSelector[] = [{ selection_type: 'all' }];

/** Whether a selector picks a property, made ready to be asked of many. */
export function createPicker(
  selector: RecordSelector,
): (property: Pick<PropertyRecord, 'property_id' | 'tags'>) => boolean {
  if (selector.selection_type === 'all') return () => true;
  if (selector.selection_type === 'by_id') {
    const ids = new Set(selector.property_ids);
    return ({ property_id }) => property_id !== null && ids.has(property_id);
  }
  const wanted = new Set(selector.property_tags);
  return ({ tags }) => tags.some((tag) => wanted.has(tag));
}
