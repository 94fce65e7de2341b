import { z } from 'zod';
import { TaskError } from '../../../protocol/errors.js';
import type { App, Call } from '../../context.js';
import type { FieldOf } from '../../domain/inventory/hold.js';
import { partyOf } from '../../domain/media-buy/actions.js';
import { type ChangeAction, changeMediaBuy } from '../../domain/media-buy/change/change.js';
import type { PackageChange } from '../../domain/media-buy/change/package-change.js';
import { type HistoryEntry, isTerminal, type MediaBuy, type Package } from '../../domain/media-buy/media-buy.js';
import { describeUnusedBids } from '../../domain/media-buy/pricing.js';
import { buildRotations } from '../../domain/media-buy/rotation.js';
import { asRevision, settleBuy } from '../../domain/media-buy/settlement.js';
import { mediaBuyFacts, packageWire, shapeByRelease } from '../../domain/media-buy/wire.js';
import { saveFollowed } from '../../lifecycle/followed-lists.js';
import { holdInventory } from '../../lifecycle/inventory.js';
import { fillPackage, namesCreatives } from '../creative/library/fill-package.js';
import {
  type Judged,
  judgeCreatives,
  type LocatedCreative,
  NOTHING_JUDGED,
  placedCreatives,
} from '../creative/library/intake.js';
import type { Library } from '../creative/library/save-creative.js';
import { commitsBuy } from '../pipeline/consult-governance.js';
import { changeContext } from '../pipeline/order-context.js';
import { scopeOf } from '../pipeline/resolve-account.js';
import { accountRef, endTime, envelopeFields, governanceFields, keyField, startTime } from '../pipeline/shapes.js';
import { MAX_VALUES_OF_MANY, mutation } from '../pipeline/tool.js';
import { askAdServer, goesToAdServer } from './ad-server-check.js';
import {
  beginReports,
  callbackFields,
  checkAddedReports,
  checkEventSize,
  judgeReporting,
  readCallbacks,
  redirectCallbacks,
  registersCallbacks,
} from './callbacks.js';
import { findMediaBuy } from './find-media-buy.js';
import { checkGoalSources } from './goal-sources.js';
import { packageRequest, packageUpdate } from './order-shapes.js';
import { checkAudiences, type ListsRead, namesList, readLists, targetedLists } from './targeting-references.js';

const input = z.looseObject({
  ...keyField,
  media_buy_id: z.string().min(1).max(255),
  account: accountRef.optional(),
  revision: z.int().min(1).optional(),
  paused: z.boolean().optional(),
  canceled: z.literal(true).optional().describe('Ends the buy for good'),
  cancellation_reason: z.string().max(500).optional(),
  start_time: startTime.optional().describe('As in create_media_buy'),
  end_time: endTime.optional(),
  packages: z
    .array(
      packageUpdate.meta({
        brief: true,
        description: '{package_id, canceled?: true, …} as packages of create_media_buy',
      }),
    )
    .min(1)
    .max(200)
    .optional(),
  new_packages: z
    .array(packageRequest.meta({ brief: true, description: '{…} as packages of create_media_buy' }))
    .min(1)
    .max(200)
    .optional(),
  ...governanceFields,
  ...callbackFields,
  context_id: z.string().max(255).optional(),
  ...envelopeFields,
});

/** update_media_buy: changes a buy as a whole or not at all; every change is a new revision. */
export const updateMediaBuy = mutation({
  name: 'update_media_buy',
  title: 'Change or cancel a media buy',
  description:
    'Changes only what you name: paused, canceled, dates, budgets, packages, creatives. All or nothing. get_media_buys tells package_ids, valid_actions and revision; with it, no newer one is overwritten. Next: get_task_status if submitted.',
  kinds: ['sales'],
  input,
  maxValues: MAX_VALUES_OF_MANY,
  destructive: true,
  account: { use: 'change_buy', required: false },
  commits: commitsBuy,
  shape: shapeByRelease,
  prepares: (args, caller) =>
    goesToAdServer(caller) ||
    args.reporting_webhook !== undefined ||
    newCreatives(args).length > 0 ||
    (args.packages ?? []).some(({ budget }) => budget !== undefined) ||
    [...(args.packages ?? []), ...(args.new_packages ?? [])].some(namesList),
  prepare: async ({ app, call, args, db, scope }): Promise<Preparation> => {
    await judgeReporting(app, call, args);
    const before = await db.mediaBuys.find(scope, args.media_buy_id);
    const targeted = [
      ...targetedLists(call, args.packages, 'packages', before),
      ...targetedLists(call, args.new_packages, 'new_packages'),
    ];
    const followed = before === undefined ? [] : await db.followedLists.ofBuy(before.media_buy_id);
    const lists = await readLists(app, call, targeted, followed);
    const library = before === undefined ? scope : scopeOf(call, before.account_id);
    const spent = before && (await readSpent(app, call, before, args.packages ?? []));
    if (before !== undefined && asksForMore(args))
      await askAdServer(app, call, db, {
        draft: async () => {
          const account = await db.accounts.ofThing(call.owner, before);
          const context = { ...changeContext(app, call, account), lists: lists.parts };
          return changeMediaBuy(before, { ...args, callbacks: {}, spent }, context).buy;
        },
        field: (packageId, buy) => lineIn(before, args, packageId, buy),
      });
    return { lists, judged: await judgeCreatives({ app, call, db, scope: library }, newCreatives(args)), spent };
  },
  run: async ({ app, call, args, db, scope, prepared }) => {
    const before = await findMediaBuy(db, scope, args.media_buy_id);
    const owner = await db.accounts.ofThing(call.owner, before);
    const callbacks = readCallbacks(app, call, args);
    const context = { ...changeContext(app, call, owner), lists: prepared?.lists.parts };
    const changed = changeMediaBuy(before, { ...args, callbacks, spent: prepared?.spent }, context);
    await checkReferences({ db, call, accountId: owner.account_id }, args);
    const filled =
      args.canceled === true
        ? []
        : await fillPackages(
            { app, call, db, account: owner, judged: prepared?.judged ?? NOTHING_JUDGED },
            before,
            changed.buy,
            args,
          );
    const actions = listActions(args, changed.actions, filled);
    const revision = before.revision + 1;
    const isChange = actions.length > 0;
    const assigned = await db.creatives.assignedTo([before.media_buy_id]);
    const settled = asRevision(settleBuy(changed.buy, buildRotations(assigned), call.now), revision);
    const buy = isChange || settled.moves.length > 0 ? { ...settled.buy, updated_at: call.now.iso } : before;
    if (buy !== before) checkEventSize(buy, assigned);
    if (!isTerminal(buy.status))
      await holdInventory(db, { owner: call.owner, buy, before, field: fieldIn(before, args), nowMs: call.now.ms });
    const change = { revision, timestamp: call.now.iso, actor: partyOf(call) };
    if (buy !== before) await app.lifecycle.save(db, call.owner, buy, buildHistory(actions, settled.moves, change));
    if ([...before.packages, ...buy.packages].some(namesList))
      await saveFollowed(db, call.owner, buy, prepared?.lists.readings ?? NO_READINGS);
    // Also where nothing changed, or the clock alone moved it.
    // A person of the seller has the answer: the buyer is told by webhook.
    if (call.isOperator !== true) await app.lifecycle.answer(db, buy);
    await redirectCallbacks(app, db, { owner: call.owner, buy }, callbacks);
    if (callbacks.reporting_webhook === undefined) checkAddedReports(buy, args.new_packages ?? [], call);
    await beginReports({ app, call, db }, buy, callbacks);
    // A buy that has ended has let its creatives go.
    const held = isTerminal(buy.status) ? [] : assigned;
    const affected = new Set([...changed.affected, ...filled]);
    return {
      ...mediaBuyFacts(buy, owner, call),
      implementation_date: call.now.iso,
      message: describeBids(args, changed.buy) ?? (isChange ? undefined : NOTHING_CHANGED),
      affected_packages: buy.packages
        .filter((line) => affected.has(line.package_id))
        .map((line) => packageWire(line, held, buy)),
    };
  },
});

/** Checks that the audiences and event sources that packages name are the account's. */
async function checkReferences(
  references: Parameters<typeof checkAudiences>[0],
  args: z.output<typeof input>,
): Promise<void> {
  for (const list of ['packages', 'new_packages'] as const) {
    await checkAudiences(references, args[list] ?? [], list);
    await checkGoalSources(references, args[list] ?? [], list);
  }
}

/** Returns what a request did: its changes, new callbacks, and the packages that got creatives. */
function listActions(
  args: z.output<typeof input>,
  changes: readonly ChangeAction[],
  filled: readonly string[],
): readonly ChangeAction[] {
  return [
    ...changes,
    ...(registersCallbacks(args) ? [{ action: 'updated_callbacks' }] : []),
    ...filled.map((package_id) => ({ action: 'updated_creatives', package_id })),
  ];
}

const NO_READINGS: ListsRead['readings'] = new Map();

/** For callers who name the change by a field of their own, such as `status` or `action`. */
const NOTHING_CHANGED =
  'Nothing was changed: the buy is so already, or no field of the request is a change. Send paused, canceled, start_time, end_time, packages or new_packages.';

function describeBids({ packages = [], new_packages = [] }: z.output<typeof input>, buy: MediaBuy): string | undefined {
  const optionOf = (id: string) => buy.packages.find(({ package_id }) => package_id === id)?.sold.option;
  const added = buy.packages.slice(buy.packages.length - new_packages.length);
  return describeUnusedBids([
    ...packages.map(
      ({ bid_price, package_id }, index) => [`packages[${index}].bid_price`, bid_price, optionOf(package_id)] as const,
    ),
    ...new_packages.map(
      ({ bid_price }, index) => [`new_packages[${index}].bid_price`, bid_price, added[index]?.sold.option] as const,
    ),
  ]);
}

/** The facts that are read before a change: the verdicts on its creatives, and the spend of the packages whose budgets it lowers. */
type Preparation = {
  readonly lists: ListsRead;
  readonly judged: Judged;
  readonly spent: ReadonlyMap<string, number> | undefined;
};

/** Returns what the packages have spent whose budgets a change lowers; undefined where it lowers none. */
async function readSpent(
  app: App,
  call: Call,
  buy: MediaBuy,
  changes: readonly PackageChange[],
): Promise<Preparation['spent']> {
  const lowered = changes.findIndex(({ package_id, budget }) => {
    const line = buy.packages.find((candidate) => candidate.package_id === package_id);
    return line !== undefined && budget !== undefined && budget < line.budget;
  });
  if (lowered < 0 || isTerminal(buy.status)) return undefined;
  try {
    const delivered = await app.booking.delivery(buy, { fromMs: 0, toMs: call.now.ms }, false);
    return new Map(delivered.map(({ package_id, metrics }) => [package_id, metrics.spend]));
  } catch (error) {
    const { media_buy_id } = buy;
    app.log.warn({ err: error, media_buy_id }, 'what a buy has spent cannot be read; its budget is not lowered');
    throw new TaskError('SERVICE_UNAVAILABLE', 'What the package has spent cannot be read from the ad server now.', {
      field: `packages[${lowered}].budget`,
      suggestion:
        'Lower the budget again in a few minutes. To stop what is spent at once, pause or cancel the package.',
    });
  }
}

/** The members of a change to a package that stop it or say what runs in it: an ad server is not asked before. */
const UNASKED: ReadonlySet<string> = new Set(['package_id', 'paused', 'canceled', 'creatives', 'creative_assignments']);

/** Whether a change asks an ad server for something that it may not have: what only stops a buy is not held up. */
function asksForMore({ canceled, start_time, end_time, packages = [], new_packages }: z.output<typeof input>): boolean {
  if (canceled === true) return false;
  if (start_time !== undefined || end_time !== undefined || new_packages !== undefined) return true;
  return packages.some((change) => Object.keys(change).some((name) => !UNASKED.has(name)));
}

/** Returns where a package of a changed buy stands in the request. */
function lineIn(before: MediaBuy, args: z.output<typeof input>, packageId: string, { packages }: MediaBuy): string {
  const added = packages.findIndex(({ package_id }) => package_id === packageId) - before.packages.length;
  if (added >= 0) return `new_packages[${added}]`;
  return `packages[${Math.max(
    0,
    (args.packages ?? []).findIndex(({ package_id }) => package_id === packageId),
  )}]`;
}

/** Returns where the packages of a changed buy are in the request: by their entry, or by the flight that moves them. */
function fieldIn(before: MediaBuy, args: z.output<typeof input>): (line: Package, index: number) => FieldOf {
  return ({ package_id }, index) => {
    const added = index - before.packages.length;
    const at = (args.packages ?? []).findIndex((change) => change.package_id === package_id);
    return (member) => {
      if (added >= 0) return `new_packages[${added}].${member}`;
      return at < 0 ? 'end_time' : `packages[${at}].${member}`;
    };
  };
}

/** Returns the creatives that a change brings; a cancel wins over all that stands beside it. */
function newCreatives(args: z.output<typeof input>): readonly LocatedCreative[] {
  if (args.canceled === true) return [];
  return (['packages', 'new_packages'] as const).flatMap((list) =>
    (args[list] ?? []).flatMap((request, index) => placedCreatives(request.creatives, `${list}[${index}].creatives`)),
  );
}

/** Returns what the caller did, then what followed from it; a pause that took effect at once is one entry. */
function buildHistory(
  actions: readonly ChangeAction[],
  moves: readonly HistoryEntry[],
  facts: Pick<HistoryEntry, 'actor' | 'revision' | 'timestamp'>,
): readonly HistoryEntry[] {
  const done = actions.map((action): HistoryEntry => ({ ...facts, ...action }));
  return [
    ...done,
    ...moves.filter(
      (move) => !actions.some((taken) => (taken.action === 'resumed' ? 'activated' : taken.action) === move.action),
    ),
  ];
}

/** Puts the named creatives into changed and added packages; answers the ids of the packages it filled. */
async function fillPackages(
  library: Library,
  before: MediaBuy,
  after: MediaBuy,
  args: z.output<typeof input>,
): Promise<readonly string[]> {
  const changes = (args.packages ?? []).map((request, index) => ({
    request,
    field: `packages[${index}]`,
    line: after.packages.find((candidate) => candidate.package_id === request.package_id),
  }));
  const additions = (args.new_packages ?? []).map((request, index) => ({
    request,
    field: `new_packages[${index}]`,
    line: after.packages[before.packages.length + index],
  }));
  const filled: string[] = [];
  for (const { request, field, line } of [...changes, ...additions]) {
    if (line === undefined || !namesCreatives(request)) continue;
    await fillPackage(library, { buy: after, line }, request, field);
    filled.push(line.package_id);
  }
  return filled;
}
