import { describe, expect, test } from 'vitest';
import { type Booted, boot } from '../../kit/boot.js';
import { creative, freshKey, KIT_TOKEN, succeeded } from '../../kit/buyer.js';
import { hasSchemas, type SchemaRelease, schemaJudge } from '../../kit/schemas.js';
import { temporaryFolder } from '../../kit/surroundings.js';
import { shippedTenant, tenantsFolder, writeTenant } from '../../kit/tenants.js';
import type { Payload } from '../../kit/wire.js';

const OTHERS = [
  {
    agent_url: 'https://dco.example/mcp',
    agent_name: 'Dynamic Desk',
    capabilities: ['assembly', 'delivery'],
  },
  { agent_url: 'https://reference.example' },
];

async function formats(server: Booted, tenant: string, args = {}, version?: SchemaRelease): Promise<Payload> {
  const options = version === undefined ? { tenant } : { tenant, version };
  return succeeded(await server.call('list_creative_formats', args, options));
}

/** A folder of both shipped tenants, each with its own `creative_agents`. */
function folderOf(sales: unknown, creative: unknown): string {
  const folder = temporaryFolder('seller-agent-tenants-');
  writeTenant(folder, { ...shippedTenant(), creative_agents: sales }, 'sales');
  writeTenant(folder, { ...shippedTenant('creative'), creative_agents: creative }, 'renderer/creative');
  return folder;
}

describe('creative agents', () => {
  test('of this server are named by those that sell, with an address that answers', async () => {
    const server = await boot({ tenants: folderOf(undefined, undefined) });
    const { creative_agents } = await formats(server, 'sales');
    expect(creative_agents).toEqual([
      {
        agent_url: server.url('renderer/creative'),
        agent_name: 'Northlight Creative Studio',
        capabilities: ['validation', 'assembly', 'generation', 'preview'],
      },
    ]);
    const own = await formats(server, 'renderer/creative');
    expect(own.creative_agents).toBeUndefined();
    expect(own.formats.length).toBeGreaterThan((await formats(server, 'sales')).formats.length);
  });

  test('are not named where there are none', async () => {
    const server = await boot({ tenants: tenantsFolder() });
    expect(Object.keys(await formats(server, 'sales'))).not.toContain('creative_agents');
  });

  test('of the file are named as they stand there, by sales and creative agents, on every page', async () => {
    const remarked = OTHERS.map((agent) => ({ ...agent, $comment: 'a remark' }));
    const server = await boot({ tenants: folderOf(remarked, remarked) });
    for (const tenant of ['sales', 'renderer/creative']) {
      const first = await formats(server, tenant, { pagination: { max_results: 1 } });
      const { cursor } = first.pagination;
      const second = await formats(server, tenant, { pagination: { max_results: 1, cursor } });
      const nothing = await formats(server, tenant, { name_search: 'no format has this name' });
      for (const { creative_agents } of [first, second, nothing]) expect(creative_agents).toEqual(OTHERS);
    }
  });

  test('are none when the file says so', async () => {
    const server = await boot({ tenants: folderOf([], []) });
    expect((await formats(server, 'sales')).creative_agents).toBeUndefined();
  });

  test('change with the files', async () => {
    const folder = tenantsFolder();
    const server = await boot({ tenants: folder });
    expect((await formats(server, 'sales')).creative_agents).toBeUndefined();
    writeTenant(folder, shippedTenant('creative'), 'creative');
    await server.server().reload();
    expect((await formats(server, 'sales')).creative_agents).toMatchObject([{ agent_url: server.url('creative') }]);
  });

  test.each(['3.0', '3.1'] as const)('are valid for the public schemas of %s', async (release) => {
    if (!hasSchemas(release)) return;
    const judge = schemaJudge(release);
    const server = await boot({ tenants: folderOf(undefined, OTHERS) });
    for (const [tenant, schema] of [
      ['sales', 'media-buy/list-creative-formats-response'],
      ['renderer/creative', 'creative/list-creative-formats-response'],
    ] as const) {
      const answer = await formats(server, tenant, {}, release);
      expect(answer.creative_agents.length).toBeGreaterThan(0);
      expect(judge(schema, answer)).toEqual([]);
    }
  });
});

describe('the library of a buyer', () => {
  const FOLDER = { account: { brand: { domain: 'acme-outdoor.example' }, operator: 'pinnacle-agency.example' } };

  /** A banner that a buyer sent to the sales agent, and a try to build from it at the creative agent. */
  async function built(server: Booted, buyer: string, builder: string) {
    const { creatives } = succeeded(
      await server.call(
        'sync_creatives',
        { ...FOLDER, idempotency_key: freshKey(), creatives: [creative('kept_at_sales')] },
        { token: buyer },
      ),
    );
    expect(creatives).toMatchObject([{ creative_id: 'kept_at_sales', action: 'created' }]);
    const request = {
      idempotency_key: freshKey(),
      creative_id: 'kept_at_sales',
      target_format_id: { agent_url: server.url('renderer/creative'), id: 'display_300x250_image' },
    };
    return server.call('build_creative', request, { token: builder, tenant: 'renderer/creative' });
  }

  test.each([
    ['a token', 'sandbox-token'],
    ['the key of a test kit', KIT_TOKEN],
  ])(
    'at a sales agent is open to the creative agents that it names, for the same caller by %s',
    async (_how, token) => {
      const server = await boot({ tenants: folderOf(undefined, undefined) });
      const { creative_manifest } = succeeded(await built(server, token, token));
      expect(creative_manifest).toMatchObject({ format_id: { id: 'display_300x250_image' } });
    },
  );

  test('stays closed to another caller, and to a creative agent that is not named', async () => {
    const server = await boot({ tenants: folderOf(undefined, undefined) });
    expect((await built(server, 'sandbox-token', 'sandbox-token-2')).payload.code).toBe('CREATIVE_NOT_FOUND');
    const apart = await boot({ tenants: folderOf([], undefined) });
    expect((await built(apart, 'sandbox-token', 'sandbox-token')).payload.code).toBe('CREATIVE_NOT_FOUND');
  });
});
