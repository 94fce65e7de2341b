import { describe, expect, test } from 'vitest';
import { type Booted, boot } from '../../kit/boot.js';
import { succeeded } from '../../kit/buyer.js';
import { pass } from '../../kit/events.js';
import { type Receiver, startReceiver } from '../../kit/receiver.js';
import { hasSchemas, schemaJudge } from '../../kit/schemas.js';
import { type Shopper, shopper } from '../../kit/shopper.js';

const SECOND = 1000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

type Activity = Readonly<Record<string, unknown>>;

/** The log of a buy's webhooks as its buyer reads it. */
async function activityOf(buyer: Shopper, id: string, more: object = {}): Promise<readonly Activity[] | undefined> {
  const args = { media_buy_ids: [id], include_webhook_activity: true, ...more };
  const { media_buys } = succeeded(await buyer.call('get_media_buys', args));
  return (media_buys[0] as unknown as { webhook_activity?: readonly Activity[] }).webhook_activity;
}

/** A buy with daily reports, at an address that holds secrets. */
async function reporting(): Promise<{ server: Booted; receiver: Receiver; one: Shopper; id: string }> {
  const [server, receiver] = [await boot(), await startReceiver()];
  const one = shopper(server);
  const url = `${receiver.url}/in/${'4f'.repeat(12)}?key=of-the-buyer#part`;
  const { media_buy_id: id } = await one.create({ reporting_webhook: { url, reporting_frequency: 'daily' } });
  return { server, receiver, one, id };
}

describe('webhook_activity', () => {
  test('is there when it is asked for, and empty while nothing was sent', async () => {
    const { one, id } = await reporting();
    expect(await activityOf(one, id)).toEqual([]);
    expect(await activityOf(one, id, { include_webhook_activity: false })).toBeUndefined();
    expect(await one.read(id)).not.toHaveProperty('webhook_activity');
  });

  test('has every attempt, newest first, each member that the protocol wants, and no secret', async () => {
    const { server, receiver, one, id } = await reporting();
    receiver.script(503, 'reset');
    await pass(server, DAY + HOUR);
    const sent = server.clock.iso().replace('.000', '');
    await pass(server, HOUR, 10 * SECOND);
    const activity = (await activityOf(one, id)) ?? [];
    const [post] = receiver.posts;
    const same = {
      idempotency_key: post?.json.idempotency_key,
      notification_type: 'scheduled',
      sequence_number: 1,
      payload_size_bytes: post?.body.length,
      url: `${receiver.url}/in/***`,
      fired_at: expect.stringMatching(/Z$/),
      completed_at: expect.stringMatching(/Z$/),
    };
    const none = { http_status_code: null, response_time_ms: null };
    expect(activity).toEqual([
      { ...same, attempt: 3, status: 'success', http_status_code: 200, response_time_ms: 0, error_message: null },
      { ...same, ...none, attempt: 2, status: 'connection_error', error_message: 'connection failed' },
      {
        ...same,
        attempt: 1,
        status: 'failed',
        fired_at: sent,
        completed_at: sent,
        http_status_code: 503,
        response_time_ms: 0,
        error_message: 'HTTP 503 Service Unavailable',
      },
    ]);
    for (const hidden of ['4f'.repeat(12), 'of-the-buyer', '#part'])
      expect(JSON.stringify(activity)).not.toContain(hidden);
  });

  test('shows what is under way as pending, with null for what is not known yet', async () => {
    const { server, receiver, one, id } = await reporting();
    receiver.always('hang');
    server.clock.advance(DAY + HOUR);
    await server.server().tick();
    await receiver.received(1);
    expect(await activityOf(one, id)).toMatchObject([
      {
        idempotency_key: receiver.posts[0]?.json.idempotency_key,
        status: 'pending',
        attempt: 1,
        completed_at: null,
        http_status_code: null,
        response_time_ms: null,
        error_message: null,
        url: `${receiver.url}/in/***`,
      },
    ]);
    // A receiver that hangs up lets the server close.
    await receiver.close();
  });

  test('keeps to its limit, outlives a restart, and ends after thirty days', async () => {
    const { server, one, id } = await reporting();
    await one.update(id, { end_time: '2030-12-31T00:00:00Z' });
    await pass(server, 28 * DAY + HOUR, DAY / 4);
    await pass(server, HOUR);
    await server.restart();
    const numbers = async (limit?: number) =>
      ((await activityOf(one, id, limit === undefined ? {} : { webhook_activity_limit: limit })) ?? []).map(
        (entry) => entry.sequence_number,
      );
    const all = Array.from({ length: 28 }, (_, at) => 28 - at);
    expect(await numbers()).toEqual(all);
    expect(await numbers(3)).toEqual([28, 27, 26]);
    expect(await numbers(200)).toEqual(all);
    for (const limit of [0, 201, -1, 1.5]) {
      const args = { include_webhook_activity: true, webhook_activity_limit: limit };
      const { payload } = await one.call('get_media_buys', args);
      expect(payload.errors).toMatchObject([{ code: 'INVALID_REQUEST', field: 'webhook_activity_limit' }]);
    }
    await pass(server, 32 * DAY, DAY);
    // Those of the last thirty days, and none before.
    const entries = await numbers(200);
    expect(entries[0]).toBe(60);
    expect(entries.length).toBeGreaterThanOrEqual(30);
    expect(entries.length).toBeLessThanOrEqual(32);
  });

  test('is the caller’s own', async () => {
    const { server, receiver, one, id } = await reporting();
    const two = shopper(server, 'second');
    const url = `${receiver.url}/two`;
    const other = await two.create({ reporting_webhook: { url, reporting_frequency: 'daily' } });
    await pass(server, DAY + HOUR);
    expect(await activityOf(one, id)).toHaveLength(1);
    expect(await activityOf(two, other.media_buy_id)).toMatchObject([{ url }]);
    const args = { media_buy_ids: [id], include_webhook_activity: true };
    expect((await two.call('get_media_buys', args)).payload.media_buys).toEqual([]);
  });

  test.runIf(hasSchemas('3.1'))(
    'is valid; an event about the buy’s own state has no type among those of 3.1',
    async () => {
      const [server, receiver] = [await boot(), await startReceiver()];
      const one = shopper(server);
      const [push_notification_config, daily] = [{ url: `${receiver.url}/push` }, { reporting_frequency: 'daily' }];
      const reporting_webhook = { url: `${receiver.url}/reports`, ...daily };
      const { media_buy_id: reported } = await one.create({ reporting_webhook });
      const { media_buy_id: pushed } = await one.create({
        push_notification_config,
        start_time: '2030-01-03T00:00:00Z',
      });
      receiver.script(503, 'reset');
      await pass(server, 3 * SECOND, SECOND);
      await pass(server, HOUR, 10 * SECOND);
      await pass(server, DAY);
      const judge = schemaJudge('3.1');
      const read = async (id: string) => {
        const args = { media_buy_ids: [id], include_webhook_activity: true };
        return succeeded(await server.call('get_media_buys', args, { version: '3.1' }));
      };
      expect(judge('media-buy/get-media-buys-response', await read(reported))).toEqual([]);
      for (const entry of (await activityOf(one, reported)) ?? [])
        expect(judge('core/webhook-activity-record', entry)).toEqual([]);
      const own = (await activityOf(one, pushed)) ?? [];
      expect(own.length).toBeGreaterThan(0);
      for (const entry of own) expect(entry).not.toHaveProperty('notification_type');
      const activity = await read(pushed);
      expect(judge('media-buy/get-media-buys-response', activity)).toEqual([]);
      const [first] = activity.media_buys as unknown as readonly { readonly webhook_activity: readonly Activity[] }[];
      expect(first?.webhook_activity.map(({ ext }) => ext)).toEqual(
        own.map(() => ({ seller_agent: { event: 'task' } })),
      );
    },
  );
});
