import { createHash } from 'node:crypto';
import { symlink, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../../src/platform/kernel/errors.js';
import { inspectTenants, loadTenants } from '../../../src/seller/config/load.js';
import { fingerprintTenants } from '../../../src/seller/config/tenant-files.js';
import { asText, folderWith, LIVE_DIGEST, optionsFor, validTenant } from './fixture.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

async function problemsOf(files: Readonly<Record<string, unknown>>) {
  return (await inspectTenants(optionsFor(await folderWith(files)))).problems;
}

describe('loading', () => {
  test('fills every default', async () => {
    const folder = await folderWith({
      'sales.json': {
        kinds: ['sales'],
        name: 'Small',
        publisher_domains: ['one.example'],
        products: [{ ...validTenant().products[0], reporting_capabilities: undefined }],
      },
    });
    const [tenant] = await loadTenants(optionsFor(folder));
    expect(tenant).toMatchObject({
      path: 'sales',
      description: '',
      protocolName: 'adcp',
      portfolio: { primary_countries: ['US'] },
      publicTools: [],
      principals: [],
      accounts: [],
      governance: 'unlisted',
      replayTtlSeconds: 86_400,
      proposals: [],
      outboundResolve: {},
      policies: {
        creative_requirement: 'required',
        account_provisioning: 'manual',
        creative_approval: 'auto',
        rate_limits: { reads: { per_second: 300, burst: 1500 }, writes: { per_second: 60, burst: 300 } },
      },
    });
    expect(tenant?.products[0]?.reporting_capabilities).toEqual({
      available_reporting_frequencies: ['daily'],
      expected_delay_minutes: 60,
      timezone: 'UTC',
      supports_webhooks: false,
      available_metrics: ['impressions', 'spend', 'clicks', 'ctr'],
      date_range_support: 'date_range',
      windowed_pull_granularities: ['daily'],
    });
  });

  test('knows who signs for whom, and what has to be signed under the tenant’s own names', async () => {
    const tenant = validTenant();
    const local = 'http://127.0.0.1:9000/jwks.json';
    tenant.protocol = { name: 'mediaproto' };
    tenant.principals[0].signer = {
      agent_url: 'https://a.example/mcp',
      brand_json_url: 'https://a.example/brand.json',
    };
    tenant.principals[1].signer = { $comment: 'x', agent_url: 'http://127.0.0.1:9000/mcp', jwks_uri: local };
    tenant.principals.push({ id: 'carol', signer: { agent_url: 'https://c.example/mcp' } });
    tenant.request_signing = { covers_content_digest: 'required', warn_for: ['get_adcp_capabilities'] };
    const [loaded] = await loadTenants(optionsFor(await folderWith({ 'sales.json': tenant })));
    expect(loaded?.principals.map(({ signer }) => signer)).toEqual([
      { url: 'https://a.example/mcp', brandJsonUrl: 'https://a.example/brand.json' },
      { url: 'http://127.0.0.1:9000/mcp', jwksUri: local },
      { url: 'https://c.example/mcp' },
    ]);
    expect(loaded?.requestSigning).toEqual({
      supported: true,
      covers_content_digest: 'required',
      required_for: ['create_media_buy', 'update_media_buy', 'activate_signal'],
      warn_for: ['get_mediaproto_capabilities'],
      protocol_methods_required_for: [],
      protocol_methods_warn_for: [],
      strict: false,
    });
    tenant.request_signing.warn_for = ['create_media_buy'];
    const [forgiving] = await loadTenants(optionsFor(await folderWith({ 'sales.json': tenant })));
    expect(forgiving?.requestSigning.required_for).toEqual(['update_media_buy', 'activate_signal']);
  });

  test('resolves format ids, keys, overrides and account defaults', async () => {
    const tenant = validTenant();
    tenant.products[0].format_ids.push({ agent_url: 'https://theirs.example/mcp', id: 'any', width: 10 });
    tenant.principals[0].key = [{ sha256: LIVE_DIGEST }, { env: 'TEST_API_KEY' }];
    tenant.principals[1].policies = {
      creative_requirement: 'none',
      creative_approval: 'manual',
      rate_limits: { reads: { per_second: 1, burst: 2 } },
    };
    const [loaded] = await loadTenants(optionsFor(await folderWith({ 'sales.json': tenant })));
    expect(loaded?.products[0]?.format_ids).toEqual([
      { agent_url: 'http://127.0.0.1:3000/creative/mcp', id: 'display_300x250_image' },
      { agent_url: 'http://127.0.0.1:3000/creative/mcp', id: 'video_30s' },
      { agent_url: 'https://theirs.example/mcp', id: 'any', width: 10 },
    ]);
    expect(loaded?.principals[0]?.credentials).toEqual([
      { kind: 'sha256', digest: LIVE_DIGEST },
      { kind: 'sha256', digest: sha256('a-long-enough-key-0123456789'), env: 'TEST_API_KEY' },
    ]);
    expect(loaded?.principals[1]).toMatchObject({
      name: 'bob',
      credentials: [{ kind: 'public_token', token: 'bobs-public-token' }],
      policies: {
        creative_requirement: 'none',
        account_provisioning: 'auto',
        creative_approval: 'manual',
        rate_limits: { reads: { per_second: 1, burst: 2 }, writes: { per_second: 60, burst: 300 } },
      },
    });
    expect(loaded?.accounts[0]).toMatchObject({ status: 'active', billing: 'operator', payment_terms: 'net_30' });
  });

  test('a text endpoint has its key from the environment, on this machine and in its network over plain http too', async () => {
    const bases = ['https://llm.example/v1', 'http://127.0.0.1:8000', 'http://10.0.0.5/v1'];
    const files = bases.map((base_url, index) => {
      const llm = { base_url, model: 'm', api_key: { env: 'TEST_API_KEY' } };
      return [`t${index}.json`, { ...validTenant(), kinds: ['sales', 'creative'], llm }];
    });
    const open = {
      ...validTenant(),
      kinds: ['creative'],
      llm: { base_url: 'http://llm.example', model: 'm', timeout_ms: 100 },
    };
    const folder = await folderWith({ ...Object.fromEntries(files), 'open.json': open });
    const loaded = await loadTenants(optionsFor(folder, { development: false }));
    const apiKey = 'a-long-enough-key-0123456789';
    expect(loaded.map(({ llm }) => llm)).toEqual([
      { baseUrl: 'http://llm.example', model: 'm', timeoutMs: 100 },
      ...bases.map((baseUrl) => ({ baseUrl, model: 'm', timeoutMs: 8000, apiKey })),
    ]);
  });

  test('a rule of approval holds for all tasks and two days, and then rejects, unless it says otherwise', async () => {
    const approvals = [
      {
        $comment: 'remark',
        tasks: ['update_media_buy'],
        product_ids: ['first'],
        timeout_hours: 0.5,
        on_timeout: 'approve',
      },
      {},
    ];
    const fulfillment = 'simulated';
    const [loaded] = await loadTenants(
      optionsFor(await folderWith({ 'sales.json': { ...validTenant(), approvals, fulfillment } })),
    );
    expect(loaded?.approvals).toEqual([
      { tasks: ['update_media_buy'], product_ids: ['first'], timeout_hours: 0.5, on_timeout: 'approve' },
      { tasks: ['create_media_buy', 'update_media_buy', 'acquire_rights'], timeout_hours: 48, on_timeout: 'reject' },
    ]);
    const [without] = await loadTenants(
      optionsFor(await folderWith({ 'sales.json': { ...validTenant(), fulfillment } })),
    );
    expect(without?.approvals).toEqual([]);
    // Of live orders that nobody else carries out a person is asked in the end.
    const [byHand] = await loadTenants(optionsFor(await folderWith({ 'sales.json': validTenant() })));
    expect(byHand?.approvals).toEqual([
      {
        tasks: ['create_media_buy', 'update_media_buy'],
        fulfillment: 'manual',
        timeout_hours: 72,
        on_timeout: 'reject',
      },
    ]);
  });

  test('remarks are allowed everywhere and go nowhere', async () => {
    const tenant = validTenant();
    tenant.$comment = 'root remark';
    tenant.products[0].$comment = 'product remark';
    tenant.products[0].pricing_options[0].$comment = 'price remark';
    tenant.accounts[0].brand.$comment = 'brand remark';
    const loaded = await loadTenants(optionsFor(await folderWith({ 'sales.json': tenant })));
    expect(JSON.stringify(loaded)).not.toMatch(/remark|\$schema/);
  });

  test('the capabilities tool is public under whatever name the file uses', async () => {
    const tenant = {
      ...validTenant(),
      protocol: { name: 'bidl' },
      public_tools: ['get_adcp_capabilities', 'get_bidl_capabilities'],
    };
    const [loaded] = await loadTenants(optionsFor(await folderWith({ 'sales.json': tenant })));
    expect(loaded).toMatchObject({ protocolName: 'bidl', publicTools: ['get_bidl_capabilities'] });
  });

  test('paths follow folders, sorted; dotfiles, the schema and other files are no tenants; links are followed', async () => {
    const folder = await folderWith({
      'sales.json': validTenant(),
      'acme/sales.json': validTenant(),
      'tenant.schema.json': { broken: true },
      '.hidden.json': 'no json',
      '.git/config.json': 'no json',
      'README.md': 'no json',
    });
    await symlink(join(folder, 'sales.json'), join(folder, 'linked.json'));
    const tenants = await loadTenants(optionsFor(folder));
    expect(tenants.map(({ path }) => path)).toEqual(['acme/sales', 'linked', 'sales']);
    expect(tenants[0]?.file).toBe(join(folder, 'acme', 'sales.json'));
  });
});

describe('all faults at once', () => {
  test('five faults of one file are five problems, in the order of the lines', async () => {
    const tenant = validTenant();
    tenant.nmae = 'x';
    tenant.accounts[0].principal = 'nobody-we-know';
    tenant.products[0].pricing_options[0].currency = 'usd';
    delete tenant.products[1].format_ids;
    tenant.idempotency.replay_ttl_seconds = 5;
    const problems = await problemsOf({ 'sales.json': tenant });
    expect(problems.map(({ pointer }) => pointer)).toEqual([
      '/accounts/0/principal',
      '/products/0/pricing_options/0/currency',
      '/products/1/format_ids',
      '/idempotency/replay_ttl_seconds',
      '/nmae',
    ]);
    const lines = problems.map(({ line }) => line);
    expect(lines).toEqual(lines.toSorted((one, other) => one - other));
  });

  test('the faults of several files come in one ConfigError that names each file', async () => {
    const folder = await folderWith({
      'a.json': { ...validTenant(), name: 1 },
      'b.json': '{ "kinds": ["sales"',
      'c.json': validTenant(),
    });
    const error = await loadTenants(optionsFor(folder)).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(ConfigError);
    const files = (error as ConfigError).problems.map(({ file }) => file);
    expect(new Set(files)).toEqual(new Set([join(folder, 'a.json'), join(folder, 'b.json')]));
    expect((error as ConfigError).message).toContain('fix: ');
  });
});

describe('JSON that is none', () => {
  test.each([
    ['a missing comma', '{\n  "name": "x"\n  "kinds": []\n}', 3, /comma/],
    ['a trailing comma', '{\n  "name": "x",\n}', 3, /comma/],
    ['a comment', '{\n  // remark\n  "name": "x"\n}', 2, /\$comment/],
    ['an open brace', '{\n  "name": "x"\n', 3, /brace/],
    ['a bare word', '{\n  "name": yes\n}', 2, /quoted/],
    ['two documents', '{}\n{}', 2, /after the end/],
    ['an empty file', '', 1, /empty/],
  ])('%s is reported with its line', async (_what, text, line, says) => {
    const [problem] = await problemsOf({ 'sales.json': text });
    expect(problem).toMatchObject({ line, pointer: '' });
    expect(`${problem?.message} ${problem?.fix}`).toMatch(says);
  });

  test('a key that stands twice in one object is reported where it stands the second time', async () => {
    const text = JSON.stringify(validTenant(), null, 2).replace('"kinds"', '"name": "First",\n  "kinds"');
    const problems = await problemsOf({ 'sales.json': text });
    const second = text.split('\n').findIndex((line) => line.includes('Test Publisher')) + 1;
    expect(problems).toMatchObject([{ pointer: '/name', line: second, message: expect.stringContaining('twice') }]);
  });

  test('a file that is not UTF-8 is refused with the line of its first wrong byte, and quotation marks that are not straight are named', async () => {
    const folder = await folderWith({ 'quoted.json': '{\n  “name”: "x"\n}' });
    await writeFile(join(folder, 'latin.json'), Buffer.from(asText({ ...validTenant(), name: 'Håfen' }), 'latin1'));
    await writeFile(join(folder, 'wide.json'), Buffer.from(`\uFEFF${asText(validTenant())}`, 'utf16le'));
    const { problems } = await inspectTenants(optionsFor(folder));
    const named =
      asText({ ...validTenant(), name: 'Håfen' })
        .split('\n')
        .findIndex((line) => line.includes('Håfen')) + 1;
    expect(problems.map(({ file, line, message }) => [basename(file), line, message])).toEqual([
      ['latin.json', named, 'the file is not text in UTF-8'],
      ['quoted.json', 2, 'not valid JSON: names and texts stand between straight double quotes'],
      ['wide.json', 1, 'the file is not text in UTF-8'],
    ]);
  });

  test('a file whose name ends in yaml or .JSON is warned of, and others beside the tenants are not', async () => {
    const folder = await folderWith({ 'sales.json': validTenant() });
    for (const name of ['sales.yaml', 'more.JSON', 'README.md', 'adapter.mjs', '.hidden.yml'])
      await writeFile(join(folder, name), 'x');
    const { problems, warnings } = await inspectTenants(optionsFor(folder));
    expect(problems).toEqual([]);
    expect(warnings.map(({ file, message }) => [basename(file), message])).toEqual([
      ['more.JSON', expect.stringContaining('not served')],
      ['sales.yaml', expect.stringContaining('not served')],
    ]);
  });

  test('a list instead of an object, and a byte order mark', async () => {
    expect(await problemsOf({ 'sales.json': '[]' })).toMatchObject([
      { pointer: '', line: 1, message: 'expected an object, found an array' },
    ]);
    expect(await problemsOf({ 'sales.json': `\uFEFF${JSON.stringify(validTenant())}` })).toEqual([]);
  });
});

describe('where tenant files lie', () => {
  test.each([
    ['Acme/sales.json', /"Acme" cannot be part/],
    ['my sales.json', /"my sales" cannot be part/],
    ['healthz.json', /collides/],
    ['acme/mcp.json', /collides/],
  ])('%s is refused', async (name, says) => {
    const [problem] = await problemsOf({ [name]: validTenant() });
    expect(problem?.message).toMatch(says);
    expect(problem?.fix).toMatch(/Rename/);
  });

  test('two paths that differ in case only collide', async () => {
    const problems = await problemsOf({ 'Sales.json': validTenant(), 'sales.json': validTenant() });
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('cannot be part'),
      expect.stringContaining('served at the same path'),
    ]);
  });

  test('an empty and a missing folder are problems', async () => {
    const folder = await folderWith({});
    await expect(loadTenants(optionsFor(folder))).rejects.toThrow(/no tenant file/);
    await expect(loadTenants(optionsFor(join(folder, 'none')))).rejects.toThrow(/no such folder/);
  });
});

test('an expired product or proposal is a warning, once there is a clock to judge by', async () => {
  const tenant = validTenant();
  const [product] = tenant.products;
  product.expires_at = '2026-01-01T00:00:00Z';
  const allocation = {
    product_id: product.product_id,
    pricing_option_id: product.pricing_options[0].pricing_option_id,
    allocation_percentage: 100,
  };
  const proposal = { proposal_id: 'spring', name: 'Spring', allocations: [allocation] };
  tenant.proposals = [proposal, { ...proposal, proposal_id: 'old', expires_at: '2026-01-01T00:00:00Z' }];
  const folder = await folderWith({ 'sales.json': tenant });
  const at = (time: string) => inspectTenants(optionsFor(folder, { now: Date.parse(time) }));
  expect(await at('2025-12-31T23:59:59Z')).toMatchObject({ problems: [], warnings: [] });
  expect(await at('2026-01-01T00:00:00Z')).toMatchObject({
    problems: [],
    warnings: [
      { pointer: '/products/0/expires_at' },
      { pointer: '/proposals/1/expires_at', message: 'the proposal has expired and can no longer be bought' },
    ],
    tenants: [{ path: 'sales' }],
  });
});

test('the fingerprint changes with every write and with every new file, and with nothing else', async () => {
  const folder = await folderWith({ 'sales.json': '{}', 'notes.txt': 'a' });
  const first = await fingerprintTenants(folder);
  await writeFile(join(folder, 'notes.txt'), 'b');
  expect(await fingerprintTenants(folder)).toEqual(first);
  await utimes(join(folder, 'sales.json'), new Date(1), new Date(2));
  const second = await fingerprintTenants(folder);
  expect(second).not.toEqual(first);
  await writeFile(join(folder, 'more.json'), '{}');
  expect(await fingerprintTenants(folder)).not.toEqual(second);
});
