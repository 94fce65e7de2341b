import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { protocolNames } from '../../src/protocol/names.js';
import { TOOLS } from '../../src/seller/tasks/index.js';
import { operatePortalLinks } from '../../src/seller/tasks/people/portal-links.js';
import { toolName } from '../../src/seller/tasks/pipeline/tool.js';
import { type Booted, boot } from '../kit/boot.js';
import { BROWSER } from '../kit/browser.js';
import { createRequest, creative, freshKey, packageRequest, SANDBOX_ACCOUNT, succeeded } from '../kit/buyer.js';
import { settle } from '../kit/events.js';
import { BRAND, PLAN } from '../kit/governed.js';
import { operatorOf } from '../kit/operator.js';
import { concreteSchemas, memberNodes, requestNodes, type SchemaNode } from '../kit/schema-fields.js';
import { readSchemas } from '../kit/schemas.js';
import { HIGH_LTV, TRADE_DESK } from '../kit/signals.js';
import { shippedTenant, tenantsWithEveryTask, writeTenant } from '../kit/tenants.js';
import type { WireError } from '../kit/wire.js';

/** A member of a request, from its root; `*` is a name of the buyer's own in a map. */
type FieldPath = readonly string[];

const ACCOUNT = { account_id: SANDBOX_ACCOUNT };
const BY_KEY = { brand: BRAND, operator: 'pinnacle-agency.example' };
const PERIOD = { start: '2030-01-01T00:00:00Z', end: '2030-01-02T00:00:00Z' };
const FORMAT = { agent_url: 'https://your-platform.example.com', id: 'display_300x250_image' };

/** Breaks out of texts, attributes, scripts and text areas, and then is an element that nobody else makes. */
const HOSTILE = `"'></script></textarea><x-out onmouseover=ran()><img src=x onerror=ran()>`;
/** Levels of members that are filled, and rounds in which what is refused is left out. */
const MAX_DEPTH = 5;
const MAX_ROUNDS = 80;
/** Pages that are opened at most, and those of one kind among them. */
const MAX_PAGES = 150;
const MAX_OF_A_KIND = 20;

const SCHEMAS = readSchemas('3.0');

/** A field that takes text, as its schemas have it: text itself, or a list of texts. */
type TextField = { readonly path: FieldPath; readonly isList: boolean; readonly isAddress: boolean };

/** Every field of a request that takes text, down to `MAX_DEPTH` levels; what is one of a few words takes none. */
function textFields(nodes: readonly SchemaNode[], base: FieldPath = []): readonly TextField[] {
  return [...memberNodes(SCHEMAS, nodes)].flatMap(([name, found]) => {
    const path = [...base, name];
    const said = concreteSchemas(SCHEMAS, found).map(({ schema }) => schema as Schema);
    const texts = said.filter(({ type }) => type === 'string');
    const items = concreteSchemas(
      SCHEMAS,
      said
        .filter(({ items: of }) => of !== undefined)
        .map(({ items: of }) => ({ schema: of, document: found[0]?.document ?? {} })),
    );
    const listed = items.map(({ schema }) => schema as Schema).filter(({ type }) => type === 'string');
    const own: TextField[] = [];
    const isAddress = [...texts, ...listed].some(({ format }) => format === 'uri');
    if (texts.some(isFree)) own.push({ path, isList: false, isAddress });
    else if (listed.some(isFree)) own.push({ path, isList: true, isAddress });
    return path.length < MAX_DEPTH ? [...own, ...textFields(found, path)] : own;
  });
}

type Schema = {
  readonly type?: unknown;
  readonly enum?: unknown;
  readonly const?: unknown;
  readonly format?: unknown;
  readonly items?: unknown;
};

function isFree(schema: Schema): boolean {
  return schema.enum === undefined && schema.const === undefined && !/^date/.test(String(schema.format));
}

/** Writes the attack, with the name of the field, into a field of a request; a list has it in its first item. Returns whether the parents of the field are there. */
function put(request: object, { isAddress, isList, path }: TextField): boolean {
  let at: unknown = request;
  for (const name of path.slice(0, -1))
    at = itemOf(Reflect.get(Object(itemOf(at)), name === '*' ? firstName(at) : name));
  const parent = itemOf(at);
  if (typeof parent !== 'object' || parent === null) return false;
  const name = path.at(-1) ?? '';
  const text = `${isAddress ? 'https://acme-outdoor.example/?q=' : ''}${path.join('.')} ${HOSTILE}`;
  Reflect.set(parent, name === '*' ? firstName(parent) : name, isList ? [text] : text);
  return true;
}

function itemOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value;
}

function firstName(parent: unknown): string {
  return Object.keys(Object(parent))[0] ?? 'own';
}

/** Returns the fields without those that refusals are about: what they name or what is in it, else what their sentences name, else the last one. */
function withoutRefused(
  fields: readonly TextField[],
  errors: readonly WireError[],
  base: object,
): readonly TextField[] {
  const named = errors.map(({ field = '' }) => field.replaceAll(/\[[^\]]*\]/g, '').split('.'));
  const isIn = (path: FieldPath, names: FieldPath): boolean =>
    names.length <= path.length && names.every((name, index) => path[index] === name || path[index] === '*');
  // A list that is refused as a whole is refused for one of its fields.
  const isWhole = (names: FieldPath): boolean => names.length > 1 || !Array.isArray(Reflect.get(base, names[0] ?? ''));
  const words = errors.flatMap(({ message, suggestion }) => `${message} ${suggestion}`.split(/[^a-z_]+/));
  const rules: readonly ((path: FieldPath) => boolean)[] = [
    (path) => named.some((names) => isIn(path, names) && isWhole(names)),
    (path) => path.length === 1 && words.includes(path[0] ?? ''),
  ];
  const kept = rules
    .map((rule) => fields.filter(({ path }) => !rule(path)))
    .find((left) => left.length < fields.length);
  if (kept !== undefined) return kept;
  const last = fields.findLastIndex(({ path }) => named.some((names) => isIn(path, names)));
  return fields.toSpliced(last, 1);
}

type Seen = { readonly out: number; readonly text: string; readonly links: readonly string[] };

/** What a page says of itself: elements that only an attack makes, its text, and where it leads. */
const SEE = `({
  out: document.querySelectorAll('x-out, [onmouseover], img[src="x"]').length + (window.hasRun === true ? 1 : 0),
  text: document.body.innerText + [...document.querySelectorAll('input, textarea')].map((one) => one.value).join(' '),
  links: [...document.links].map((one) => one.href.split('#')[0]),
})`;

/** The kind of a page: its address without what it is about. */
function kindOf(url: string): string {
  return new URL(url).pathname.replaceAll(/\/(?=[^/]*[\d_.-])[^/]+/g, '/*');
}

function isScreen(url: string): boolean {
  return /\/(console|portal|approvals)\b/.test(url) && !/export|assets|sign-out/.test(url);
}

describe.skipIf(BROWSER === undefined)('what buyers write, in a browser', () => {
  let browser: Browser;
  let server: Booted;
  let ids: { readonly buy: string; readonly line: string };

  beforeAll(async () => {
    const tenants = tenantsWithEveryTask();
    writeTenant(tenants, {
      ...shippedTenant(),
      governance: 'listed',
      approvals: [{ budget_over: { amount: 5000, currency: 'USD' } }],
    });
    server = await boot({ tenants, ids: 'system' });
    const source = { account: ACCOUNT, idempotency_key: freshKey(), event_sources: [{ event_source_id: 'shop' }] };
    succeeded(await server.call('sync_event_sources', source));
    const bought = succeeded(await server.call('create_media_buy', createRequest()));
    ids = { buy: String(bought.media_buy_id), line: String(bought.packages[0]?.package_id) };
    browser = await chromium.launch({ executablePath: BROWSER ?? '', args: ['--no-sandbox'] });
  });

  afterAll(() => browser?.close());

  /** A request of each task that a buyer changes something with, and its tenant where that is not the sales one. */
  const bases = (): Readonly<Record<string, readonly [base: object, tenant?: string]>> => ({
    create_media_buy: [createRequest({ packages: [packageRequest({ creatives: [creative('inline')] })] })],
    update_media_buy: [
      { account: ACCOUNT, media_buy_id: ids.buy, canceled: true, packages: [{ package_id: ids.line }] },
    ],
    sync_creatives: [{ account: ACCOUNT, creatives: [creative('library')] }],
    sync_accounts: [{ accounts: [{ ...BY_KEY, billing: 'operator' }] }],
    sync_audiences: [{ account: ACCOUNT, audiences: [{ audience_id: 'crm', add: [{ external_id: 'p1' }] }] }],
    sync_event_sources: [{ account: ACCOUNT, event_sources: [{ event_source_id: 'shop' }] }],
    log_event: [
      { event_source_id: 'shop', events: [{ event_id: 'e1', event_type: 'purchase', event_time: PERIOD.start }] },
    ],
    sync_catalogs: [{ account: ACCOUNT, catalogs: [{ catalog_id: 'shoes', type: 'product', items: [{ id: 'a' }] }] }],
    provide_performance_feedback: [{ media_buy_id: ids.buy, measurement_period: PERIOD, performance_index: 1.1 }],
    report_usage: [
      {
        reporting_period: PERIOD,
        usage: [{ account: ACCOUNT, media_buy_id: ids.buy, vendor_cost: 1, currency: 'USD' }],
      },
    ],
    sync_governance: [
      {
        accounts: [
          {
            account: { brand: { domain: 'governed.example' }, operator: 'governed.example' },
            governance_agents: [
              {
                url: 'https://governance.example/mcp',
                authentication: { schemes: ['Bearer'], credentials: 'x'.repeat(40) },
              },
            ],
          },
        ],
      },
    ],
    activate_signal: [{ ...HIGH_LTV, destinations: [TRADE_DESK] }, 'signals'],
    build_creative: [{ message: 'Spring sale', target_format_id: FORMAT, brand: BRAND }, 'creative'],
    sync_plans: [{ plans: [PLAN] }, 'governance'],
    create_property_list: [{ name: 'Ours', account: BY_KEY }, 'governance'],
    create_collection_list: [{ name: 'Ours', account: BY_KEY }, 'governance'],
    create_content_standards: [
      {
        scope: { languages_any: ['en'] },
        policies: [{ policy_id: 'no_weapons', enforcement: 'should', policy: 'Nothing about weapons.' }],
      },
      'governance',
    ],
  });

  /** Changing tasks that are not filled: of things that another task of the table makes, of the preview, or of the sandbox alone. */
  const NOT_FILLED =
    /^(update|delete)_.*(list|standards)$|^report_plan|^check_|_products$|_proposals?$|^control_|_rights$|^comply_|^calibrate|^validate/;

  /** Fills every text of a task's request, leaves out what is refused until the rest is taken, and returns the fields that were taken. */
  async function fill(task: string, base: object, tenant = 'sales'): Promise<readonly string[]> {
    let fields: readonly TextField[] = textFields(requestNodes(SCHEMAS, task)).filter((field) =>
      put(structuredClone(base), field),
    );
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const request = { ...structuredClone(base), idempotency_key: freshKey() };
      for (const field of fields) put(request, field);
      const { isError, payload } = await server.call(task, request, { tenant });
      if (!isError) return fields.map(({ path }) => path.join('.'));
      fields = withoutRefused(fields, payload.errors ?? [], base);
    }
    throw new Error(`${task} takes nothing: ${JSON.stringify(fields)}`);
  }

  it('is text on every screen of the console, the portal and approvals, whatever field it comes in', async () => {
    const filled = bases();
    const changing = TOOLS.filter(({ kind }) => kind === 'mutation').map((tool) =>
      toolName(tool, protocolNames('adcp')),
    );
    expect(changing.filter((task) => filled[task] === undefined && !NOT_FILLED.test(task))).toEqual([]);
    const taken: Record<string, readonly string[]> = {};
    for (const [task, [base, tenant]] of Object.entries(filled)) taken[task] = await fill(task, base, tenant);
    const order = createRequest({ packages: [packageRequest({ budget: 9000, creatives: [creative('waiting')] })] });
    await fill('create_media_buy', order);
    await settle(server);
    const [waiting] = await operatorOf(server).waiting();
    const link = { operation: 'new', tenant: 'sales', principal: 'sandbox' };
    const { url: portal } = await operatePortalLinks(server.server().app, 'a test', link);
    const { broken, shown, visited } = await openEveryPage([
      server.server().signInLink(),
      String(portal),
      String(waiting?.link),
    ]);
    const fields = Object.entries(taken).flatMap(([task, names]) => names.map((name) => `${task} ${name}`));
    expect(fields.length).toBeGreaterThan(70);
    expect(fields).toEqual(
      expect.arrayContaining(['create_media_buy packages.creatives.name', 'sync_creatives creatives.name']),
    );
    expect(visited.length).toBeGreaterThan(50);
    expect(shown.size, [...shown].join('\n')).toBeGreaterThan(10);
    expect(broken).toEqual([]);
  }, 120_000);

  /** Opens the pages and all that they lead to, and returns those that another element stands in, and the fields that can be read. */
  async function openEveryPage(starts: readonly string[]) {
    const page = await (await browser.newContext()).newPage();
    await page.addInitScript('window.ran = () => { window.hasRun = true; }');
    await page.setContent(`<p>${HOSTILE}</p>`);
    expect((await page.evaluate<Seen>(SEE)).out).toBeGreaterThan(0);
    const left = [...starts];
    const visited = new Set<string>();
    const opened = new Map<string, number>();
    const shown = new Set<string>();
    const broken: string[] = [];
    for (let url = left.pop(); url !== undefined && visited.size < MAX_PAGES; url = left.pop()) {
      if (visited.has(url)) continue;
      visited.add(url);
      await page.goto(url, { waitUntil: 'domcontentloaded' });
      const seen = await page.evaluate<Seen>(SEE);
      if (seen.out > 0) broken.push(url);
      for (const [, field = ''] of seen.text.matchAll(/([a-z_.*]+) \\?"'><\/script>/g)) shown.add(field);
      for (const link of seen.links.filter((one) => isScreen(one) && !visited.has(one))) {
        const kind = kindOf(link);
        if ((opened.get(kind) ?? 0) >= MAX_OF_A_KIND) continue;
        opened.set(kind, (opened.get(kind) ?? 0) + 1);
        left.push(link);
      }
    }
    await page.context().close();
    return { broken, shown, visited: [...visited] };
  }
});
