import { createRequest, freshKey, packageRequest } from '../../kit/buyer.js';
import type { Args } from './shape.js';

/** Calls that look odd and are right: what, the task, its arguments. */
export const ODD: readonly (readonly [string, string, Args])[] = [
  [
    'fields that nobody knows',
    'create_media_buy',
    () => createRequest({ x_conformance_probe: 1, packages: [packageRequest({ x_deep: { y: [] } })] }),
  ],
  ['an end in the year 9999', 'create_media_buy', () => createRequest({ end_time: '9999-12-31T00:00:00Z' })],
  [
    'the same package twice',
    'create_media_buy',
    () => createRequest({ packages: [packageRequest(), packageRequest()] }),
  ],
  [
    'an auction without a bid',
    'create_media_buy',
    () => createRequest({ packages: [packageRequest({ pricing_option_id: 'auction' })] }),
  ],
  [
    'a total that is the sum',
    'create_media_buy',
    () => createRequest({ total_budget: { amount: 1000, currency: 'USD' } }),
  ],
  [
    'a bid on a fixed price',
    'create_media_buy',
    () => createRequest({ packages: [packageRequest({ bid_price: 7.5 })] }),
  ],
  [
    'a start as an object',
    'create_media_buy',
    () => createRequest({ start_time: { type: 'date', date: '2030-01-05' } }),
  ],
  [
    'a start as an object with a time',
    'create_media_buy',
    () => createRequest({ start_time: { type: 'date', date: '2030-01-05T08:00:00+02:00' } }),
  ],
  ['a start as an object, at once', 'create_media_buy', () => createRequest({ start_time: { type: 'asap' } })],
  ['a start with another offset', 'create_media_buy', () => createRequest({ start_time: '2030-01-05T00:00:00-08:00' })],
  [
    'an account by brand and operator',
    'create_media_buy',
    () => createRequest({ account: { brand: { domain: 'new.example' }, operator: 'new.example' } }),
  ],
  [
    'two packages that differ by context',
    'create_media_buy',
    () => createRequest({ packages: [packageRequest({ context: { a: 1 } }), packageRequest({ context: { a: 2 } })] }),
  ],
  [
    'a callback to loopback of a sandbox principal in development',
    'create_media_buy',
    () => createRequest({ push_notification_config: { url: 'http://127.0.0.1:9/step/x/y' } }),
  ],
  [
    'a callback to a host that does not exist',
    'create_media_buy',
    () => createRequest({ push_notification_config: { url: 'https://buyer.example/hook' } }),
  ],
  [
    'a member called __proto__',
    'create_media_buy',
    () => JSON.stringify(createRequest()).replace('{', '{"__proto__":{"polluted":1},'),
  ],
  ['a key of 16 characters', 'create_media_buy', () => createRequest({ idempotency_key: freshKey().slice(0, 16) })],
  ['an ext of the buyer', 'create_media_buy', () => createRequest({ ext: { vendor: { a: [1, 2, 3] } } })],
  [
    'ten levels of context',
    'get_products',
    () => ({ context: { a: { b: { c: { d: { e: { f: { g: { h: { i: 1 } } } } } } } } } }),
  ],
  ['a cent of budget', 'create_media_buy', () => createRequest({ packages: [packageRequest({ budget: 0.01 })] })],
  ['no arguments for products', 'get_products', () => ({})],
  ['a brand in the products', 'get_products', () => ({ brief: 'video', brand: { domain: 'acme.example' } })],
  ['version 3.0', 'get_products', () => ({ adcp_version: '3.0' })],
  ['version 3.9, served as 3.1', 'get_products', () => ({ adcp_version: '3.9' })],
  ['major version 3', 'get_products', () => ({ adcp_major_version: 3 })],
  ['a key on a reading task', 'get_products', () => ({ idempotency_key: freshKey() })],
  ['a short key on a reading task', 'get_products', () => ({ idempotency_key: 'x' })],
  [
    'the envelope on a reading task',
    'list_accounts',
    () => ({
      context_id: 'c',
      governance_context: 'g',
      ext: {},
      push_notification_config: { url: 'https://buyer.example' },
    }),
  ],
  ['accounts by a root brand', 'list_accounts', () => ({ brand: { domain: 'acme-outdoor.example' } })],
  [
    'a buy under another account of the caller',
    'get_media_buys',
    (known) => ({
      media_buy_ids: [known.active],
      account: { brand: { domain: 'new.example' }, operator: 'new.example' },
    }),
  ],
];
