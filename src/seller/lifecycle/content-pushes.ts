import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS, type OwnClocks } from '../../platform/kernel/clock.js';
import type { Log } from '../../platform/kernel/log.js';
import { runSlices } from '../../platform/kernel/slices.js';
import type { Booking } from '../adserver/booking.js';
import { contentSampling, deliveredHours, sampleHours } from '../adserver/content-sampler.js';
import type { ContentFrequency, ContentRecord } from '../domain/content/records.js';
import { isTerminal, type MediaBuy } from '../domain/media-buy/media-buy.js';
import { readOwner } from '../domain/tenant/principal.js';
import type { Seller } from '../domain/tenant/seller.js';
import type { Store, Writer } from '../store/store.js';
import type { ContentStream } from '../store/webhooks/content-streams.js';
import { findRecipient } from '../webhooks/events/buy-events.js';
import { artifactBody } from '../webhooks/events/payloads.js';
import type { Outbox } from '../webhooks/outbox.js';

/** The ports that content is pushed with. */
type PushPorts = {
  readonly store: Store;
  readonly clock: OwnClocks;
  readonly log: Log;
  readonly booking: Pick<Booking, 'delivery' | 'prepare'>;
  readonly outbox: Pick<Outbox, 'post'>;
  readonly sellers: () => ReadonlyMap<string, Pick<Seller, 'products'>>;
};

/** How many streams are read and sent together. */
const STREAMS_AT_ONCE = 20;
/** Records of one push: well below the bytes that receivers take. */
const RECORDS_A_PUSH = 100;
/** Most records of a period that are pushed; get_media_buy_artifacts has the others. */
const MAX_PUSHED_RECORDS = 5000;

const PERIODS_MS: Readonly<Record<ContentFrequency, number>> = { hourly: HOUR_MS, daily: DAY_MS };

/**
 * Pushes the content beside the ads of buys that registered an artifact webhook: after each hour or day (UTC) what was sampled in it, in
 * batches. Nothing follows the end of a buy.
 */
export class ContentPushes {
  readonly #ports: PushPorts;

  constructor(ports: PushPorts) {
    this.#ports = ports;
  }

  /** Starts the pushes of a buy, in the transaction that registers them. */
  async start(tx: Writer, owner: string, buy: MediaBuy, frequency: ContentFrequency): Promise<void> {
    const next_from = Math.floor(Date.parse(buy.start_time) / HOUR_MS) * HOUR_MS;
    const stream = { media_buy_id: buy.media_buy_id, owner, frequency, next_from };
    tx.contentStreams.save({ ...stream, due_at: endOfPeriod(stream) });
  }

  /** Follows a change of the buy's start, while nothing was pushed. */
  async followBuy(tx: Writer, buy: MediaBuy): Promise<void> {
    if (buy.callbacks.artifact_webhook === undefined) return;
    const stream = await tx.contentStreams.find(buy.media_buy_id);
    if (stream === undefined || stream.next_from <= this.#ports.clock.nowOf(stream.owner)) return;
    await this.start(tx, stream.owner, buy, stream.frequency);
  }

  /** Pushes what has become due. */
  async tick(isStopped: () => boolean = () => false): Promise<void> {
    const { store, clock } = this.#ports;
    await this.#pushAll(() => store.read.contentStreams.due(clock.now(), STREAMS_AT_ONCE), isStopped);
    for (const owner of clock.ahead())
      await this.#pushAll(() => store.read.contentStreams.due(clock.nowOf(owner), STREAMS_AT_ONCE, owner), isStopped);
  }

  async #pushAll(readDue: () => Promise<readonly ContentStream[]>, isStopped: () => boolean): Promise<void> {
    await runSlices(async () => {
      const due = await readDue();
      for (const stream of due) await this.#push(stream).catch((error: unknown) => this.#postpone(stream, error));
      return due.length > 0;
    }, isStopped);
  }

  /** Pushes one period of a stream. What was sampled is worked out before the transaction; a stream that has moved meanwhile is left alone. */
  async #push(stream: ContentStream): Promise<void> {
    const { store } = this.#ports;
    const { owner, media_buy_id, due_at } = stream;
    const toMs = endOfPeriod(stream);
    const buy = await store.read.mediaBuys.find(owner, media_buy_id);
    const isOver = buy === undefined || isTerminal(buy.status);
    const records = isOver ? [] : await this.#sample(stream, toMs, buy);
    await store.transact(async (tx) => {
      const present = await tx.contentStreams.find(media_buy_id);
      if (present?.next_from !== stream.next_from || present.due_at !== due_at) return;
      if (isOver) return tx.contentStreams.end(media_buy_id);
      await this.#post(tx, stream, buy, records);
      const next = { ...stream, next_from: toMs };
      tx.contentStreams.save({ ...next, due_at: endOfPeriod(next) });
    });
  }

  async #sample({ owner, next_from }: ContentStream, toMs: number, buy: MediaBuy): Promise<readonly ContentRecord[]> {
    const { booking, sellers } = this.#ports;
    const products = sellers().get(readOwner(owner).tenant)?.products ?? new Map();
    const hours = deliveredHours(buy, { fromMs: next_from, toMs });
    const records: ContentRecord[] = [];
    for await (const hour of sampleHours(booking, buy, hours, contentSampling({ products }, buy))) {
      records.push(...hour.records);
      if (records.length >= MAX_PUSHED_RECORDS) break;
    }
    return records.slice(0, MAX_PUSHED_RECORDS);
  }

  async #post(tx: Writer, stream: ContentStream, buy: MediaBuy, records: readonly ContentRecord[]): Promise<void> {
    const recipient = findRecipient(stream.owner, buy, 'artifact_webhook');
    if (recipient === undefined) return;
    const { media_buy_id } = buy;
    const { token } = recipient.channel;
    const timestamp = isoTime(this.#ports.clock.nowOf(stream.owner));
    const total_batches = Math.ceil(records.length / RECORDS_A_PUSH);
    for (let batch = 0; batch < total_batches; batch += 1) {
      const own = records.slice(batch * RECORDS_A_PUSH, (batch + 1) * RECORDS_A_PUSH);
      const content = {
        media_buy_id,
        batch_id: `${media_buy_id}-${stream.next_from / HOUR_MS}-${batch + 1}`,
        timestamp,
        artifacts: own.map(({ record_id, timestamp: delivered_at, package_id, artifact }) => ({
          artifact,
          delivered_at,
          impression_id: record_id,
          package_id,
        })),
        pagination: { total_artifacts: records.length, batch_number: batch + 1, total_batches },
      };
      await this.#ports.outbox.post(tx, { ...recipient, body: (key) => ({ ...artifactBody(key, content), token }) });
    }
  }

  /** Postpones a stream that failed for a reason of our own, so that it holds up no other. */
  async #postpone(stream: ContentStream, error: unknown): Promise<void> {
    const { log, store } = this.#ports;
    const { media_buy_id, owner } = stream;
    log.error({ err: error, media_buy_id }, 'content could not be pushed; it is tried again');
    await store.transact(async (tx) => {
      const present = await tx.contentStreams.find(media_buy_id);
      if (present !== undefined)
        tx.contentStreams.save({ ...present, due_at: this.#ports.clock.nowOf(owner) + MINUTE_MS });
    });
  }
}

/** Returns when the period ends that a stream's next batch begins in (ms, UTC). */
function endOfPeriod({ next_from, frequency }: Pick<ContentStream, 'next_from' | 'frequency'>): number {
  const length = PERIODS_MS[frequency];
  return (Math.floor(next_from / length) + 1) * length;
}
