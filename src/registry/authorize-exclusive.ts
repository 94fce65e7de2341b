import type { AuthorizedAgent } from './adagents-types.js';
import { type Case, coveredBy, isInEffect, letsPlacement } from './authorize-case.js';

/** Most combinations of limits that are looked through; a file with more is not clear enough for a yes. */
const MOST_COMBINATIONS = 20_000;

/** One way in which inventory may be sold; undefined where neither side is limited. */
type Slice = { readonly country?: string; readonly collection?: string; readonly placement?: string };

/** The other agents that the file grants what is asked for exclusively, at the instant asked for. */
export function exclusiveRivals(one: Case): readonly AuthorizedAgent[] {
  const { asked, effective } = one;
  return effective.file.agents.filter(
    (rival) =>
      rival.exclusive &&
      rival.canonicalUrl !== asked.canonicalAgent &&
      isInEffect(rival, asked.at) &&
      coveredBy(rival, one).length > 0,
  );
}

/**
 * The rival whose exclusive grant leaves nothing of what an entry grants in the case asked for; undefined when something is left.
 * Dimensions that the question leaves open are looked through: one country that no rival has is enough.
 */
export function exclusiveRival(
  entry: AuthorizedAgent,
  one: Case,
  rivals: readonly AuthorizedAgent[],
): AuthorizedAgent | undefined {
  const [first] = rivals;
  if (first === undefined) return undefined;
  const { asked, effective } = one;
  const asIs = <T>(known: T | undefined, limits: Iterable<T> | undefined): readonly (T | undefined)[] =>
    known !== undefined ? [known] : limits === undefined ? [undefined] : [...limits];
  const countries = asIs(asked.country, entry.countries);
  const collections = asIs(
    asked.collection &&
      collectionKey(asked.collection.publisher_domain ?? effective.publisherDomain, asked.collection.collection_id),
    entry.collections?.flatMap((each) =>
      [...each.collection_ids].map((id) => collectionKey(each.publisher_domain, id)),
    ),
  );
  const placements = asIs(asked.placement, placementIds(entry, one));
  if (countries.length * collections.length * placements.length * rivals.length > MOST_COMBINATIONS) return first;
  for (const country of countries) {
    for (const collection of collections) {
      for (const placement of placements) {
        const slice = {
          ...(country && { country }),
          ...(collection && { collection }),
          ...(placement && { placement }),
        };
        if (!rivals.some((rival) => hasSlice(rival, slice, one))) return undefined;
      }
    }
  }
  return first;
}

/**
 * Whether a rival's limits let a slice through. Where the rival is limited and the slice is not, it may or may not: that counts
 * against the entry, unless the question is whether there is anything left.
 */
function hasSlice(
  rival: AuthorizedAgent,
  { country, collection, placement }: Slice,
  { asked, effective }: Case,
): boolean {
  const mayBe = asked.openLimits !== 'report';
  const { countries } = rival;
  if (countries !== undefined && !(country === undefined ? mayBe : countries.has(country))) return false;
  if (rival.collections !== undefined) {
    const keys = rival.collections.flatMap((one) =>
      [...one.collection_ids].map((id) => collectionKey(one.publisher_domain, id)),
    );
    if (!(collection === undefined ? mayBe : keys.includes(collection))) return false;
  }
  if (rival.placement_ids === undefined && rival.placement_tags === undefined) return true;
  if (placement === undefined) return mayBe;
  const declared = effective.file.placements.find(({ placement_id }) => placement_id === placement);
  return declared !== undefined && letsPlacement(rival, declared);
}

function placementIds(entry: AuthorizedAgent, { effective }: Case): readonly string[] | undefined {
  if (entry.placement_ids === undefined && entry.placement_tags === undefined) return undefined;
  return effective.file.placements
    .filter((placement) => letsPlacement(entry, placement))
    .map(({ placement_id }) => placement_id);
}

function collectionKey(domain: string, id: string): string {
  return `${domain} ${id}`;
}
