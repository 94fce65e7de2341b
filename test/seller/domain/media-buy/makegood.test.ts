import { expect, it } from 'vitest';
import { agreedTerms, carriedRemedies, makegoodOf } from '../../../../src/seller/domain/media-buy/makegood.js';
import type { MediaBuy, Package } from '../../../../src/seller/domain/media-buy/media-buy.js';

const agreed = { measurement_terms: { makegood_policy: { available_remedies: ['credit'] } } };
const line = { budget: 100, echoed: agreed } as unknown as Package;
const buy = { status: 'completed', currency: 'EUR' } as MediaBuy;
const canceled = (canceled_by: 'buyer' | 'seller') => ({
  cancellation: { canceled_at: '2030-01-01T00:00:00Z', canceled_by },
});

it.each<readonly [what: string, buy: MediaBuy, line: Package, spend: number, amount: number | undefined]>([
  ['what is left of the budget', buy, line, 60.1, 39.9],
  ['nothing where all was delivered', buy, line, 100, undefined],
  ['nothing where no remedy was agreed', buy, { ...line, echoed: {} }, 60, undefined],
  ['nothing of a buy that the buyer canceled', { ...buy, ...canceled('buyer') }, line, 60, undefined],
  ['nothing of a package that the buyer canceled', buy, { ...line, ...canceled('buyer') }, 60, undefined],
  ['what is left where the seller canceled', { ...buy, ...canceled('seller') }, line, 60, 40],
  ['nothing of a buy that was rejected', { ...buy, status: 'rejected' }, line, 0, undefined],
])('the remedy is for %s', (_what, of, pkg, spend, amount) => {
  expect(makegoodOf(of, pkg, spend)?.amount).toBe(amount);
});

it('only remedies that are carried out are agreed, the preferred one first', () => {
  expect(carriedRemedies(['credit', 'additional_delivery', 'invoice_adjustment'])).toEqual([
    'invoice_adjustment',
    'credit',
  ]);
  const terms = { billing_measurement: { vendor: { domain: 'x.example' } }, makegood_policy: { note: 'n' } };
  expect(agreedTerms(terms)).toBe(terms);
  expect(
    agreedTerms({ ...terms, makegood_policy: { note: 'n', available_remedies: ['additional_delivery', 'credit'] } }),
  ).toEqual({ ...terms, makegood_policy: { note: 'n', available_remedies: ['credit'] } });
});
