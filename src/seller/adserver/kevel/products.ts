import type { ImportedProduct } from '../port/answers.js';
import type { KevelApi } from './api.js';
import type { KevelObject, Members } from './wire.js';

/** Returns a draft for each site and each zone of the network, in all its sizes, at the priority that comes last. */
export async function listProducts(api: KevelApi): Promise<readonly ImportedProduct[]> {
  const priorities = await listPresent(api, '/priority');
  const adTypes = await listPresent(api, '/adtypes');
  const sites = await listPresent(api, '/site');
  const zones = await listPresent(api, '/zone');
  // Of a higher weight comes later: what is sold at it takes nothing from what runs there already.
  const [last] = priorities.toSorted((one, other) => Number(other.Weight ?? 0) - Number(one.Weight ?? 0));
  const ad_types = Object.fromEntries(adTypes.flatMap((type) => [[sizeOf(type), type.Id] as const]).filter(hasSize));
  const sizes = Object.keys(ad_types);
  if (last === undefined || sizes.length === 0) return [];
  const format_ids = sizes.map((size) => `display_${size}_image`);
  const titles = new Map(sites.map((site) => [site.Id, nameOf(site, 'Site')]));
  const draft = (product_id: string, name: string, place: Members): ImportedProduct => ({
    ...{ product_id, name, format_ids },
    adapter: { priority_id: last.Id, ad_types, sites: [place] },
  });
  return [
    ...sites.map(({ Id }) => draft(`site_${Id}`, titles.get(Id) ?? '', { site_id: Id })),
    ...zones.flatMap((zone) => {
      const { Id, SiteId } = zone;
      if (typeof SiteId !== 'number') return [];
      const name = [titles.get(SiteId), nameOf(zone, 'Zone')].filter((part) => part !== undefined).join(', ');
      return [draft(`zone_${Id}`, name, { site_id: SiteId, zone_id: Id })];
    }),
  ];
}

async function listPresent(api: KevelApi, path: string): Promise<readonly KevelObject[]> {
  return (await api.list(path)).filter(({ IsDeleted }) => IsDeleted !== true);
}

/** Sites have a title, zones a name. */
function nameOf({ Id, Name, Title }: KevelObject, kind: string): string {
  const name = [Title, Name].find((text) => typeof text === 'string' && text.trim() !== '');
  return typeof name === 'string' ? name.trim() : `${kind} ${Id}`;
}

/** Returns a size such as `300x250`; empty where the type has none. */
function sizeOf({ Height, Width }: KevelObject): string {
  const isSide = (side: unknown): boolean => Number.isInteger(side) && Number(side) > 0 && Number(side) < 100_000;
  return isSide(Width) && isSide(Height) ? `${Width}x${Height}` : '';
}

function hasSize([size]: readonly [string, number]): boolean {
  return size !== '';
}
