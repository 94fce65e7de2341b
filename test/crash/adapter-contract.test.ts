import path from 'node:path';
import { expect, it } from 'vitest';
import { startExampleServer } from '../../src/seller/adserver/contract/example-server.js';
import type { IsWanted } from '../../src/seller/adserver/contract/run.js';
import { kevelModule } from '../../src/seller/adserver/kevel/kevel.js';
import type { AdServerModule } from '../../src/seller/adserver/port/adapter.js';
import { contractNow, tryModule } from '../kit/contract.js';
import { gamBehindProxy, startGamBehindProxy } from '../kit/gam/contract.js';
import { tryOnKevel } from '../kit/kevel/contract.js';
import { PROJECT } from '../kit/surroundings.js';

const isBadWeather: IsWanted = ({ group }) => group === 'Bad weather';
/** So many fakes beside each other: most of the time is waited for pauses between attempts. */
const FAKES = 10;

it('the adapter of Kevel keeps the contract of adapters in all weather', { timeout: 600_000 }, async () => {
  const { broken, count, violations } = await tryOnKevel(kevelModule, isBadWeather, FAKES);
  expect(broken).toEqual([]);
  expect(count).toBeGreaterThanOrEqual(60);
  expect(violations).toEqual([]);
});

it('the adapter of Google Ad Manager keeps it too, killed at every step', { timeout: 600_000 }, async () => {
  const start = () => startGamBehindProxy(contractNow);
  const { broken, count } = await tryModule(gamBehindProxy, start, () => true, FAKES);
  expect(broken).toEqual([]);
  expect(count).toBeGreaterThanOrEqual(160);
});

it('the example adapter keeps it in all weather', { timeout: 600_000 }, async () => {
  const file = path.join(PROJECT, 'examples/ad-server-adapter.mjs');
  const { default: module } = (await import(file)) as { readonly default: AdServerModule };
  const { broken, count } = await tryModule(module, startExampleServer, isBadWeather, FAKES);
  expect(broken).toEqual([]);
  expect(count).toBeGreaterThanOrEqual(60);
});
