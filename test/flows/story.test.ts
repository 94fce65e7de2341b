import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Booted, boot } from '../kit/boot.js';
import { KIT_TOKEN, succeeded } from '../kit/buyer.js';
import { send } from '../kit/http.js';
import { operatorOf } from '../kit/operator.js';
import { PROJECT } from '../kit/surroundings.js';
import { shippedTenant } from '../kit/tenants.js';
import type { Payload, WireMetrics } from '../kit/wire.js';

const PAGE = path.join(PROJECT, 'docs/story.md');
const DAY = 86_400_000;
const BRIEF =
  'Launch of our trail shoes: viewable banners for professionals on US business news, and digital billboards in New York. $30,000.';
const BUDGET = 30_000;
const MONEY = 'northlight_money_viewable';
const BILLBOARDS = 'cityloop_new_york_billboards';
const BRAND = { domain: 'acme-outdoor.example' };
const ACCOUNT = { brand: BRAND, operator: 'pinnacle-agency.example' };
const JANUARY = { start_date: '2030-01-01', end_date: '2030-01-31' };
const KEYS = {
  build: 'story-build-0000001',
  buy: 'story-buy-00000001',
  sync: 'story-sync-0000001',
  change: 'story-change-000001',
  cancel: 'story-cancel-000001',
};

type Range = { readonly low: number; readonly mid: number; readonly high: number };
type Proposal = {
  readonly proposal_id: string;
  readonly proposal_status?: string;
  readonly expires_at?: string;
  readonly allocations: readonly { readonly product_id: string; readonly allocation_percentage: number }[];
  readonly total_budget_guidance: { readonly recommended: number; readonly max: number };
  readonly forecast: {
    readonly points: readonly { readonly budget: number; readonly metrics: Readonly<Record<string, Range>> }[];
  };
};
type Manifest = { readonly format_id: { readonly id: string }; readonly assets: Readonly<Record<string, object>> };
type Built = { readonly creative_manifests: readonly [Manifest, Manifest] };
type Applied = { readonly refinement_applied: readonly { readonly status: string; readonly notes: string }[] };
type PackageRow = WireMetrics & {
  readonly package_id: string;
  readonly rate: number;
  readonly pricing_model: string;
  readonly viewability?: { readonly viewable_impressions: number };
  readonly daily_breakdown: readonly (WireMetrics & { readonly date: string })[];
};
type Report = { readonly status: string; readonly totals: WireMetrics; readonly by_package: readonly PackageRow[] };
type Supplied = {
  readonly inventory: { readonly daily_impressions: number; readonly viewable_rate: number };
  readonly pricing_options: readonly { readonly fixed_price: number }[];
};

/** How long a line of JSON may be. */
const WIDTH = 136;

const START = (step: number) => `<!-- story:${step} -->`;
const END = (step: number) => `<!-- /story:${step} -->`;

const cents = (money: number): number => Math.round(money * 100);
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
const count = (number: number): string => number.toLocaleString('en-US');
const usd = (number: number): string =>
  `$${number.toLocaleString('en-US', Number.isInteger(number) ? {} : { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
const proposalOf = (payload: Payload): Proposal => (payload as unknown as { proposals: [Proposal] }).proposals[0];
const reportOf = (payload: Payload): Report =>
  (payload as unknown as { media_buy_deliveries: [Report] }).media_buy_deliveries[0];
const shareOf = (payload: Payload, product: string): number =>
  proposalOf(payload).allocations.find(({ product_id }) => product_id === product)?.allocation_percentage ?? 0;

/** Some members of an object, in the order of the names. */
function pick(from: object, ...names: readonly string[]): object {
  const members = from as Readonly<Record<string, unknown>>;
  return Object.fromEntries(names.flatMap((name) => (members[name] === undefined ? [] : [[name, members[name]]])));
}

/** The essential part of a proposal. */
function planned(payload: Payload): object {
  const proposal = proposalOf(payload);
  const at = proposal.forecast.points.find(({ budget }) => budget === BUDGET);
  return {
    ...pick(proposal, 'proposal_id', 'proposal_status'),
    allocations: proposal.allocations.map((part) => pick(part, 'product_id', 'allocation_percentage', 'bid_price')),
    total_budget_guidance: pick(proposal.total_budget_guidance, 'recommended', 'max', 'currency'),
    forecast: { budget: at?.budget, ...pick(at?.metrics ?? {}, 'impressions', 'spend') },
  };
}

/** What a refinement did, in the seller's words; it has to have been applied. */
function notesOf(payload: Payload): readonly object[] {
  const { refinement_applied } = payload as unknown as Applied;
  expect(refinement_applied.map(({ status }) => status)).toEqual(['applied']);
  return refinement_applied.map((one) => pick(one, 'status', 'notes'));
}

/** A manifest's format and the picture of it. */
function pictured({ format_id, assets }: Manifest): object {
  const [name = '', picture = {}] = Object.entries(assets)[0] ?? [];
  return { format_id: { id: format_id.id }, assets: { [name]: pick(picture, 'url', 'width', 'height') } };
}

/** The essential part of a report. */
function reported(payload: Payload): object {
  const { status, totals, by_package } = reportOf(payload);
  const lines = by_package.map(({ viewability, daily_breakdown, ...line }) => ({
    ...pick(line, 'package_id', 'impressions'),
    ...pick(viewability ?? {}, 'viewable_impressions'),
    ...pick(line, 'pricing_model', 'rate', 'spend'),
    daily_breakdown: daily_breakdown.slice(-1).map((day) => pick(day, 'date', 'impressions', 'spend')),
  }));
  return { status, totals: pick(totals, 'impressions', 'spend'), by_package: lines };
}

/** A value as JSON that breaks only where a line would be too long, with as much on a line as there is room for. */
function written(value: unknown, indent = ''): string {
  const line = JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ').replaceAll('"ACCOUNT"', 'ACCOUNT');
  if (typeof value !== 'object' || value === null || indent.length + line.length < WIDTH) return line;
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const parts = Array.isArray(value)
    ? value.map((part) => written(part, inner))
    : Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}: ${written(part, inner)}`);
  const rows: string[] = [];
  for (const part of parts) {
    const joined = `${rows.at(-1)}, ${part}`;
    if (rows.length > 0 && !joined.includes('\n') && joined.length < WIDTH) rows[rows.length - 1] = joined;
    else rows.push(part);
  }
  return `${open} ${rows.join(`,\n${inner}`)} ${close}`;
}

/** The calls of a story, each made as the page shows it. */
class Teller {
  readonly #server: Booted;
  readonly parts: string[] = [];

  constructor(server: Booted) {
    this.#server = server;
  }

  /** Calls a task, which must succeed. */
  async call(task: string, args: object): Promise<Payload> {
    const tenant = task.endsWith('_creative') ? 'creative' : 'sales';
    return succeeded(await this.#server.call(task, args, { token: KIT_TOKEN, tenant }));
  }

  /** Turns the sandbox's clock on, as the operator does. */
  async pass(days: number): Promise<void> {
    const whose = { tenant: 'sales', principal: KIT_TOKEN };
    const answer = await operatorOf(this.#server).post('/clock', { advance_ms: days * DAY, ...whose });
    expect(answer.json()).toMatchObject({ clocks: [{ principal: KIT_TOKEN }] });
  }

  /** Writes a step: the call, the essential part of its answer, and what adds up. */
  write(task: string, args: object, answer: object, addsUp: string): void {
    const readable = (value: object): unknown =>
      JSON.parse(
        JSON.stringify(value)
          .replaceAll(JSON.stringify(ACCOUNT), '"ACCOUNT"')
          .replaceAll(this.#server.baseUrl, 'http://127.0.0.1:3000')
          .replaceAll(/\/previews\/media\/\w+/g, '/previews/media/…')
          .replaceAll(/\/previews\/[\w-]{20,}/g, '/previews/…'),
      );
    const lines = `${task} ${written(readable(args))}\n→ ${written(readable(answer))}`;
    this.parts.push(`\`\`\`js\n${lines}\n// ${addsUp}\n\`\`\``);
  }
}

/** Expects that a report adds up: days to packages, packages to the buy, and each spend to what is billed at its rate. */
function expectSums({ totals, by_package }: Report, days: number): void {
  for (const line of by_package) {
    const billed = line.viewability?.viewable_impressions ?? line.impressions;
    expect(line.pricing_model).toBe(line.viewability === undefined ? 'cpm' : 'vcpm');
    expect(cents(line.spend)).toBe(cents((billed * line.rate) / 1000));
    expect(line.daily_breakdown).toHaveLength(days);
    expect(sum(line.daily_breakdown.map(({ impressions }) => impressions))).toBe(line.impressions);
    expect(sum(line.daily_breakdown.map(({ spend }) => cents(spend)))).toBe(cents(line.spend));
  }
  expect(sum(by_package.map(({ impressions }) => impressions))).toBe(totals.impressions);
  expect(sum(by_package.map(({ spend }) => cents(spend)))).toBe(cents(totals.spend));
}

/** What adds up in a report, in words. */
function sumsOf({ totals, by_package }: Report): string {
  const lines = by_package.map(({ viewability, impressions, rate, spend }) => {
    const billed = viewability?.viewable_impressions ?? impressions;
    return `${count(billed)} × ${usd(rate)} ÷ 1,000 = ${usd(spend)}`;
  });
  return `${lines.join('; ')}; together ${usd(totals.spend)}.`;
}

/** Impressions that some products have on a day, by the shipped file. */
function dailyOf(products: readonly string[]): number {
  const meant = shippedTenant().products.filter(({ product_id }) => products.includes(String(product_id)));
  return sum(meant.map((product) => (product as unknown as Supplied).inventory.daily_impressions));
}

/** What the shipped file says that the banners can deliver at most, in money, over some days. */
function supplyOfMoney(days: number): number {
  const product = shippedTenant().products.find(({ product_id }) => product_id === MONEY) as unknown as Supplied;
  const { daily_impressions, viewable_rate } = product.inventory;
  return (days * daily_impressions * viewable_rate * (product.pricing_options[0]?.fixed_price ?? 0)) / 1000;
}

/** Discover, refine and finalize; answers the finalized proposal. */
async function plan(teller: Teller): Promise<Payload> {
  const discover = { account: ACCOUNT, brand: BRAND, buying_mode: 'brief', brief: BRIEF, filters: JANUARY };
  const found = await teller.call('get_products', discover);
  const { proposal_id, allocations, total_budget_guidance: guidance, forecast } = proposalOf(found);
  expect(sum(allocations.map(({ allocation_percentage }) => allocation_percentage))).toBe(100);
  const most = Math.floor((guidance.max * shareOf(found, MONEY)) / 100);
  expect(most).toBeLessThanOrEqual(supplyOfMoney(31));
  for (const { budget, metrics } of forecast.points) {
    expect(budget).toBeLessThanOrEqual(guidance.max);
    expect(metrics.spend?.high).toBeLessThanOrEqual(budget);
    expect(metrics.impressions?.high).toBeLessThanOrEqual(31 * dailyOf([MONEY, BILLBOARDS]));
  }
  const shares = allocations.map(({ allocation_percentage: share }) => `${share}%`).join(' + ');
  const free = `${shares} = 100%. Of ${usd(guidance.max)} the banners would take ${usd(most)}; all that they have in 31 days is ${usd(supplyOfMoney(31))}.`;
  teller.write('get_products', discover, planned(found), free);

  const refine = (more: object) => ({
    account: ACCOUNT,
    buying_mode: 'refine',
    filters: JANUARY,
    refine: [{ scope: 'proposal', proposal_id, ...more }],
  });
  const ask = refine({ ask: 'move 10 points from billboards to banners' });
  const refined = await teller.call('get_products', ask);
  expect(shareOf(refined, MONEY)).toBe(shareOf(found, MONEY) + 10);
  expect(shareOf(refined, BILLBOARDS)).toBe(shareOf(found, BILLBOARDS) - 10);
  expect(shareOf(refined, MONEY) + shareOf(refined, BILLBOARDS)).toBe(100);
  const moved = [MONEY, BILLBOARDS].map((one) => `${shareOf(found, one)}% → ${shareOf(refined, one)}%`);
  teller.write(
    'get_products',
    ask,
    { allocations: (planned(refined) as { allocations: object }).allocations, refinement_applied: notesOf(refined) },
    `${moved.join(', ')}: 10 points each, 100% together.`,
  );

  const finalize = refine({ action: 'finalize' });
  const final = await teller.call('get_products', finalize);
  expect(proposalOf(final)).toMatchObject({ proposal_id, proposal_status: 'committed' });
  expect(proposalOf(final).allocations).toEqual(proposalOf(refined).allocations);
  const { proposal_status, expires_at } = proposalOf(final);
  const held = { proposal_id, proposal_status, expires_at, refinement_applied: notesOf(final) };
  teller.write('get_products', finalize, held, `The shares are those of step 2.`);
  return final;
}

/** Build and preview; answers the manifests. */
async function make(teller: Teller, agent_url: string): Promise<Built> {
  const sizes = ['display_300x250_image', 'dooh_billboard_1920x1080'].map((id) => ({ agent_url, id }));
  const message = 'New: trail running shoes that grip wet rock';
  const order = { idempotency_key: KEYS.build, message, brand: BRAND, target_format_ids: sizes };
  const built = await teller.call('build_creative', order);
  const { creative_manifests } = built as unknown as Built;
  expect(creative_manifests).toMatchObject(sizes.map((format_id) => ({ format_id })));
  const made = 'Both carry pictures that are drawn, not promised: the seller serves the files.';
  teller.write('build_creative', order, { creative_manifests: creative_manifests.map(pictured) }, made);

  const preview = { request_type: 'single', creative_manifest: creative_manifests[0] };
  const shown = await teller.call('preview_creative', preview);
  const page = (shown as unknown as { interactive_url: string }).interactive_url;
  const { status, text } = await send(page);
  expect([status, text]).toEqual([200, expect.stringContaining('<iframe')]);
  const short = { ...preview, creative_manifest: '(the first manifest of step 4)' };
  teller.write(
    'preview_creative',
    short,
    pick(shown, 'interactive_url', 'expires_at'),
    'Open the address in a browser.',
  );
  return { creative_manifests };
}

/** Buy and sync; answers the buy. */
async function buy(teller: Teller, proposal: Payload, built: Built): Promise<Payload> {
  const order = {
    idempotency_key: KEYS.buy,
    account: ACCOUNT,
    brand: BRAND,
    advertiser_industry: 'retail',
    proposal_id: proposalOf(proposal).proposal_id,
    total_budget: { amount: BUDGET, currency: 'USD' },
    start_time: '2030-01-01T00:00:00Z',
    end_time: '2030-02-01T00:00:00Z',
  };
  const bought = await teller.call('create_media_buy', order);
  expect(bought).toMatchObject({ status: 'pending_creatives', total_budget: BUDGET });
  for (const { product_id, budget } of bought.packages)
    expect(cents(budget)).toBe(BUDGET * shareOf(proposal, product_id));
  expect(sum(bought.packages.map(({ budget }) => budget))).toBe(BUDGET);
  const packages = bought.packages.map((line) => pick(line, 'package_id', 'product_id', 'budget', 'bid_price'));
  const lines = bought.packages.map(
    ({ product_id, budget }) => `${shareOf(proposal, product_id)}% of ${usd(BUDGET)} = ${usd(budget)}`,
  );
  const answer = { ...pick(bought, 'status', 'media_buy_id', 'revision', 'total_budget', 'currency'), packages };
  teller.write('create_media_buy', order, answer, `${lines.join('; ')}; together ${usd(BUDGET)}.`);

  const [banner, board] = built.creative_manifests;
  const idOf = (product: string) => bought.packages.find(({ product_id }) => product_id === product)?.package_id;
  const sync = {
    idempotency_key: KEYS.sync,
    account: ACCOUNT,
    creatives: [
      { creative_id: 'grip_banner', name: 'Grip, banner', ...banner },
      { creative_id: 'grip_board', name: 'Grip, billboard', ...board },
    ],
    assignments: [
      { creative_id: 'grip_banner', package_id: idOf(MONEY) },
      { creative_id: 'grip_board', package_id: idOf(BILLBOARDS) },
    ],
  };
  const synced = await teller.call('sync_creatives', sync);
  expect(synced.creatives.map(({ status }) => status)).toEqual(['approved', 'approved']);
  const short = {
    ...sync,
    creatives: sync.creatives.map((one, at) => ({
      ...pick(one, 'creative_id', 'name'),
      '…': `(manifest ${at + 1} of step 4)`,
    })),
  };
  const [read] = (await teller.call('get_media_buys', { account: ACCOUNT, media_buy_ids: [bought.media_buy_id] }))
    .media_buys;
  expect(read).toMatchObject({ status: 'active', revision: 2 });
  const now = `The buy is \`${read?.status}\` now, in its revision ${read?.revision}.`;
  teller.write('sync_creatives', short, { creatives: synced.creatives }, now);
  return bought;
}

/** Three weeks, the report, and a change of the billboards' budget. */
async function run(teller: Teller, bought: Payload): Promise<void> {
  const report = reportAsked(bought);
  await teller.pass(21);
  const after = await teller.call('get_media_buy_delivery', report);
  expectSums(reportOf(after), 21);
  for (const { package_id, spend } of reportOf(after).by_package)
    expect(spend).toBeLessThanOrEqual(bought.packages.find((line) => line.package_id === package_id)?.budget ?? 0);
  expect(reportOf(after).by_package.every(({ impressions }) => impressions > 0)).toBe(true);
  teller.write('get_media_buy_delivery', report, reported(after), sumsOf(reportOf(after)));

  const [board, other] = [BILLBOARDS, MONEY].map((one) => bought.packages.find(({ product_id }) => product_id === one));
  const budget = (board?.budget ?? 0) + 2000;
  const { media_buy_id } = bought;
  const packages = [{ package_id: board?.package_id, budget }];
  const change = { idempotency_key: KEYS.change, account: ACCOUNT, media_buy_id, packages };
  const changed = await teller.call('update_media_buy', change);
  expect(changed).toMatchObject({ revision: 3, total_budget: BUDGET + 2000, affected_packages: [{ budget }] });
  const asked = { account: ACCOUNT, media_buy_ids: [media_buy_id], include_history: 1 };
  const [read] = (await teller.call('get_media_buys', asked)).media_buys;
  expect(read?.total_budget).toBe(sum(read?.packages.map((line) => line.budget) ?? []));
  expect(read?.history).toMatchObject([
    { revision: 3, actor: 'buyer', action: 'updated_budget', package_id: board?.package_id },
  ]);
  const answer = { ...pick(changed, 'status', 'revision', 'total_budget'), history: read?.history };
  const sums = `${usd(budget)} + ${usd(other?.budget ?? 0)} = ${usd(BUDGET + 2000)}. The history is from \`get_media_buys\` with \`include_history\`.`;
  teller.write('update_media_buy', change, answer, sums);
}

/** Two days more, the cancellation, what it gives back, and five days in which nothing is delivered. */
async function end(teller: Teller, bought: Payload): Promise<void> {
  await teller.pass(2);
  const brief = 'Viewable banners for professionals on US business news. $5,000.';
  const filters = { start_date: '2030-01-25', end_date: '2030-01-31', delivery_type: 'guaranteed' };
  const look = { account: ACCOUNT, buying_mode: 'brief', brief, filters };
  const before = proposalOf(await teller.call('get_products', look));
  const { media_buy_id } = bought;
  const because = { canceled: true, cancellation_reason: 'The shoes are sold out' };
  const cancel = { idempotency_key: KEYS.cancel, account: ACCOUNT, media_buy_id, ...because };
  const canceled = await teller.call('update_media_buy', cancel);
  expect(canceled).toMatchObject({ status: 'canceled', revision: 4, valid_actions: [] });
  const last = reportOf(await teller.call('get_media_buy_delivery', reportAsked(bought)));
  expectSums(last, 23);
  const answer = pick(canceled, 'status', 'revision', 'cancellation', 'valid_actions');
  teller.write('update_media_buy', cancel, answer, `Delivered until then: ${sumsOf(last)}`);

  const payload = await teller.call('get_products', look);
  const [was, is] = [before, proposalOf(payload)].map(({ allocations, total_budget_guidance }) => {
    expect(allocations).toMatchObject([{ product_id: MONEY, allocation_percentage: 100 }]);
    return total_budget_guidance.max;
  }) as [number, number];
  const week = ((bought.packages.find(({ product_id }) => product_id === MONEY)?.budget ?? 0) * 7) / 31;
  expect(is).toBe(Math.floor(supplyOfMoney(7)));
  expect(Math.abs(is - was - week)).toBeLessThan(1);
  const given = `Before the cancellation the same call said ${usd(was)}. Given back: ${usd(is - was)}, which is 7 of 31 days of the banners' budget.`;
  const { allocations, total_budget_guidance } = proposalOf(payload);
  const room = {
    allocations: allocations.map((part) => pick(part, 'product_id', 'allocation_percentage')),
    total_budget_guidance: pick(total_budget_guidance, 'max', 'currency'),
  };
  teller.write('get_products', look, room, given);

  await teller.pass(5);
  const still = await teller.call('get_media_buy_delivery', reportAsked(bought));
  expect(reportOf(still).totals).toEqual(last.totals);
  const nothing = `Five days later: ${usd(last.totals.spend)}, as on the day of the cancellation.`;
  const totals = pick(reportOf(still).totals, 'impressions', 'spend');
  teller.write('get_media_buy_delivery', reportAsked(bought), { status: reportOf(still).status, totals }, nothing);
}

const reportAsked = ({ media_buy_id }: Payload): object => ({
  account: ACCOUNT,
  media_buy_ids: [media_buy_id],
  include_package_daily_breakdown: true,
});

test('a campaign adds up at every step, and docs/story.md is that campaign', async () => {
  const server = await boot();
  const teller = new Teller(server);
  const proposal = await plan(teller);
  const built = await make(teller, `${server.baseUrl}/creative/mcp`);
  const bought = await buy(teller, proposal, built);
  await run(teller, bought);
  await end(teller, bought);

  const page = readFileSync(PAGE, 'utf8');
  expect(page.match(/<!-- story:\d+ -->/g)).toEqual(teller.parts.map((_, at) => START(at + 1)));
  const wanted = teller.parts.reduce((text, part, at) => {
    const [from, to] = [text.indexOf(START(at + 1)), text.indexOf(END(at + 1))];
    expect(to).toBeGreaterThan(from);
    return `${text.slice(0, from)}${START(at + 1)}\n${part}\n${text.slice(to)}`;
  }, page);
  if (process.env.UPDATE_DOCS === '1') writeFileSync(PAGE, wanted);
  else expect(page).toBe(wanted);
});
