import { z } from 'zod';
import { checkAccountUse } from '../../domain/account/account.js';
import { type ChangeAction, changeMediaBuy } from '../../domain/media-buy/change/change.js';
import { type HistoryEntry, isTerminal, type MediaBuy } from '../../domain/media-buy/media-buy.js';
import { buildRotations } from '../../domain/media-buy/rotation.js';
import { asRevision, settle } from '../../domain/media-buy/settlement.js';
import { packageWire, shapeByRelease } from '../../domain/media-buy/wire.js';
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
import { mutation } from '../pipeline/define.js';
import { orderContext } from '../pipeline/order-context.js';
import { accountRef, dateTime, envelopeFields, governanceFields, keyField, startTime } from '../pipeline/shapes.js';
import { checkAudiences } from './audience-targeting.js';
import {
  beginReports,
  callbackFields,
  checkAddedReports,
  checkCallbackHosts,
  readCallbacks,
  redirectCallbacks,
  registersCallbacks,
} from './callbacks.js';
import { findMediaBuy } from './find-media-buy.js';
import { checkPropertyLists, listedPackages, namesPropertyList } from './inventory-lists.js';
import { packageRequest, packageUpdate } from './order-shapes.js';
import { mediaBuyFacts } from './wire.js';

const input = z.looseObject({
  ...keyField,
  media_buy_id: z.string().min(1).max(255),
  account: accountRef.optional(),
  revision: z.int().min(1).optional().describe('The revision you saw; a newer one answers CONFLICT'),
  paused: z.boolean().optional(),
  canceled: z.literal(true).optional().describe('Ends the buy for good'),
  cancellation_reason: z.string().max(500).optional(),
  start_time: startTime.optional(),
  end_time: dateTime.optional(),
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
  ...envelopeFields,
});

/** update_media_buy: changes a buy as a whole or not at all; every change is a new revision. */
export const updateMediaBuy = mutation({
  name: 'update_media_buy',
  title: 'Change or cancel a media buy',
  description:
    'Changes only what you name: paused, canceled, dates, budgets, packages, creatives. All of it or nothing. Send the revision you saw to avoid overwriting a newer change. valid_actions of the buy lists what is possible. If status is submitted, next: get_task_status.',
  kinds: ['sales'],
  input,
  destructive: true,
  account: { use: 'change_buy', required: false },
  commits: commitsBuy,
  shape: shapeByRelease,
  prepares: (args) =>
    registersCallbacks(args) ||
    newCreatives(args).length > 0 ||
    [...(args.packages ?? []), ...(args.new_packages ?? [])].some(namesPropertyList),
  prepare: async ({ app, call, args, db }): Promise<Judged | undefined> => {
    await checkCallbackHosts(app, call, args);
    const before = await db.mediaBuys.find(call.owner, args.media_buy_id);
    await checkPropertyLists(app, call, [
      ...listedPackages(call, args.packages, 'packages', before),
      ...listedPackages(call, args.new_packages, 'new_packages'),
    ]);
    return judgeCreatives(app, call, db, newCreatives(args));
  },
  run: async ({ app, call, args, db, prepared }) => {
    const before = await findMediaBuy(db, call.owner, args.media_buy_id);
    const owner = await db.accounts.findById(call.owner, before.account_id);
    if (owner === undefined) throw new Error('a media buy without its account');
    checkAccountUse(owner, args.new_packages === undefined ? 'change_buy' : 'add_packages');
    const callbacks = readCallbacks(app, call, args);
    const changed = changeMediaBuy(before, { ...args, callbacks }, orderContext(app, call));
    for (const list of ['packages', 'new_packages'] as const)
      await checkAudiences(db, call.owner, owner.account_id, args[list] ?? [], list);
    const filled =
      args.canceled === true
        ? []
        : await fillPackages(
            { app, call, db, account: owner, judged: prepared ?? NOTHING_JUDGED },
            before,
            changed.buy,
            args,
          );
    const actions: ChangeAction[] = [
      ...changed.actions,
      ...filled.map((package_id) => ({ action: 'updated_creatives', package_id })),
    ];
    const revision = before.revision + 1;
    const touched = actions.length > 0 || registersCallbacks(args);
    const assigned = await db.creatives.assignedTo([before.media_buy_id]);
    const settled = asRevision(settle(changed.buy, buildRotations(assigned), call.now), revision);
    const buy = touched || settled.moves.length > 0 ? { ...settled.buy, updated_at: call.now.iso } : before;
    if (buy !== before)
      await app.lifecycle.save(db, call.owner, buy, buildHistory(actions, settled.moves, revision, call.now.iso));
    await redirectCallbacks(app, db, buy, callbacks);
    if (callbacks.reporting_webhook === undefined) checkAddedReports(buy, args.new_packages ?? [], call);
    await beginReports(app, call, db, buy, callbacks);
    // A buy that has ended has let its creatives go.
    const held = isTerminal(buy.status) ? [] : assigned;
    const affected = new Set([...changed.affected, ...filled]);
    return {
      ...mediaBuyFacts(buy, call),
      implementation_date: call.now.iso,
      affected_packages: buy.packages
        .filter((line) => affected.has(line.package_id))
        .map((line) => packageWire(line, held)),
    };
  },
});

/** The creatives that a change brings; a cancel wins over all that stands beside it. */
function newCreatives(args: z.output<typeof input>): readonly LocatedCreative[] {
  if (args.canceled === true) return [];
  return (['packages', 'new_packages'] as const).flatMap((list) =>
    (args[list] ?? []).flatMap((request, index) => placedCreatives(request.creatives, `${list}[${index}].creatives`)),
  );
}

/** Returns what the buyer did, then what followed from it; a pause that took effect at once is one entry. */
function buildHistory(
  actions: readonly ChangeAction[],
  moves: readonly HistoryEntry[],
  revision: number,
  timestamp: string,
): readonly HistoryEntry[] {
  const done = actions.map((action): HistoryEntry => ({ revision, timestamp, actor: 'buyer', ...action }));
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
    await fillPackage(library, after, line, request, field);
    filled.push(line.package_id);
  }
  return filled;
}
