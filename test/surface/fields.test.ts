import { describe, expect, test } from 'vitest';
import { boot } from '../kit/boot.js';
import { creative, freshKey, SANDBOX_ACCOUNT, succeeded } from '../kit/buyer.js';
import { hasSchemas, readSchemas, schemaJudge } from '../kit/schemas.js';

/** The tasks that show only the fields that are asked for, with what finds something to show. */
const TASKS = [
  {
    task: 'get_products',
    schema: 'media-buy/get-products',
    tenant: 'sales',
    rows: 'products',
    args: { brief: 'video' },
  },
  {
    task: 'get_products',
    schema: 'media-buy/get-products',
    tenant: 'sales',
    rows: 'products',
    args: { buying_mode: 'refine', refine: [{ scope: 'request', ask: 'only video' }] },
  },
  { task: 'list_creatives', schema: 'creative/list-creatives', tenant: 'sales', rows: 'creatives', args: {} },
  { task: 'get_signals', schema: 'signals/get-signals', tenant: 'signals', rows: 'signals', args: {} },
] as const;

const server = await boot();
succeeded(
  await server.call('sync_creatives', {
    idempotency_key: freshKey(),
    account: { account_id: SANDBOX_ACCOUNT },
    creatives: [creative('banner')],
  }),
);

describe.skipIf(!hasSchemas('3.1'))('each field that can be asked for alone', () => {
  const judge = schemaJudge('3.1');
  const { named } = readSchemas('3.1');

  test.each(TASKS)(
    'leaves an answer of $task that fits its schema: $args',
    async ({ task, schema, tenant, rows, args }) => {
      const { fields } = named(`${schema}-request`).properties as { fields: { items: { enum?: readonly string[] } } };
      const names = fields.items.enum ?? ['taxonomy', 'methodology'];
      expect(names.length).toBeGreaterThan(2);
      for (const release of ['3.0', '3.1'] as const) {
        const judged = release === '3.1' ? judge : schemaJudge(release);
        for (const name of names) {
          const answer = await server.call(task, { ...args, fields: [name], adcp_version: release }, { tenant });
          const payload = succeeded(answer) as unknown as Record<string, readonly object[]>;
          expect(payload[rows]?.length).toBeGreaterThan(0);
          expect({ release, name, faults: judged(`${schema}-response`, payload) }).toEqual({
            release,
            name,
            faults: [],
          });
        }
      }
    },
  );

  test.each([
    { task: 'get_products', tenant: 'sales', asked: 'chanels', meant: 'channels' },
    { task: 'list_creatives', tenant: 'sales', asked: 'statuz', meant: 'status' },
    { task: 'get_signals', tenant: 'signals', asked: 'methodologie', meant: 'methodology' },
  ])('of $task that nobody knows is refused with the one that was meant', async ({ task, tenant, asked, meant }) => {
    const { payload, isError } = await server.call(task, { fields: ['name', asked] }, { tenant });
    const [error] = payload.errors as unknown as readonly { code: string; field: string; suggestion: string }[];
    expect({ isError, code: error?.code, field: error?.field }).toEqual({
      isError: true,
      code: 'INVALID_REQUEST',
      field: 'fields[1]',
    });
    expect(error?.suggestion).toMatch(`Did you mean "${meant}"?`);
  });

  test('brings the field, and fewer fields than all', async () => {
    const shown = async (args: object) =>
      Object.keys(succeeded(await server.call('get_products', args)).products[0] ?? {});
    const few = await shown({ brief: 'video', fields: ['channels'] });
    expect(few).toContain('channels');
    expect(few).not.toContain('brief_relevance');
    expect(await shown({ brief: 'video' })).toEqual(expect.arrayContaining([...few, 'brief_relevance']));
  });
});
