import { describe, expect, test } from 'vitest';
import { boot } from '../../kit/boot.js';
import { createRequest, packageRequest, succeeded } from '../../kit/buyer.js';
import { pass } from '../../kit/events.js';
import { startReceiver } from '../../kit/receiver.js';
import { hasSchemas, schemaJudge } from '../../kit/schemas.js';
import { shopper } from '../../kit/shopper.js';

const DAY = 86_400_000;
const ANSWER = 'media-buy/get-media-buy-delivery-response';

type Row = {
  readonly is_final?: boolean;
  readonly finalized_at?: string;
  readonly by_package: readonly {
    readonly spend: number;
    readonly is_final?: boolean;
    readonly finalized_at?: string;
    readonly ext?: { readonly seller_agent: { readonly makegood?: object } };
  }[];
};

/** Packages with the remedies that a buyer would take. */
const proposing = (...available_remedies: readonly string[]) => ({
  packages: [packageRequest({ budget: 1000, measurement_terms: { makegood_policy: { available_remedies } } })],
});

describe('a remedy', () => {
  test('that is agreed is said with its amount once the buy ended short, in the answer and in the report', async () => {
    const server = await boot();
    const receiver = await startReceiver();
    const one = shopper(server);
    const { media_buy_id: id, packages } = await one.create({
      ...proposing('additional_delivery', 'credit'),
      reporting_webhook: { url: `${receiver.url}/reports`, reporting_frequency: 'daily' },
    });
    // What nobody would carry out is not agreed.
    expect(packages).toMatchObject([{ measurement_terms: { makegood_policy: { available_remedies: ['credit'] } } }]);
    await pass(server, 3 * DAY, DAY);
    await one.update(id, { paused: true });
    const running = (await one.delivered(id)) as unknown as Row;
    expect(running).toMatchObject({ is_final: false, by_package: [{ is_final: false }] });
    expect(running.by_package[0]?.ext?.seller_agent ?? {}).not.toHaveProperty('makegood');
    await pass(server, 40 * DAY, DAY);
    const { end_time } = await one.read(id);
    const answer = succeeded(await one.call('get_media_buy_delivery', { media_buy_ids: [id] }));
    const [row] = answer.media_buy_deliveries as unknown as readonly Row[];
    const spend = row?.by_package[0]?.spend ?? 0;
    expect(spend).toBeGreaterThan(0);
    const amount = Math.round((1000 - spend) * 100) / 100;
    const closed = { is_final: true, finalized_at: end_time };
    const makegood = { remedy: 'credit', amount, currency: 'USD', message: expect.stringContaining('not billed') };
    const final = { ...closed, by_package: [{ ...closed, ext: { seller_agent: { makegood } } }] };
    expect(row).toMatchObject(final);
    expect(receiver.posts.at(-1)?.json.result).toMatchObject({
      notification_type: 'final',
      media_buy_deliveries: [final],
    });
    if (!hasSchemas('3.1')) return;
    const judge = schemaJudge('3.1');
    expect(judge(ANSWER, answer)).toEqual([]);
    expect(judge('media-buy/media-buy-delivery-webhook-result', receiver.posts.at(-1)?.json.result)).toEqual([]);
  });

  test('is not there where the buyer ended it, and the numbers are closed all the same', async () => {
    const server = await boot();
    const one = shopper(server);
    const { media_buy_id: id } = await one.create(proposing('invoice_adjustment'));
    server.clock.advance(3 * DAY);
    await one.update(id, { canceled: true });
    const row = (await one.delivered(id)) as unknown as Row;
    expect(row).toMatchObject({ is_final: true, by_package: [{ is_final: true, finalized_at: row.finalized_at }] });
    expect(row.by_package[0]?.ext?.seller_agent ?? {}).not.toHaveProperty('makegood');
  });

  test('that nobody carries out is refused, with those that are', async () => {
    const server = await boot();
    const { payload } = await server.call('create_media_buy', createRequest(proposing('additional_delivery')));
    expect(payload.errors).toMatchObject([
      {
        code: 'TERMS_REJECTED',
        field: 'packages[0].measurement_terms.makegood_policy.available_remedies',
        details: { allowed_values: ['invoice_adjustment', 'credit'] },
      },
    ]);
  });
});
