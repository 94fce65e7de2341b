/** A line item of the fake: as REST shows it, and what only SOAP or the fake itself knows. */
export type FakeLine = {
  id: string;
  rest: Record<string, unknown>;
  dayParts: readonly unknown[];
  stage: 'draft' | 'pending' | 'approved' | 'disapproved';
  isPaused: boolean;
  isArchived: boolean;
  /** How often it was found changed, and what it was then. */
  updates?: { count: number; print: string };
};

/** An order of the fake. */
export type FakeOrder = { id: string; rest: Record<string, unknown>; status: string; isArchived: boolean };

/** A creative of the fake, as SOAP took it. */
export type FakeCreative = { id: string; name: string; type: string; members: Record<string, unknown> };

/** A creative in a line item. */
export type FakeAssociation = { lineItemId: string; creativeId: string; status: string; weight: string };

/** A row of a report. */
export type FakeRow = { date: string; lineItemId: string; creativeId: string; impressions: number; clicks: number };

/** How the fake's network is. */
export type FakeNetwork = {
  code: string;
  currencyCode: string;
  timeZone: string;
  /** The SOAP versions that are on. */
  versions: readonly string[];
  /** Whether line items can be written by REST. */
  hasLineWrites: boolean;
  /** Whether the account's role may approve. */
  mayApprove: boolean;
  /** So many times an approval of guaranteed lines finds no forecast yet. */
  forecastsMissing: number;
  availableUnits: number;
  /** Of forecasts: all that fits the targeting, where they tell it. */
  matchedUnits: number | undefined;
  /** Reports are done at this poll; never where it is infinite. */
  reportPolls: number;
  /** So many objects come in a page of REST: few, so that callers have to read on. */
  page: number;
};

/** A refusal, in the words of both APIs. */
export class FakeRefusal extends Error {
  readonly code: number;
  readonly status: string;
  /** Such as `ForecastError.NO_FORECAST_YET`. */
  readonly reason: string;

  constructor(code: number, status: string, reason: string) {
    super(reason);
    this.code = code;
    this.status = status;
    this.reason = reason;
  }
}

type Targeting = {
  readonly inventoryTargeting?: { readonly targetedAdUnits?: readonly { readonly adUnit: string }[] };
};

const ROUNDABLE = ['STANDARD', 'SPONSORSHIP'];

/** What a network of Ad Manager has, by the rules of the fact sheet. */
export class FakeState {
  readonly network: FakeNetwork = {
    code: '777',
    currencyCode: 'USD',
    timeZone: 'America/New_York',
    versions: ['v202608'],
    hasLineWrites: true,
    mayApprove: true,
    forecastsMissing: 0,
    availableUnits: 100_000_000,
    matchedUnits: 100_000_000,
    reportPolls: 2,
    page: 2,
  };
  readonly orders = new Map<string, FakeOrder>();
  readonly lines = new Map<string, FakeLine>();
  readonly companies = new Map<string, Record<string, unknown>>();
  readonly creatives = new Map<string, FakeCreative>();
  readonly associations: FakeAssociation[] = [];
  readonly reports = new Map<string, { definition: Record<string, unknown>; polls: number }>();
  /** Of the other collections: what is there. */
  readonly others: Readonly<Record<string, readonly string[]>> = {
    users: ['42'],
    adUnits: ['1001'],
    placements: ['2001'],
    geoTargets: ['2840', '21137'],
    deviceCategories: ['30001'],
    customTargetingKeys: ['51'],
    customTargetingValues: ['52'],
  };
  readonly rows: FakeRow[] = [];
  readonly now: () => number;
  /** Above what a float can count. */
  #lastId = 9_007_199_254_740_992n;

  constructor(now: () => number) {
    this.now = now;
  }

  /** Forgets all that was booked. */
  reset(): void {
    for (const all of [this.orders, this.lines, this.companies, this.creatives, this.reports]) all.clear();
    this.associations.length = 0;
    this.rows.length = 0;
  }

  nextId(): string {
    this.#lastId += 1n;
    return String(this.#lastId);
  }

  nameOf(collection: string, id: string): string {
    return `networks/${this.network.code}/${collection}/${id}`;
  }

  statusOf({ id, isPaused, rest, stage }: FakeLine): string {
    if (stage === 'draft') return 'DRAFT';
    if (stage === 'pending') return 'PENDING_APPROVAL';
    if (stage === 'disapproved') return 'DISAPPROVED';
    if (Date.parse(String(rest.targetEndTime)) <= this.now()) return 'COMPLETED';
    if (isPaused) return 'PAUSED';
    const hasCreative = this.associations.some((one) => one.lineItemId === id && one.status === 'ACTIVE');
    if (!hasCreative) return 'INACTIVE';
    return Date.parse(String(rest.startTime)) <= this.now() ? 'DELIVERING' : 'READY';
  }

  showLine(line: FakeLine): Record<string, unknown> {
    return {
      ...line.rest,
      name: this.nameOf('lineItems', line.id),
      endTime: line.rest.targetEndTime,
      status: this.statusOf(line),
      reservationStatus: line.stage === 'approved' ? 'RESERVED' : 'UNRESERVED',
      archived: line.isArchived,
      updateTime: this.#updateTimeOf(line),
    };
  }

  /** Whoever changed it, by whichever API. */
  #updateTimeOf(line: FakeLine): string {
    const { updates = { count: 0, print: '' }, ...members } = line;
    const print = JSON.stringify(members);
    if (print !== updates.print) line.updates = { count: updates.count + 1, print };
    return new Date(Date.UTC(2026, 0, 1) + (line.updates?.count ?? 0) * 1000).toISOString();
  }

  showOrder({ id, isArchived, rest, status }: FakeOrder): Record<string, unknown> {
    return { ...rest, name: this.nameOf('orders', id), status, archived: isArchived };
  }

  addOrder(order: Record<string, unknown>): FakeOrder {
    for (const member of ['displayName', 'advertiser', 'trafficker'])
      if (typeof order[member] !== 'string') throw invalid(`order.${member}`);
    if (String(order.displayName).length > 255) throw invalid('order.displayName');
    if (!this.companies.has(lastOf(order.advertiser))) throw new FakeRefusal(404, 'NOT_FOUND', 'CommonError.NOT_FOUND');
    if (order.externalOrderId !== undefined && !Number.isInteger(order.externalOrderId))
      throw invalid('order.externalOrderId');
    const isTaken = [...this.orders.values()].some(({ rest }) => rest.displayName === order.displayName);
    if (isTaken) throw new FakeRefusal(409, 'ALREADY_EXISTS', 'CommonError.ALREADY_EXISTS');
    const added = { id: this.nextId(), rest: order, status: 'DRAFT', isArchived: false };
    this.orders.set(added.id, added);
    return added;
  }

  addLine(rest: Record<string, unknown>, dayParts: readonly unknown[]): FakeLine {
    if (!this.orders.has(lastOf(rest.order))) throw new FakeRefusal(404, 'NOT_FOUND', 'CommonError.NOT_FOUND');
    this.#checkLine(rest, true);
    const { inventoryTargeting: { targetedAdUnits = [] } = {} } = (rest.targeting ?? {}) as Targeting;
    for (const { adUnit } of targetedAdUnits)
      if (!this.others.adUnits?.includes(lastOf(adUnit)))
        throw new FakeRefusal(404, 'NOT_FOUND', 'CommonError.NOT_FOUND');
    const line: FakeLine = { id: this.nextId(), rest, dayParts, stage: 'draft', isPaused: false, isArchived: false };
    this.lines.set(line.id, line);
    return line;
  }

  changeLine(line: FakeLine, members: Record<string, unknown>): void {
    const changed = { ...line.rest, ...members };
    this.#checkLine(changed, members.startTime !== undefined && members.startTime !== line.rest.startTime);
    if (line.isArchived) throw new FakeRefusal(400, 'FAILED_PRECONDITION', 'LineItemOperationError.IS_ARCHIVED');
    line.rest = changed;
  }

  #checkLine(rest: Record<string, unknown>, isStartNew: boolean): void {
    const goal = rest.goal as Record<string, unknown> | undefined;
    const rate = rest.rate as Record<string, unknown> | undefined;
    if (String(rest.displayName).length > 255) throw invalid('lineItem.displayName');
    if (rate?.currencyCode !== this.network.currencyCode) throw invalid('lineItem.rate.currencyCode');
    if (typeof rate.units !== 'string' || !Number.isInteger(rate.nanos) || Number(rate.nanos) % 1000 !== 0)
      throw invalid('lineItem.rate');
    if (typeof goal?.units !== 'string' || !/^\d+$/.test(goal.units)) throw invalid('lineItem.goal.units');
    const rules = LINE_TYPES[String(rest.lineItemType)];
    if (rules === undefined) throw invalid('lineItem.lineItemType');
    if (!rules.costs.includes(String(rest.costType))) throw invalid('lineItem.costType');
    if (goal.goalType !== rules.goal || (rules.isPercent && Number(goal.units) > 100)) throw invalid('lineItem.goal');
    if (isStartNew && !(Date.parse(String(rest.startTime)) > this.now())) throw invalid('lineItem.startTime');
    if (!(Date.parse(String(rest.targetEndTime)) > Date.parse(String(rest.startTime))))
      throw invalid('lineItem.targetEndTime');
    if (!Array.isArray(rest.creativePlaceholders) || rest.creativePlaceholders.length === 0)
      throw invalid('lineItem.creativePlaceholders');
  }

  approve(order: FakeOrder): void {
    const lines = this.linesOf(order.id);
    // An order without line items stays a draft, and the action answers as ever.
    if (lines.length === 0) return;
    if (!this.network.mayApprove) throw new FakeRefusal(403, 'PERMISSION_DENIED', 'OrderActionError.PERMISSION_DENIED');
    const reserved = lines.filter(
      ({ rest, stage }) => ROUNDABLE.includes(String(rest.lineItemType)) && stage !== 'approved',
    );
    if (reserved.length > 0 && this.network.forecastsMissing > 0) {
      this.network.forecastsMissing -= 1;
      throw new FakeRefusal(400, 'FAILED_PRECONDITION', 'ForecastError.NO_FORECAST_YET');
    }
    const needed = reserved
      .filter(({ rest }) => rest.lineItemType === 'STANDARD')
      .reduce((sum, { rest }) => sum + Number((rest.goal as Record<string, unknown>).units), 0);
    if (needed > this.network.availableUnits)
      throw new FakeRefusal(400, 'FAILED_PRECONDITION', 'ForecastError.NOT_ENOUGH_INVENTORY');
    this.setStage(order, 'approved', 'APPROVED');
  }

  setStage(order: FakeOrder, stage: FakeLine['stage'], status: string): void {
    order.status = status;
    for (const line of this.linesOf(order.id)) if (line.stage !== 'approved') line.stage = stage;
  }

  linesOf(orderId: string): readonly FakeLine[] {
    return [...this.lines.values()].filter(({ rest }) => lastOf(rest.order) === orderId);
  }

  /** Does an action of either API to a line item; returns whether it changed anything. */
  actOnLine(action: 'pause' | 'resume' | 'archive' | 'reserve', line: FakeLine): boolean {
    const status = this.statusOf(line);
    if (action === 'pause') {
      if (!['READY', 'DELIVERING', 'INACTIVE'].includes(status)) return false;
      line.isPaused = true;
      return true;
    }
    if (action === 'resume') {
      if (status !== 'PAUSED') return false;
      line.isPaused = false;
      return true;
    }
    if (action === 'archive') {
      if (line.isArchived || status === 'DELIVERING' || status === 'READY') return false;
      line.isArchived = true;
      return true;
    }
    return false;
  }
}

const LINE_TYPES: Readonly<Record<string, { goal: string; isPercent: boolean; costs: readonly string[] }>> = {
  SPONSORSHIP: { goal: 'DAILY', isPercent: true, costs: ['CPM', 'CPC', 'CPD', 'CPF'] },
  STANDARD: { goal: 'LIFETIME', isPercent: false, costs: ['CPM', 'CPC', 'VCPM', 'CPM_IN_TARGET', 'CPCV'] },
  PRICE_PRIORITY: { goal: 'LIFETIME', isPercent: false, costs: ['CPM', 'CPC'] },
};

/** Returns the refusal of a member that is wrong. */
export function invalid(field: string): FakeRefusal {
  return new FakeRefusal(400, 'INVALID_ARGUMENT', `InvalidArgumentError.${field}`);
}

/** Returns the id at the end of a name. */
export function lastOf(name: unknown): string {
  return String(name).split('/').at(-1) ?? '';
}
