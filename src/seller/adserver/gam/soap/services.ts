import type { XmlElement } from '../../../../creative/vast/xml.js';
import { UnknownOutcomeError } from '../../errors.js';
import { dayPartKey } from '../mapping/targeting.js';
import type { SoapClient } from './client.js';
import { listChildren, type SoapObject, textOf, toSoapObject } from './envelope.js';

/** A creative, as far as it is read. */
type SoapCreative = { readonly id: string; readonly name: string };

/** A creative that a line item shows, as far as that is read. */
export type Association = {
  readonly lineItemId: string;
  readonly creativeId: string;
  /** `ACTIVE` or `INACTIVE`, or what else there may be. */
  readonly status: string;
  /** Undefined where it has none. */
  readonly weight: number | undefined;
};

/** The units that are available to a line item. */
export type SoapForecast = {
  readonly availableUnits: number;
  /** All that fits its targeting; undefined where that is not told. */
  readonly matchedUnits: number | undefined;
};

/** So many objects are asked for at a time: as much XML as is read. */
const PAGE_SIZE = 50;
const MAX_PAGES = 40;
/** So many line items are asked for at a time, which are longer than other objects. */
const LINES_AT_ONCE = 10;
/** So many ids are named in a statement. */
const IDS_IN_STATEMENT = 500;

const CREATIVES = 'CreativeService';
const ASSOCIATIONS = 'LineItemCreativeAssociationService';
const LINE_ITEMS = 'LineItemService';
const FORECASTS = 'ForecastService';

/** The calls that only the SOAP API has, or that a network may not offer by REST. Throws the port's errors. */
export class GamSoap {
  readonly #client: SoapClient;

  constructor(client: SoapClient) {
    this.#client = client;
  }

  /** Returns the creatives whose names end so. */
  async findCreatives(marks: readonly string[], signal: AbortSignal): Promise<readonly SoapCreative[]> {
    const where = marks.map((mark) => `name LIKE '%${removeQuotes(mark)}'`).join(' OR ');
    const creatives = await this.#list(CREATIVES, 'getCreativesByStatement', where, signal);
    return creatives.map((creative) => ({ id: textOf(creative, 'id'), name: textOf(creative, 'name') }));
  }

  /** Creates a creative. */
  async createCreative(creative: SoapObject, signal: AbortSignal): Promise<SoapCreative> {
    const created = await this.#create(CREATIVES, 'createCreatives', { creatives: creative }, signal);
    return { id: textOf(created, 'id'), name: textOf(created, 'name') };
  }

  /** Returns the creatives of line items. */
  async listAssociations(lineItemIds: readonly string[], signal: AbortSignal): Promise<readonly Association[]> {
    const operation = 'getLineItemCreativeAssociationsByStatement';
    const associations: XmlElement[] = [];
    for (const ids of sliceBy(lineItemIds, IDS_IN_STATEMENT))
      associations.push(...(await this.#list(ASSOCIATIONS, operation, `lineItemId IN (${ids.join(', ')})`, signal)));
    return associations.map((one) => {
      const weight = textOf(one, 'manualCreativeRotationWeight');
      return {
        lineItemId: textOf(one, 'lineItemId'),
        creativeId: textOf(one, 'creativeId'),
        status: textOf(one, 'status'),
        weight: weight === '' ? undefined : Number(weight),
      };
    });
  }

  /** Has a line item show a creative. */
  async associate(association: SoapObject, signal: AbortSignal): Promise<void> {
    const body = { lineItemCreativeAssociations: association };
    await this.#create(ASSOCIATIONS, 'createLineItemCreativeAssociations', body, signal);
  }

  /** Changes how often a line item shows a creative. */
  async updateAssociation(association: SoapObject, signal: AbortSignal): Promise<void> {
    const body = { lineItemCreativeAssociations: association };
    const operation = 'updateLineItemCreativeAssociations';
    await this.#client.call({ service: ASSOCIATIONS, operation, body, effect: 'repeatable', signal });
  }

  /** Has a line item show creatives again (`ActivateLineItemCreativeAssociations`), or no longer (`Deactivate…`). */
  async actOnAssociations(
    action: string,
    { lineItemId, creativeIds }: { readonly lineItemId: string; readonly creativeIds: readonly string[] },
    signal: AbortSignal,
  ): Promise<void> {
    if (creativeIds.length === 0) return;
    const where = `lineItemId = ${lineItemId} AND creativeId IN (${creativeIds.join(', ')})`;
    const operation = 'performLineItemCreativeAssociationAction';
    const body = {
      lineItemCreativeAssociationAction: { '@type': action },
      filterStatement: { query: `WHERE ${where}` },
    };
    await this.#client.call({ service: ASSOCIATIONS, operation, body, effect: 'repeatable', signal });
  }

  /** Creates a line item; returns its id. */
  async createLineItem(lineItem: SoapObject, signal: AbortSignal): Promise<string> {
    return textOf(await this.#create(LINE_ITEMS, 'createLineItems', { lineItems: lineItem }, signal), 'id');
  }

  /** Returns the parts of days of line items, by their ids: as texts that are the same for the same hours, in one order. */
  async listDayParts(
    lineItemIds: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const hours = new Map<string, readonly string[]>();
    for (const ids of sliceBy(lineItemIds, LINES_AT_ONCE)) {
      const lines = await this.#list(LINE_ITEMS, 'getLineItemsByStatement', `id IN (${ids.join(', ')})`, signal);
      for (const line of lines) hours.set(textOf(line, 'id'), readDayParts(line));
    }
    return hours;
  }

  /** Changes members of a line item; the others stay as they are there, since this API takes whole ones. */
  async updateLineItem(id: string, members: SoapObject, signal: AbortSignal): Promise<void> {
    const [present] = await this.#list(LINE_ITEMS, 'getLineItemsByStatement', `id = ${id}`, signal);
    if (present === undefined)
      throw new UnknownOutcomeError(`Google Ad Manager: the line item ${id} is not there any more.`);
    const body = { lineItems: { ...toSoapObject(present), ...members } };
    await this.#client.call({ service: LINE_ITEMS, operation: 'updateLineItems', body, effect: 'repeatable', signal });
  }

  /** Has an action carried out on a line item, such as `PauseLineItems`. That it answers says nothing: read the state back. */
  async actOnLineItem(action: string, id: string, signal: AbortSignal): Promise<void> {
    const body = { lineItemAction: { '@type': action }, filterStatement: { query: `WHERE id = ${id}` } };
    const call = {
      service: LINE_ITEMS,
      operation: 'performLineItemAction',
      body,
      effect: 'repeatable',
      signal,
    } as const;
    await this.#client.call(call);
  }

  /** Returns what is available of what a line item would need that is not there yet. */
  async forecast(lineItem: SoapObject, signal: AbortSignal): Promise<SoapForecast> {
    const body = { lineItem: { lineItem }, forecastOptions: { includeTargetingCriteriaBreakdown: false } };
    const operation = 'getAvailabilityForecast';
    const [rval] = await this.#client.call({ service: FORECASTS, operation, body, effect: 'none', signal });
    const available = rval === undefined ? '' : textOf(rval, 'availableUnits');
    if (rval === undefined || !/^\d+$/.test(available))
      throw new UnknownOutcomeError('Google Ad Manager answered a forecast without units.');
    const matched = textOf(rval, 'matchedUnits');
    return { availableUnits: Number(available), matchedUnits: /^\d+$/.test(matched) ? Number(matched) : undefined };
  }

  async #create(service: string, operation: string, body: SoapObject, signal: AbortSignal): Promise<XmlElement> {
    const [created] = await this.#client.call({ service, operation, body, effect: 'creates', signal });
    if (created !== undefined) return created;
    throw new UnknownOutcomeError(`Google Ad Manager answered ${operation} without what it made.`);
  }

  async #list(service: string, operation: string, where: string, signal: AbortSignal): Promise<readonly XmlElement[]> {
    const all: XmlElement[] = [];
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const query = `WHERE ${where} ORDER BY ${ORDERS[service] ?? 'id'} ASC LIMIT ${PAGE_SIZE} OFFSET ${page * PAGE_SIZE}`;
      const body = { filterStatement: { query } };
      const [rval] = await this.#client.call({ service, operation, body, effect: 'none', signal });
      const results = rval === undefined ? [] : listChildren(rval, 'results');
      all.push(...results);
      if (results.length < PAGE_SIZE) return all;
    }
    throw new UnknownOutcomeError(`Google Ad Manager: the list of ${operation} has more than ${MAX_PAGES} pages.`);
  }
}

/** What a list is in the order of, so that its pages are those of one list; `id` where nothing is said. */
const ORDERS: Readonly<Record<string, string>> = { [ASSOCIATIONS]: 'creativeId' };

function sliceBy<T>(all: readonly T[], most: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / most) }, (_, at) => all.slice(at * most, (at + 1) * most));
}

function readDayParts(line: XmlElement): readonly string[] {
  const within = (element: XmlElement, name: string): readonly XmlElement[] => listChildren(element, name);
  const targeted = within(line, 'targeting').flatMap((targeting) => within(targeting, 'dayPartTargeting'));
  return targeted
    .flatMap((parts) => within(parts, 'dayParts').map((part) => ({ part, zone: textOf(parts, 'timeZone') })))
    .map(({ part, zone }) => {
      const timeOf = (name: string): string =>
        within(part, name)
          .map((time) => `${textOf(time, 'hour')}:${textOf(time, 'minute')}`)
          .join('');
      return dayPartKey({
        dayOfWeek: textOf(part, 'dayOfWeek'),
        from: timeOf('startTime'),
        to: timeOf('endTime'),
        zone,
      });
    })
    .toSorted();
}

function removeQuotes(text: string): string {
  return text.replaceAll(/['\\]/g, '');
}
