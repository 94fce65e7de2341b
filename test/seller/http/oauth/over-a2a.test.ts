import { describe, expect, it } from 'vitest';
import { TOOLS } from '../../../../src/seller/tasks/index.js';
import { isOffered, toolName } from '../../../../src/seller/tasks/pipeline/tool.js';
import { a2aBuyer, dataOf } from '../../../kit/a2a.js';
import { type Booted, boot } from '../../../kit/boot.js';
import { createRequest, freshKey, packageRequest } from '../../../kit/buyer.js';
import { allowing, authorizeAs } from '../../../kit/oauth.js';
import { temporaryFolder } from '../../../kit/surroundings.js';
import { SHIPPED, sandboxToken, shippedTenant, writeTenant } from '../../../kit/tenants.js';

const folder = temporaryFolder('seller-agent-tenants-');
for (const name of SHIPPED) {
  const tenant = Object.assign(shippedTenant(name), { oauth: {} });
  if (name === 'creative') tenant.build_prices = [{ pricing_option_id: 'po_build', unit_price: 40, currency: 'USD' }];
  writeTenant(folder, tenant, name);
}
const server: Booted = await boot({ ids: 'system', tenants: folder });

/** Signs in at a tenant and returns the access token. */
async function signIn(fields: Readonly<Record<string, string>>, tenant = 'sales'): Promise<string> {
  const { tokens } = await authorizeAs(server.baseUrl, server.url(tenant), {
    fields: allowing(sandboxToken(tenant), fields),
    scope: 'read buy operate',
  });
  return tokens.access_token;
}

const order = (budget: number) => createRequest({ packages: [packageRequest({ budget })] });
const send = (skill: string, input: object) => ({
  message: { kind: 'message', role: 'user', messageId: freshKey(), parts: [{ kind: 'data', data: { skill, input } }] },
});

describe('an access token over A2A', () => {
  it('opens what it opens over MCP, within the same limit of the day', async () => {
    const token = await signIn({ limit: '1500' });
    const buyer = a2aBuyer(server, { token });
    expect(dataOf(await buyer.call('create_media_buy', order(1000)))).toMatchObject({
      media_buy_id: expect.any(String),
    });
    expect((await server.call('create_media_buy', order(1000), { token })).payload).toMatchObject({
      errors: [{ code: 'BUDGET_EXCEEDED', details: { left: 500 } }],
    });
    expect(dataOf(await buyer.call('create_media_buy', order(1000)))).toMatchObject({
      errors: [{ code: 'BUDGET_EXCEEDED', details: { left: 500 } }],
    });
  });

  it.each([
    ['sales', 'message/send', send('create_media_buy', {})],
    ['sales', 'tasks/cancel', { id: 'task_any' }],
    ['creative', 'tasks/cancel', { id: 'task_any' }],
  ])('looks only where somebody let it look only, at %s with %s', async (tenant, method, params) => {
    const buyer = a2aBuyer(server, { token: await signIn({ access: 'read' }, tenant), tenant });
    const refused = await buyer.raw({ jsonrpc: '2.0', id: 1, method, params });
    expect(refused.status).toBe(403);
    expect(refused.headers['www-authenticate']).toContain('error="insufficient_scope", scope="read buy"');
    const task = await buyer.call(tenant === 'sales' ? 'get_products' : 'list_creative_formats', {});
    expect(task.status.state).toBe('completed');
  });

  it('opens no other tenant', async () => {
    const buyer = a2aBuyer(server, { token: await signIn({}), tenant: 'creative' });
    const refused = await buyer.raw({ jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: 'task_any' } });
    expect(refused.status).toBe(401);
    expect(refused.headers['www-authenticate']).toContain('resource_metadata=');
  });

  it('is told of in the card, with where to get one', async () => {
    const card = (await (await fetch(`${server.baseUrl}/sales/.well-known/agent-card.json`)).json()) as Card;
    const { authorizationUrl, scopes, tokenUrl } = card.securitySchemes.oauth.flows.authorizationCode;
    const metadata = await (await fetch(card.securitySchemes.oauth.oauth2MetadataUrl)).json();
    expect(metadata).toMatchObject({ token_endpoint: tokenUrl });
    expect(new URL(authorizationUrl).searchParams.get('resource')).toBe(server.url());
    expect(Object.keys(scopes)).toEqual(['read', 'buy', 'operate']);
    expect(card.security).toEqual([{ bearer: [] }, { oauth: ['read'] }]);
  });
});

describe('an access that may only look', () => {
  const rpcCall = (id: number, name: string, args: object = {}) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: args },
  });

  it.each(['sales', 'creative', 'signals', 'governance', 'brand'])(
    'changes nothing at %s, by no name, protocol or batch',
    async (tenant) => {
      const seller = server.server().app.sellers().get(tenant);
      if (seller === undefined) throw new Error(`There is no tenant ${tenant}`);
      const token = await signIn({ access: 'read' }, tenant);
      const headers = { authorization: `Bearer ${token}` };
      const buyer = a2aBuyer(server, { token, tenant });
      const changing = TOOLS.filter((tool) => isOffered(tool, seller.tenant, true)).filter(
        ({ kind, sandboxOnly }) => kind === 'mutation' || sandboxOnly,
      );
      const names = changing.flatMap((tool) => [toolName(tool, seller.names), ...(tool.aliases ?? [])]);
      expect(names.length).toBeGreaterThan(0);
      const reading = seller.names.capabilitiesTool;
      expect((await server.raw([rpcCall(1, reading)], headers, tenant)).status).toBe(200);
      for (const name of names) {
        const refused = await server.raw(rpcCall(1, name), headers, tenant);
        expect([name, refused.status]).toEqual([name, 403]);
        expect(refused.headers['www-authenticate']).toContain('error="insufficient_scope"');
        const batch = await server.raw([rpcCall(1, reading), rpcCall(2, name)], headers, tenant);
        expect([name, batch.status]).toEqual([name, 403]);
        const over = await buyer.raw({ jsonrpc: '2.0', id: 1, method: 'message/send', params: send(name, {}) });
        expect([name, over.status]).toEqual([name, 403]);
      }
      for (const method of ['tasks/cancel', 'tasks/update']) {
        const refused = await server.raw(
          { jsonrpc: '2.0', id: 1, method, params: { taskId: 'task_any' } },
          headers,
          tenant,
        );
        expect([method, refused.status]).toEqual([method, 403]);
      }
    },
  );
});

it('may not hold a plan for its principal, in whatever form that is asked for', async () => {
  const token = await signIn({ access: 'read' });
  const args = { account: { account_id: 'acct_sandbox' }, brand: { domain: 'acme-outdoor.example' } };
  const brief = '20,000 USD for outdoor gear: connected TV sports and display';
  const found = await server.call('get_products', { ...args, buying_mode: 'brief', brief }, { token });
  const { proposals } = found.payload as unknown as { proposals: readonly { proposal_id: string }[] };
  const refine = [{ scope: 'proposal', proposal_id: proposals[0]?.proposal_id, action: 'finalize' }];
  for (const written of [refine, JSON.stringify(refine)]) {
    const held = await server.call('get_products', { ...args, buying_mode: 'refine', refine: written }, { token });
    expect(held.payload).toMatchObject({
      errors: [{ code: 'PERMISSION_DENIED', details: { needed_scope: 'buy', granted_scopes: ['read'] } }],
    });
  }
  const changed = [{ ...refine[0], action: undefined, ask: 'budget to 15000' }];
  expect(
    (await server.call('get_products', { ...args, buying_mode: 'refine', refine: changed }, { token })).isError,
  ).toBe(false);
});

type Card = {
  readonly security: readonly object[];
  readonly securitySchemes: {
    readonly oauth: {
      readonly oauth2MetadataUrl: string;
      readonly flows: {
        readonly authorizationCode: {
          readonly authorizationUrl: string;
          readonly tokenUrl: string;
          readonly scopes: object;
        };
      };
    };
  };
};

describe('the limit of a day', () => {
  it('counts fees of builds, and what would go beyond it is not built', async () => {
    const token = await signIn({ limit: '60' }, 'creative');
    const { formats } = (await server.call('list_creative_formats', { name_search: '300x250' }, { tenant: 'creative' }))
      .payload as unknown as { formats: readonly { format_id: { agent_url: string } }[] };
    const build = () =>
      server.call(
        'build_creative',
        {
          idempotency_key: freshKey(),
          account: { account_id: 'acct_studio' },
          message: 'Autumn sale: 20% off everything',
          target_format_id: { agent_url: formats[0]?.format_id.agent_url, id: 'display_300x250_html' },
        },
        { tenant: 'creative', token },
      );
    const first = await build();
    expect(first.payload).toMatchObject({ vendor_cost: 40, currency: 'USD' });
    const second = await build();
    expect(second.payload).toMatchObject({ errors: [{ code: 'BUDGET_EXCEEDED', details: { left: 20 } }] });
  });

  it('counts what signals cost by their use once it is reported, and lets no more of them be activated then', async () => {
    const token = await signIn({ limit: '100', access: 'operate' }, 'signals');
    const activate = (account: string) =>
      server.call(
        'activate_signal',
        {
          idempotency_key: freshKey(),
          account: { account_id: 'acct_signals' },
          signal_agent_segment_id: 'meridian_ev_intenders',
          pricing_option_id: 'cpm',
          destinations: [{ type: 'platform', platform: 'the-trade-desk', account }],
        },
        { tenant: 'signals', token },
      );
    expect((await activate('seat-1')).isError).toBe(false);
    const report = {
      idempotency_key: freshKey(),
      reporting_period: { start: '2029-12-01T00:00:00Z', end: '2029-12-31T00:00:00Z' },
      usage: [
        {
          account: { account_id: 'acct_signals' },
          signal_agent_segment_id: 'meridian_ev_intenders',
          pricing_option_id: 'cpm',
          impressions: 48_000,
          vendor_cost: 120,
          currency: 'USD',
        },
      ],
    };
    expect((await server.call('report_usage', report, { tenant: 'signals', token })).payload).toMatchObject({
      accepted: 1,
    });
    expect((await activate('seat-2')).payload).toMatchObject({
      errors: [{ code: 'BUDGET_EXCEEDED', details: { daily_limit: 100, left: 0 } }],
    });
  });
});
