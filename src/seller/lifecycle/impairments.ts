import { isObject } from '../../platform/kernel/json/json.js';
import { leastMatched } from '../domain/audience/audience.js';
import { audienceStatus, neededMatches } from '../domain/audience/status.js';
import type { AssignedCreative } from '../domain/creative/creative.js';
import { isReserved, listDays, midnightOf, missingImpressions } from '../domain/inventory/hold.js';
import { findLostCreatives, type LostResource } from '../domain/media-buy/health.js';
import type { MediaBuy } from '../domain/media-buy/media-buy.js';
import { orderedGoals } from '../domain/optimization/goal.js';
import { AUDIENCE_DIMENSIONS } from '../domain/targeting/check.js';
import { LISTS } from '../domain/targeting/lists.js';
import type { Reader } from '../store/store.js';

/** Returns the publishers of a product that do not authorize its seller to sell it, by the id of the product; undefined before that is known. */
export type LostProperties = (owner: string) => ReadonlyMap<string, readonly string[]> | undefined;

/** The state around a buy: the creatives that are assigned to it, and which publishers authorize what, at a moment. */
type Present = {
  readonly assigned: readonly AssignedCreative[];
  readonly properties: LostProperties;
  readonly nowMs: number;
};

/** Returns everything that the packages of a buy need and have lost: creatives, audiences, the properties that they run on. */
export async function findLostResources(
  db: Reader,
  owner: string,
  buy: MediaBuy,
  { assigned, properties, nowMs }: Present,
): Promise<readonly LostResource[]> {
  return [
    ...findLostCreatives(buy, assigned),
    ...(await findLostAudiences(db, owner, buy)),
    ...(await findLostSources(db, owner, buy)),
    ...findEmptyLists(buy),
    ...(await findNarrowLists(db, buy, nowMs)),
    // Nothing of a sandbox runs anywhere.
    ...(buy.sandbox ? [] : findLostProperties(buy, properties(owner))),
  ];
}

async function findLostAudiences(db: Reader, owner: string, buy: MediaBuy): Promise<readonly LostResource[]> {
  const targeted = buy.packages.flatMap(({ package_id, targeting_overlay: overlay }) =>
    AUDIENCE_DIMENSIONS.flatMap((name) => {
      const ids: unknown = overlay?.[name];
      return Array.isArray(ids) ? ids.map((id) => ({ package_id, id: String(id) })) : [];
    }),
  );
  const losses = new Map<string, AudienceLoss | undefined>();
  for (const id of new Set(targeted.map((one) => one.id))) losses.set(id, await explainLoss(db, owner, buy, id));
  return targeted.flatMap(({ package_id, id }): LostResource[] => {
    const loss = losses.get(id);
    return loss === undefined
      ? []
      : [
          {
            package_id,
            resource_type: 'audience',
            resource_id: id,
            transition: { to: 'suspended' },
            ...loss,
          },
        ];
  });
}

type AudienceLoss = Pick<LostResource, 'reason_code' | 'reason' | 'remediation'>;

const SEND_PEOPLE = 'Send its people with sync_audiences, or take it out of the targeting_overlay.';
const ASK_SELLER = 'Ask the seller to lift the suspension, or take it out of the targeting_overlay.';

/** Returns why an audience is not targeted any more; undefined where it is. One that is matched again is targeted as it was before. */
async function explainLoss(
  db: Reader,
  owner: string,
  { account_id, sandbox }: Pick<MediaBuy, 'account_id' | 'sandbox'>,
  id: string,
): Promise<AudienceLoss | undefined> {
  const row = await db.audiences.find(owner, account_id, id);
  const missing = (reason: string): AudienceLoss => ({
    reason_code: 'seller_removed',
    reason,
    remediation: SEND_PEOPLE,
  });
  if (row === undefined) return missing('The audience was deleted.');
  const { audience, seq } = row;
  const counted = { audience, groups: await db.audiences.groups(seq), least: leastMatched(sandbox) };
  const status = audienceStatus(counted);
  if (status === 'too_small')
    return missing(`Fewer than ${neededMatches(counted)} members of the audience are known here.`);
  if (status !== 'suspended') return undefined;
  const { reason_code = 'seller_removed', reason = 'The seller has suspended the audience.' } = audience.hold ?? {};
  return { reason_code, reason, remediation: ASK_SELLER };
}

/** Returns the event sources that the goals of packages name and that are gone, or are not set up for their type any more. */
async function findLostSources(db: Reader, owner: string, buy: MediaBuy): Promise<readonly LostResource[]> {
  const named = buy.packages.flatMap((line) =>
    orderedGoals(line).flatMap(({ event_sources: sources = [] }) =>
      sources.map((source) => ({ package_id: line.package_id, ...source })),
    ),
  );
  if (named.length === 0) return [];
  const rows = await db.events.list(owner, buy.account_id);
  const own = new Map(rows.map(({ source }) => [source.event_source_id, source]));
  return named.flatMap(({ package_id, event_source_id, event_type }): LostResource[] => {
    const source = own.get(event_source_id);
    if (source !== undefined && source.event_types?.includes(event_type) !== false) return [];
    return [
      {
        package_id,
        resource_type: 'event_source',
        resource_id: event_source_id,
        transition: { to: 'insufficient' },
        reason_code: 'source_offline',
        reason:
          source === undefined
            ? 'The event source was deleted.'
            : `The event source is not set up for ${event_type} any more.`,
        remediation: 'Set the source up with sync_event_sources, or change the optimization_goals of the package.',
      },
    ];
  });
}

const NOTHING_LISTED = 'The lists of the package leave nothing of its product.';

/** How the reason begins for a package that was promised more than its lists leave, or others left when these grew again. */
const TOO_LITTLE_LISTED = 'Where the lists of the package let it run there is room for ';

/** Finds packages whose lists leave nothing of their product by now: they run nowhere. */
function findEmptyLists({ packages }: MediaBuy): readonly LostResource[] {
  return packages.flatMap((line) =>
    line.listed === 0
      ? listLoss(line, {
          reason: NOTHING_LISTED,
          remediation: 'Add what the product runs on to the list, or name another one in the targeting_overlay.',
        })
      : [],
  );
}

/** Finds packages that reserve inventory and hold less than they were sold, since their lists hold something else. */
async function findNarrowLists(db: Reader, buy: MediaBuy, nowMs: number): Promise<readonly LostResource[]> {
  const lines = buy.packages.filter((line) => line.listed !== undefined && line.listed > 0 && isReserved(line));
  if (lines.length === 0) return [];
  const holds = new Map((await db.inventory.heldBy(buy.media_buy_id)).map((hold) => [hold.package_id, hold]));
  return lines.flatMap((line) => {
    const hold = holds.get(line.package_id);
    const missing = hold === undefined ? 0 : missingImpressions(line, hold.runs, midnightOf(nowMs));
    if (hold === undefined || missing <= 0) return [];
    const held = listDays(hold.runs).reduce((sum, [, amount]) => sum + amount, 0);
    return listLoss(line, {
      reason: `${TOO_LITTLE_LISTED}${held} impressions, ${missing} fewer than were sold.`,
      remediation:
        'Add more of what the product runs on to the list, lengthen the flight, or lower the budget of the package.',
    });
  });
}

function listLoss(
  { package_id, targeting_overlay: overlay }: MediaBuy['packages'][number],
  words: { readonly reason: string; readonly remediation: string },
): readonly LostResource[] {
  const list = LISTS.map((name) => overlay?.[name]).find(isObject);
  if (list === undefined) return [];
  return [
    {
      package_id,
      resource_type: 'property',
      resource_id: String(list.list_id),
      transition: { to: 'depublished' },
      reason_code: 'property_depublished',
      ...words,
    },
  ];
}

function findLostProperties(buy: MediaBuy, loss: ReturnType<LostProperties>): readonly LostResource[] {
  if (loss === undefined) return listLostProperties(buy);
  return buy.packages.flatMap(({ package_id, product_id }) =>
    (loss.get(product_id) ?? []).map(
      (publisher): LostResource => ({
        package_id,
        resource_type: 'property',
        resource_id: publisher,
        transition: { to: 'depublished' },
        reason_code: 'property_depublished',
        reason: 'The publisher does not authorize this seller any more.',
        remediation: 'Wait until the publisher does again, or move the budget to another package.',
      }),
    ),
  );
}

/** Returns the losses of publishers' properties that are noted of a buy. */
function listLostProperties({ impairments = [] }: MediaBuy): readonly LostResource[] {
  return impairments.flatMap(({ impairment_id: _id, observed_at: _at, package_ids, ...loss }) =>
    loss.resource_type === 'property' && !isOfLists(loss)
      ? package_ids.map((package_id): LostResource => ({ ...loss, package_id }))
      : [],
  );
}

/** Whether a loss is that of a list that leaves nothing or too little. */
export function isOfLists({ reason = '' }: Pick<LostResource, 'reason'>): boolean {
  return reason === NOTHING_LISTED || reason.startsWith(TOO_LITTLE_LISTED);
}
