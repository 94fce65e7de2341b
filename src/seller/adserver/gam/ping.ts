import { isObject } from '../../../platform/kernel/json/json.js';
import type { CallContext } from '../port/adapter.js';
import type { MappingProblem, Ping, ProductMapping } from '../port/answers.js';
import type { GamNetwork } from './network.js';
import { readProduct } from './settings.js';

/** An id that the network has to have. */
type Named = { readonly collection: string; readonly id: string; readonly what: string; readonly product_id?: string };

/** Tries both APIs, and whether every id of the settings and of products is there. Reads only. */
export async function pingNetwork(
  network: GamNetwork,
  products: readonly ProductMapping[],
  { signal }: CallContext,
): Promise<Ping> {
  const { rest, settings, soap } = network;
  const networkObject = await rest.readNetwork(signal);
  const problems: MappingProblem[] = [];
  for (const named of listNamed(network, products)) {
    const object = await rest.find(named.collection, named.id, signal);
    if (object !== undefined) continue;
    problems.push({
      product_id: named.product_id,
      message: `Ad Manager has no ${named.collection}/${named.id}, which is ${named.what}.`,
      fix: 'Look its id up in Ad Manager, or take it out.',
    });
  }
  // Nothing is there of this name: what counts is that the version is on and the account may read.
  await soap.findCreatives(['seller-agent check'], signal);
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  const name = isObject(networkObject) ? text(networkObject.displayName) : undefined;
  return {
    network: `network ${settings.network_code}${name === undefined ? '' : ` (${name})`}`,
    currency: text(networkObject.currencyCode),
    time_zone: text(networkObject.timeZone),
    problems,
  };
}

function listNamed({ settings }: GamNetwork, products: readonly ProductMapping[]): readonly Named[] {
  const tables = [
    ['companies', settings.advertisers, 'the advertiser of'],
    ['geoTargets', settings.geo_targets, 'the geo target of'],
    ['deviceCategories', settings.device_categories, 'the device category of'],
  ] as const;
  const own = tables.flatMap(([collection, table, what]) =>
    Object.entries(table ?? {}).map(([key, id]) => ({ collection, id, what: `${what} ${key}` })),
  );
  const trafficker = { collection: 'users', id: settings.trafficker, what: 'ad_server.trafficker' };
  return [trafficker, ...own, ...products.flatMap(listOfProduct)];
}

function listOfProduct({ adapter, product_id }: ProductMapping): readonly Named[] {
  const { ad_units = [], custom_targeting = [], placements = [] } = readProduct(adapter);
  const named = (collection: string, what: string) => (id: string) => ({ collection, id, what, product_id });
  return [
    ...ad_units.map(named('adUnits', 'an ad unit of the product')),
    ...placements.map(named('placements', 'a placement of the product')),
    ...custom_targeting.map(({ key }) => key).map(named('customTargetingKeys', 'a key of the product')),
    ...custom_targeting.flatMap(({ values }) => values).map(named('customTargetingValues', 'a value of the product')),
  ];
}
