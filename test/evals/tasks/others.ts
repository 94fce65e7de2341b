import assert from 'node:assert/strict';
import { freshKey } from '../../kit/buyer.js';
import type { After, EvalTask } from '../task.js';
import { BRAND } from './arrange.js';
import { BANNER } from './creatives.js';
import { wasRead } from './expect.js';

const ALL = { after: undefined, limit: 50 } as const;

const TRADE_DESK = { type: 'platform', platform: 'the-trade-desk', account: 'seat-77' } as const;

/** People who want something else than media: data, lists, plans, rights, accounts. */
export const OTHERS: readonly EvalTask[] = [
  {
    id: 'activate-signal',
    tenant: 'signals',
    ask: () =>
      'Send the people in the market for an electric vehicle to our seat seat-77 at the-trade-desk, priced per thousand.',
    wants: () => [
      {
        goal: 'activate a signal',
        facts: {
          signal_agent_segment: 'In-market electric vehicle buyers',
          destinations: [TRADE_DESK],
          model: 'cpm',
        },
      },
    ],
    grade: async (after) => {
      const [deployment, ...others] = await deploymentsOf(after);
      assert.equal(others.length, 0);
      assert.equal(deployment?.destination.type, 'platform');
      assert.equal(deployment?.price?.pricing_option_id, 'cpm');
    },
  },
  {
    id: 'deactivate-signal',
    tenant: 'signals',
    arrange: async (call) => {
      await call('activate_signal', {
        idempotency_key: freshKey(),
        signal_agent_segment_id: 'meridian_ev_intenders',
        pricing_option_id: 'cpm',
        destinations: [TRADE_DESK],
      });
      return {};
    },
    ask: () => 'Take the electric vehicle buyers back from our seat seat-77 at the-trade-desk.',
    wants: () => [
      {
        goal: 'take a signal back',
        facts: {
          signal_agent_segment: 'In-market electric vehicle buyers',
          destinations: [TRADE_DESK],
          action: 'deactivate',
        },
      },
    ],
    grade: async (after) => {
      const [deployment] = await deploymentsOf(after);
      assert.ok(deployment?.deactivated_at);
    },
  },
  {
    id: 'make-property-list',
    tenant: 'governance',
    ask: () => 'Make a property list called "Spring launch".',
    wants: () => [{ goal: 'make a property list', facts: { name: 'Spring launch' } }],
    grade: async (after) => assert.deepEqual(await listNames(after), ['Spring launch']),
  },
  {
    id: 'rename-property-list',
    tenant: 'governance',
    arrange: async (call) => {
      for (const name of ['Spring launch', 'Always on'])
        await call('create_property_list', { idempotency_key: freshKey(), name });
      return {};
    },
    ask: () => 'Rename our property list "Spring launch" to "Summer launch".',
    wants: () => [{ goal: 'change a property list', facts: { list: 'Spring launch', name: 'Summer launch' } }],
    grade: async (after) => assert.deepEqual(await listNames(after), ['Summer launch', 'Always on']),
  },
  {
    id: 'delete-property-list',
    tenant: 'governance',
    arrange: async (call) => {
      for (const name of ['Spring launch', 'Always on'])
        await call('create_property_list', { idempotency_key: freshKey(), name });
      return {};
    },
    ask: () => 'Delete the property list "Always on"; we need the other one.',
    wants: () => [{ goal: 'delete a property list', facts: { list: 'Always on' } }],
    grade: async (after) => assert.deepEqual(await listNames(after), ['Spring launch']),
  },
  {
    id: 'open-account',
    tenant: 'sales',
    ask: () => 'Open an account for blue-kettle.example, run by riverside-media.example, who pays as the operator.',
    wants: () => [
      {
        goal: 'open accounts',
        facts: {
          accounts: [{ brand: 'blue-kettle.example', operator: 'riverside-media.example', billing: 'operator' }],
        },
      },
    ],
    grade: async ({ owner, read }) => {
      const rows = await read.accounts.list(owner, ALL, {});
      const domains = rows.map(({ account }) => account.brand?.domain);
      assert.ok(domains.includes('blue-kettle.example'), `accounts of ${domains}`);
    },
  },
  {
    id: 'read-brand',
    tenant: 'brand',
    ask: () => 'Which colors and logos does Acme Outdoor have?',
    wants: () => [{ goal: 'brand identity', facts: { brand: 'Acme Outdoor' } }],
    grade: (after) => wasRead(after, /#2E7D32/),
  },
  {
    id: 'license-music',
    tenant: 'brand',
    ask: () =>
      'License the Trail Theme once, as background music, for acme-outdoor.example: a spring spot from 1 February to 30 April 2030. Tell https://acme-outdoor.example/revoked if you take it back.',
    wants: () => [
      {
        goal: 'license rights',
        facts: {
          rights: 'Trail Theme',
          query: 'Trail Theme, background music',
          uses: ['background_music'],
          period: 'one_time',
          buyer: BRAND,
          campaign: {
            description: 'A spring spot',
            uses: ['background_music'],
            start_date: '2030-02-01',
            end_date: '2030-04-30',
          },
          revocation_webhook: 'https://acme-outdoor.example/revoked',
        },
      },
    ],
    grade: async ({ owner, read }) => {
      const grants = (await read.grants.newest(50)).filter((one) => one.owner === owner);
      assert.deepEqual(
        grants.map(({ grant }) => [grant.rights_id, grant.price.pricing_option_id, grant.status]),
        [['trail_theme', 'theme_once', 'active']],
      );
    },
  },
  {
    id: 'plan-a-campaign',
    tenant: 'governance',
    ask: () =>
      'Set up a plan "spring" for acme-outdoor.example: 50,000 USD from 1 February to 30 April 2030, reach outdoor people on video, in the US.',
    grade: async ({ owner, read }) => {
      const plan = (await read.plans.find(owner, 'spring'))?.stored.plan;
      assert.deepEqual([plan?.brand.domain, plan?.countries], [BRAND, ['US']]);
    },
  },
  {
    id: 'report-usage',
    tenant: 'signals',
    arrange: async () => ({}),
    ask: () =>
      'Report that we used the electric vehicle buyers for 200,000 impressions in January 2030, at 2.5 USD per thousand, 500 USD.',
    wants: () => [
      {
        goal: 'report usage',
        facts: {
          reporting_period: { start: '2030-01-01T00:00:00Z', end: '2030-02-01T00:00:00Z' },
          usage: [
            {
              signal_agent_segment: 'In-market electric vehicle buyers',
              impressions: 200_000,
              vendor_cost: 500,
              currency: 'USD',
            },
          ],
        },
      },
    ],
    grade: (after) => wasRead(after, /"accepted":1/),
  },
  {
    id: 'event-source',
    tenant: 'sales',
    ask: () => 'Set up a source "shop" for the purchases of our web shop, acme-outdoor.example.',
    wants: () => [
      {
        goal: 'event sources',
        facts: {
          event_sources: [
            { event_source_id: 'shop', name: 'Shop', event_types: ['purchase'], allowed_domains: [BRAND] },
          ],
        },
      },
    ],
    grade: async ({ owner, read }) => assert.equal((await read.events.findAnywhere(owner, 'shop')).length, 1),
  },
  {
    id: 'what-signal-costs',
    tenant: 'signals',
    ask: () => 'What do the people in the market for an electric vehicle cost per thousand?',
    wants: () => [{ goal: 'find signals', facts: { signal_spec: 'in the market for an electric vehicle' } }],
    grade: (after) => wasRead(after, /meridian_ev_intenders.*"cpm"/),
  },
  {
    id: 'weather-signals',
    tenant: 'signals',
    ask: () => 'We sell rain jackets. Do you have data on the weather that we could target by? Do not book it yet.',
    wants: () => [{ goal: 'find signals', facts: { signal_spec: 'weather: rain, for rain jackets' } }],
    grade: (after) => wasRead(after, /"signal_agent_segment_id":"isobar_/),
  },
  {
    id: 'make-collection-list',
    tenant: 'governance',
    ask: () => 'We only want to be in cooking programs. Start a list of such shows for us, "Cooking shows".',
    wants: () => [{ goal: 'make a list of collections: shows', facts: { name: 'Cooking shows' } }],
    grade: async ({ owner, read }) => {
      const rows = await read.inventoryLists.page(owner, { kind: 'collection' }, ALL);
      assert.deepEqual(
        rows.map(({ list }) => list.name),
        ['Cooking shows'],
      );
    },
  },
  {
    id: 'customer-list',
    tenant: 'sales',
    ask: () =>
      `Here are two of our best customers, as hashed mail addresses: c-1 ${HASHES[0]}, c-2 ${HASHES[1]}. Make them the audience "Loyal" (id loyal).`,
    wants: () => [
      {
        goal: 'send an audience of customers',
        facts: {
          audiences: [
            {
              audience_id: 'loyal',
              name: 'Loyal',
              add: HASHES.map((hashed_email, at) => ({ external_id: `c-${at + 1}`, hashed_email })),
            },
          ],
        },
      },
    ],
    grade: async ({ owner, read }) => {
      const [audience, ...others] = await read.audiences.findAnywhere(owner, 'loyal');
      assert.ok(audience);
      assert.equal(others.length, 0);
      const groups = await read.audiences.groups(audience.seq);
      assert.equal(groups.length > 0, true);
    },
  },
  {
    id: 'look-at-banner',
    tenant: 'creative',
    ask: () => `How does this medium rectangle image banner look? ${JSON.stringify(BANNER)}`,
    wants: () => [
      {
        goal: 'look at a creative',
        facts: { creative_manifest: { format: 'Medium Rectangle 300x250, Image', assets: BANNER } },
      },
    ],
    grade: (after) => wasRead(after, /"preview_url"/),
  },
];

const HASHES = ['a', 'b'].map((digit) => digit.repeat(64));

function deploymentsOf({ account, owner, read }: After) {
  const of = (accountId: string | undefined) => read.signals.list(owner, accountId, ['meridian_ev_intenders']);
  return Promise.all([of(undefined), of(account)]).then((lists) => lists.flat());
}

async function listNames({ owner, read }: After): Promise<readonly string[]> {
  const rows = await read.inventoryLists.page(owner, { kind: 'property' }, ALL);
  return rows.map(({ list }) => list.name);
}
