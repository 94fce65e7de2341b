import type { CreativeHold } from '../../../../creative/check/submission.js';
import { readFormatId } from '../../../../creative/formats/format-agents.js';
import { canonicalHash } from '../../../../platform/kernel/canonical.js';
import { isObject } from '../../../../platform/kernel/json/json.js';
import { TaskError } from '../../../../protocol/errors.js';
import type { App, Call } from '../../../context.js';
import type { Account } from '../../../domain/account/account.js';
import { type Creative, isUsable, statusAfterSync } from '../../../domain/creative/creative.js';
import { explainHold, planRecheck } from '../../../domain/creative/recheck.js';
import { addressWords, checkPolicy } from '../../../domain/policy/policy.js';
import { followCreative } from '../../../lifecycle/creatives.js';
import type { Writer } from '../../../store/store.js';
import { formatsOf } from '../../pipeline/order-context.js';
import type { CreativeAsset } from '../shapes.js';
import { CANONICAL_MEMBERS, readCanonicalCreative } from './canonical-creative.js';
import { checkPolicies } from './check-policies.js';
import { checkRights } from './check-rights.js';
import type { Judged } from './intake.js';
import { isRunning, stillRunning } from './running.js';

/** Fields of a creative that are stored for the buyer as they came. */
const ECHOED = [
  ...CANONICAL_MEMBERS,
  'inputs',
  'placement_ids',
  'industry_identifiers',
  'provenance',
  'rights',
  'concept_id',
  'concept_name',
  'ext',
] as const;

/** The context in which creatives are brought into the library of an account. */
export type Library = {
  readonly app: App;
  readonly call: Call;
  readonly db: Writer;
  readonly account: Account;
  readonly judged: Judged;
  /** What the creatives are put into beside. */
  readonly assignments?: readonly { readonly creative_id: string; readonly package_id: string }[];
};

/** The outcome of storing a creative. */
export type Saved = {
  readonly creative: Creative;
  readonly action: 'created' | 'updated' | 'unchanged';
  readonly changes: readonly string[];
  readonly warnings: readonly string[];
};

/**
 * Brings one creative into the library, in the state that the approval policy gives it; buys that hold it follow, but for `except`,
 * which the caller moves. Throws INVALID_FORMAT_ID, FORMAT_NOT_SUPPORTED for a format nobody here takes, what the check found, and
 * INVALID_STATE for a change to a creative that is running.
 */
export async function saveCreative(
  library: Library,
  asset: CreativeAsset,
  field: string,
  except?: string,
): Promise<Saved> {
  const { app, call, db, account, judged } = library;
  const before = await db.creatives.find(call.owner, account.account_id, asset.creative_id);
  const { error, warnings: noted = [], hold: judgedHold } = judged.get(asset) ?? {};
  // The files of a sandbox's creatives need not be there: nothing of them is ever shown to anybody.
  const hold = judgedHold?.kind === 'unread' && account.sandbox ? undefined : judgedHold;
  const after = readCreative(library, { asset, before, field, hold });
  const why = explainHold(after);
  const warnings = why === undefined ? noted : [why, ...noted];
  if (error !== undefined) throw error;
  checkLanding(call, after, field);
  await checkPolicies(library, after, field);
  await checkRights(library, after, field);
  const changes = before === undefined ? [] : changedOf(SHOWN, before, after);
  if (before === undefined) {
    await db.creatives.save(call.owner, after);
    return { creative: after, action: 'created', changes, warnings };
  }
  if (changes.length === 0) return { creative: before, action: 'unchanged', changes, warnings };
  if (isUsable(before.status)) await refuseWhileRunning(db, call, before, field);
  await db.creatives.save(call.owner, after);
  if (before.status !== after.status)
    await followCreative({ tx: db, lifecycle: app.lifecycle, owner: call.owner, now: call.now }, after, except);
  return { creative: after, action: 'updated', changes, warnings };
}

/** The members that a viewer sees or a reviewer looks at: a change to them is reviewed again. */
const REVIEWED = ['format_id', 'assets', 'echoed'] as const;

/** The members whose changes the buyer sees. */
const SHOWN = ['name', 'status', 'tags', ...REVIEWED] as const;

/** A creative as it came: where, what of it is there, and what keeps it from running. */
type Incoming = {
  readonly asset: CreativeAsset;
  readonly before: Creative | undefined;
  readonly field: string;
  readonly hold: CreativeHold | undefined;
};

function readCreative({ call, account }: Library, { asset: came, before, field, hold }: Incoming): Creative {
  const asset = readCanonicalCreative(came, { seller: call.seller, before, field });
  const format = readFormatId(asset.format_id, `${field}.format_id`, formatsOf(call));
  if (!call.seller.formatIds.has(format.id)) {
    throw new TaskError('FORMAT_NOT_SUPPORTED', 'There is no such creative format.', {
      codeIn30: 'REFERENCE_NOT_FOUND',
      field: `${field}.format_id`,
      suggestion: 'Use a format_id from list_creative_formats.',
    });
  }
  const echoed = Object.fromEntries(
    ECHOED.filter((name) => asset[name] !== undefined).map((name) => [name, asset[name]]),
  );
  const sent = {
    creative_id: asset.creative_id,
    account_id: account.account_id,
    version: (before?.version ?? 0) + 1,
    name: asset.name ?? before?.name ?? asset.creative_id,
    format_id: format,
    assets: asset.assets ?? before?.assets ?? {},
    tags: asset.tags ?? before?.tags ?? [],
    created_date: before?.created_date ?? call.now.iso,
    updated_date: call.now.iso,
    echoed: { ...withoutCanonical(before?.echoed), ...echoed },
  };
  const { creative_approval } = (call.principal ?? call.seller.tenant).policies;
  const isChanged = before !== undefined && changedOf(REVIEWED, before, sent).length > 0;
  const status = statusAfterSync(
    before?.status,
    isChanged || before?.hold !== undefined,
    creative_approval,
    hold?.kind,
  );
  const reason = status === 'rejected' ? before?.rejection_reason : undefined;
  const isUnread = status === 'processing' && hold?.kind === 'unread';
  const recheck = isUnread ? planRecheck(1, call.now.ms) : undefined;
  return { ...sent, status, hold, recheck, rejection_reason: reason };
}

/** Returns what is echoed without how the format was named, which is said anew each time. */
function withoutCanonical(echoed: Creative['echoed'] = {}): Creative['echoed'] {
  const { format_kind: _kind, format_option_ref: _ref, ...rest } = echoed;
  return rest;
}

function changedOf<Name extends string>(
  names: readonly Name[],
  before: Readonly<Record<Name, unknown>>,
  after: Readonly<Record<Name, unknown>>,
): readonly Name[] {
  return names.filter((name) => canonicalHash(before[name]) !== canonicalHash(after[name]));
}

async function refuseWhileRunning(db: Writer, call: Call, creative: Creative, field: string): Promise<void> {
  if (await isRunning(db, call, await db.creatives.listAssignments(call.owner, [creative])))
    throw stillRunning('replaced', `${field}.creative_id`);
}

/** Refuses a creative that leads to what the seller does not advertise. */
function checkLanding({ seller }: Call, { assets }: Creative, field: string): void {
  for (const [name, asset] of Object.entries(assets)) {
    for (const one of [asset].flat()) {
      const url = isObject(one) ? one.url : undefined;
      if (typeof url === 'string' && !url.startsWith('data:'))
        checkPolicy(seller.tenant.portfolio, addressWords(url), `${field}.assets.${name}`);
    }
  }
}
