import type { AuthorizationRecord, PropertyRecord, RecordSelector } from '../../../../model/records.js';
import { BitSet } from '../bit-set.js';

/** The positions that have each value. Where they are many, they are made a set when it is first needed. */
class Postings {
  readonly #positions = new Map<string, number[]>();
  readonly #sets = new Map<string, BitSet>();
  #length = 0;

  /** Adds the values of the next position. */
  add(values: readonly string[]): void {
    for (const value of values) {
      const positions = this.#positions.get(value);
      if (positions === undefined) this.#positions.set(value, [this.#length]);
      else positions.push(this.#length);
    }
    this.#length += 1;
    if (this.#sets.size > 0) this.#sets.clear();
  }

  /** Adds the positions of a value that are also in `among` to `into`. */
  join(value: string, into: BitSet, among: BitSet): void {
    const positions = this.#positions.get(value);
    if (positions === undefined) return;
    if (positions.length > this.#length * FREQUENT_SHARE) into.join(this.#frequentSet(value, positions), among);
    else for (const position of positions) if (among.has(position)) into.add(position);
  }

  #frequentSet(value: string, positions: readonly number[]): BitSet {
    const cached = this.#sets.get(value);
    if (cached !== undefined) return cached;
    const made = new BitSet(this.#length);
    for (const position of positions) made.add(position);
    this.#sets.set(value, made);
    return made;
  }
}

/** A value is frequent when a set of its positions is joined faster than they are added one by one. */
const FREQUENT_SHARE = 1 / 32;

/** Counts how often values occur at some of the positions of an inventory. */
export class ValueCounts {
  readonly #numbers = new Map<string, number>();
  readonly #values: string[] = [];
  /** The numbers of the values of all positions, one position behind the other, and where each position begins. */
  readonly #occurrences: number[] = [];
  readonly #begins = [0];
  #counts = new Uint32Array(0);

  /** Adds the values of the next position. */
  add(values: readonly string[]): void {
    for (const value of values) {
      const number = this.#numbers.get(value) ?? this.#values.length;
      if (number === this.#values.length) {
        this.#numbers.set(value, number);
        this.#values.push(value);
      }
      this.#occurrences.push(number);
    }
    this.#begins.push(this.#occurrences.length);
  }

  /** Returns how often each value occurs at some positions; values that do not are left out. */
  countAt(positions: BitSet): Readonly<Record<string, number>> {
    const [occurrences, begins] = [this.#occurrences, this.#begins];
    if (this.#counts.length < this.#values.length) this.#counts = new Uint32Array(this.#values.length);
    const counts = this.#counts;
    const met: number[] = [];
    positions.each((position) => {
      const end = begins[position + 1] ?? 0;
      for (let at = begins[position] ?? 0; at < end; at += 1) {
        const number = occurrences[at] ?? 0;
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

/** The active properties of one publisher, each at its position, by the members that rows pick them by: a row costs what it names. */
export class Inventory {
  readonly #ids = new Postings();
  readonly #tags = new Postings();
  readonly #rids = new Map<string, number>();
  readonly #inline: number[] = [];
  #listed: BitSet | undefined;
  #size = 0;

  /** Adds a property at the next position; returns false for a stale one, which is left out. */
  add({ inline, property_id, property_rid, status, tags }: PropertyRecord): boolean {
    if (status !== 'active') return false;
    const position = this.#size;
    this.#size += 1;
    this.#listed = undefined;
    this.#rids.set(property_rid, position);
    if (inline === true) this.#inline.push(position);
    this.#ids.add(property_id === null ? [] : [property_id]);
    this.#tags.add(tags);
    return true;
  }

  /** The number of properties. */
  get size(): number {
    return this.#size;
  }

  /** Returns an empty set for `cover` to add to, once all properties are added. */
  emptySet(): BitSet {
    return new BitSet(this.#size);
  }

  /** Adds the positions of the properties that a row covers, whatever else limits the row. */
  cover({ authorization_type, property_rid, selectors }: CoveringRow, covered: BitSet): void {
    if (authorization_type === 'signal_ids' || authorization_type === 'signal_tags') return;
    if (property_rid !== null) {
      const position = this.#rids.get(property_rid);
      if (position !== undefined) covered.add(position);
      return;
    }
    const listed = this.#listedPositions();
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

  /** Returns the positions that selectors reach. */
  #listedPositions(): BitSet {
    if (this.#listed !== undefined) return this.#listed;
    const inline = new Set(this.#inline);
    const listed = this.emptySet();
    for (let position = 0; position < this.#size; position += 1) if (!inline.has(position)) listed.add(position);
    this.#listed = listed;
    return listed;
  }
}

type CoveringRow = Pick<AuthorizationRecord, 'authorization_type' | 'property_rid' | 'selectors'>;
const EVERYTHING: readonly RecordSelector[] = [{ selection_type: 'all' }];

/** Returns a function that says whether a selector picks a property, to be asked of many. */
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
