import type { AdServerAdapter } from '../../src/seller/adserver/port/adapter.js';
import type { AdServerDeclaration } from '../../src/seller/adserver/port/declaration.js';
import type { DeliveryRequest, DeliveryRow } from '../../src/seller/adserver/port/delivery.js';
import { METRIC_NAMES } from '../../src/seller/domain/delivery/reported-metrics.js';
import { PRICING_MODELS } from '../../src/seller/domain/product/product.js';
import { addLivePrincipal, type TenantDraft } from './tenants.js';

const DAY = 86_400_000;

/** What an ad server declares that can do all that is sold here. */
export const ABLE: AdServerDeclaration = {
  targeting: [
    ...['geo_countries', 'geo_countries_exclude', 'geo_regions', 'geo_regions_exclude', 'language'],
    ...['device_type', 'device_type_exclude', 'device_platform', 'daypart_targets', 'frequency_cap'],
    ...['audience_include', 'audience_exclude', 'property_list', 'collection_list', 'collection_list_exclude'],
    ...['signal_targeting_groups', 'age_restriction'],
  ],
  formats: ['*'],
  pricing_models: PRICING_MODELS,
  delivery_types: ['guaranteed', 'non_guaranteed'],
  pacings: ['even', 'asap', 'front_loaded'],
  metrics: METRIC_NAMES,
  has_creative_delivery: true,
  currency: 'USD',
  time_zone: 'UTC',
  reports: { every_minutes: 15, corrected_days: 3 },
};

/** Returns an ad server that takes every order and has delivered nothing, unless `parts` say otherwise. */
export function adServerWith(parts: Partial<AdServerAdapter> = {}): AdServerAdapter {
  return {
    name: 'spy',
    declaration: ABLE,
    book: async () => undefined,
    delivery: async () => ({ kind: 'rows', rows: [] }),
    ...parts,
  };
}

/** Returns the rows of a report in which every package has delivered on every day of its flight what `count` says. */
export function rowsOf(
  { orders, from_date, to_date }: DeliveryRequest,
  count: (dayMs: number, packageId: string) => Omit<DeliveryRow, 'package_id' | 'date'>,
): readonly DeliveryRow[] {
  const rows: DeliveryRow[] = [];
  for (const { packages } of orders.map(({ order }) => order)) {
    for (const { package_id, start_time, end_time } of packages) {
      for (let at = Date.parse(from_date); at <= Date.parse(to_date); at += DAY) {
        if (at + DAY <= Date.parse(start_time) || at >= Date.parse(end_time)) continue;
        rows.push({ package_id, date: new Date(at).toISOString().slice(0, 10), ...count(at, package_id) });
      }
    }
  }
  return rows;
}

/** Has the live buys of a tenant go to an ad server, and sells through it only what such a server can report. */
export function sellThroughAdServer(tenant: TenantDraft): void {
  addLivePrincipal(tenant);
  tenant.fulfillment = 'adapter';
  for (const product of tenant.products) fitProduct(product);
}

function fitProduct(product: TenantDraft['products'][number]): void {
  const reports = Object.entries(product.reporting_capabilities ?? {});
  const kept = reports.filter(([name]) => !/^supports_(?!webhooks|creative)|^vendor_metrics$/.test(name));
  product.reporting_capabilities = { ...Object.fromEntries(kept), timezone: 'UTC' };
  const priced = product.pricing_options.filter(({ currency }) => currency === 'USD');
  product.pricing_options =
    priced.length > 0 ? priced : product.pricing_options.map((option) => ({ ...option, currency: 'USD' }));
}
