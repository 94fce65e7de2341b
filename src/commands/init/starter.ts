/** Hashes of the two keys that a new tenant starts with. */
type StarterKeys = { readonly live: string; readonly sandbox: string };

const REPORTING = { available_reporting_frequencies: ['daily'], expected_delay_minutes: 240, timezone: 'UTC' };

/** Returns the settings file that `init` writes: the defaults, written out. */
export function starterSettings() {
  return {
    $comment: 'Environment variables (SELLER_AGENT_PORT …) override this file, flags override both.',
    host: '127.0.0.1',
    port: 3000,
    tenants: './tenants',
    data: './data',
  };
}

/** Who sells, with the keys of the buyers. */
type Starter = {
  readonly keys: StarterKeys;
  readonly name: string;
  readonly domain: string;
  readonly products: readonly StarterProduct[] | undefined;
  readonly hasOauth: boolean;
};

/** A product of a starter tenant. */
export type StarterProduct = Readonly<Record<string, unknown>>;

/** Returns the tenant of a kind that `init` writes: one live and one sandbox buyer, and something to sell, to be edited. */
export function starterTenant(kind: 'sales' | 'creative' | 'signals', starter: Starter) {
  const { domain, hasOauth, keys, name } = starter;
  return {
    $schema: './tenant.schema.json',
    $comment: `Served at /${kind}/mcp. Edit it while the server runs; "seller-agent check" tells what is wrong with an edit.`,
    kinds: [kind],
    ...DESCRIPTIONS[kind](name),
    publisher_domains: [domain],
    oauth: hasOauth ? {} : undefined,
    principals: [
      { id: 'first-buyer', name: 'First buyer', key: { sha256: keys.live } },
      { id: 'sandbox', name: 'Sandbox', sandbox: true, key: { sha256: keys.sandbox } },
    ],
    accounts: [
      starterAccount(`acct_first${SUFFIX[kind]}`, 'first-buyer', 'Acme Outdoor', 'acme-outdoor.example'),
      starterAccount(`acct_sandbox${SUFFIX[kind]}`, 'sandbox', 'Sandbox Brand', 'sandbox-brand.example'),
    ],
    ...CONTENTS[kind](starter),
  };
}

const SUFFIX = { sales: '', creative: '_creative', signals: '_signals' } as const;

const DESCRIPTIONS = {
  sales: (name: string) => ({ name, description: 'Replace this with one or two sentences about what you sell.' }),
  creative: (name: string) => ({
    name: `${name} Creative`,
    description: `Formats, building and previewing of creatives that run at ${name}.`,
  }),
  signals: (name: string) => ({ name: `${name} Signals`, description: `Audiences of ${name}, to be targeted.` }),
} as const;

const CONTENTS = {
  sales: ({ domain, products }: Starter) => ({
    policies: { creative_requirement: 'required' },
    products: products ?? [bannerProduct(domain), videoProduct(domain), audioProduct(domain)],
  }),
  creative: () => ({ build_prices: [{ pricing_option_id: 'free', unit_price: 0, currency: 'USD' }] }),
  signals: ({ domain, name }: Starter) => ({
    destinations: { agents: { activation_minutes: 0, key: 'segment' } },
    signals: [starterSignal(domain, name)],
  }),
} as const;

function starterSignal(domain: string, name: string) {
  return {
    signal_agent_segment_id: 'frequent_readers',
    signal_id: 'frequent_readers',
    name: 'Frequent readers',
    description: 'Adults who read at least ten articles in the last 30 days.',
    signal_type: 'marketplace',
    data_provider: name,
    data_provider_domain: domain,
    value_type: 'binary',
    coverage_percentage: 8,
    pricing_options: [{ pricing_option_id: 'cpm', model: 'cpm', cpm: 1.5, currency: 'USD' }],
    tags: ['readers', 'news'],
    countries: ['US'],
    methodology: 'observed',
    data_sources: ['web_usage'],
    refresh_cadence: 'daily',
    lookback_window: 'monthly',
  };
}

/** Returns a product of a line of a file. */
export function starterProduct(row: Readonly<Record<string, string>>, domain: string): StarterProduct {
  const list = (text = ''): readonly string[] => text.split(/[;\s]+/).filter((one) => one !== '');
  const { channel, cpm, currency, daily_impressions, description, name, product_id } = row;
  return {
    product_id,
    name,
    description: description || name,
    publisher_properties: [{ publisher_domain: domain, selection_type: 'all' }],
    channels: [channel],
    format_ids: list(row.formats),
    delivery_type: 'non_guaranteed',
    pricing_options: [
      { pricing_option_id: 'cpm', pricing_model: 'cpm', currency: currency || 'USD', fixed_price: Number(cpm) },
    ],
    reporting_capabilities: { ...REPORTING, available_metrics: ['impressions', 'spend', 'clicks'] },
    inventory: {
      countries: list(row.countries || 'US'),
      keywords: list(channel),
      daily_impressions: Number(daily_impressions || 100_000),
    },
  };
}

/** Returns the publishers that `init` writes: what the starter tenant sells, as the publisher's adagents.json will say it. */
export function starterPublishers({ domain, name }: Pick<Starter, 'domain' | 'name'>) {
  return {
    $schema: './publishers.schema.json',
    $comment: '"seller-agent registry publish" writes the adagents.json of each publisher for its own domain.',
    publishers: [
      {
        domain,
        contact: { name, email: `ads@${domain}` },
        delegation_type: 'direct',
        properties: [
          {
            property_id: 'site',
            property_type: 'website',
            name,
            identifiers: [{ type: 'domain', value: domain }],
          },
          {
            property_id: 'daily',
            property_type: 'podcast',
            name: 'The daily news podcast',
            identifiers: [{ type: 'rss_url', value: `https://${domain}/daily/feed.xml` }],
            tags: ['podcast'],
          },
        ],
        tags: { podcast: { name: 'Podcasts', description: 'News to listen to' } },
      },
    ],
  };
}

function starterAccount(account_id: string, principal: string, name: string, domain: string) {
  return { account_id, principal, name, brand: { domain }, operator: 'agency.example' };
}

function bannerProduct(publisher_domain: string) {
  return {
    product_id: 'run_of_site_display',
    name: 'Run of site display',
    description: 'Standard banners on all pages of the site, desktop and mobile.',
    publisher_properties: [{ publisher_domain, selection_type: 'all' }],
    channels: ['display'],
    format_ids: ['display_300x250_image', 'display_728x90_image', 'display_320x50_image'],
    delivery_type: 'non_guaranteed',
    pricing_options: [
      {
        pricing_option_id: 'cpm_usd',
        pricing_model: 'cpm',
        currency: 'USD',
        fixed_price: 6,
        min_spend_per_package: 250,
      },
      {
        pricing_option_id: 'cpm_usd_auction',
        pricing_model: 'cpm',
        currency: 'USD',
        floor_price: 3,
        price_guidance: { p25: 3.5, p50: 4.5, p75: 6 },
      },
    ],
    reporting_capabilities: {
      ...REPORTING,
      available_metrics: ['impressions', 'spend', 'clicks', 'ctr', 'viewability'],
    },
    inventory: {
      countries: ['US'],
      keywords: ['news', 'banner'],
      daily_impressions: 500_000,
      click_rate: 0.0012,
      viewable_rate: 0.62,
    },
  };
}

function videoProduct(publisher_domain: string) {
  return {
    product_id: 'preroll_video',
    name: 'Pre-roll video',
    description: 'Video before editorial clips, 15 or 30 seconds, sound on after a click.',
    publisher_properties: [{ publisher_domain, selection_type: 'all' }],
    channels: ['olv'],
    format_ids: ['video_standard_15s', 'video_standard_30s'],
    delivery_type: 'guaranteed',
    pricing_options: [
      {
        pricing_option_id: 'cpm_usd',
        pricing_model: 'cpm',
        currency: 'USD',
        fixed_price: 18,
        min_spend_per_package: 1000,
      },
      { pricing_option_id: 'cpcv_usd', pricing_model: 'cpcv', currency: 'USD', fixed_price: 0.03 },
    ],
    reporting_capabilities: {
      ...REPORTING,
      available_metrics: ['impressions', 'spend', 'clicks', 'completed_views', 'completion_rate'],
    },
    inventory: {
      countries: ['US'],
      keywords: ['video', 'news'],
      daily_impressions: 80_000,
      click_rate: 0.004,
      completion_rate: 0.71,
    },
  };
}

function audioProduct(publisher_domain: string) {
  return {
    product_id: 'podcast_sponsorship',
    name: 'Daily podcast sponsorship',
    description: 'Sole sponsor of the daily news podcast for a week: one spot at the start of every episode.',
    publisher_properties: [{ publisher_domain, selection_type: 'by_tag', property_tags: ['podcast'] }],
    channels: ['podcast'],
    format_ids: ['audio_standard_30s'],
    delivery_type: 'guaranteed',
    exclusivity: 'exclusive',
    pricing_options: [
      { pricing_option_id: 'week_usd', pricing_model: 'flat_rate', currency: 'USD', fixed_price: 4500 },
    ],
    reporting_capabilities: { ...REPORTING, available_metrics: ['impressions', 'spend'] },
    inventory: {
      countries: ['US'],
      keywords: ['podcast', 'audio', 'news'],
      daily_impressions: 12_000,
      slot_hours: 168,
      completion_rate: 0.88,
    },
  };
}
