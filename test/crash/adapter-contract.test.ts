import { expect, it } from 'vitest';
import { kevelModule } from '../../src/seller/adserver/kevel/kevel.js';
import { tryOnKevel } from '../kit/kevel/contract.js';

it('the adapter of Kevel keeps the contract of adapters in all weather', { timeout: 600_000 }, async () => {
  const { broken, count, violations } = await tryOnKevel(kevelModule, ({ group }) => group === 'Bad weather');
  expect(broken).toEqual([]);
  expect(count).toBeGreaterThanOrEqual(60);
  expect(violations).toEqual([]);
});
