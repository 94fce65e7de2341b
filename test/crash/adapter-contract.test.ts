import path from 'node:path';
import { expect, it } from 'vitest';
import type { ContractAdServer } from '../../src/seller/adserver/contract/ad-server.js';
import { startExampleServer } from '../../src/seller/adserver/contract/example-server.js';
import { kevelModule } from '../../src/seller/adserver/kevel/kevel.js';
import type { AdServerModule } from '../../src/seller/adserver/port/adapter.js';
import { contractNow, type IsWanted, tryModule } from '../kit/contract.js';
import { gamBehindProxy, startGamBehindProxy } from '../kit/gam/contract.js';
import { tryOnKevel } from '../kit/kevel/contract.js';
import { PROJECT } from '../kit/surroundings.js';

const isBadWeather: IsWanted = ({ group }) => group === 'Bad weather';
const isTimeOut: IsWanted = ({ name }) => name.includes('time-out');
const isBooking: IsWanted = ({ name }) => name.startsWith('books');
/** So many fakes beside each other: most of the time is waited for pauses between attempts. */
const FAKES = 10;

/** Tries an adapter; time-outs while it books alone and one after the other, since an ad server that is slow by itself would meet them too. */
async function tryAll(module: AdServerModule, start: () => Promise<ContractAdServer>, isWanted: IsWanted) {
  const quick = await tryModule(module, start, (one) => isWanted(one) && !isTimeOut(one), FAKES);
  const slow = await tryModule(module, start, (one) => isWanted(one) && isTimeOut(one) && isBooking(one));
  return { count: quick.count + slow.count, broken: [...quick.broken, ...slow.broken] };
}

it('the adapter of Kevel keeps the contract of adapters in all weather', { timeout: 600_000 }, async () => {
  const { broken, count, violations } = await tryOnKevel(kevelModule, isBadWeather);
  expect(broken).toEqual([]);
  expect(count).toBeGreaterThanOrEqual(60);
  expect(violations).toEqual([]);
});

it('the adapter of Google Ad Manager keeps it too, killed at every step', { timeout: 600_000 }, async () => {
  const start = () => startGamBehindProxy(contractNow);
  // In fair weather all of it, then each fault once, and a kill at every step of everything that is done.
  const isWorst: IsWanted = (one) => !isBadWeather(one) || isBooking(one) || one.name.includes('kill -9');
  const { broken, count } = await tryAll(gamBehindProxy, start, isWorst);
  expect(broken).toEqual([]);
  expect(count).toBeGreaterThanOrEqual(80);
});

it('the example adapter keeps it in all weather', { timeout: 600_000 }, async () => {
  const file = path.join(PROJECT, 'examples/ad-server-adapter.mjs');
  const { default: module } = (await import(file)) as { readonly default: AdServerModule };
  const { broken, count } = await tryAll(module, startExampleServer, isBadWeather);
  expect(broken).toEqual([]);
  expect(count).toBeGreaterThanOrEqual(50);
});
