import type { MappingProblem, ProductMapping } from '../../port/answers.js';
import type { KevelApi } from '../api.js';
import { readProduct } from '../settings.js';

/** What the products of a tenant name, with the list that has it. */
const REFERENCES = [
  { path: '/priority', what: 'priority', member: 'priority_id' },
  { path: '/adtypes', what: 'ad type', member: 'ad_types' },
  { path: '/site', what: 'site', member: 'sites' },
  { path: '/zone', what: 'zone', member: 'sites' },
] as const;

/** Returns what products name that the network does not have. */
export async function judgeReferences(
  api: KevelApi,
  products: readonly ProductMapping[],
): Promise<readonly MappingProblem[]> {
  const problems: MappingProblem[] = [];
  for (const { path, what, member } of REFERENCES) {
    const there = new Set((await api.list(path)).filter(({ IsDeleted }) => IsDeleted !== true).map(({ Id }) => Id));
    for (const { product_id, adapter } of products) {
      for (const id of listReferences(adapter, path).filter((one) => !there.has(one))) {
        const fix = `Correct ${member} in the product's "adapter" object; GET /v1${path} lists what there is.`;
        problems.push({ product_id, message: `The network has no ${what} ${id}.`, fix });
      }
    }
  }
  return problems;
}

function listReferences(
  adapter: ProductMapping['adapter'],
  path: (typeof REFERENCES)[number]['path'],
): readonly number[] {
  const product = readProduct(adapter);
  if (product === undefined) return [];
  const { ad_types, priority_id, sites } = product;
  const ids = {
    '/priority': [priority_id],
    '/adtypes': Object.values(ad_types),
    '/site': sites.map(({ site_id }) => site_id),
    '/zone': sites.flatMap(({ zone_id }) => zone_id ?? []),
  };
  return [...new Set(ids[path])];
}
