import type { ResolvedCreative } from '../../../src/seller/domain/booking/creatives.js';
import type { LiveOrder, LivePackage } from '../../../src/seller/domain/booking/live-order.js';

/** The settings of a tenant whose network is the fake's, without the key. */
export const GAM_SETTINGS = {
  adapter: 'gam',
  network_code: '777',
  trafficker: '42',
  soap_version: 'v202608',
  currency: 'USD',
  time_zone: 'America/New_York',
  geo_targets: { US: '2840' },
} as const;

/** A banner of a buyer. */
export const GAM_BANNER: ResolvedCreative = {
  creative_id: 'banner',
  package_id: 'pkg_1',
  version: 1,
  name: 'Banner',
  format_id: { agent_url: 'https://formats.example', id: 'display_300x250_image' },
  assets: {
    image: { asset_type: 'image', url: 'https://cdn.example/a.png?a=1&b=2', width: 300, height: 250 },
    click: { asset_type: 'url', url_type: 'clickthrough', url: 'https://brand.example/' },
  },
  click_urls: ['https://brand.example/'],
  tracker_urls: [],
};

/** A package of guaranteed impressions, which begins a day after the tests do. */
export const GAM_LINE: LivePackage = {
  package_id: 'pkg_1',
  name: 'Front page',
  product_id: 'front',
  adapter: { ad_units: ['1001'], sizes: ['300x250'] },
  budget: 1000,
  price: { model: 'cpm', amount: 12.5, kind: 'fixed' },
  goal: { unit: 'impressions', count: 80_000 },
  pacing: 'even',
  delivery_type: 'guaranteed',
  targeting: { geo_countries: ['US'] },
  start_time: '2030-01-02T05:00:00Z',
  end_time: '2030-01-12T05:00:00Z',
  state: 'running',
  formats: [GAM_BANNER.format_id],
  needs_creative: true,
  creatives: [GAM_BANNER],
};

/** An order of one package. */
export const GAM_ORDER: LiveOrder = {
  media_buy_id: 'mb_1',
  sandbox: false,
  revision: 1,
  name: 'brand.example PO 7',
  account_id: 'acc',
  brand: { domain: 'brand.example' },
  po_number: 'PO 7',
  currency: 'USD',
  start_time: GAM_LINE.start_time,
  end_time: GAM_LINE.end_time,
  state: 'running',
  packages: [GAM_LINE],
};
