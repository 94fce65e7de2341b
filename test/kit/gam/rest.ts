import { FakeRefusal, type FakeState, invalid, lastOf } from './state.js';

/** A request of the REST API. */
export type RestCall = { readonly method: string; readonly url: URL; readonly body: Record<string, unknown> };
type Answer = Record<string, unknown>;

/** The members that may be written; of any other one nothing is known. */
const ORDER = [
  'displayName',
  'advertiser',
  'trafficker',
  'poNumber',
  'notes',
  'externalOrderId',
  'agency',
  'salesperson',
];
const LINE =
  'name order displayName externalLineItemId lineItemType costType rate creativeRotationType deliveryRateType startTime targetEndTime goal creativePlaceholders frequencyCaps targeting'.split(
    ' ',
  );
const COMPANY = ['displayName', 'type', 'externalId'];
const TARGETING = ['inventoryTargeting', 'geoTargeting', 'technologyTargeting', 'customTargeting'];
const LINE_ACTIONS = {
  batchPause: 'pause',
  batchResume: 'resume',
  batchArchive: 'archive',
  batchReserve: 'reserve',
} as const;

/** Answers a call of the REST API; undefined where there is no such method. Throws FakeRefusal. */
export function answerRest(state: FakeState, { body, method, url }: RestCall): Answer | undefined {
  const match = /^\/v1\/networks\/(\d+)(?:\/([\w/:-]+))?$/.exec(url.pathname);
  if (match === null || match[1] !== state.network.code) return undefined;
  const [collection = '', ...rest] = (match[2] ?? '').split('/');
  const { code, currencyCode, timeZone } = state.network;
  if (collection === '') return { name: `networks/${code}`, displayName: 'Kit', currencyCode, timeZone };
  const [bare = '', action] = collection.split(':');
  if (bare === 'reports' || bare === 'operations') return answerReports(state, method, [bare, ...rest], { body, url });
  if (method === 'POST' && bare === 'orders' && action !== undefined) return actOnOrders(state, action, body);
  if (bare === 'lineItems' && method !== 'GET') return writeLines(state, method, { action, body, id: rest[0], url });
  if (method === 'POST' && bare === 'companies' && action === undefined) return addCompany(state, body);
  if (method !== 'GET' || action !== undefined) return undefined;
  return rest[0] === undefined ? listOf(state, bare, url) : find(state, bare, rest[0]);
}

const size = (width: number, height: number, sizeType = 'PIXEL') => ({ size: { width, height, sizeType } });

/** What the collections that are sold from say of their objects. */
const DESCRIBED: Readonly<Record<string, (state: FakeState) => Answer>> = {
  adUnits: () => ({
    displayName: 'Front page',
    status: 'ACTIVE',
    adUnitSizes: [size(300, 250), size(728, 90), size(1, 1, 'FLUID')],
  }),
  placements: (state) => ({
    displayName: 'All of sport',
    status: 'ACTIVE',
    targetedAdUnits: [state.nameOf('adUnits', '1001')],
  }),
};

function shown(state: FakeState, collection: string): readonly Answer[] {
  if (collection === 'orders') return [...state.orders.values()].map((order) => state.showOrder(order));
  if (collection === 'lineItems') return [...state.lines.values()].map((line) => state.showLine(line));
  if (collection === 'companies') return [...state.companies.values()];
  return (state.others[collection] ?? []).map((id) => ({
    name: state.nameOf(collection, id),
    ...(DESCRIBED[collection]?.(state) ?? {}),
  }));
}

function find(state: FakeState, collection: string, id: string): Answer {
  const found = shown(state, collection).find(({ name }) => lastOf(name) === id);
  if (found === undefined) throw new FakeRefusal(404, 'NOT_FOUND', 'CommonError.NOT_FOUND');
  return found;
}

const FILTERS: Readonly<Record<string, readonly string[]>> = {
  orders: ['displayName', 'externalOrderId'],
  lineItems: ['order'],
  companies: ['externalId'],
};
function listOf(state: FakeState, collection: string, url: URL): Answer {
  const filter = url.searchParams.get('filter') ?? '';
  if (filter.length > MAX_FILTER_CHARS) throw invalid('filter');
  const conditions = filter === '' ? [] : filter.split(' OR ').map((one) => readCondition(collection, one));
  const isWanted = (one: Answer): boolean => conditions.length === 0 || conditions.some((isTrue) => isTrue(one));
  const found = shown(state, collection).filter(isWanted);
  const { page } = state.network;
  const from = Number(url.searchParams.get('pageToken') ?? '0');
  const isMore = from + page < found.length;
  return { [collection]: found.slice(from, from + page), ...(isMore ? { nextPageToken: String(from + page) } : {}) };
}

/** Addresses that are longer are refused by servers and proxies on the way. */
const MAX_FILTER_CHARS = 6000;

function readCondition(collection: string, text: string): (one: Answer) => boolean {
  const match = /^(\w+) = "([^"]*)"$/.exec(text);
  const [, field = '', value = ''] = match ?? [];
  if (match === null || FILTERS[collection]?.includes(field) !== true) throw invalid('filter');
  const pattern = new RegExp(`^${value.split('*').map(escapePattern).join('.*')}$`);
  return (one) => pattern.test(String(one[field] ?? ''));
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&');
}

function only(object: Answer, members: readonly string[], what: string): Answer {
  const stranger = Object.keys(object).find((name) => !members.includes(name));
  if (stranger !== undefined) throw invalid(`${what}.${stranger}`);
  return object;
}

function addCompany(state: FakeState, body: Answer): Answer {
  only(body, COMPANY, 'company');
  const id = state.nextId();
  const company = { ...body, name: state.nameOf('companies', id) };
  state.companies.set(id, company);
  return company;
}

function actOnOrders(state: FakeState, action: string, body: Answer): Answer | undefined {
  if (action === 'batchCreate') {
    const requests = body.requests as readonly { readonly parent: string; readonly order: Answer }[];
    if (requests.some(({ parent }) => parent !== `networks/${state.network.code}`)) throw invalid('parent');
    return { orders: requests.map(({ order }) => state.showOrder(state.addOrder(only(order, ORDER, 'order')))) };
  }
  const orders = (body.names as readonly string[]).map((name) => state.orders.get(lastOf(name)));
  for (const order of orders) {
    if (order === undefined) throw new FakeRefusal(404, 'NOT_FOUND', 'CommonError.NOT_FOUND');
    if (action === 'batchApprove') state.approve(order);
    else if (action === 'batchSubmitForApproval') state.setStage(order, 'pending', 'PENDING_APPROVAL');
    else return undefined;
  }
  return {};
}

type LineWrite = {
  readonly action: string | undefined;
  readonly body: Answer;
  readonly id: string | undefined;
  readonly url: URL;
};

function writeLines(state: FakeState, method: string, { action, body, id, url }: LineWrite): Answer | undefined {
  if (!state.network.hasLineWrites) return undefined;
  if (action !== undefined) {
    const kind = Object.hasOwn(LINE_ACTIONS, action) ? LINE_ACTIONS[action as keyof typeof LINE_ACTIONS] : undefined;
    if (kind === undefined) return undefined;
    for (const name of body.names as readonly string[]) state.actOnLine(kind, lineOf(state, lastOf(name)));
    return {};
  }
  only(body, LINE, 'lineItem');
  only((body.targeting ?? {}) as Answer, TARGETING, 'lineItem.targeting');
  if (method === 'POST') return state.showLine(state.addLine(body, []));
  const members = (url.searchParams.get('updateMask') ?? '').split(',');
  const line = lineOf(state, id ?? '');
  state.changeLine(line, Object.fromEntries(members.map((name) => [name, body[name]])));
  // What REST says of targeting is all that there is then.
  if (members.includes('targeting')) line.dayParts = [];
  return state.showLine(line);
}

function lineOf(state: FakeState, id: string) {
  const line = state.lines.get(id);
  if (line === undefined) throw new FakeRefusal(404, 'NOT_FOUND', 'CommonError.NOT_FOUND');
  return line;
}

function answerReports(
  state: FakeState,
  method: string,
  path: readonly string[],
  call: Pick<RestCall, 'body' | 'url'>,
): Answer | undefined {
  const route = `${method} ${path.map((part) => part.replace(/\d+/, '#')).join('/')}`;
  const id = /\d+/.exec(path.at(-1) ?? '')?.[0] ?? '';
  const report = state.reports.get(id);
  if (route === 'POST reports') {
    const created = state.nextId();
    state.reports.set(created, { definition: readDefinition(call.body), polls: 0 });
    return { name: state.nameOf('reports', created) };
  }
  if (report === undefined) throw new FakeRefusal(404, 'NOT_FOUND', 'CommonError.NOT_FOUND');
  const name = `networks/${state.network.code}/operations/reports/runs/${id}`;
  if (route === 'POST reports/#:run') return { name, done: false };
  if (route === 'GET operations/reports/runs/#') {
    report.polls += 1;
    if (report.polls < state.network.reportPolls) return { name, metadata: { percentComplete: 50 } };
    return { name, done: true, response: { reportResult: state.nameOf('reports', `${id}/results/${id}`) } };
  }
  return route === 'GET reports/#/results/#:fetchRows' ? fetchRows(state, report.definition, call.url) : undefined;
}

function readDefinition(body: Answer): Answer {
  const { reportDefinition: definition } = only(body, ['reportDefinition'], 'report') as { reportDefinition: Answer };
  const known = [
    'dimensions',
    'metrics',
    'dateRange',
    'reportType',
    'filters',
    'timeZoneSource',
    'timeZone',
    'currencyCode',
  ];
  only(definition, known, 'reportDefinition');
  const { endDate, startDate } = ((definition.dateRange as Answer).fixed ?? {}) as Answer;
  for (const date of [startDate, endDate] as readonly Answer[]) only(date, ['year', 'month', 'day'], 'dateRange');
  if (definition.reportType !== 'HISTORICAL') throw invalid('reportType');
  return definition;
}

function fetchRows(state: FakeState, definition: Answer, url: URL): Answer {
  const { endDate, startDate } = (
    definition.dateRange as { fixed: Record<string, { year: number; month: number; day: number }> }
  ).fixed;
  const dayOf = (date: { year: number; month: number; day: number } | undefined): string =>
    [date?.year, date?.month, date?.day].map((part) => String(part).padStart(2, '0')).join('');
  // Both ends are in.
  const rows = state.rows.filter(({ date }) => date >= dayOf(startDate) && date <= dayOf(endDate));
  const from = Number(url.searchParams.get('pageToken') ?? '0');
  const { page: most } = state.network;
  const page = rows.slice(from, from + most).map((row) => ({
    dimensionValues: [{ intValue: row.date }, { intValue: row.lineItemId }, { intValue: row.creativeId }],
    metricValueGroups: [
      { primaryValues: [{ intValue: String(row.impressions) }, { intValue: String(row.clicks) }, { intValue: '0' }] },
    ],
  }));
  return { rows: page, ...(from + most < rows.length ? { nextPageToken: String(from + most) } : {}) };
}
