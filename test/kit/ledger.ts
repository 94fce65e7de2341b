import pg from 'pg';
import { expect } from 'vitest';
import { DAY_MS, isoTime, SECOND_MS } from '../../src/platform/kernel/clock.js';
import { afterUse } from './after-use.js';
import { createRequest, packageRequest, succeeded, updateRequest } from './buyer.js';
import { checkClaims, logClaims } from './claim-log.js';
import { type Cluster, startCluster } from './cluster.js';
import { type ReceivedPost, type Receiver, startReceiver } from './receiver.js';
import { tenantsFolder } from './tenants.js';
import type { Payload, WireMediaBuy } from './wire.js';

/** A changing call under its key, and what it was answered. */
type Sent = {
  readonly tool: 'create_media_buy' | 'update_media_buy';
  readonly request: Readonly<Record<string, unknown>>;
  readonly answer: Payload;
};

/** The processes have the machine's own clock. */
const END = isoTime(Date.now() + 365 * DAY_MS);

/** When a buy begins that does not begin at once. */
const LATER_MS = 3 * SECOND_MS;

/** Starts processes whose buyers are told of every change of a buy, and what notes all that they acknowledge. */
export async function startLedger({ processes, leaseSeconds }: { processes: number; leaseSeconds: number }) {
  const receiver = await startReceiver();
  const tenants = tenantsFolder((tenant) => {
    tenant.webhooks = { gather_seconds: { media_buy: 0 } };
  });
  const env = { SELLER_AGENT_LEASE_SECONDS: String(leaseSeconds) };
  const cluster = await startCluster({ processes, args: ['--tenants', tenants], env });
  const database = new pg.Client(cluster.store);
  await database.connect();
  afterUse(() => database.end());
  await logClaims(database);
  return new Ledger(cluster, database, receiver);
}

/** What buyers were answered by the processes of a cluster, to hold the cluster against. */
export class Ledger {
  readonly cluster: Cluster;
  readonly database: pg.Client;
  readonly #receiver: Receiver;
  readonly #sent: Sent[] = [];
  /** Calls that broke off and were sent again under the same key. */
  brokenOff = 0;

  constructor(cluster: Cluster, database: pg.Client, receiver: Receiver) {
    this.cluster = cluster;
    this.database = database;
    this.#receiver = receiver;
  }

  /** How many changes were acknowledged. */
  get changes(): number {
    return this.#sent.length;
  }

  /**
   * Sends a changing call, under the same key until it is answered: a proxy whose server was killed answers nothing. Returns undefined for an
   * order that came too late for its start, of which nothing may be found later.
   */
  async change(tool: Sent['tool'], request: Sent['request'], at?: string): Promise<Payload | undefined> {
    for (;;) {
      const answer = await this.cluster.call(tool, request, at).catch(() => undefined);
      const isDone = answer !== undefined && !/SERVICE_UNAVAILABLE|IN_FLIGHT/.test(JSON.stringify(answer));
      if (isDone && answer.payload.errors?.[0]?.field === 'start_time') return undefined;
      if (isDone) {
        const payload = succeeded(answer);
        this.#sent.push({ tool, request, answer: payload });
        return payload;
      }
      this.brokenOff += 1;
      await new Promise((resume) => setTimeout(resume, 20));
    }
  }

  /**
   * Buys and changes, one call after the other, until it is over. Every third buy is not changed and begins a little later, which the
   * processes have to notice by themselves.
   */
  async buyUntil(isOver: () => boolean, at?: string): Promise<void> {
    for (let round = 0; !isOver(); round += 1) {
      const push_notification_config = { url: `${this.#receiver.url}/hook`, operation_id: 'op' };
      const start_time = round % 3 === 0 ? isoTime(Date.now() + LATER_MS) : 'asap';
      const packages = [packageRequest()];
      const order = createRequest({ start_time, end_time: END, packages, push_notification_config });
      const bought = await this.change('create_media_buy', order, at);
      if (bought === undefined) continue;
      const { media_buy_id } = bought;
      for (let step = 1; step <= round % 3; step += 1)
        await this.change('update_media_buy', updateRequest(media_buy_id, { paused: step % 2 === 1 }), at);
    }
  }

  /** As many effects as keys; none is lost. */
  async checkCounts(): Promise<void> {
    const waiting = { status_filter: 'pending_start', pagination: { max_results: 1 } };
    const isWaiting = async () => succeeded(await this.cluster.call('get_media_buys', waiting)).media_buys.length;
    await expect.poll(isWaiting, { timeout: 120_000, interval: 100 }).toBe(0);
    const buys = await this.#readBuys();
    const revisions = new Map([...buys].map(([id, { revision }]) => [id, revision]));
    expect(revisions).toEqual(this.#changesByBuy());
    expect(this.#sent.filter(({ tool }) => tool === 'create_media_buy')).toHaveLength(buys.size);
  }

  /** Every key is answered by every process as it was the first time; the first keys where there are many. */
  async checkReplays(most = this.changes): Promise<void> {
    for (const { url } of this.cluster.processes)
      for (const { answer, request, tool } of this.#sent.slice(0, most)) {
        const { replayed: _replayed, ...first } = answer;
        expect(succeeded(await this.cluster.call(tool, request, url))).toEqual({ ...first, replayed: true });
      }
  }

  /** Every event that is due came, those of a buy in their order, and none that an answer had told; each is settled once, and the log of all claims is in order. */
  async checkWebhooks(): Promise<WebhookCounts> {
    const waiting = 'SELECT 1 FROM webhook_event WHERE next_attempt_at IS NOT NULL';
    await expect
      .poll(async () => (await this.database.query(waiting)).rowCount, { timeout: 120_000, interval: 100 })
      .toBe(0);
    const { rows } = await this.database.query<EventRow>(
      'SELECT idempotency_key, media_buy_id, state FROM webhook_event ORDER BY seq',
    );
    // One that failed while its buy went on is not tried again: the next one tells what it was to tell.
    const delivered = rows.filter(({ state }) => state !== 'dropped');
    expect(delivered.filter(({ state }) => state !== 'delivered')).toEqual([]);
    const arrived = this.#firstArrivals();
    const stored = group(delivered, ({ media_buy_id, idempotency_key }) => [media_buy_id, idempotency_key]);
    const later = new Set(this.#sent.flatMap(({ answer }) => (startsLater(answer) ? [answer.media_buy_id] : [])));
    for (const id of this.#changesByBuy().keys()) {
      const events = arrived.get(id) ?? [];
      const came = events.map(({ key }) => key);
      const due = stored.get(id) ?? [];
      expect(
        came.filter((key) => due.includes(key)),
        `events of ${id} as they came`,
      ).toEqual(due);
      // What the buyer asked for is in the answers.
      expect(events.at(-1)?.status, `the last event of ${id}`).toBe(later.has(id) ? 'active' : undefined);
    }
    const { claims, takenOver } = await checkClaims(this.database);
    const copies = this.#receiver.posts.length - [...arrived.values()].flat().length;
    expect(copies, 'a copy without a process that stopped in the middle').toBeLessThanOrEqual(takenOver);
    return { events: rows.length, claims, takenOver, copies };
  }

  /** How often each buy was changed, its creation and its beginning included: its revision. */
  #changesByBuy(): ReadonlyMap<string, number> {
    const answers = group(this.#sent, ({ answer }) => [answer.media_buy_id, answer.media_buy_status]);
    const countOf = (states: readonly string[]) => states.length + (states[0] === 'pending_start' ? 1 : 0);
    return new Map([...answers].map(([id, states]) => [id, countOf(states)]));
  }

  /** The events of each buy in the order in which each came first, with the status that it tells of. */
  #firstArrivals(): ReadonlyMap<string, { readonly key: string; readonly status: unknown }[]> {
    const posts = new Map<unknown, ReceivedPost>();
    for (const post of this.#receiver.posts)
      if (!posts.has(post.json.idempotency_key)) posts.set(post.json.idempotency_key, post);
    return group([...posts.values()], ({ json }) => {
      const { media_buy_id, media_buy_status: status } = json.result as Payload;
      return [media_buy_id, { key: String(json.idempotency_key), status }];
    });
  }

  async #readBuys(): Promise<ReadonlyMap<string, WireMediaBuy>> {
    const found: WireMediaBuy[] = [];
    for (let cursor: string | undefined; ; ) {
      const pagination = { max_results: 100, cursor };
      const asked = { status_filter: ['active', 'paused'], pagination };
      const page = succeeded(await this.cluster.call('get_media_buys', asked));
      found.push(...page.media_buys);
      if (!page.pagination.has_more) break;
      ({ cursor } = page.pagination);
    }
    expect(new Set(found.map((one) => one.media_buy_id)).size, 'a buy is listed twice').toBe(found.length);
    return new Map(found.map((one) => [one.media_buy_id, one]));
  }
}

function startsLater({ media_buy_status }: Payload): boolean {
  return media_buy_status === 'pending_start';
}

type EventRow = { readonly idempotency_key: string; readonly media_buy_id: string; readonly state: string };

/** Returns values by names, in the order of the items. */
function group<Item, Value>(
  items: readonly Item[],
  read: (item: Item) => readonly [name: string, value: Value],
): ReadonlyMap<string, Value[]> {
  const grouped = new Map<string, Value[]>();
  for (const [name, value] of items.map(read)) {
    const values = grouped.get(name);
    if (values === undefined) grouped.set(name, [value]);
    else values.push(value);
  }
  return grouped;
}

/** How many events there were, how often one was claimed, taken over from a process that stopped, and came once more. */
type WebhookCounts = {
  readonly events: number;
  readonly claims: number;
  readonly takenOver: number;
  readonly copies: number;
};
