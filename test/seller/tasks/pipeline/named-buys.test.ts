import { expect, it } from 'vitest';
import { boot } from '../../../kit/boot.js';
import { createRequest, succeeded } from '../../../kit/buyer.js';

const HOUR_MS = 3_600_000;

/** More buys than a call moves before it is answered. */
const BUYS = 55;

it('shows the buys that a text names as the clock has them, however many others wait for it', async () => {
  const server = await boot();
  const start_time = new Date(server.clock.now() + HOUR_MS).toISOString();
  const ids: string[] = [];
  for (let count = 0; count < BUYS; count++) {
    const { media_buy_id } = succeeded(await server.call('create_media_buy', createRequest({ start_time })));
    ids.push(String(media_buy_id));
  }
  server.clock.advance(HOUR_MS);
  const media_buy_ids = JSON.stringify(ids.slice(-1));
  const { media_buys } = succeeded(await server.call('get_media_buys', { media_buy_ids }));
  expect(media_buys).toMatchObject([{ media_buy_id: ids.at(-1), status: 'active' }]);
});
