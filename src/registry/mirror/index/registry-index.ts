import { unlink } from 'node:fs/promises';
import { yieldToEventLoop } from '../../../platform/kernel/event-loop.js';
import type { EffectiveAdagents } from '../../adagents/discovery.js';
import type { Authorization } from '../../authorization/authorize.js';
import { domainName, typedDomain } from '../../model/domains.js';
import { type AliasChange, NOUNS, type Noun, type RecordChange, type Standing } from '../../model/records.js';
import type { RegistryStore } from '../../store/registry-store.js';
import { applyChange } from '../apply.js';
import { type Answer, answerOf, explainOf, type UnreadOperator, unreadOperator } from './check.js';
import { effectiveFrom, identifiersFrom } from './effective.js';
import { readIndexFile, writeIndexFile } from './index-file.js';
import { findAgent, findDomain, type IndexQuestion, propertiesOfHost, propertiesWith } from './question.js';
import { buildTables, CODES, COUNTERS, type Tables } from './tables.js';

/** How the index of a store is opened. */
export type IndexOptions = {
  /** Where the index file stands; without one every start reads the rows. */
  readonly file?: string;
  /** Where the rows stand now, as the index file says it: a cursor. Without it the file goes at the first change. */
  readonly stamp?: () => Promise<string>;
  /** Any number: it keeps strangers from choosing texts that all fall into one place. */
  readonly seed: number;
};

/** A property as the index knows it. To be read at once: after the next change it may be another one. */
export type IndexedProperty = {
  readonly property_rid: string;
  readonly publisher_domain: string;
  readonly property_id: string | null;
  readonly identifiers: readonly { readonly type: string; readonly value: string }[];
};

/** What the index counts. */
export type IndexStats = {
  readonly publishers: number;
  readonly properties: number;
  readonly identifiers: number;
  readonly authorizations: number;
  readonly agents: number;
  /** Bytes of its arrays. */
  readonly bytes: number;
};

/** The registry in memory, for answers in microseconds. It follows the store: what is on disk is in it. */
export type RegistryIndex = {
  readonly isAuthorized: (question: IndexQuestion) => Answer;
  readonly explain: (question: IndexQuestion) => Authorization & { readonly publisher_domain?: string };
  /** The property that an answer rests on. */
  readonly property: (answer: Answer) => IndexedProperty | undefined;
  /** Properties with an identifier: for hosts by the rule of hosts, else by the exact text. */
  readonly identifier: (type: string, value: string) => readonly IndexedProperty[];
  readonly publisher: (domain: string) => { readonly domain: string; readonly standing: Standing } | undefined;
  /** The file of a publisher as the rows tell it, for the whole rule; undefined when none counts. */
  readonly effective: (domain: string) => EffectiveAdagents | undefined;
  /** Canonical URLs of the agents that a publisher authorizes for something, whatever limits it. */
  readonly agentsOf: (domain: string) => readonly string[];
  /** Publishers that authorize an agent for something. Throws VALIDATION_ERROR for what is no URL. */
  readonly domainsOf: (agentUrl: string) => readonly string[];
  /** The brand.json of the operator of an agent while nobody has read it, which a question would do on the event loop. */
  readonly unreadOperator: (agentUrl: string) => UnreadOperator | undefined;
  readonly stats: () => IndexStats;
  /** Reads all rows anew, beside the tables that answer meanwhile, and puts the new ones in their place. */
  readonly rebuild: () => Promise<void>;
  /** Leaves the tables as they are, whatever happens to the rows, until `rebuild`. */
  readonly freeze: () => void;
  /** Writes the index file; false when the rows moved meanwhile. */
  readonly save: () => Promise<boolean>;
  /** Stops following, and writes the index file. */
  readonly close: () => Promise<void>;
};

/** Rows that are read at a time: nobody waits longer than they take. */
const ROWS_AT_A_TIME = 100;

/** Opens the index of a store: from its file when that stands where the rows stand, else from the rows. */
export async function openRegistryIndex(store: RegistryStore, options: IndexOptions): Promise<RegistryIndex> {
  const { file, seed, stamp } = options;
  let changes = 0;
  let isFileGood = false;
  let saved = { changes: 0, stamp: '' };
  let isFrozen = false;
  let building: Building | undefined;
  let tables = buildTables(seed);
  const end = store.follow((change) => {
    changes += 1;
    building?.hear(change);
    if (!isFrozen) applyChange(tables, change);
    if (isFileGood && stamp === undefined && file !== undefined) {
      isFileGood = false;
      void unlink(file).catch(() => undefined);
    }
  });

  async function rebuild(): Promise<void> {
    building = startBuilding(store, seed);
    try {
      tables = await building.done;
      isFrozen = false;
    } finally {
      building = undefined;
    }
  }

  async function save(): Promise<boolean> {
    if (file === undefined) return false;
    const stood = (await stamp?.()) ?? '';
    if (isFileGood && saved.changes === changes && saved.stamp === stood) return true;
    const at = changes;
    const isCurrent = (): boolean => changes === at && !isFrozen;
    isFileGood = await writeIndexFile(file, tables, stood, isCurrent);
    saved = { changes: at, stamp: stood };
    return isFileGood;
  }

  const opened = (await stamp?.()) ?? '';
  const kept = file === undefined ? undefined : await readIndexFile(file, opened);
  // What changed while the file was read is not in it.
  if (kept !== undefined && changes === 0) {
    tables = kept;
    isFileGood = true;
    saved = { changes, stamp: opened };
  } else await rebuild();

  return {
    isAuthorized: (question) => answerOf(tables, question),
    explain: (question) => explainOf(tables, question),
    property: ({ property }) => (property === 0 ? undefined : propertyAt(tables, property)),
    identifier: (type, value) => [...propertiesBy(tables, type, value)].map((row) => propertyAt(tables, row)),
    publisher: (text) => {
      const domain = findDomain(tables, text);
      const standing = CODES.standing[tables.domainStanding.at(domain) - 1];
      return standing === undefined ? undefined : { domain: tables.domains.text(domain), standing };
    },
    effective: (text) => {
      const domain = findDomain(tables, text);
      return domain === 0 ? undefined : effectiveFrom(tables, domain);
    },
    agentsOf: (text) => {
      const domain = findDomain(tables, text);
      return chain(tables.domainPair.at(domain), tables.nextAtDomain)
        .filter((pair) => tables.pairRows.at(pair) > 0)
        .map((pair) => tables.agents.text(tables.pairAgent.at(pair)));
    },
    domainsOf: (url) => {
      const agent = findAgent(tables, url);
      return chain(tables.agentPair.at(agent), tables.nextOfAgent)
        .filter((pair) => tables.pairRows.at(pair) > 0)
        .map((pair) => tables.domains.text(tables.pairDomain.at(pair)));
    },
    unreadOperator: (url) => unreadOperator(tables, findAgent(tables, url)),
    stats: () => statsOf(tables),
    rebuild,
    freeze: () => {
      isFrozen = true;
    },
    save,
    close: async () => {
      end();
      await save();
    },
  };
}

function chain(first: number, next: Tables['nextOfAgent']): readonly number[] {
  const found: number[] = [];
  for (let at = first; at !== 0; at = next.at(at)) found.push(at);
  return found;
}

function propertiesBy(tables: Tables, type: string, value: string): ReadonlySet<number> {
  const found: number[] = [];
  if (type !== 'domain' && type !== 'subdomain') propertiesWith(tables, type, value, found);
  else {
    const host = domainName(value) ?? typedDomain(value);
    if (host !== undefined) propertiesOfHost(tables, host, 0, found);
  }
  return new Set(found);
}

/** Texts are made when they are asked for. */
function propertyAt(tables: Tables, row: number): IndexedProperty {
  return new PropertyView(tables, row);
}

class PropertyView implements IndexedProperty {
  readonly #tables: Tables;
  readonly #row: number;

  constructor(tables: Tables, row: number) {
    this.#tables = tables;
    this.#row = row;
  }

  get property_rid(): string {
    return this.#tables.rids.text(this.#tables.propertyRid.at(this.#row));
  }

  get publisher_domain(): string {
    return this.#tables.domains.text(this.#tables.propertyDomain.at(this.#row));
  }

  get property_id(): string | null {
    const slug = this.#tables.propertySlug.at(this.#row);
    return slug === 0 ? null : this.#tables.words.text(slug);
  }

  get identifiers(): IndexedProperty['identifiers'] {
    return identifiersFrom(this.#tables, this.#row);
  }
}

function statsOf(tables: Tables): IndexStats {
  let bytes = 0;
  for (const part of Object.values(tables)) {
    if (typeof part === 'number') continue;
    if ('cells' in part) bytes += part.cells.byteLength;
    if ('slots' in part) bytes += part.slots.byteLength;
    if ('bytes' in part) bytes += part.bytes.cells.byteLength + part.starts.cells.byteLength;
  }
  return {
    publishers: tables.counters.at(COUNTERS.publishers),
    properties: tables.counters.at(COUNTERS.properties),
    identifiers: Math.max(tables.identifierValue.length - 1, 0),
    authorizations: tables.counters.at(COUNTERS.rows),
    agents: tables.agents.size,
    bytes,
  };
}

type Building = {
  readonly done: Promise<Tables>;
  /** A record changed while the rows are read: what is read of it later may be older. */
  readonly hear: (change: RecordChange | AliasChange) => void;
};

/** Reads all rows into new tables, a few at a time. */
function startBuilding(store: RegistryStore, seed: number): Building {
  const tables = buildTables(seed);
  const heard = new Set<string>();
  const key = (noun: string, id: string): string => `${noun} ${id}`;

  async function build(): Promise<Tables> {
    // Rows of authorizations mean what their rids were merged into.
    for (let after = ''; ; ) {
      const aliases = await store.read.links.aliases(after, ROWS_AT_A_TIME);
      for (const { id, canonical } of aliases) applyChange(tables, { noun: 'alias', id, canonical });
      after = aliases.at(-1)?.id ?? '';
      if (aliases.length < ROWS_AT_A_TIME) break;
    }
    for (const noun of READ) {
      for (let at = 0; ; ) {
        const { records, at: next } = await store.read[noun].scan(at, ROWS_AT_A_TIME);
        for (const record of records) {
          const change = { noun, id: idOf(noun, record), record } as RecordChange;
          if (!heard.has(key(noun, change.id))) applyChange(tables, change);
        }
        if (records.length < ROWS_AT_A_TIME) break;
        at = next;
        await yieldToEventLoop();
      }
    }
    return tables;
  }

  return {
    done: build(),
    hear: (change) => {
      heard.add(key(change.noun, change.id));
      applyChange(tables, change);
    },
  };
}

/** The nouns that the tables hold. */
const READ = NOUNS.filter((noun) => noun !== 'agent' && noun !== 'collection');

function idOf(noun: Noun, record: object): string {
  const ids: Readonly<Record<string, unknown>> = { ...record };
  return String(noun === 'property' ? ids.property_rid : noun === 'authorization' ? ids.id : ids.domain);
}
