import { isoTime } from '../../platform/kernel/clock.js';
import { yieldToEventLoop } from '../../platform/kernel/event-loop.js';
import { isUuid7 } from '../../platform/kernel/ids.js';
import { isObject } from '../../platform/kernel/json/json.js';
import { authorizationOf } from '../model/event-authorization.js';
import { agentOf, type Bag, collectionOf, domainOf, propertyOf, publisherOf } from '../model/event-payloads.js';
import { NOUNS } from '../model/records.js';
import type { RegistryStore, RegistryWriter } from '../store/registry-store.js';
import { isPast } from './poll.js';
import { putView, readView } from './publisher-view.js';
import { type FeedSource, isNotOffered, isTooLarge } from './source.js';

/** Where a bootstrap is, or an export: rows that were read of a list. */
export type BootstrapStep = {
  readonly what: string;
  readonly done: number;
  /** null where the registry does not say it before. */
  readonly total: number | null;
};

/** The store, the source and the time of a bootstrap. */
type BootstrapOptions = {
  readonly store: RegistryStore;
  readonly source: FeedSource;
  /** Milliseconds. */
  readonly nowMs: number;
  readonly progress?: (step: BootstrapStep) => void;
};

/** Where the feed is taken up, and what the rows were read of. */
type Bootstrapped = { readonly cursor: string; readonly basis: 'records' | 'publishers' };

/** Rows of one transaction. */
const ROWS_AT_A_TIME = 25;
/** Rows that are looked at in one go. */
const ROWS_AT_A_LOOK = 1000;
/** A filter that no event passes: a registry answers it with where its feed ends. */
const NO_EVENTS = ['registry.none'];

/**
 * Reads all that a registry holds: the cursor first, so that the feed tells again whatever changes meanwhile, then publishers, catalog,
 * collections, agents and authorizations; a registry without a catalog is read publisher by publisher. Rows that are not
 * there any more go at the end, in one sweep. Throws what the source throws; then nothing of the cursor has changed.
 */
export async function bootstrap(options: BootstrapOptions): Promise<Bootstrapped> {
  const { nowMs, source } = options;
  const cursor = await headOf(source, nowMs);
  // Sorts behind the cursor and before every event after it, and is like no other bootstrap's.
  const position = `${cursor}#${nowMs}`;
  const writer = writerOf(options, position);
  const basis = (await readRecords(options, writer)) ? 'records' : 'publishers';
  if (basis === 'publishers') await readPublishers(options, writer);
  await writer.flush();
  await removeUnlisted(options.store, position);
  return { cursor, basis };
}

/**
 * Returns where the feed ends; empty when the registry does not say, or names a time to come, and the feed is read from
 * its beginning.
 */
async function headOf(source: FeedSource, nowMs: number): Promise<string> {
  const { cursor } = await source.feed({ types: NO_EVENTS, limit: 1 });
  return typeof cursor === 'string' && isUuid7(cursor) && isPast(cursor, nowMs) ? cursor.toLowerCase() : '';
}

type Put = (tx: RegistryWriter, position: string) => Promise<void>;
type BulkWriter = { readonly write: (put: Put) => Promise<void>; readonly flush: () => Promise<void> };

function writerOf({ store }: BootstrapOptions, position: string): BulkWriter {
  let waiting: Put[] = [];
  const flush = async (): Promise<void> => {
    const puts = waiting;
    waiting = [];
    await store.transact(async (tx) => {
      for (const put of puts) await put(tx, position);
    });
    await yieldToEventLoop();
  };
  return {
    write: async (put) => {
      waiting.push(put);
      if (waiting.length >= ROWS_AT_A_TIME) await flush();
    },
    flush,
  };
}

/** Returns what writes the rows of a list, as `read` makes records of them, and tells how far it is. */
function eachRowInto(writer: BulkWriter, progress: BootstrapOptions['progress']) {
  return async (
    what: BootstrapStep['what'],
    rows: AsyncIterable<unknown>,
    read: (bag: Bag) => Put | undefined,
  ): Promise<void> => {
    let done = 0;
    for await (const row of rows) {
      const put = isObject(row) ? read(row) : undefined;
      if (put !== undefined) await writer.write(put);
      done += 1;
      progress?.({ what, done, total: null });
    }
  };
}

/** Reads the registry's own records; false when it hands out no catalog. */
async function readRecords(options: BootstrapOptions, writer: BulkWriter): Promise<boolean> {
  const { nowMs, source } = options;
  const now = isoTime(nowMs);
  const agents = new Set<string>();
  const each = eachRowInto(writer, options.progress);
  try {
    await each('properties', source.eachCatalogRow(), (bag) => {
      const record = propertyOf(bag, undefined, now);
      return record && ((tx, at) => tx.property.reset(record, at));
    });
  } catch (error) {
    if (isNotOffered(error)) return false;
    throw error;
  }
  await each('publishers', source.eachPublisher(), (bag) => {
    const { has_valid_adagents: valid } = bag;
    const record = publisherOf({ adagents_valid: valid, ...bag }, undefined, now);
    return record && ((tx, at) => tx.publisher.reset(record, at));
  });
  await each('collections', skipNotOffered(source.eachCollection()), (bag) => {
    const record = collectionOf(bag, undefined, now);
    return record && ((tx, at) => tx.collection.reset(record, at));
  });
  await each('agents', source.eachFoundAgent(), (bag) => {
    const record = agentOf(bag, undefined, now);
    if (record !== undefined) agents.add(record.agent_url);
    return record && ((tx, at) => tx.agent.reset(record, at));
  });
  await each('authorizations', eachRow(source, agents), (bag) => {
    const record = authorizationOf(bag, now);
    return record && ((tx, at) => tx.authorization.reset(record, at));
  });
  return true;
}

/** Yields the rows of a list; none where the registry does not offer it. */
async function* skipNotOffered(rows: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  try {
    yield* rows;
  } catch (error) {
    if (!isNotOffered(error)) throw error;
  }
}

/** Yields all rows at once where the registry hands them out so, else those of one agent after the other. */
async function* eachRow(source: FeedSource, agents: ReadonlySet<string>): AsyncGenerator<unknown> {
  if (source.eachAuthorization === undefined) return yield* eachRowOf(source, agents);
  try {
    yield* source.eachAuthorization();
  } catch (error) {
    if (!isNotOffered(error) && !isTooLarge(error)) throw error;
    yield* eachRowOf(source, agents);
  }
}

async function* eachRowOf(source: FeedSource, agents: ReadonlySet<string>): AsyncGenerator<unknown> {
  for (const agent_url of agents) {
    const answer = await source.authorizations({ agent_url });
    const rows = isObject(answer) ? answer.rows : undefined;
    if (Array.isArray(rows)) yield* rows as readonly unknown[];
  }
}

async function readPublishers({ nowMs, progress, source }: BootstrapOptions, writer: BulkWriter): Promise<void> {
  const domains = new Set<string>();
  for await (const row of source.eachPublisher()) {
    const domain = isObject(row) ? domainOf(row, 'domain') : undefined;
    if (domain !== undefined) domains.add(domain);
  }
  let done = 0;
  for (const domain of domains) {
    const view = readView(domain, await source.publisher({ domain }), isoTime(nowMs));
    await writer.write((tx, at) => putView(tx, domain, view, at));
    done += 1;
    progress?.({ what: 'publishers', done, total: domains.size });
  }
  for await (const row of skipNotOffered(source.eachFoundAgent())) {
    const record = isObject(row) ? agentOf(row, undefined, isoTime(nowMs)) : undefined;
    if (record !== undefined) await writer.write((tx, at) => tx.agent.reset(record, at));
  }
}

/** Takes away the rows that stand at something else. */
async function removeUnlisted(store: RegistryStore, position: string): Promise<void> {
  for (const noun of NOUNS) {
    for (let after = ''; ; ) {
      const rows = await store.read[noun].positions(after, ROWS_AT_A_LOOK);
      const old = rows.filter(({ event_id }) => event_id !== position);
      for (let from = 0; from < old.length; from += ROWS_AT_A_TIME) {
        await store.transact(async (tx) => {
          for (const { id } of old.slice(from, from + ROWS_AT_A_TIME)) await tx[noun].remove(id);
        });
        await yieldToEventLoop();
      }
      after = rows.at(-1)?.id ?? after;
      if (rows.length < ROWS_AT_A_LOOK) break;
      await yieldToEventLoop();
    }
  }
}
