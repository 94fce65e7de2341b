import { MINUTE_MS } from '../../../platform/kernel/clock.js';
import { isObject } from '../../../platform/kernel/json/json.js';
import { UnknownOutcomeError } from '../errors.js';
import type { DeliveryAnswer, DeliveryContext, DeliveryRequest, DeliveryRow } from '../port/delivery.js';
import type { GamNetwork } from './network.js';

/** Rows hold their values in this order. */
const DIMENSIONS = ['DATE', 'LINE_ITEM_ID', 'CREATIVE_ID'] as const;
const METRICS = ['AD_SERVER_IMPRESSIONS', 'AD_SERVER_CLICKS', 'AD_SERVER_COMPLETED_VIEWS'] as const;
const ROWS_PER_PAGE = 10_000;
const POLL_MS = 5000;
/** A report that is made for longer is given up, and another one is started. */
const MAX_REPORT_MS = 30 * MINUTE_MS;
/** A handle: the operation, and when it was started. */
const HANDLE = /^(networks\/[\w/-]{1,400})@(\d{1,15})$/;

/** Returns what orders delivered: starts a report, looks how far it is, or reads its rows. Throws the port's errors. */
export async function readDelivery(
  network: GamNetwork,
  request: DeliveryRequest,
  { job, signal }: DeliveryContext,
): Promise<DeliveryAnswer> {
  if (request.orders.every(({ foreign }) => foreign.order === undefined)) return { kind: 'rows', rows: [] };
  const [, operation, startedAt] = HANDLE.exec(job ?? '') ?? [];
  if (operation === undefined) return startReport(network, request, signal);
  const state = await network.rest.readOperation(operation, signal);
  // One that failed, and one that never ends, is made anew.
  const isLost = state === undefined || state.error !== undefined;
  const isLate = state?.done !== true && network.clock.now() - Number(startedAt) > MAX_REPORT_MS;
  if (isLost || isLate) return startReport(network, request, signal);
  if (state.done !== true) return { kind: 'pending', job: `${operation}@${startedAt}`, retry_after_ms: POLL_MS };
  const result = isObject(state.response) ? state.response.reportResult : undefined;
  if (typeof result !== 'string')
    throw new UnknownOutcomeError('Google Ad Manager answered a report without its result.');
  const query = { pageSize: ROWS_PER_PAGE };
  const rows = await network.rest.readPages<unknown>(`${result}:fetchRows`, 'rows', query, signal);
  return { kind: 'rows', rows: readRows(rows, request) };
}

async function startReport(
  { clock, rest }: GamNetwork,
  { from_date, orders, to_date }: DeliveryRequest,
  signal: AbortSignal,
): Promise<DeliveryAnswer> {
  const orderIds = orders.flatMap(({ foreign }) => foreign.order ?? []);
  const report = await rest.create(
    'reports',
    {
      reportDefinition: {
        dimensions: DIMENSIONS,
        metrics: METRICS,
        reportType: 'HISTORICAL',
        dateRange: { fixed: { startDate: readDate(from_date), endDate: readDate(to_date) } },
        timeZoneSource: 'PUBLISHER',
        filters: [
          {
            fieldFilter: {
              field: { dimension: 'ORDER_ID' },
              operation: 'IN',
              values: [{ intListValue: { values: orderIds } }],
            },
          },
        ],
      },
    },
    signal,
  );
  const operation = await rest.runReport(report.name, signal);
  return { kind: 'pending', job: `${operation}@${clock.now()}`, retry_after_ms: POLL_MS };
}

function readDate(text: string) {
  const [year, month, day] = text.split('-').map(Number);
  return { year, month, day };
}

type Entry = Required<Pick<DeliveryRow, 'package_id' | 'date' | 'impressions' | 'clicks' | 'completed_views'>> &
  Pick<DeliveryRow, 'creative_id'>;

/** Returns rows by our ids. Of a package and day of which a creative is none of ours there is one row, so that its sum is right. */
function readRows(rows: readonly unknown[], { orders }: DeliveryRequest): readonly DeliveryRow[] {
  const packages = new Map<string, string>();
  const creatives = new Map<string, string>();
  for (const { foreign } of orders) {
    for (const [packageId, id] of Object.entries(foreign.packages ?? {})) packages.set(id, packageId);
    for (const [key, creativeId] of Object.entries(foreign.others ?? {}))
      if (key.startsWith('creative:')) creatives.set(key.slice('creative:'.length), creativeId);
  }
  const entries = rows.map(readRow).flatMap(({ creative, line, ...counts }): readonly Entry[] => {
    const package_id = packages.get(line);
    return package_id === undefined ? [] : [{ package_id, creative_id: creatives.get(creative), ...counts }];
  });
  const whole = new Set(entries.filter(({ creative_id: id }) => id === undefined).map(dayOf));
  return addUp(entries.map((entry) => (whole.has(dayOf(entry)) ? { ...entry, creative_id: undefined } : entry)));
}

function dayOf({ date, package_id }: Entry): string {
  return `${package_id} ${date}`;
}

function addUp(entries: readonly Entry[]): readonly DeliveryRow[] {
  const sums = new Map<string, Entry>();
  for (const entry of entries) {
    const key = JSON.stringify([entry.package_id, entry.date, entry.creative_id]);
    const before = sums.get(key);
    sums.set(key, {
      ...entry,
      impressions: entry.impressions + (before?.impressions ?? 0),
      clicks: entry.clicks + (before?.clicks ?? 0),
      completed_views: entry.completed_views + (before?.completed_views ?? 0),
    });
  }
  return [...sums.values()];
}

type Value = Readonly<Record<string, unknown>>;

function readRow(row: unknown) {
  const { dimensionValues, metricValueGroups } = isObject(row) ? row : {};
  const [group] = listValues(metricValueGroups);
  const [date, line, creative] = listValues(dimensionValues).map(readText);
  const [impressions, clicks, completed_views] = listValues(group?.primaryValues).map(readCount);
  const day = /^(\d{4})-?(\d{2})-?(\d{2})$/.exec(date ?? '');
  if (day === null || line === undefined || impressions === undefined)
    throw new UnknownOutcomeError('Google Ad Manager answered a row of a report that cannot be read.');
  return {
    date: day.slice(1).join('-'),
    line,
    creative: creative ?? '',
    impressions,
    clicks: clicks ?? 0,
    completed_views: completed_views ?? 0,
  };
}

function listValues(values: unknown): readonly Value[] {
  return Array.isArray(values) ? values.filter(isObject) : [];
}

function readText({ intValue, stringValue }: Value): string {
  return String(intValue ?? stringValue ?? '');
}

function readCount({ doubleValue, intValue }: Value): number {
  return Math.max(0, Math.round(Number(intValue ?? doubleValue ?? 0)));
}
