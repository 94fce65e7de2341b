import { isDeepStrictEqual } from 'node:util';
import { type Clock, DAY_MS, isoTime } from '../../../../platform/kernel/clock.js';
import { startPace, yieldToEventLoop } from '../../../../platform/kernel/event-loop.js';
import type { Ids } from '../../../../platform/kernel/ids.js';
import type { EffectiveAdagents } from '../../../adagents/discovery.js';
import type { PropertyRecord, PublisherRecord } from '../../../model/records.js';
import { applyHostedProperties } from '../../service/brand/hosted.js';
import { appendChange, type EventDraft } from '../../service/feed/feed.js';
import { type Entry, entryKey } from '../../service/records.js';
import type { ServerReader, ServerStore, ServerWriter } from '../../store/server-store.js';
import { type CrawledFile, readCrawledFile } from '../files/crawled-file.js';
import type { FileReader } from '../files/file-reader.js';
import { openPacker, type PackedRows, type Packer, unpackPieces } from '../files/packed-rows.js';
import type { CrawlState } from '../records.js';
import type { Slices } from '../slice-queue.js';
import { announceAgent, applyShare, CRAWLER } from './agents.js';
import type { FileChanges, PackedRecords } from './file-changes.js';

/** The parts of the registry that are needed to apply a change. */
export type ApplyContext = { readonly store: ServerStore; readonly clock: Clock; readonly ids: Ids };

/** The parts of the registry that are needed to apply a file. */
export type PublisherContext = ApplyContext & {
  /** The reader of files. */
  readonly files: Pick<FileReader, 'run'>;
  /** The queue of slices that would hold the event loop together. */
  readonly slices: Slices;
};

/** Changes that are written in one transaction, and most pieces of them that are in hand. */
const MAX_STEPS = 200;
const MAX_PIECES = 4;
/** Rows that are read at a time; the largest have half a megabyte. */
const ROWS_AT_A_TIME = 16;
const AGENTS_AT_A_TIME = 500;
/** How often all records of a publisher are compared, whether its file has changed or not. */
const FULL_EVERY_MS = DAY_MS;

/** The file that counts for a publisher, and where it was found. */
export type CrawlResult = CrawledFile & Pick<EffectiveAdagents, 'method' | 'url' | 'managerDomain'>;

/**
 * Makes the records of a publisher what its file says, and appends every visible change to the feed, slice by slice; returns how many
 * events that took. The last of its bounded transactions saves the crawler's state: after a crash between two the next reading completes
 * the records.
 */
export async function applyFile(
  { store, clock, files, ids, slices }: PublisherContext,
  state: CrawlState,
  crawlResult: CrawlResult | undefined,
  reason: string,
): Promise<number> {
  const { domain } = state;
  const nowMs = clock.now();
  const settled = await findAppliedParts({ store, clock }, state);
  const crawled =
    crawlResult ?? readCrawledFile(domain, undefined, { nowMs, ...(settled !== undefined && { settled }) });
  if (crawled.isSettled) {
    await store.transact((tx) => tx.crawl.saveState(state));
    return 0;
  }
  const publisherBefore = await store.read.publisher.find(domain);
  const entry = await store.read.entry.find(entryKey('property', domain));
  const held = await heldRecords({ store, slices }, domain);
  const job = { crawled, held, nowMs, actor: CRAWLER, reason };
  // The shares stay in this thread, and the rest is handed over.
  const { shares, ...rest } = crawled;
  const changes = await files.run({ kind: 'changes', domain, local: false, ...job, crawled: rest });
  const event = publisherEvent({ publisherBefore, crawled, crawlResult, state, changes, now: isoTime(nowMs) });
  const { settledAt: _settled, ...half } = { ...state, dueAt: state.attemptedAt };
  const whole: CrawlState = { ...state, parts: crawled.parts, settledAt: nowMs };
  const finish = async (tx: ServerWriter): Promise<number> => {
    const main = event === undefined ? 0 : await append(tx, clock, event);
    const isNone = crawlResult === undefined;
    const more = isNone ? await applyContributed(tx, { clock, ids }, entry, changes.contributed) : 0;
    // Only now is it known that nothing is left to do.
    await tx.crawl.saveState(whole);
    return main + more;
  };
  return writeSteps({ store, slices }, stepsOf({ store, clock }, domain, shares, changes), { half, finish });
}

/**
 * Writes steps in bounded transactions, `finish` in the last of them, and returns how many events that took. Until
 * then `half` is the crawler's state.
 */
async function writeSteps(
  { store, slices }: Pick<PublisherContext, 'store' | 'slices'>,
  steps: AsyncIterable<readonly Step[]>,
  { half, finish }: { readonly half: CrawlState; readonly finish: Step },
): Promise<number> {
  let count = 0;
  let pending: readonly Step[] = [];
  let pieces = 0;
  const pace = startPace();
  const write = async (last?: Step): Promise<void> => {
    const { done, made } = await slices.run(() =>
      store.transact((tx) => runSome(tx, { steps: pending, least: slices.leastSteps, half, last })),
    );
    pending = pending.slice(done);
    count += made;
  };
  for await (const piece of steps) {
    pending = [...pending, ...piece];
    pieces += 1;
    while (pending.length >= MAX_STEPS || (pieces > MAX_PIECES && pending.length > 0)) await write();
    // A piece may be a single large row: reading it took a turn.
    if (pieces >= slices.leastPieces && pace.isDue()) await pace.rest();
    if (pending.length === 0) pieces = 0;
  }
  do await write(finish);
  while (pending.length > 0);
  return count;
}

/** Returns the steps that apply a file's changes, piece by piece, in an order in which nothing is named before it is there. */
async function* stepsOf(
  { clock, store }: Pick<ApplyContext, 'clock' | 'store'>,
  domain: string,
  shares: CrawledFile['shares'],
  { events }: FileChanges,
): AsyncGenerator<readonly Step[]> {
  const left = new Set<string>();
  for (let after = ''; ; ) {
    const urls = await store.read.crawl.listSellers(domain, after, AGENTS_AT_A_TIME);
    for (const url of urls) left.add(url);
    after = urls.at(-1) ?? '';
    if (urls.length < AGENTS_AT_A_TIME) break;
    await yieldToEventLoop();
  }
  for (const piece of unpackPieces(shares)) {
    yield piece
      .filter(([url]) => !left.has(url))
      .map(
        ([url, after]) =>
          (tx) =>
            announceAgent(tx, clock, { url, domain, after }),
      );
  }
  for (const piece of unpackPieces(events)) yield piece.map((draft) => (tx) => append(tx, clock, draft));
  for (const piece of unpackPieces(shares)) {
    for (const [url] of piece) left.delete(url);
    yield piece.map(
      ([url, after]) =>
        (tx) =>
          applyShare(tx, clock, { url, domain, after }),
    );
  }
  yield [...left].map((url) => (tx) => applyShare(tx, clock, { url, domain, after: undefined }));
}

/**
 * Returns the parts that a publisher's records were made of; undefined where they have to be gone through in any case:
 * for the first time, after a crash, once a day, and where a member contributed beside it.
 */
export async function findAppliedParts(
  { clock, store }: Pick<ApplyContext, 'clock' | 'store'>,
  before: CrawlState | undefined,
): Promise<CrawlState['parts'] | undefined> {
  const { domain, parts, settledAt } = before ?? {};
  if (domain === undefined || settledAt === undefined || clock.now() - settledAt >= FULL_EVERY_MS) return undefined;
  return (await store.read.entry.find(entryKey('property', domain))) === undefined ? parts : undefined;
}

/** Steps that wait, the fewest that one transaction takes of them, and the state of the publisher before and behind the last. */
type StepsInHand = {
  readonly steps: readonly Step[];
  readonly least: number;
  readonly half: CrawlState;
  readonly last: Step | undefined;
};

/** Runs as many steps as one transaction takes; behind all of them also the last. Until then the publisher is half settled. */
async function runSome(
  tx: ServerWriter,
  { half, last, least, steps }: StepsInHand,
): Promise<{ readonly done: number; readonly made: number }> {
  const pace = startPace();
  let [done, made] = [0, 0];
  for (const step of steps.slice(0, MAX_STEPS)) {
    made += await step(tx);
    done += 1;
    if (done >= least && pace.isDue()) break;
  }
  if (last !== undefined && done === steps.length) made += await last(tx);
  else await tx.crawl.saveState(half);
  return { done, made };
}

/**
 * Applies what a member contributed where the publisher no longer speaks for itself. What was saved since `before` was
 * read has been settled with it.
 */
async function applyContributed(
  tx: ServerWriter,
  context: Pick<ApplyContext, 'clock' | 'ids'>,
  before: Entry | undefined,
  contributed: readonly PropertyRecord[],
): Promise<number> {
  const entry = before && (await tx.entry.find(entryKey('property', before.domain)));
  if (entry?.review_status !== 'approved' || !isDeepStrictEqual(entry, before)) return 0;
  return applyHostedProperties(tx, context, entry, CRAWLER, contributed);
}

async function append(tx: ServerWriter, clock: Clock, draft: EventDraft): Promise<number> {
  await appendChange(tx, clock, draft);
  return 1;
}

/** One change of a transaction; returns how many events it appended. */
type Step = (tx: ServerWriter) => Promise<number>;

/** Reads every record of a publisher. */
async function heldRecords(
  { store, slices }: Pick<PublisherContext, 'store' | 'slices'>,
  domain: string,
): Promise<PackedRecords> {
  const all = async <Row>(page: ServerReader['property']['textsOfPublisher']): Promise<PackedRows<Row>> => {
    const packer = openPacker<Row>();
    let after: string | undefined = '';
    while (after !== undefined) {
      const from: string = after;
      after = await slices.run(() => packSome(packer, (id) => page(domain, id, ROWS_AT_A_TIME), from));
    }
    return packer.packed();
  };
  const { read } = store;
  return {
    properties: await all(read.property.textsOfPublisher),
    collections: await all(read.collection.textsOfPublisher),
    authorizations: await all(read.authorization.textsOfPublisher),
  };
}

/** Packs as many rows as fit between two yields; returns the id to go on behind, or undefined where there are no more. */
async function packSome<Row>(
  packer: Packer<Row>,
  page: (after: string) => Promise<readonly { readonly id: string; readonly doc: string }[]>,
  from: string,
): Promise<string | undefined> {
  const pace = startPace();
  for (let after = from; ; ) {
    const rows = await page(after);
    for (const { doc } of rows) packer.add(doc);
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_AT_A_TIME) return undefined;
    after = last.id;
    if (pace.isDue()) return after;
  }
}

type PublisherChange = {
  readonly publisherBefore: PublisherRecord | undefined;
  readonly crawled: CrawledFile;
  readonly crawlResult: CrawlResult | undefined;
  readonly state: CrawlState;
  readonly changes: FileChanges;
  readonly now: string;
};

/** Returns what the feed says of a publisher after a reading of its file. */
function publisherPayload({ changes, crawled, crawlResult, now }: PublisherChange, agent_count: number) {
  const { formatCount, placements, publisherDomain: domain, standing } = crawled;
  const isThere = crawlResult !== undefined;
  return {
    publisher_domain: domain,
    domain,
    standing,
    adagents_valid: isThere,
    adagents_url: crawlResult?.url ?? null,
    ...(isThere ? { discovery_method: crawlResult.method } : {}),
    manager_domain: crawlResult?.managerDomain ?? null,
    agent_count,
    property_count: changes.propertyCount,
    collection_count: changes.collectionCount,
    format_count: formatCount,
    placement_count: placements.length,
    placements,
    last_validated: now,
    updated_at: now,
    source: 'adagents_json',
  };
}

/** Returns the event of the file as a whole; undefined when nothing of it changed, or there never was one. */
function publisherEvent(one: PublisherChange): EventDraft | undefined {
  const { crawled, crawlResult, publisherBefore, changes, state } = one;
  const isThere = crawlResult !== undefined;
  if (publisherBefore === undefined && !isThere) return undefined;
  const wasThere = publisherBefore?.adagents_valid === true;
  const changed = Object.keys(crawled.parts).filter((name) => crawled.parts[name] !== state.parts[name]);
  if (wasThere === isThere && changed.length === 0) return undefined;
  const { propertiesAdded, propertiesRemoved } = changes;
  const [before, after] = [new Set(changes.agentsBefore), new Set(changes.agentsAfter)];
  const payload = publisherPayload(one, after.size);
  const isNew = isThere && !wasThere;
  return {
    event_type: isNew ? 'publisher.adagents_discovered' : 'publisher.adagents_changed',
    entity_id: crawled.publisherDomain,
    actor: CRAWLER,
    payload: isNew
      ? payload
      : {
          ...payload,
          properties_added: propertiesAdded,
          properties_removed: propertiesRemoved,
          agents_added: [...after].filter((url) => !before.has(url)),
          agents_removed: [...before].filter((url) => !after.has(url)),
          ...(changed.length > 0 && { changed_fields: changed }),
        },
  };
}
