import { XMLParser } from 'fast-xml-parser';
import { type FakeLine, FakeRefusal, type FakeState, invalid } from './state.js';

type Members = Record<string, unknown>;

/** Lists in messages, also where they have one member. */
const LISTS = [
  'creatives',
  'lineItemCreativeAssociations',
  'lineItems',
  'dayParts',
  'frequencyCaps',
  'creativePlaceholders',
  'targetedAdUnits',
  'targetedPlacementIds',
  'targetedLocations',
  'excludedLocations',
];

const PARSER = new XMLParser({
  removeNSPrefix: true,
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  isArray: (name) => LISTS.includes(name),
});

/** Members of objects in the order of their schema, which messages have to keep to. */
const ORDERS: Readonly<Record<string, readonly string[]>> = {
  RequestHeader: ['networkCode', 'applicationName'],
  lineItems:
    'orderId id name externalId startDateTime startDateTimeType endDateTime creativeRotationType deliveryRateType frequencyCaps lineItemType costPerUnit costType creativePlaceholders status primaryGoal targeting'.split(
      ' ',
    ),
  ImageRedirectCreative: ['advertiserId', 'name', 'size', 'destinationUrl', 'imageUrl'],
  ThirdPartyCreative: ['advertiserId', 'name', 'size', 'snippet'],
  lineItemCreativeAssociations: ['lineItemId', 'creativeId', 'manualCreativeRotationWeight', 'sizes'],
};

/** Reads a message; returns the operation, and the answer as XML. Throws FakeRefusal for a fault. */
export function readCall(text: string): { readonly operation: string; readonly body: Members } {
  const { Envelope } = PARSER.parse(text) as { Envelope: { Header: { RequestHeader: Members }; Body: Members } };
  inOrder(Envelope.Header.RequestHeader, 'RequestHeader');
  const [operation = ''] = Object.keys(Envelope.Body);
  return { operation, body: (Envelope.Body[operation] ?? {}) as Members };
}

/** Answers an operation as XML. Throws FakeRefusal for a fault. */
export function answerSoap(state: FakeState, operation: string, body: Members): string {
  const run = OPERATIONS[operation];
  if (run === undefined) throw new FakeRefusal(500, 'INTERNAL', `CommonError.UNKNOWN_OPERATION ${operation}`);
  return run(state, body);
}

const OPERATIONS: Readonly<Record<string, (state: FakeState, body: Members) => string>> = {
  getCreativesByStatement: (state, body) =>
    page(
      [...state.creatives.values()].map(({ id, name, type }) => ({ '@type': type, id, name })),
      body,
    ),
  createCreatives: createCreatives,
  getLineItemCreativeAssociationsByStatement: (state, body) =>
    page(
      state.associations.map(({ weight, ...one }) => ({ ...one, manualCreativeRotationWeight: weight })),
      body,
    ),
  createLineItemCreativeAssociations: associate,
  updateLineItemCreativeAssociations: (state, body) => {
    for (const one of listOf(body.lineItemCreativeAssociations)) {
      const found = state.associations.find((each) => isOf(each, one));
      if (found === undefined) throw new FakeRefusal(500, 'NOT_FOUND', 'CommonError.NOT_FOUND');
      found.weight = String(one.manualCreativeRotationWeight);
    }
    return '<rval/>';
  },
  performLineItemCreativeAssociationAction: (state, body) => {
    const type = typeOf(body.lineItemCreativeAssociationAction);
    const found = select(state.associations, body);
    for (const one of found) one.status = type.startsWith('Activate') ? 'ACTIVE' : 'INACTIVE';
    return `<rval><numChanges>${found.length}</numChanges></rval>`;
  },
  getLineItemsByStatement: (state, body) =>
    page(
      [...state.lines.values()].map((line) => soapLineOf(line)),
      body,
    ),
  createLineItems: (state, body) =>
    listOf(body.lineItems)
      .map((line) => {
        const { dayParts, rest } = restOf(state, inOrder(line, 'lineItems'));
        const created = state.addLine({ ...rest, order: state.nameOf('orders', String(line.orderId)) }, dayParts);
        return write('rval', { id: created.id });
      })
      .join(''),
  updateLineItems: (state, body) =>
    listOf(body.lineItems)
      .map((line) => {
        const present = state.lines.get(String(line.id));
        if (present === undefined) throw new FakeRefusal(500, 'NOT_FOUND', 'CommonError.NOT_FOUND');
        const { dayParts, rest } = restOf(state, line);
        state.changeLine(present, rest);
        present.dayParts = dayParts;
        return write('rval', { id: present.id });
      })
      .join(''),
  performLineItemAction: (state, body) => {
    const kinds = {
      PauseLineItems: 'pause',
      ResumeLineItems: 'resume',
      ArchiveLineItems: 'archive',
      ReserveLineItems: 'reserve',
    } as const;
    const kind = kinds[typeOf(body.lineItemAction) as keyof typeof kinds];
    const lines = select([...state.lines.values()], body);
    return `<rval><numChanges>${lines.filter((line) => state.actOnLine(kind, line)).length}</numChanges></rval>`;
  },
  getAvailabilityForecast: (state, body) => {
    const { lineItem } = body.lineItem as { lineItem: Members };
    restOf(state, inOrder(lineItem, 'lineItems'));
    if (state.network.forecastsMissing > 0) throw new FakeRefusal(500, 'FAILED', 'ForecastError.NO_FORECAST_YET');
    const { availableUnits, matchedUnits } = state.network;
    return write('rval', {
      unitType: 'IMPRESSIONS',
      availableUnits,
      ...(matchedUnits === undefined ? {} : { matchedUnits }),
    });
  },
};

function createCreatives(state: FakeState, body: Members): string {
  return listOf(body.creatives)
    .map((creative) => {
      const type = String(creative['@type']);
      const { '@type': _type, ...members } = creative;
      if (ORDERS[type] === undefined) throw invalid(`creatives.${type}`);
      inOrder(members, type);
      if (!state.companies.has(String(members.advertiserId)))
        throw new FakeRefusal(500, 'NOT_FOUND', 'CommonError.NOT_FOUND');
      if (String(members.name).length > 255) throw invalid('creatives.name');
      const id = state.nextId();
      state.creatives.set(id, { id, name: String(members.name), type, members });
      return write('rval', { '@type': type, id, name: String(members.name) });
    })
    .join('');
}

function associate(state: FakeState, body: Members): string {
  return listOf(body.lineItemCreativeAssociations)
    .map((one) => {
      inOrder(one, 'lineItemCreativeAssociations');
      if (!state.lines.has(String(one.lineItemId)) || !state.creatives.has(String(one.creativeId)))
        throw new FakeRefusal(500, 'NOT_FOUND', 'CommonError.NOT_FOUND');
      if (state.associations.some((each) => isOf(each, one)))
        throw new FakeRefusal(500, 'ALREADY_EXISTS', 'CommonError.ALREADY_EXISTS');
      const line = state.lines.get(String(one.lineItemId));
      if (one.manualCreativeRotationWeight !== undefined && line?.rest.creativeRotationType !== 'WEIGHTED')
        throw invalid('manualCreativeRotationWeight');
      const weight = String(one.manualCreativeRotationWeight ?? '10');
      state.associations.push({
        lineItemId: String(one.lineItemId),
        creativeId: String(one.creativeId),
        status: 'ACTIVE',
        weight,
      });
      return '<rval/>';
    })
    .join('');
}

function isOf(each: { lineItemId: string; creativeId: string }, one: Members): boolean {
  return each.lineItemId === String(one.lineItemId) && each.creativeId === String(one.creativeId);
}

function inOrder(members: Members, type: string): Members {
  const order = ORDERS[type] ?? [];
  const places = Object.keys(members).map((name) => order.indexOf(name));
  if (places.some((place, index) => place < 0 || place < (places[index - 1] ?? 0)))
    throw invalid(`${type}: ${Object.keys(members)}`);
  return members;
}

function listOf(value: unknown): readonly Members[] {
  if (Array.isArray(value)) return value as readonly Members[];
  return value === undefined ? [] : [value as Members];
}

function typeOf(value: unknown): string {
  return String((value as Members)['@type']);
}

const ROTATIONS: Readonly<Record<string, string>> = { EVEN: 'EVENLY', MANUAL: 'WEIGHTED' };

/** A line item of SOAP in the words of REST, and its parts of days. */
function restOf(state: FakeState, line: Members) {
  const money = line.costPerUnit as Members;
  const micros = BigInt(String(money.microAmount));
  const targeting = (line.targeting ?? {}) as Members;
  const inventory = (targeting.inventoryTargeting ?? {}) as Members;
  const geo = (targeting.geoTargeting ?? {}) as Members;
  const names = (value: unknown, collection: string) =>
    listOf(value).map(({ id }) => state.nameOf(collection, String(id)));
  const start = line.startDateTime === undefined ? {} : { startTime: instantOf(state, line.startDateTime as Members) };
  const goal = line.primaryGoal as Members;
  return {
    dayParts: listOf(((targeting.dayPartTargeting ?? {}) as Members).dayParts),
    rest: {
      displayName: line.name,
      externalLineItemId: line.externalId,
      lineItemType: line.lineItemType,
      costType: line.costType,
      rate: {
        currencyCode: money.currencyCode,
        units: String(micros / 1_000_000n),
        nanos: Number(micros % 1_000_000n) * 1000,
      },
      creativeRotationType: ROTATIONS[String(line.creativeRotationType)],
      deliveryRateType: line.deliveryRateType,
      ...start,
      targetEndTime: instantOf(state, line.endDateTime as Members),
      goal: { goalType: goal.goalType, unitType: goal.unitType, units: goal.units },
      creativePlaceholders: line.creativePlaceholders,
      frequencyCaps: listOf(line.frequencyCaps).map(({ maxImpressions, numTimeUnits, timeUnit }) => ({
        maxImpressions: Number(maxImpressions),
        timeAmount: Number(numTimeUnits),
        timeUnit,
      })),
      targeting: {
        inventoryTargeting: {
          targetedAdUnits: listOf(inventory.targetedAdUnits).map(({ adUnitId }) => ({
            adUnit: state.nameOf('adUnits', String(adUnitId)),
            includeDescendants: true,
          })),
        },
        geoTargeting: {
          targetedGeos: names(geo.targetedLocations, 'geoTargets'),
          excludedGeos: names(geo.excludedLocations, 'geoTargets'),
        },
      },
    } as Record<string, unknown>,
  };
}

/** What a clock of the network's zone shows, as an instant: found by trying, and not by the code that is tested. */
function instantOf(state: FakeState, { date, hour, minute, second, timeZoneId }: Members): string {
  if (timeZoneId !== state.network.timeZone) throw invalid('timeZoneId');
  const { day, month, year } = date as Members;
  const shown = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  const clock = new Intl.DateTimeFormat('sv-SE', {
    timeZone: state.network.timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  for (let hours = -14; hours <= 14; hours += 1) {
    const instant = shown + hours * 3_600_000;
    if (Date.parse(`${clock.format(instant).replace(' ', 'T')}Z`) === shown) return new Date(instant).toISOString();
  }
  throw invalid('dateTime');
}

function soapLineOf({ dayParts, id, rest }: FakeLine): Members {
  const targeting = dayParts.length === 0 ? {} : { dayPartTargeting: { dayParts, timeZone: 'BROWSER' } };
  // With a member that callers do not know, and have to carry on.
  return { orderId: String(rest.order).split('/').at(-1), id, name: rest.displayName, status: 'READY', targeting };
}

/** The objects that a statement lets through. */
function select<T extends object>(all: readonly T[], body: Members): readonly T[] {
  const { query } = body.filterStatement as { query: string };
  const where = /^WHERE (.*?)(?: ORDER BY \w+ ASC)?(?: LIMIT \d+ OFFSET \d+)?$/.exec(query)?.[1];
  if (where === undefined) throw invalid('query');
  const alternatives = where.split(' OR ').map((part) => part.split(' AND ').map(readCondition));
  return all.filter((one) => alternatives.some((conditions) => conditions.every((isTrue) => isTrue(one as Members))));
}

function readCondition(text: string): (one: Members) => boolean {
  const like = /^(\w+) LIKE '%([^'%]*)'$/.exec(text);
  if (like !== null) return (one) => String(one[like[1] ?? '']).endsWith(like[2] ?? '');
  const equal = /^(\w+) (?:= (\d+)|IN \(([\d, ]+)\))$/.exec(text);
  if (equal === null) throw invalid(`query: ${text}`);
  const ids = (equal[2] ?? equal[3] ?? '').split(', ');
  return (one) => ids.includes(String(one[equal[1] ?? '']));
}

function page(all: readonly Members[], body: Members): string {
  const { query } = body.filterStatement as { query: string };
  const [, limit = '', offset = ''] = /LIMIT (\d+) OFFSET (\d+)$/.exec(query) ?? [];
  if (limit === '' || Number(limit) > 500) throw invalid('LIMIT');
  const found = select(all, body);
  const results = found.slice(Number(offset), Number(offset) + Number(limit));
  return `<rval><totalResultSetSize>${found.length}</totalResultSetSize>${results.map((one) => write('results', one)).join('')}</rval>`;
}

function write(name: string, { '@type': type, ...members }: Members): string {
  const inner = Object.entries(members).flatMap(([member, value]) =>
    (Array.isArray(value) ? value : [value]).map((one: unknown) =>
      typeof one === 'object' && one !== null
        ? write(member, one as Members)
        : `<${member}>${escapeText(String(one))}</${member}>`,
    ),
  );
  return `<${name}${type === undefined ? '' : ` xsi:type="${String(type)}"`}>${inner.join('')}</${name}>`;
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
