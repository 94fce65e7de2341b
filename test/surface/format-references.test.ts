import { beforeAll, describe, expect, test } from 'vitest';
import { boot } from '../kit/boot.js';
import {
  createRequest,
  creative,
  freshKey,
  packageRequest,
  SANDBOX_ACCOUNT,
  succeeded,
  updateRequest,
} from '../kit/buyer.js';
import { addLivePrincipal, LIVE_TOKEN, tenantsFolder } from '../kit/tenants.js';
import type { Answer } from '../kit/wire.js';

const server = await boot();
const OURS = { agent_url: server.url('creative'), id: 'display_300x250_image' };
const NOBODYS = { agent_url: server.url('creative'), id: 'hologram_300x250' };

let buy: string;

beforeAll(async () => {
  buy = succeeded(await server.call('create_media_buy', createRequest())).media_buy_id;
});

/** A place where a format is named. `unknown` is what a well-formed reference to no format gets there. */
type Place = {
  readonly tool: string;
  readonly field: string;
  readonly tenant?: 'creative' | 'sales';
  readonly args: (ref: unknown) => object;
  readonly unknown: 'REFERENCE_NOT_FOUND' | 'UNSUPPORTED_FEATURE' | 'nothing found' | 'taken';
};

const manifest = (format_id: unknown): object => ({ format_id, assets: {} });
const account = { account_id: SANDBOX_ACCOUNT };

const PLACES: readonly Place[] = [
  {
    tool: 'build_creative',
    field: 'target_format_id',
    tenant: 'creative',
    args: (ref) => ({ target_format_id: ref }),
    unknown: 'REFERENCE_NOT_FOUND',
  },
  {
    tool: 'build_creative',
    field: 'target_format_ids[1]',
    tenant: 'creative',
    args: (ref) => ({ target_format_ids: [OURS, ref] }),
    unknown: 'REFERENCE_NOT_FOUND',
  },
  // What a source was made for is told by its assets; it may come from anywhere.
  {
    tool: 'build_creative',
    field: 'creative_manifest.format_id',
    tenant: 'creative',
    args: (ref) => ({ target_format_id: OURS, creative_manifest: manifest(ref) }),
    unknown: 'taken',
  },
  {
    tool: 'preview_creative',
    field: 'format_id',
    tenant: 'creative',
    args: (ref) => ({ request_type: 'single', format_id: ref, creative_manifest: { assets: {} } }),
    unknown: 'REFERENCE_NOT_FOUND',
  },
  {
    tool: 'preview_creative',
    field: 'creative_manifest.format_id',
    tenant: 'creative',
    args: (ref) => ({ request_type: 'single', creative_manifest: manifest(ref) }),
    unknown: 'REFERENCE_NOT_FOUND',
  },
  {
    tool: 'preview_creative',
    field: 'creative_manifest.format_id',
    tenant: 'creative',
    args: (ref) => ({ request_type: 'single', format_id: OURS, creative_manifest: manifest(ref) }),
    unknown: 'REFERENCE_NOT_FOUND',
  },
  {
    tool: 'list_creative_formats',
    field: 'format_ids[0]',
    tenant: 'creative',
    args: (ref) => ({ format_ids: [ref] }),
    unknown: 'nothing found',
  },
  {
    tool: 'list_creative_formats',
    field: 'output_format_ids[0]',
    tenant: 'creative',
    args: (ref) => ({ output_format_ids: [ref] }),
    unknown: 'nothing found',
  },
  {
    tool: 'list_creative_formats',
    field: 'input_format_ids[0]',
    tenant: 'creative',
    args: (ref) => ({ input_format_ids: [ref] }),
    unknown: 'nothing found',
  },
  {
    tool: 'list_creative_formats',
    field: 'format_ids[0]',
    args: (ref) => ({ format_ids: [ref] }),
    unknown: 'nothing found',
  },
  {
    tool: 'list_creatives',
    field: 'filters.format_ids[0]',
    args: (ref) => ({ filters: { format_ids: [ref] } }),
    unknown: 'nothing found',
  },
  {
    tool: 'get_products',
    field: 'filters.format_ids[0]',
    args: (ref) => ({ brief: 'sports', filters: { format_ids: [ref] } }),
    unknown: 'nothing found',
  },
  {
    tool: 'sync_creatives',
    field: 'creatives[0].format_id',
    args: (ref) => ({ idempotency_key: freshKey(), account, creatives: [creative('x', { format_id: ref })] }),
    unknown: 'REFERENCE_NOT_FOUND',
  },
  {
    tool: 'sync_creatives',
    field: 'creatives[0].format_id',
    tenant: 'creative',
    args: (ref) => ({
      idempotency_key: freshKey(),
      account: { account_id: 'acct_studio' },
      creatives: [creative('x', { format_id: ref })],
    }),
    unknown: 'REFERENCE_NOT_FOUND',
  },
  {
    tool: 'create_media_buy',
    field: 'packages[0].format_ids[0]',
    args: (ref) => createRequest({ packages: [packageRequest({ format_ids: [ref] })] }),
    unknown: 'REFERENCE_NOT_FOUND',
  },
  {
    tool: 'create_media_buy',
    field: 'packages[0].creatives[0].format_id',
    args: (ref) => createRequest({ packages: [packageRequest({ creatives: [creative('y', { format_id: ref })] })] }),
    unknown: 'REFERENCE_NOT_FOUND',
  },
  {
    tool: 'update_media_buy',
    field: 'new_packages[0].format_ids[0]',
    args: (ref) => updateRequest(buy, { new_packages: [packageRequest({ format_ids: [ref] })] }),
    unknown: 'REFERENCE_NOT_FOUND',
  },
  {
    tool: 'update_media_buy',
    field: 'new_packages[0].creatives[0].format_id',
    args: (ref) =>
      updateRequest(buy, { new_packages: [packageRequest({ creatives: [creative('z', { format_id: ref })] })] }),
    unknown: 'REFERENCE_NOT_FOUND',
  },
];

/** What is no format id, and the member that the error points to below the place. */
const NO_REFERENCES: readonly (readonly [what: string, value: unknown, below: string])[] = [
  ['a name', 'display_300x250', ''],
  ['a number', 7, ''],
  ['null', null, ''],
  ['a list', [OURS], ''],
  ['true', true, ''],
  ['an empty object', {}, '.id'],
  ['no agent_url', { id: 'display_300x250_image' }, '.agent_url'],
  ['no id', { agent_url: OURS.agent_url }, '.id'],
  ['an agent_url that is no text', { agent_url: 7, id: OURS.id }, '.agent_url'],
  ['an empty agent_url', { agent_url: '', id: OURS.id }, '.agent_url'],
  ['an id that is no text', { agent_url: OURS.agent_url, id: 7 }, '.id'],
  ['an id with spaces', { agent_url: OURS.agent_url, id: 'a banner' }, '.id'],
  ['a width alone', { ...OURS, width: 300 }, ''],
  ['a width of nothing', { ...OURS, width: 0, height: 250 }, '.width'],
  ['a length in words', { ...OURS, duration_ms: '30s' }, '.duration_ms'],
];

function ask({ tool, args, tenant = 'sales' }: Place, ref: unknown): Promise<Answer> {
  return server.call(tool, args(ref), { tenant });
}

describe.each(PLACES)('$tool $field ($tenant)', (place) => {
  const { field } = place;

  test.each(NO_REFERENCES)('%s is INVALID_FORMAT_ID', async (_what, ref, below) => {
    const { payload, isError } = await ask(place, ref);
    const [error] = payload.errors;
    expect([isError, payload.code, error?.code, error?.field]).toEqual([
      true,
      'INVALID_FORMAT_ID',
      'INVALID_FORMAT_ID',
      `${field}${below}`,
    ]);
    expect(error?.suggestion).toContain('{"agent_url":');
    expect(error?.recovery).toBe('correctable');
    if (/creative/.test(place.tool)) expect(payload.error).toMatchObject({ code: 'INVALID_FORMAT_ID', status: 400 });
  });

  test(`a format of nobody: ${place.unknown}`, async () => {
    const { payload, isError } = await ask(place, NOBODYS);
    if (place.unknown === 'nothing found' || place.unknown === 'taken') {
      expect(isError).toBe(false);
      expect(payload.formats ?? payload.creatives ?? payload.products ?? []).toEqual([]);
      return;
    }
    expect([payload.code, payload.errors[0]?.field]).toEqual([place.unknown, field]);
    if (/creative/.test(place.tool)) expect(payload.error).toMatchObject({ code: place.unknown, status: 404 });
  });

  test('one of ours is no question of format, under any address of ours and of an agent that is known', async () => {
    const { port } = new URL(server.baseUrl);
    for (const agent_url of [
      OURS.agent_url,
      `${OURS.agent_url}/`,
      server.baseUrl,
      server.url('sales'),
      `http://localhost:${port}/creative`,
      'https://creative.adcontextprotocol.org/',
      'https://your-agent.example.com',
    ]) {
      const { payload } = await ask(place, { ...OURS, agent_url });
      expect(['INVALID_FORMAT_ID', 'REFERENCE_NOT_FOUND', 'UNSUPPORTED_FEATURE']).not.toContain(payload.code);
    }
  });
});

describe.each(PLACES.filter(({ unknown }) => unknown !== 'taken'))('$tool $field ($tenant)', (place) => {
  test('one of ours under an agent that nobody knows is not found, with the agents that are', async () => {
    const { payload, isError } = await ask(place, { ...OURS, agent_url: 'https://creative.nobody-knows.com/mcp' });
    const [error] = payload.errors;
    expect([isError, payload.code, error?.field]).toEqual([true, 'REFERENCE_NOT_FOUND', `${place.field}.agent_url`]);
    expect(error?.suggestion).toContain(OURS.agent_url);
    expect(error?.suggestion).toContain('https://creative.adcontextprotocol.org');
    if (/creative/.test(place.tool)) expect(payload.error).toMatchObject({ status: 404 });
  });
});

test('an example for an agent passes in a sandbox alone', async () => {
  const filters = { format_ids: [{ ...OURS, agent_url: 'https://your-platform.example.com' }] };
  const args = { buying_mode: 'wholesale', filters };
  const selling = await boot({ tenants: tenantsFolder(addLivePrincipal) });
  const sandbox = await selling.call('get_products', args);
  expect(sandbox.payload.products).not.toEqual([]);
  const live = await selling.call('get_products', args, { token: LIVE_TOKEN });
  expect([live.payload.code, live.payload.errors[0]?.field]).toEqual([
    'REFERENCE_NOT_FOUND',
    'filters.format_ids[0].agent_url',
  ]);
});

test('in a batch a wrong reference fails its own creative alone, with the same code', async () => {
  const requests = ['display_300x250', NOBODYS, OURS].map((format_id) => ({
    format_id,
    creative_manifest: { assets: {} },
  }));
  const { payload } = await server.call(
    'preview_creative',
    { request_type: 'batch', requests: [...requests, { creative_manifest: manifest(7) }] },
    { tenant: 'creative' },
  );
  const results = payload.results as readonly { readonly errors: readonly { code: string; field: string }[] }[];
  expect(results.map(({ errors }) => [errors[0]?.code, errors[0]?.field])).toEqual([
    ['INVALID_FORMAT_ID', 'requests[0].format_id'],
    ['REFERENCE_NOT_FOUND', 'requests[1].format_id'],
    ['VALIDATION_ERROR', 'requests[2].creative_manifest.assets.banner_image'],
    ['INVALID_FORMAT_ID', 'requests[3].creative_manifest.format_id'],
  ]);
});
