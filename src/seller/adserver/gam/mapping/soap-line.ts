import type { TimeZone } from '../../../domain/time-zone.js';
import type { SoapObject } from '../soap/envelope.js';
import { DAY_PART_ZONE, isAny } from './targeting.js';
import type { LineTerms } from './terms.js';
import { soapDateTime } from './times.js';

/** The network's clock. */
type NetworkClock = { readonly zone: TimeZone; readonly zoneName: string };

/**
 * Returns a line item as the SOAP API takes it, its members in the order of the schema
 * (https://developers.google.com/ad-manager/api/reference/latest/LineItemService.LineItem). `ids` of what is there already.
 */
export function soapLine(
  terms: LineTerms,
  { zone, zoneName }: NetworkClock,
  ids: { readonly orderId?: string | undefined; readonly id?: string | undefined },
): SoapObject {
  const { rate, currency } = terms;
  return {
    orderId: ids.orderId,
    id: ids.id,
    name: terms.displayName,
    externalId: terms.externalId,
    startDateTime: soapDateTime(zone, zoneName, terms.startMs),
    startDateTimeType: 'USE_START_DATE_TIME',
    endDateTime: soapDateTime(zone, zoneName, terms.endMs),
    creativeRotationType: terms.isWeighted ? 'MANUAL' : 'EVEN',
    deliveryRateType: terms.deliveryRateType,
    frequencyCaps: terms.caps.map(({ maxImpressions, timeAmount, timeUnit }) => ({
      maxImpressions,
      numTimeUnits: timeAmount,
      timeUnit,
    })),
    lineItemType: terms.lineItemType,
    costPerUnit: { currencyCode: currency, microAmount: rate },
    costType: terms.costType,
    creativePlaceholders: terms.sizes.map(({ width, height }) => ({
      size: { width, height, isAspectRatio: false },
      expectedCreativeCount: 1,
    })),
    primaryGoal: { goalType: terms.goal.goalType, unitType: terms.goal.unitType, units: terms.goal.units },
    targeting: soapTargeting(terms),
  };
}

function soapTargeting({ targeting }: LineTerms): SoapObject {
  const { adUnits, custom, dayParts, devices, geos, placements } = targeting;
  const byId = (ids: readonly string[]): readonly SoapObject[] => ids.map((id) => ({ id }));
  return {
    geoTargeting: isAny(geos)
      ? undefined
      : { targetedLocations: byId(geos.included), excludedLocations: byId(geos.excluded) },
    inventoryTargeting: {
      targetedAdUnits: adUnits.map((adUnitId) => ({ adUnitId, includeDescendants: true })),
      targetedPlacementIds: placements,
    },
    dayPartTargeting:
      dayParts.length === 0
        ? undefined
        : {
            dayParts: dayParts.map(({ dayOfWeek, startHour, endHour }) => ({
              dayOfWeek,
              startTime: { hour: startHour, minute: 'ZERO' },
              endTime: { hour: endHour, minute: 'ZERO' },
            })),
            timeZone: DAY_PART_ZONE,
          },
    technologyTargeting: isAny(devices)
      ? undefined
      : {
          deviceCategoryTargeting: {
            targetedDeviceCategories: byId(devices.included),
            excludedDeviceCategories: byId(devices.excluded),
          },
        },
    customTargeting:
      custom.length === 0
        ? undefined
        : {
            logicalOperator: 'OR',
            children: {
              '@type': 'CustomCriteriaSet',
              logicalOperator: 'AND',
              children: custom.map(({ key, negative, values }) => ({
                '@type': 'CustomCriteria',
                keyId: key,
                valueIds: values,
                operator: negative === true ? 'IS_NOT' : 'IS',
              })),
            },
          },
  };
}
