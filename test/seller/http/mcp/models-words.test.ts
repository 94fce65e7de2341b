import { expect, test } from 'vitest';
import { boot } from '../../../kit/boot.js';
import { createRequest } from '../../../kit/buyer.js';

const server = await boot();

test('an order whose packages, account and budget came as texts is booked, and a retry that writes them plainly is the same order', async () => {
  const plain: Readonly<Record<string, unknown>> = { ...createRequest(), end_time: '2031-01-31' };
  const { packages, account } = plain;
  const lines = (packages as readonly { budget: number }[]).map((line) => ({ ...line, budget: `${line.budget}` }));
  const texts = { ...plain, packages: JSON.stringify(lines), account: JSON.stringify(account) };
  const { payload: booked } = await server.call('create_media_buy', texts);
  expect(booked).toMatchObject({ media_buy_id: expect.any(String) });
  const { payload: again } = await server.call('create_media_buy', plain);
  expect(again).toMatchObject({ media_buy_id: booked.media_buy_id, replayed: true });
  const { payload: read } = await server.call('get_media_buys', { media_buy_ids: `["${booked.media_buy_id}"]` });
  expect(read).toMatchObject({
    media_buys: [{ media_buy_id: booked.media_buy_id, end_time: '2031-02-01T00:00:00Z' }],
  });
});

test('a time without an offset is refused with how to write it', async () => {
  const { payload } = await server.call('create_media_buy', { ...createRequest(), end_time: '2031-01-31 10:30' });
  expect(payload.errors).toEqual([
    expect.objectContaining({ field: 'end_time', suggestion: expect.stringContaining('2031-01-31T10:30:00Z') }),
  ]);
});

test.each([
  ['get_product', 'get_products'],
  ['createMediaBuy', 'create_media_buy'],
  ['list_creative_format', 'list_creative_formats'],
])('a tool that is called %s by mistake is answered with its name, %s', async (wrong, right) => {
  const { payload, isError } = await server.call(wrong);
  expect([isError, payload.code]).toEqual([true, 'INVALID_REQUEST']);
  expect(payload.errors).toEqual([
    expect.objectContaining({ suggestion: expect.stringContaining(`Did you mean "${right}"?`) }),
  ]);
});
