import { describe, expect, test } from 'vitest';
import { inspectTenants } from '../../../../src/seller/config/load.js';
import { asText, folderWith, optionsFor, validTenant } from '../fixture.js';
import { BROKEN_ALERTS } from './alerts.js';
import { BROKEN_APPROVALS } from './approvals.js';
import { BROKEN_PRODUCTS } from './products.js';
import { BROKEN_PROPOSALS } from './proposals.js';
import { BROKEN_SIGNING } from './signing.js';
import { BROKEN_TENANTS } from './tenants.js';

const VARIANTS = [
  ...BROKEN_TENANTS,
  ...BROKEN_PRODUCTS,
  ...BROKEN_ALERTS,
  ...BROKEN_APPROVALS,
  ...BROKEN_PROPOSALS,
  ...BROKEN_SIGNING,
];

describe('a broken tenant file', () => {
  test('there are more than fifty of them, and the unbroken one is sound', async () => {
    expect(VARIANTS.length).toBeGreaterThan(50);
    const folder = await folderWith({ 'sales.json': validTenant() });
    const { problems, tenants } = await inspectTenants(optionsFor(folder));
    expect(problems).toEqual([]);
    expect(tenants).toHaveLength(1);
  });

  test.each(VARIANTS)(
    '$what: one problem, with its place and a fix',
    async ({ bend, pointer, line, shift, says, options }) => {
      const tenant = validTenant();
      bend(tenant);
      const folder = await folderWith({ 'sales.json': tenant });
      const { problems, tenants } = await inspectTenants(optionsFor(folder, options));
      expect(tenants).toEqual([]);
      expect(problems).toHaveLength(1);
      const [problem] = problems;
      expect(problem).toMatchObject({ pointer, line: onlyLineWith(asText(tenant), line) + (shift ?? 0) });
      expect(`${problem?.message} ${problem?.fix}`).toMatch(says);
      expect(problem?.fix).toMatch(/^[A-Z].{10,}[.?]$/);
    },
  );
});

function onlyLineWith(text: string, marker: string): number {
  const lines = text.split('\n');
  expect(lines.filter((line) => line.includes(marker))).toHaveLength(1);
  return lines.findIndex((line) => line.includes(marker)) + 1;
}
