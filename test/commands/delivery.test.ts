import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { importDelivery } from '../../src/commands/orders/delivery.js';
import { resolveSettings } from '../../src/seller/config/settings.js';
import { PROJECT, temporaryFolder } from '../kit/surroundings.js';
import { tenantsFolder } from '../kit/tenants.js';

const HEAD = 'Line item,Day,Ad server impressions,CTR\n';

/** Imports a file into a store without orders; returns what was said of its rows, and of all. */
async function importFile(text: string, options: { readonly map?: string; readonly isDryRun?: boolean } = {}) {
  const folder = temporaryFolder();
  const file = path.join(folder, 'export.csv');
  writeFileSync(file, text);
  const flags = { data: folder, tenants: tenantsFolder() };
  const settings = await resolveSettings({ flags, env: {}, cwd: folder, packageRoot: PROJECT });
  const said: string[] = [];
  const out = (line: string): void => void said.push(line);
  const { text: sums } = await importDelivery(settings, {}, { file, out, isQuiet: false, isDryRun: false, ...options });
  return { said, sums };
}

it('reads the columns of an export by a map, and leaves out the others', async () => {
  const map = 'Line item=order_id, Day=date, Ad server impressions=impressions';
  const { said, sums } = await importFile(`${HEAD}L-7,2030-01-01,1000,0.1%\nL-7,yesterday,5,\n`, {
    map,
    isDryRun: true,
  });
  expect(said[0]).toMatch(/^line 2: refused: no order was booked as L-7/);
  expect(said[1]).toMatch(/^line 3: refused: date/);
  expect(sums).toBe('A dry run, nothing is entered: 0 created, 0 updated, 0 unchanged, 2 refused.');
});

it.each([
  ['no map', undefined, /no column "Line item".*--map/],
  ['half a map', 'Day', /"Day" maps no column/],
  ['a map to what is no column', 'Day=dat', /Did you mean "date"/],
  ['two columns that are one', 'Day=date,Date=date', /Two columns/],
  ['a map that leaves out what is needed', 'Day=date', /missing: impressions, package_id/],
])('says what is wrong: %s', async (_what, map, message) => {
  await expect(importFile(`${HEAD}L-7,2030-01-01,1000,\n`, map === undefined ? {} : { map })).rejects.toThrow(message);
});
