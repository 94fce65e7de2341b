import { beforeAll, describe, expect, test, vi } from 'vitest';
import { TOOLS } from '../../../../src/seller/tasks/index.js';
import { isOffered, toolName } from '../../../../src/seller/tasks/pipeline/tool.js';
import { type Booted, boot, rpc } from '../../../kit/boot.js';
import { createRequest, freshKey, packageRequest } from '../../../kit/buyer.js';
import { temporaryFolder } from '../../../kit/surroundings.js';
import { sandboxToken, shippedTenant, writeTenant } from '../../../kit/tenants.js';

const MAX_BYTES = 20_000;
const MANY = 60;
const WORDS = 'Adults who compared cars, configurators and charging stations on their way home. '.repeat(12);

type Body = Readonly<Record<string, unknown>>;

const folder = temporaryFolder('seller-agent-tenants-');
let server: Booted;
let formats: readonly string[] = [];
let built = '';
let large = '';

/** Calls a task as a language model's program does. */
async function ask(tenant: string, name: string, args: object): Promise<Body> {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  const headers = { prefer: 'return=minimal', authorization: `Bearer ${sandboxToken(tenant)}` };
  const { result } = rpc(await server.raw(call, headers, tenant));
  if (result?.isError === true) throw new Error(`${name}: ${JSON.stringify(result.structuredContent).slice(0, 600)}`);
  return result?.structuredContent as Body;
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

const names = (many: number, of: string) => Array.from({ length: many }, (_, at) => `${of}_${at}`);

const format = (id: string) => ({ agent_url: server.url('creative'), id });
const html = (at: number) => ({
  format_id: format('display_300x250_html'),
  assets: { html_creative: { asset_type: 'html', content: `<html><body>${at} ${WORDS.repeat(3)}</body></html>` } },
});

beforeAll(async () => {
  const signals = shippedTenant('signals');
  const [first] = signals.signals;
  if (first !== undefined)
    for (let at = 0; at < MANY; at += 1)
      signals.signals.push({
        ...first,
        signal_agent_segment_id: `segment_${at}`,
        signal_id: `signal_${at}`,
        name: `Drivers ${at}`,
        description: WORDS,
      });
  writeTenant(folder, signals, 'signals');
  writeTenant(folder, shippedTenant('sales'), 'sales');
  writeTenant(folder, { ...shippedTenant('creative'), answer_within_seconds: 0.001 }, 'creative');
  server = await boot({ tenants: folder, ids: 'system' });
  for (const tenant of ['creative', 'signals']) {
    const accounts = Array.from({ length: MANY }, (_, at) => ({
      brand: { domain: `brand-${at}.example` },
      operator: 'agency.example',
      billing: 'operator',
    }));
    await ask(tenant, 'sync_accounts', { idempotency_key: freshKey(), accounts });
  }
  const creatives = Array.from({ length: MANY }, (_, at) => {
    return { creative_id: `creative_${at}`, name: `Banner ${at}`, ...html(at) };
  });
  await ask('creative', 'sync_creatives', {
    idempotency_key: freshKey(),
    account: { account_id: 'acct_studio' },
    creatives,
  });
  const packages = Array.from({ length: 120 }, () => packageRequest());
  large = String((await ask('sales', 'create_media_buy', createRequest({ packages }))).media_buy_id);
  for (let buys = 0; buys < 12; buys += 1) await ask('sales', 'create_media_buy', createRequest());
  const listed = await ask('creative', 'list_creative_formats', { pagination: { max_results: 100 } });
  const all = (listed.formats as readonly { format_id: { id: string }; type?: string }[]).map(
    ({ format_id }) => format_id.id,
  );
  formats = all.slice(0, 50);
  const target_format_ids = all.filter((id) => /^display_\d+x\d+_html$/.test(id)).map(format);
  const build = await ask('creative', 'build_creative', {
    idempotency_key: freshKey(),
    message: 'Spring sale: 20% off trail running shoes',
    brand: { domain: 'acme-outdoor.example' },
    target_format_ids,
    include_preview: true,
  });
  built = String(build.task_id);
  const isDone = async () =>
    expect((await ask('creative', 'get_task_status', { task_id: built })).status).toBe('completed');
  await vi.waitFor(isDone, { timeout: 30_000, interval: 100 });
}, 60_000);

/** The largest questions of the reading tasks that a tenant has. */
const QUESTIONS: Readonly<Record<string, Readonly<Record<string, readonly (() => object)[]>>>> = {
  creative: {
    get_adcp_capabilities: [() => ({})],
    get_creative_delivery: [() => ({ creative_ids: names(MANY, 'creative') })],
    get_task_status: [() => ({ task_id: built })],
    list_accounts: [() => ({})],
    list_creative_formats: [() => ({})],
    list_creatives: [() => ({}), () => ({ include_assignments: true })],
    list_tasks: [() => ({})],
    list_transformers: [() => ({})],
    preview_creative: [
      () => ({
        request_type: 'batch',
        requests: Array.from({ length: 50 }, (_, at) => ({ creative_manifest: html(at) })),
      }),
    ],
    validate_input: [
      () => ({
        manifest: {
          ...html(1),
          assets: Object.fromEntries(
            names(40, 'no_such_asset').map((name) => [name, { asset_type: 'text', content: WORDS }]),
          ),
        },
        targets: formats.map((id) => ({ kind: 'third_party_format', id: `${server.url('creative')}#${id}` })),
      }),
    ],
  },
  signals: {
    get_adcp_capabilities: [() => ({})],
    get_signals: [
      () => ({}),
      () => ({ signal_spec: 'drivers of electric cars' }),
      () => ({ discovery_mode: 'wholesale' }),
    ],
    get_task_status: [],
    list_accounts: [() => ({})],
    list_tasks: [() => ({})],
  },
};

describe.each(Object.keys(QUESTIONS))('answers for language models of the %s tenant, with much to tell', (tenant) => {
  test('have a row for every task that reads', () => {
    const seller = server.server().app.sellers().get(tenant);
    const reading = TOOLS.filter((tool) => tool.kind === 'query' && !tool.sandboxOnly).flatMap((tool) =>
      seller !== undefined && isOffered(tool, seller.tenant, true) ? [toolName(tool, seller.names)] : [],
    );
    expect(Object.keys(QUESTIONS[tenant] ?? {}).toSorted()).toEqual(reading.toSorted());
  });

  test('are at most 20 KB', async () => {
    const over: unknown[] = [];
    for (const [task, questions] of Object.entries(QUESTIONS[tenant] ?? {}))
      for (const question of questions) {
        const bytes = bytesOf(await ask(tenant, task, question()));
        if (bytes > MAX_BYTES) over.push([task, bytes]);
      }
    expect(over).toEqual([]);
  });
});

test('a batch of previews says what was left out of it, and is whole as markup', async () => {
  const [batch] = QUESTIONS.creative?.preview_creative ?? [];
  const short = await ask('creative', 'preview_creative', batch?.() ?? {});
  expect(short.message).toMatch(/^Shortened: \d+ of 50 in .*Ask for less with requests\.$/);
  expect(short).toMatchObject({ sheet_url: expect.stringContaining('/sheet/') });
  const whole = await ask('creative', 'preview_creative', { ...batch?.(), output_format: 'html' });
  expect(whole.results).toHaveLength(50);
});

describe('resources that a language model reads', () => {
  const read = async (tenant: string, uri: string, headers: object = { prefer: 'return=minimal' }) => {
    const message = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } };
    const { result } = rpc(
      await server.raw(message, { ...headers, authorization: `Bearer ${sandboxToken(tenant)}` }, tenant),
    );
    return String((result as unknown as { contents: readonly { text: string }[] }).contents[0]?.text);
  };

  test.each(['sales', 'creative', 'signals'])(
    'are at most 20 KB each at %s, and say so where something was left out',
    async (tenant) => {
      const message = { jsonrpc: '2.0', id: 1, method: 'resources/list' };
      const { result } = rpc(await server.raw(message, { authorization: `Bearer ${sandboxToken(tenant)}` }, tenant));
      const uris = (result as unknown as { resources: readonly { uri: string }[] }).resources.map(({ uri }) => uri);
      const own = tenant === 'sales' ? ['', '/delivery'].map((part) => `seller://media-buys/${large}${part}`) : [];
      const over: unknown[] = [];
      for (const uri of [...uris, ...own]) {
        const text = await read(tenant, uri);
        if (Buffer.byteLength(text) > MAX_BYTES) over.push(uri);
      }
      expect(over).toEqual([]);
      for (const uri of own) {
        expect(JSON.parse(await read(tenant, uri))).toMatchObject({
          message: expect.stringMatching(/Shortened: \d+ of 120 in /),
          ext: { seller_agent: { left_out: [{ of: 120 }] } },
        });
        expect(Buffer.byteLength(await read(tenant, uri, {}))).toBeGreaterThan(MAX_BYTES);
      }
    },
  );
});
