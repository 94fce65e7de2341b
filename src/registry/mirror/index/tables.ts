import { AUTHORIZATION_TYPES, DELEGATION_TYPES, IDENTIFIER_TYPES, PROPERTY_TYPES } from '../../adagents/types.js';
import { STANDINGS } from '../../model/records.js';
import { type CellKind, Column } from './column.js';
import { Interner } from './interner.js';
import { KeyedRows } from './keyed-rows.js';

/** Numbers that stand for the words of small tables; 0 is none of them. */
export const CODES = {
  standing: STANDINGS,
  identifier: IDENTIFIER_TYPES,
  property: PROPERTY_TYPES,
  authorization: AUTHORIZATION_TYPES,
  delegation: DELEGATION_TYPES,
} as const;

/** The number of a word. */
export function codeOf(words: readonly string[], word: string | undefined): number {
  return word === undefined ? 0 : words.indexOf(word) + 1;
}

/** What a property is, and what an identifier of it is, as bits. */
export const INLINE = 1;
/** The publisher has the host that the identifier names. */
export const OWN_HOST = 1;

/** What an entry says beyond columns, as bits: nobody else is to sell the same; it is for signals; placements or collections limit it. */
export const EXCLUSIVE = 1;
export const FOR_SIGNALS = 2;
export const HAS_LIMITS = 4;

/** The texts that the index knows, by what they are. */
const INTERNERS = ['agents', 'domains', 'values', 'words', 'rids', 'rowIds', 'careless', 'termKeys'] as const;

/**
 * The columns, by what they are a column of. Rows and numbers of texts begin at 1, and 0 is none, also in chains (`next…`, and `prev…`
 * where a chain can be long and rows leave it). Rows that are free hang together in the chain of their kind.
 */
const COLUMNS = {
  /** Of an agent: its first pair, its operator's domain, its careless spelling. */
  agentPair: 'u32',
  agentOperator: 'u32',
  agentCareless: 'u32',
  /** Of a domain: standing, chains, how many rows authorize somebody and how many exclusively, its placements and its brand.json. */
  domainStanding: 'u8',
  domainPair: 'u32',
  domainProperty: 'u32',
  domainRows: 'u32',
  domainExclusive: 'u32',
  domainPlacements: 'u32',
  domainBrand: 'u32',
  /** Counts the changes that concern a domain. */
  domainVersion: 'u32',
  /** Of a rid: the row of its property, and the rid that it was merged into. */
  ridProperty: 'u32',
  ridAlias: 'u32',
  /** Of a property. */
  propertyRid: 'u32',
  propertyDomain: 'u32',
  propertySlug: 'u32',
  propertyTags: 'u32',
  propertyFlags: 'u8',
  propertyType: 'u8',
  propertyIdentifier: 'u32',
  nextOfDomain: 'u32',
  nextOfSlug: 'u32',
  prevOfDomain: 'u32',
  prevOfSlug: 'u32',
  /** Of an identifier of a property. */
  valueIdentifier: 'u32',
  identifierValue: 'u32',
  identifierType: 'u8',
  identifierFlags: 'u8',
  identifierProperty: 'u32',
  nextOfValue: 'u32',
  prevOfValue: 'u32',
  nextOfProperty: 'u32',
  /** Of what rows have in common, by termKeys: instants in ms, the rest as numbers of words. */
  termFrom: 'f64',
  termUntil: 'f64',
  termType: 'u8',
  termDelegation: 'u8',
  termFlags: 'u8',
  termCountries: 'u32',
  termSelectors: 'u32',
  termLimits: 'u32',
  /** Of a row that authorizes. */
  rowOfId: 'u32',
  rowId: 'u32',
  rowAgent: 'u32',
  rowDomain: 'u32',
  rowRid: 'u32',
  rowTerm: 'u32',
  nextOfKey: 'u32',
  prevOfKey: 'u32',
  /** Of an agent at a publisher: how many rows, and the first that names no rid. */
  pairAgent: 'u32',
  pairDomain: 'u32',
  pairRows: 'u32',
  pairWide: 'u32',
  nextOfAgent: 'u32',
  nextAtDomain: 'u32',
  /** What is counted, by COUNTERS. */
  counters: 'u32',
} as const satisfies Record<string, CellKind>;

/** What is counted: properties and rows that are there, patterns of hosts with a star; and the first free row of each kind. */
export const COUNTERS = {
  properties: 0,
  rows: 1,
  stars: 2,
  freeProperty: 3,
  freeIdentifier: 4,
  freeRow: 5,
  publishers: 6,
} as const;

/** Columns that two of which are the key of rows. */
const KEYS = {
  /** Properties by publisher and id; the others of the same key follow in nextOfSlug. */
  slugs: ['propertyDomain', 'propertySlug'],
  /** Rows by agent and rid; the others follow in nextOfKey. */
  grants: ['rowAgent', 'rowRid'],
  pairs: ['pairAgent', 'pairDomain'],
} as const;

type InternerName = (typeof INTERNERS)[number];
type ColumnName = keyof typeof COLUMNS;
type KeyName = keyof typeof KEYS;

/** Everything that the index knows, as numbers in arrays: a million rows are no objects. */
export type Tables = { readonly seed: number } & { readonly [N in InternerName]: Interner } & {
  readonly [N in ColumnName]: Column<(typeof COLUMNS)[N]>;
} & { readonly [N in KeyName]: KeyedRows };

/** An array of the tables under its name, as the index file keeps it. `count` says of a table of keys how many slots are filled. */
export type Section = {
  readonly name: string;
  readonly kind: CellKind;
  readonly cells: Uint8Array | Uint32Array | Float64Array;
  readonly count?: number;
};

/** Builds the tables, from sections where there are any. */
export function buildTables(seed: number, sectionOf: (name: string) => Section | undefined = () => undefined): Tables {
  const cells = (name: string): never => sectionOf(name)?.cells as never;
  const interners = INTERNERS.map((name) => {
    const [bytes, starts, slots] = [cells(`${name}.bytes`), cells(`${name}.starts`), cells(`${name}.slots`)];
    return [name, new Interner(seed, bytes, starts, slots)] as const;
  });
  const columns = Object.entries(COLUMNS).map(([name, kind]) => [name, new Column(kind, cells(name))] as const);
  const byName = Object.fromEntries(columns) as Record<ColumnName, Column<'u32'>>;
  const keys = Object.entries(KEYS).map(([name, [first, second]]) => {
    const section = sectionOf(name);
    return [name, new KeyedRows(byName[first], byName[second], section?.cells as Uint32Array, section?.count)] as const;
  });
  return { seed, ...Object.fromEntries([...interners, ...columns, ...keys]) } as Tables;
}

/** The arrays of the tables, as they are now. */
export function sectionsOf(tables: Tables): readonly Section[] {
  const columns = Object.keys(COLUMNS) as ColumnName[];
  const keys = Object.keys(KEYS) as KeyName[];
  return [
    ...INTERNERS.flatMap((name): Section[] => [
      { name: `${name}.bytes`, kind: 'u8', cells: tables[name].bytes.used() },
      { name: `${name}.starts`, kind: 'u32', cells: tables[name].starts.used() },
      { name: `${name}.slots`, kind: 'u32', cells: tables[name].slots },
    ]),
    ...columns.map((name) => ({ name, kind: COLUMNS[name], cells: tables[name].used() })),
    ...keys.map((name) => ({ name, kind: 'u32' as const, cells: tables[name].slots, count: tables[name].filled })),
  ];
}

/** A row that is free, else a new one. `next` is the column that free rows hang together by, `anchor` one that every row has a cell in. */
export function takeRow(tables: Tables, free: number, next: Column<'u32'>, anchor: Column<'u32'>): number {
  const row = tables.counters.at(free);
  if (row === 0) return Math.max(anchor.length, 1);
  tables.counters.set(free, next.at(row));
  return row;
}

/** Gives a row back. */
export function freeRow(tables: Tables, free: number, next: Column<'u32'>, row: number): void {
  next.set(row, tables.counters.at(free));
  tables.counters.set(free, row);
}

/** Counts up or down. */
export function count(tables: Tables, counter: number, by: number): void {
  tables.counters.set(counter, tables.counters.at(counter) + by);
}
