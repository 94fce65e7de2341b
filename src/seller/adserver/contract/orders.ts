import { DAY_MS, isoTime } from '../../../platform/kernel/clock.js';
import type { ResolvedCreative } from '../../domain/booking/creatives.js';
import type { LiveOrder, LivePackage } from '../../domain/booking/live-order.js';

/** The terms of sample orders. */
export type SampleTerms = {
  readonly nowMs: number;
  readonly currency: string;
  /** The product's private settings for the ad server. */
  readonly adapter: Readonly<Record<string, unknown>>;
};

const FORMAT = { agent_url: 'https://seller.example/', id: 'display_300x250_image' };

/** Returns a creative of a picture; another version has another picture. */
export function sampleCreative(creative_id: string, package_id: string, version = 1): ResolvedCreative {
  const picture = `https://cdn.example/${creative_id}-${version}.png`;
  return {
    ...{ creative_id, package_id, version, name: `Banner ${creative_id}`, format_id: FORMAT },
    assets: {
      banner_image: { asset_type: 'image', url: picture, width: 300, height: 250 },
      click_url: { asset_type: 'url', url: 'https://brand.example/spring', url_type: 'clickthrough' },
    },
    click_urls: ['https://brand.example/spring'],
    tracker_urls: [],
  };
}

/** Returns a package of 100,000 impressions at a CPM of 5, from tomorrow on for ten days, with one creative. */
export function samplePackage(terms: SampleTerms, package_id: string, more: Partial<LivePackage> = {}): LivePackage {
  const startMs = Math.floor(terms.nowMs / DAY_MS + 1) * DAY_MS;
  return {
    ...{ package_id, name: 'Run of site', product_id: 'ros', adapter: terms.adapter, budget: 500 },
    price: { model: 'cpm', amount: 5, kind: 'fixed' },
    goal: { unit: 'impressions', count: 100_000 },
    pacing: 'even',
    delivery_type: 'guaranteed',
    targeting: {},
    start_time: isoTime(startMs),
    end_time: isoTime(startMs + 10 * DAY_MS),
    state: 'running',
    formats: [FORMAT],
    needs_creative: true,
    creatives: [sampleCreative(`banner_${package_id}`, package_id)],
    ...more,
  };
}

/** Returns an order of two packages. */
export function sampleOrder(terms: SampleTerms, media_buy_id: string, more: Partial<LiveOrder> = {}): LiveOrder {
  const packages = more.packages ?? [samplePackage(terms, 'pkg_1'), samplePackage(terms, 'pkg_2')];
  const [first] = packages;
  return {
    ...{ media_buy_id, sandbox: false, revision: 1, name: 'brand.example, PO 7', account_id: 'acc_1' },
    brand: { domain: 'brand.example' },
    po_number: 'PO 7',
    currency: terms.currency,
    start_time: first?.start_time ?? isoTime(terms.nowMs),
    end_time: first?.end_time ?? isoTime(terms.nowMs + DAY_MS),
    state: 'running',
    packages,
    ...more,
  };
}

/** Returns an order at its next revision, with members of it and of its first package changed. */
export function changeOrder(
  order: LiveOrder,
  members: Partial<LiveOrder>,
  ofFirst: Partial<LivePackage> = {},
): LiveOrder {
  const packages = order.packages.map((line, index) => (index === 0 ? { ...line, ...ofFirst } : line));
  return { ...order, revision: order.revision + 1, packages, ...members };
}
