import { isoTime } from '../../../../platform/kernel/clock.js';
import { moneyOf, readMoney } from './money.js';
import { idOf } from './names.js';
import { isAny, type Sides } from './targeting.js';
import type { LineTerms } from './terms.js';

/** A line item as the REST API answers it, as far as it is read. Members that are not there are of an older service, or of nothing. */
export type RestLine = Readonly<Record<string, unknown>> & {
  readonly name: string;
  readonly displayName: string;
  readonly order: string;
  readonly status?: string;
  readonly reservationStatus?: string;
  readonly archived?: boolean;
  readonly updateTime?: string;
  readonly externalLineItemId?: string;
  readonly startTime?: string;
  readonly targetEndTime?: string;
  readonly rate?: { readonly units?: unknown; readonly nanos?: unknown };
  readonly goal?: { readonly units?: unknown };
};

/** Returns a line item as the REST API takes it. Parts of days are not in it: that API has no message for them. */
export function restLine(terms: LineTerms, network: string, orderId: string) {
  const resource = (collection: string, id: string) => `networks/${network}/${collection}/${id}`;
  return {
    order: resource('orders', orderId),
    displayName: terms.displayName,
    externalLineItemId: terms.externalId,
    lineItemType: terms.lineItemType,
    costType: terms.costType,
    rate: moneyOf(terms.rate, terms.currency),
    creativeRotationType: terms.isWeighted ? 'WEIGHTED' : 'EVENLY',
    deliveryRateType: terms.deliveryRateType,
    startTime: isoTime(terms.startMs),
    targetEndTime: isoTime(terms.endMs),
    goal: { ...terms.goal, units: String(terms.goal.units) },
    creativePlaceholders: terms.sizes.map(({ width, height }) => ({
      size: { width, height, sizeType: 'PIXEL' },
      expectedCreativeCount: 1,
    })),
    frequencyCaps: terms.caps,
    targeting: restTargeting(terms, resource),
  };
}

function restTargeting({ targeting }: LineTerms, resource: (collection: string, id: string) => string) {
  const { adUnits, custom, devices, geos, placements } = targeting;
  const sides = (collection: string, { included, excluded }: Sides) =>
    [included, excluded].map((ids) => ids.map((id) => resource(collection, id)));
  const [targetedGeos, excludedGeos] = sides('geoTargets', geos);
  const [targetedCategories, excludedCategories] = sides('deviceCategories', devices);
  return {
    inventoryTargeting: {
      targetedAdUnits: adUnits.map((id) => ({ adUnit: resource('adUnits', id), includeDescendants: true })),
      targetedPlacements: placements.map((id) => resource('placements', id)),
    },
    geoTargeting: isAny(geos) ? undefined : { targetedGeos, excludedGeos },
    technologyTargeting: isAny(devices)
      ? undefined
      : { deviceCategoryTargeting: { targetedCategories, excludedCategories } },
    customTargeting:
      custom.length === 0
        ? undefined
        : {
            customTargetingClauses: [
              {
                customTargetingLiterals: custom.map(({ key, negative = false, values }) => ({
                  negative,
                  customTargetingKey: resource('customTargetingKeys', key),
                  customTargetingValues: values.map((id) => resource('customTargetingValues', id)),
                })),
              },
            ],
          },
  };
}

/** The members that a change of a package may change; the others are of the line for good, or are not compared. */
type Changed =
  | 'rate'
  | 'goal'
  | 'targetEndTime'
  | 'startTime'
  | 'deliveryRateType'
  | 'creativeRotationType'
  | 'frequencyCaps'
  | 'targeting';

/** Returns the members of a line item that are no longer as a package wants them. The start of one that began stays what it is. */
export function changedMembers(line: RestLine, terms: LineTerms, nowMs: number): readonly Changed[] {
  const wanted = restLine(terms, '', '');
  const isAt = (text: string | undefined, atMs: number): boolean => text !== undefined && Date.parse(text) === atMs;
  const startedMs = Date.parse(line.startTime ?? '');
  const changes: Readonly<Record<Changed, boolean>> = {
    rate: readMoney(line.rate) !== terms.rate,
    goal: String(line.goal?.units) !== wanted.goal.units,
    targetEndTime: !isAt(line.targetEndTime, terms.endMs),
    startTime: startedMs > nowMs && terms.startMs > nowMs + MOVED_MS && !isAt(line.startTime, terms.startMs),
    deliveryRateType: line.deliveryRateType !== terms.deliveryRateType,
    creativeRotationType: line.creativeRotationType !== wanted.creativeRotationType,
    frequencyCaps: !isAlike(line.frequencyCaps, wanted.frequencyCaps),
    targeting: !isAlike(line.targeting, wanted.targeting),
  };
  return (Object.keys(changes) as Changed[]).filter((name) => changes[name]);
}

/** A start that is nearer than this was moved by the margin that a line needs, and not by a buyer. */
export const MOVED_MS = 10 * 60_000;

/** Whether two values say the same: absent, empty and false members, and the order of lists, make no difference. */
function isAlike(one: unknown, other: unknown): boolean {
  return JSON.stringify(listLeaves(one).toSorted()) === JSON.stringify(listLeaves(other).toSorted());
}

/** Returns the leaves of a value with their paths; resources by their ids. */
function listLeaves(value: unknown, path = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one) => listLeaves(one, path));
  if (typeof value !== 'object' || value === null)
    return value === undefined || value === null || value === false ? [] : [`${path}=${idOf(String(value))}`];
  return Object.entries(value).flatMap(([name, one]) => listLeaves(one, `${path}.${name}`));
}
