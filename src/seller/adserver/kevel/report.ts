import { DAY_MS, isoTime, MINUTE_MS, parseDay } from '../../../platform/kernel/clock.js';
import { isObject } from '../../../platform/kernel/json/json.js';
import type { BookedOrder, DeliveryAnswer, DeliveryContext, DeliveryRequest, DeliveryRow } from '../port/delivery.js';
import { RestRefusedError } from '../rest/errors.js';
import type { KevelApi } from './api.js';
import { readCreatives } from './identities.js';
import { REPORT_FINISHED } from './wire.js';

/** How long a report is waited for before another one is ordered. */
const MAX_REPORT_MS = 30 * MINUTE_MS;
const POLL_MS = 10_000;

type Members = Readonly<Record<string, unknown>>;

/** Orders a report, or reads the one that was ordered. */
export async function readDelivery(
  api: KevelApi,
  request: DeliveryRequest,
  { job, nowMs }: Pick<DeliveryContext, 'job'> & { readonly nowMs: number },
): Promise<DeliveryAnswer> {
  const campaigns = request.orders.flatMap(({ foreign }) => (foreign.order === undefined ? [] : [foreign.order]));
  if (campaigns.length === 0) return { kind: 'rows', rows: [] };
  const { id, startedMs } = readJob(job);
  const report = id === undefined ? undefined : await findReport(api, id);
  if (report === undefined || (report.Status !== REPORT_FINISHED && nowMs - startedMs > MAX_REPORT_MS)) {
    const ordered = await api.ask('/report/queue', reportOf(request, campaigns));
    return { kind: 'pending', job: `${nowMs} ${String(ordered.Id)}`, retry_after_ms: POLL_MS };
  }
  if (report.Status !== REPORT_FINISHED) return { kind: 'pending', job: job ?? '', retry_after_ms: POLL_MS };
  return { kind: 'rows', rows: readRows(report.Result, request) };
}

function readJob(job: string | undefined): { readonly id: string | undefined; readonly startedMs: number } {
  const [startedMs, id] = job?.split(' ') ?? [];
  return { id, startedMs: Number(startedMs ?? 0) };
}

/** Finds a report, which Kevel holds for ten days; undefined where it is gone. */
async function findReport(api: KevelApi, id: string): Promise<Members | undefined> {
  try {
    return await api.ask(`/report/queue/${encodeURIComponent(id)}`);
  } catch (error) {
    if (error instanceof RestRefusedError && (error.status === 404 || error.status === 400)) return undefined;
    throw error;
  }
}

/** Whether the last day is within is not published: one more is asked for, and not read. */
function reportOf({ from_date, to_date }: DeliveryRequest, campaigns: readonly string[]): Members {
  return {
    StartDateISO: `${from_date}T00:00:00`,
    EndDateISO: `${isoTime((parseDay(to_date) ?? 0) + DAY_MS).slice(0, 10)}T00:00:00`,
    GroupBy: ['day', 'flightId', 'creativeId'],
    Parameters: campaigns.map((campaign) => ({ campaignId: Number(campaign) })),
  };
}

/** The package that a row of a report counts for. */
type Counted = Pick<DeliveryRow, 'package_id' | 'creative_id' | 'date'>;

function readRows(result: unknown, request: DeliveryRequest): readonly DeliveryRow[] {
  const owners = new Map(request.orders.flatMap(listOwners));
  const rows = new Map<string, DeliveryRow>();
  for (const record of listOf(result, 'Records')) {
    const date = dayOf(record);
    if (date === undefined || date < request.from_date || date > request.to_date) continue;
    for (const detail of listOf(record, 'Details')) {
      const owner = owners.get(groupOf(detail, 'flightid'));
      if (owner === undefined) continue;
      const creative_id = owner.creatives.get(groupOf(detail, 'creativeid'));
      addTo(rows, { package_id: owner.package_id, creative_id, date }, readCounts(detail, owner.isBid));
    }
  }
  return [...rows.values()];
}

type Owner = { readonly package_id: string; readonly isBid: boolean; readonly creatives: ReadonlyMap<string, string> };

/** Returns the packages of an order by the flights that Kevel has for them. */
function listOwners({ order, foreign }: BookedOrder): readonly (readonly [flightId: string, owner: Owner])[] {
  const all = [...readCreatives(foreign)];
  return order.packages.flatMap(({ package_id, price }) => {
    const flightId = foreign.packages?.[package_id];
    const own = all.filter(([, [packageId]]) => packageId === package_id);
    const creatives = new Map(own.map(([kevelId, [, creativeId]]) => [kevelId, creativeId]));
    return flightId === undefined ? [] : [[flightId, { package_id, isBid: price.kind === 'bid', creatives }] as const];
  });
}

type Counts = { readonly impressions: number; readonly clicks: number; readonly spend: number | undefined };

/** Returns the counts of a row, with its spend where an auction set the price; a fixed price costs what was agreed. */
function readCounts(detail: Members, isBid: boolean): Counts {
  const spend = isBid ? Math.round(countOf(detail.Revenue) * 100) / 100 : undefined;
  return { impressions: countOf(detail.Impressions), clicks: countOf(detail.Clicks), spend };
}

/** Creatives of two versions are one of ours. */
function addTo(rows: Map<string, DeliveryRow>, counted: Counted, counts: Counts): void {
  const key = [counted.package_id, counted.date, counted.creative_id ?? ''].join('\n');
  const before = rows.get(key);
  rows.set(key, {
    ...counted,
    impressions: (before?.impressions ?? 0) + counts.impressions,
    clicks: (before?.clicks ?? 0) + counts.clicks,
    spend: counts.spend === undefined ? undefined : (before?.spend ?? 0) + counts.spend,
  });
}

function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

function listOf(value: unknown, name: string): readonly Members[] {
  const list = isObject(value) ? (value as Members)[name] : undefined;
  return Array.isArray(list) ? list.filter((item): item is Members => isObject(item)) : [];
}

function dayOf({ Date: date, FirstDate: first }: Members): string | undefined {
  const text = typeof date === 'string' ? date : first;
  const ms = typeof text === 'string' ? Date.parse(/Z|[+-]\d{2}:\d{2}$/.test(text) ? text : `${text}Z`) : Number.NaN;
  return Number.isNaN(ms) ? undefined : isoTime(ms).slice(0, 10);
}

/** Returns a member of a row's group, whose names are spelled in several ways. */
function groupOf({ Grouping }: Members, name: string): string {
  const members = isObject(Grouping) ? Object.entries(Grouping) : [];
  return String(members.find(([member]) => member.toLowerCase() === name)?.[1] ?? '');
}
