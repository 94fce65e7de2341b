import { PACINGS } from '../../../domain/media-buy/media-buy.js';
import { PRICING_MODELS } from '../../../domain/product/product.js';
import type { AdServerAdapter, SettingsFault } from '../../port/adapter.js';
import { demand } from '../broken.js';
import { sampleOrder } from '../orders.js';
import type { ContractSession } from '../session.js';
import { type Scenario, scenario } from './scenario.js';

const { signal } = new AbortController();

/** The declaration, the settings, and what only reads. */
export const SETTINGS: readonly Scenario[] = [
  scenario('declares what it can do in words that there are', async (session) => {
    const { declaration: declared } = await session.adapter();
    demand(/^[A-Z]{3}$/.test(declared.currency), `declares the currency ${declared.currency}`);
    demand(isZone(declared.time_zone), `declares the time zone ${declared.time_zone}, which IANA does not have`);
    const models: readonly string[] = PRICING_MODELS;
    const model = declared.pricing_models.find((one) => !models.includes(one));
    demand(model === undefined, `declares the pricing model ${model}`);
    const pacings: readonly string[] = PACINGS;
    demand(declared.pacings.length > 0 && declared.pacings.every((one) => pacings.includes(one)), 'declares no pacing');
    demand(declared.formats.length > 0, 'declares no formats');
    const { corrected_days: days, every_minutes: minutes } = declared.reports;
    demand(minutes >= 1 && minutes <= 1440, `declares reports every ${minutes} minutes`);
    demand(days >= 0 && days <= 35, `declares corrections for ${days} days`);
  }),
  scenario('declares the same before it is opened', async (session) => {
    const { adServer, module } = session;
    const declared = module.declare(adServer.settings(adServer.url));
    const opened = (await session.adapter()).declaration;
    demand(JSON.stringify(declared) === JSON.stringify(opened), 'declares something else once it is open');
  }),
  scenario('names the members of settings that cannot be', async ({ module }) => {
    const error = await Promise.resolve()
      .then(() => module.declare({}))
      .catch((reason: unknown) => reason);
    demand(isNamed(error, 'AdServerSettingsError'), 'does not throw AdServerSettingsError for empty settings');
    const { faults = [] } = error as { readonly faults?: readonly SettingsFault[] };
    demand(faults.length > 0, 'names no member');
    const bare = faults.find(({ field, fix, message }) => field === '' || fix === '' || message === '');
    demand(bare === undefined, 'names a member without what to write');
  }),
  {
    name: 'judges what a product says of it',
    run: async ({ adServer, module }) => {
      if (module.judgeProduct === undefined) return 'it has no judgeProduct';
      const right = module.judgeProduct({ product_id: 'ros', adapter: adServer.product });
      demand(right.length === 0, `finds ${right[0]?.field} wrong of a product that is right`);
      demand(module.judgeProduct({ product_id: 'ros', adapter: {} }).length > 0, 'finds nothing wrong of nothing');
      return undefined;
    },
  },
  ...readings(),
  {
    name: 'tells an operator which products name what is not there',
    run: async (session) => {
      const adapter = await session.adapter();
      if (adapter.ping === undefined) return 'it has no ping';
      const { product, unknownProduct } = session.adServer;
      const products = [
        { product_id: 'right', adapter: product },
        { product_id: 'wrong', adapter: unknownProduct },
      ];
      const { network, problems } = await adapter.ping(products, { signal });
      demand(network !== '', 'does not say who answered');
      const named = [...new Set(problems.map(({ product_id }) => product_id))].join();
      demand(named === 'wrong', `complains of ${named || 'nothing'}`);
      return undefined;
    },
  },
  {
    name: 'says that a connection without an answer is to be tried later',
    run: async (session) => {
      const adapter = await session.adapter();
      if (adapter.ping === undefined) return 'it has no ping';
      (await session.proxy()).stop();
      const error = await adapter.ping([], { signal }).catch((reason: unknown) => reason);
      demand(isNamed(error, 'RetryLaterError'), 'does not throw RetryLaterError');
      return undefined;
    },
  },
  {
    name: 'accepts in check what it then books',
    run: async (session) => {
      const adapter = await session.adapter();
      if (adapter.check === undefined) return 'it has no check';
      const order = sampleOrder(session.terms, 'mb_checked');
      const { verdict } = await adapter.check(order, { booked: undefined, foreign: undefined, signal });
      demand(verdict === 'accepted', `is ${verdict} by check`);
      await session.book(order);
      return undefined;
    },
  },
];

type Reading = (adapter: AdServerAdapter, session: ContractSession) => Promise<unknown> | undefined;

/** Returns the calls that change nothing, so that nothing of a sandbox or of an order that was never accepted reaches the ad server. */
function readings(): readonly Scenario[] {
  const order = (session: ContractSession) => sampleOrder(session.terms, 'mb_unbooked');
  const all: Readonly<Record<string, Reading>> = {
    check: (adapter, session) => adapter.check?.(order(session), { booked: undefined, foreign: undefined, signal }),
    find: (adapter, session) => adapter.find?.(order(session), { signal }),
    inspect: (adapter, session) => adapter.inspect?.([{ order: order(session), foreign: {} }], { signal }),
    ping: (adapter, session) => adapter.ping?.([{ product_id: 'ros', adapter: session.adServer.product }], { signal }),
    products: (adapter) => adapter.products?.({ signal }),
  };
  return Object.entries(all).map(([method, read]) => ({
    name: `changes nothing in ${method}`,
    run: async (session) => {
      const asked = read(await session.adapter(), session);
      if (asked === undefined) return `it has no ${method}`;
      await asked;
      const { writes } = await session.proxy();
      demand(writes === 0, `sent ${writes} changes`);
      demand((await session.adServer.lines()).length === 0, 'left lines there');
      return undefined;
    },
  }));
}

/** Whether an error has a name: an adapter may have errors of another copy of the package. */
function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name;
}

function isZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
