import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { startCommand } from '../kit/command-line.js';
import { PROJECT, temporaryFolder } from '../kit/surroundings.js';

const EXAMPLE = path.join(PROJECT, 'examples/ad-server-adapter.mjs');

function testAdapter(file: string, ...flags: readonly string[]) {
  return startCommand(['adapter', 'test', file, ...flags]).finished;
}

it('tells scenario after scenario what holds of the example', async () => {
  const { code, stdout } = await testAdapter(EXAMPLE, '--only', 'books an order');
  expect(stdout).toMatch(/^Booking\n {2}ok {6}books an order with each of its packages once\n/);
  expect(stdout).toContain('example: 22 of 22 scenarios hold, 0 do not concern it.');
  expect(code).toBe(0);
});

it('tells what an adapter breaks, and ends with 1', async () => {
  const file = path.join(temporaryFolder(), 'lazy.js');
  const declaration = `{ targeting: [], formats: ['*'], pricing_models: ['cpm'], delivery_types: ['guaranteed'], pacings: ['even'],
    metrics: [], has_creative_delivery: false, currency: 'USD', time_zone: 'Mars/Base', reports: { every_minutes: 60, corrected_days: 0 } }`;
  writeFileSync(
    file,
    `const declaration = ${declaration};
    const adapter = { name: 'lazy', declaration, book: async () => ({ order: '1' }), delivery: async () => ({ kind: 'rows', rows: [] }) };
    export default { name: 'lazy', declare: () => declaration, open: () => adapter };`,
  );
  const { code, stdout } = await testAdapter(file, '--only', 'books an order with each');
  expect(stdout).toContain(
    '  BROKEN  books an order with each of its packages once\n          It did not make a line of pkg_1.',
  );
  expect(code).toBe(1);
  const declared = await testAdapter(file, '--only', 'declares what it can do');
  expect(declared.stdout).toContain('It declares the time zone Mars/Base, which IANA does not have.');
});

it('refuses a file that is no adapter, and scenarios that there are not', async () => {
  const file = path.join(temporaryFolder(), 'nothing.js');
  writeFileSync(file, 'export default {};');
  const { code, stdout, stderr } = await testAdapter(file);
  expect(`${stdout}${stderr}`).toContain('has no default export with name, declare and open');
  expect(code).toBe(1);
  expect((await testAdapter(EXAMPLE, '--only', 'no such thing')).code).toBe(1);
});
