import type { AdServerLine, ContractAdServer } from '../../../src/seller/adserver/contract/ad-server.js';
import type { IsWanted } from '../../../src/seller/adserver/contract/run.js';
import type { AdServerModule } from '../../../src/seller/adserver/port/adapter.js';
import { tryModule } from '../contract.js';
import { KEVEL_PRODUCT, kevelSettings } from './adapter.js';
import { FakeKevel } from './fake.js';

/** A fake of Kevel as the contract of adapters takes an ad server, and the fake that is there now. */
export async function startKevelContract(): Promise<ContractAdServer & { readonly fake: FakeKevel }> {
  const fake = new FakeKevel();
  const url = await fake.start();
  const withId = (id: string) => fake.flights.get(Number(id));
  return {
    ...{ fake, url, settings: kevelSettings, product: KEVEL_PRODUCT },
    unknownProduct: { ...KEVEL_PRODUCT, priority_id: 9 },
    isWrite: (method, path) =>
      (method !== 'GET' && !path.endsWith('/search') && !path.endsWith('/report/queue')) || path.endsWith('/delete'),
    reset: async () => fake.reset(),
    lines: async () =>
      [...fake.flights.values()].filter(({ IsDeleted }) => IsDeleted !== true).map((flight) => lineOf(fake, flight)),
    deliver: async ({ id }, { creative_id, date, impressions }) => {
      const ad = fake.adsOf(Number(id)).findLast((each) => keyOf(each).creative_id === creative_id);
      const creativeId = Number((ad?.Creative as { readonly Id?: number } | undefined)?.Id);
      const others = fake.delivered.filter((row) => row.flightId !== Number(id) || row.date !== date);
      fake.delivered.length = 0;
      fake.delivered.push(...others, { flightId: Number(id), creativeId, date, impressions, clicks: 0, revenue: 0 });
    },
    removeByHand: async ({ id }) => void Object.assign(withId(id) ?? {}, { IsDeleted: true }),
    pauseByHand: async ({ id }) => void Object.assign(withId(id) ?? {}, { IsActive: false }),
    holdReports: (isHeld) => {
      fake.polls = isHeld ? undefined : 1;
    },
    spoil: (order) => ({
      ...order,
      packages: order.packages.map((line) => ({ ...line, end_time: line.start_time })),
    }),
    stop: async () => fake.stop(),
  };
}

type Members = Readonly<Record<string, unknown>>;

function lineOf(fake: FakeKevel, flight: Members & { readonly Id: number }): AdServerLine {
  const campaign = fake.campaigns.get(Number(flight.CampaignId)) ?? {};
  const [, media_buy_id = '', package_id = ''] = /\[(\S+) (\S+)\]$/.exec(String(flight.Name)) ?? [];
  const running = fake.adsOf(flight.Id).filter(({ IsActive }) => IsActive === true);
  return {
    ...{ id: `${flight.Id}`, order: `${flight.CampaignId}`, media_buy_id, package_id },
    state: stateOf(flight, campaign),
    ...{ goal: Number(flight.Impressions), price: Number(flight.Price) },
    ...{ start_time: `${flight.StartDateISO}Z`, end_time: `${flight.EndDateISO}Z` },
    creative_ids: running.map((ad) => keyOf(ad).creative_id),
    pictures: running.map(({ Creative }) => String((Creative as Members).ImageLink)),
  };
}

/** A flight that is not active again once its campaign is archived has ended; a completed one is as good as paused for Kevel. */
function stateOf(flight: Members, campaign: Members): AdServerLine['state'] {
  if (flight.IsArchived === true || campaign.IsArchived === true) return 'ended';
  return flight.IsActive === true && campaign.IsActive === true ? 'running' : 'paused';
}

function keyOf({ ExternalMetadata }: Members): { readonly creative_id: string } {
  return JSON.parse(String(ExternalMetadata)) as { readonly creative_id: string };
}

/** Tries a module on fakes of Kevel, `count` of them beside each other; returns what is broken and skipped, and what the fakes answered that Kevel would not. */
export async function tryOnKevel(module: AdServerModule, isWanted: IsWanted, count = 1) {
  const fakes: FakeKevel[] = [];
  const start = async (): Promise<ContractAdServer> => {
    const adServer = await startKevelContract();
    fakes.push(adServer.fake);
    return adServer;
  };
  const tried = await tryModule(module, start, isWanted, count);
  return { ...tried, violations: fakes.flatMap(({ violations }) => violations) };
}
