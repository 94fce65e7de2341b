import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { AdServerModules } from '../../../src/seller/adserver/adapters.js';
import type { LoadOptions } from '../../../src/seller/config/load.js';

/** Formats that the tests take for the house catalog. */
const FORMATS: ReadonlySet<string> = new Set([
  'display_300x250_image',
  'display_728x90_image',
  'video_30s',
  'audio_30s',
]);

/** Tasks that the tests take for all there are. */
const TASKS: ReadonlySet<string> = new Set(['create_media_buy', 'get_products', 'get_adcp_capabilities']);

/** What a tenant file keeps of some key that nobody knows. */
export const LIVE_DIGEST = 'b6bcb7f7d2ca8d13c4b4ed5a6f2e0a3c9d3e4f5061728394a5b6c7d8e9f00112';

/** A JSON object that a test may bend. */
// biome-ignore lint/suspicious/noExplicitAny: the tests break the shape on purpose.
export type Bendable = any;

/** A valid tenant in which most texts occur once, so that a line can be found by its text. */
export function validTenant(): Bendable {
  return {
    $schema: './tenant.schema.json',
    kinds: ['sales'],
    name: 'Test Publisher',
    public_sandbox: true,
    publisher_domains: ['one.example', 'two.example'],
    public_tools: ['get_products'],
    principals: [
      { id: 'alice', key: { sha256: LIVE_DIGEST } },
      { id: 'bob', sandbox: true, public_token: 'bobs-public-token' },
    ],
    accounts: [
      {
        account_id: 'acct_1',
        principal: 'alice',
        name: 'One',
        brand: { domain: 'brand-one.example' },
        operator: 'op-one.example',
      },
      {
        account_id: 'acct_2',
        principal: 'bob',
        name: 'Two',
        brand: { domain: 'brand-two.example' },
        operator: 'op-two.example',
      },
    ],
    products: [validProduct('first', 'one.example', 5), validProduct('second', 'two.example', 6)],
    policies: { creative_requirement: 'required' },
    idempotency: { replay_ttl_seconds: 7200 },
  };
}

function validProduct(id: string, domain: string, price: number): Bendable {
  return {
    product_id: id,
    name: `Product ${id}`,
    description: `About ${id}`,
    publisher_properties: [{ publisher_domain: domain, selection_type: 'all' }],
    channels: ['display'],
    format_ids: ['display_300x250_image', 'video_30s'],
    delivery_type: 'non_guaranteed',
    pricing_options: [
      { pricing_option_id: `${id}_cpm`, pricing_model: 'cpm', currency: 'USD', fixed_price: price },
      { pricing_option_id: `${id}_auction`, pricing_model: 'cpc', currency: 'EUR', floor_price: price / 10 },
    ],
    reporting_capabilities: { timezone: 'Europe/Berlin', available_metrics: ['impressions', 'spend'] },
    inventory: { countries: ['US'], keywords: ['news'], daily_impressions: 1000 + price },
  };
}

/** A folder of its own for one test, removed afterwards; values that are not text are written as JSON. */
export async function folderWith(files: Readonly<Record<string, unknown>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'seller-agent-config-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), typeof content === 'string' ? content : asText(content));
  }
  return folder;
}

/** The text that folderWith writes for a value. */
export function asText(content: unknown): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** Options for a folder as a development server would give them. */
export function optionsFor(directory: string, changes: Partial<LoadOptions> = {}): LoadOptions {
  return {
    directory,
    env: { TEST_API_KEY: 'a-long-enough-key-0123456789', TEST_SHORT_KEY: 'short' },
    baseUrl: 'http://127.0.0.1:3000',
    protocolName: 'adcp',
    preview: false,
    development: true,
    formatIds: FORMATS,
    taskNames: TASKS,
    adServers: new AdServerModules(),
    ...changes,
  };
}
