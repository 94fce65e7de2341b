import { readFile, writeFile } from 'node:fs/promises';
import { Ajv } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { expect, test } from 'vitest';
import { tenantJsonSchema } from '../../src/config/schema.js';
import { validTenant } from './fixture.js';

const published = new URL('../../tenants/tenant.schema.json', import.meta.url);

test('the published schema is the current one', async () => {
  if (process.env.UPDATE_SCHEMA) {
    await writeFile(published, `${JSON.stringify(tenantJsonSchema(), null, 2)}\n`);
  }
  const hint = 'UPDATE_SCHEMA=1 npx vitest run test/config/schema.test.ts && npx biome check --write tenants';
  expect(JSON.parse(await readFile(published, 'utf8')), `stale; run: ${hint}`).toEqual(tenantJsonSchema());
});

test('an editor that follows the published schema accepts what is valid and marks what is not', async () => {
  const ajv = new Ajv({ strict: false, allErrors: true, formats: fullFormats });
  const validate = ajv.compile(JSON.parse(await readFile(published, 'utf8')));
  const shipped = await readFile(new URL('../../tenants/sales.json', import.meta.url), 'utf8');
  expect(validate(JSON.parse(shipped)), JSON.stringify(validate.errors)).toBe(true);
  expect(validate(validTenant())).toBe(true);
  expect(validate({ ...validTenant(), nmae: 'x' })).toBe(false);
  expect(validate({ ...validTenant(), kinds: ['sells'] })).toBe(false);
});

test('every property has a description', () => {
  const silent: string[] = [];
  const visit = (node: unknown, path: string) => {
    if (typeof node !== 'object' || node === null) return;
    for (const [name, child] of Object.entries(node)) {
      const property = path.endsWith('/properties');
      if (property && !('description' in Object(child))) silent.push(`${path}/${name}`);
      visit(child, `${path}/${name}`);
    }
  };
  visit(tenantJsonSchema(), '');
  expect(silent).toEqual([]);
});
