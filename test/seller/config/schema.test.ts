import { readFile, writeFile } from 'node:fs/promises';
import { Ajv } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { expect, test } from 'vitest';
import { publishersJsonSchema } from '../../../src/seller/config/schema/publishers.js';
import { tenantJsonSchema } from '../../../src/seller/config/schema/tenant.js';
import { validTenant } from './fixture.js';

const published = new URL('../../../tenants/tenant.schema.json', import.meta.url);
const SCHEMAS = [
  ['tenant.schema.json', tenantJsonSchema],
  ['publishers.schema.json', publishersJsonSchema],
] as const;

test.each(SCHEMAS)('the published %s is the current one', async (name, current) => {
  const file = new URL(`../../../tenants/${name}`, import.meta.url);
  if (process.env.UPDATE_SCHEMA) await writeFile(file, `${JSON.stringify(current(), null, 2)}\n`);
  const hint = 'UPDATE_SCHEMA=1 npx vitest run test/seller/config/schema.test.ts && npx biome check --write tenants';
  expect(JSON.parse(await readFile(file, 'utf8')), `stale; run: ${hint}`).toEqual(current());
});

test('an editor accepts the shipped publishers', async () => {
  const ajv = new Ajv({ strict: false, allErrors: true, formats: fullFormats });
  const validate = ajv.compile(publishersJsonSchema());
  const shipped = await readFile(new URL('../../../tenants/publishers.json', import.meta.url), 'utf8');
  expect(validate(JSON.parse(shipped)), JSON.stringify(validate.errors)).toBe(true);
});

test('an editor that follows the published schema accepts what is valid and marks what is not', async () => {
  const ajv = new Ajv({ strict: false, allErrors: true, formats: fullFormats });
  const validate = ajv.compile(JSON.parse(await readFile(published, 'utf8')));
  const shipped = await readFile(new URL('../../../tenants/sales.json', import.meta.url), 'utf8');
  expect(validate(JSON.parse(shipped)), JSON.stringify(validate.errors)).toBe(true);
  expect(validate(validTenant())).toBe(true);
  expect(validate({ ...validTenant(), nmae: 'x' })).toBe(false);
  expect(validate({ ...validTenant(), kinds: ['sells'] })).toBe(false);
});

test.each(SCHEMAS)('every property of %s has a description', (_name, current) => {
  const silent: string[] = [];
  // A member may itself be called "properties".
  const visit = (node: unknown, path: string, areProperties: boolean) => {
    if (typeof node !== 'object' || node === null) return;
    for (const [name, child] of Object.entries(node)) {
      if (areProperties && !('description' in Object(child))) silent.push(`${path}/${name}`);
      visit(child, `${path}/${name}`, name === 'properties' && !areProperties);
    }
  };
  visit(current(), '', false);
  expect(silent).toEqual([]);
});
