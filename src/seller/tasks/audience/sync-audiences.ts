import { z } from 'zod';
import { type Pace, startPace } from '../../../platform/kernel/event-loop.js';
import { withoutUndefined } from '../../../platform/kernel/json/json.js';
import { errorObject } from '../../../protocol/envelope.js';
import { TaskError, taskErrorOrThrow } from '../../../protocol/errors.js';
import {
  AUDIENCE_TYPES,
  type Audience,
  type AudienceMember,
  leastMatched,
  readExternalId,
  readMember,
} from '../../domain/audience/audience.js';
import { audienceStatus } from '../../domain/audience/status.js';
import { audienceWire } from '../../domain/audience/wire.js';
import { followAudience } from '../../lifecycle/followed-resources.js';
import type { AudienceRow } from '../../store/audiences.js';
import { accountIdOf } from '../pipeline/resolve-account.js';
import { envelopeFields, keyField, syncedAccountRef } from '../pipeline/shapes.js';
import { MAX_VALUES_OF_LISTS, type MutationContext, mutation } from '../pipeline/tool.js';
import { syncAction } from '../sync-action.js';

const members = z.array(z.unknown()).min(1).max(100_000);

const entry = z.looseObject({
  audience_id: z.string().min(1).max(255),
  name: z.string().max(255).optional(),
  description: z.string().max(2000).optional(),
  audience_type: z.enum(AUDIENCE_TYPES).optional(),
  tags: z.array(z.string().max(64)).max(50).optional(),
  consent_basis: z.string().max(64).optional(),
  add: members.optional(),
  remove: members.optional(),
  delete: z.boolean().optional(),
});
type Entry = z.output<typeof entry>;

const input = z.looseObject({
  ...keyField,
  account: syncedAccountRef,
  audiences: z
    .array(
      entry.meta({
        brief: true,
        description: '{audience_id, add: [{external_id, hashed_email | hashed_phone | uids}], remove, delete}',
      }),
    )
    .min(1)
    .max(1000)
    .optional(),
  delete_missing: z.boolean().optional(),
  ...envelopeFields,
});

type Context = MutationContext<z.output<typeof input>, undefined>;
type Fields = Omit<Audience, 'audience_id' | 'seller_id' | 'last_synced_at' | 'hold'>;

/** sync_audiences: uploads, changes and deletes lists of people, and tells how many of them are known here. */
export const syncAudiences = mutation<z.output<typeof input>>({
  name: 'sync_audiences',
  title: 'Upload audiences',
  description:
    'Uploads hashed people, for targeting_overlay.audience_include or audience_exclude. Without audiences: lists them.',
  kinds: ['sales'],
  input,
  maxValues: MAX_VALUES_OF_LISTS,
  account: { use: 'sync', required: true },
  run: async (context) => {
    const { args, call, db } = context;
    const accountId = accountIdOf(context);
    const sandbox = call.principal?.sandbox ?? false;
    if (args.delete_missing === true && args.audiences === undefined) throw nothingNamed();
    const pace = startPace();
    if (args.audiences === undefined) {
      const rows = await db.audiences.list(call.owner, accountId);
      const audiences = [];
      for (const row of rows) {
        audiences.push({ ...(await showAudience(context, row, 0)), action: 'unchanged' });
        if (pace.isDue()) await pace.rest();
      }
      return { audiences, sandbox };
    }
    const audiences: Readonly<Record<string, unknown>>[] = [];
    for (const [index, one] of args.audiences.entries())
      audiences.push(await syncOne(context, accountId, one, { field: `audiences[${index}]`, pace }));
    if (args.delete_missing === true) {
      const named = new Set(args.audiences.map((one) => one.audience_id));
      for (const row of await db.audiences.list(call.owner, accountId)) {
        if (named.has(row.audience.audience_id)) continue;
        await db.audiences.remove(row);
        await followBuys(context, accountId, row.audience.audience_id);
        if (pace.isDue()) await pace.rest();
        audiences.push({ audience_id: row.audience.audience_id, action: 'deleted' });
      }
    }
    return { audiences, sandbox, message: describeEmpty(audiences) };
  },
});

/** Most audiences that a sentence names. */
const MAX_NAMED_AUDIENCES = 5;

/** Says which audiences were opened with nobody in them; undefined where there are none. */
function describeEmpty(audiences: readonly Readonly<Record<string, unknown>>[]): string | undefined {
  const empty = audiences.filter(({ action, total_uploaded_count: people }) => action === 'created' && people === 0);
  if (empty.length === 0) return undefined;
  const ids = empty.slice(0, MAX_NAMED_AUDIENCES).map(({ audience_id }) => String(audience_id));
  const more = empty.length > ids.length ? ` and ${empty.length - ids.length} more` : '';
  return `Opened with nobody in it: ${ids.join(', ')}${more}. Send people in add, each with an external_id and hashed_email, hashed_phone or uids.`;
}

/** The path of an entry in the request, and when its reading has to give way. */
type Entered = { readonly field: string; readonly pace: Pace };

async function syncOne(
  context: Context,
  accountId: string,
  one: Entry,
  { field, pace }: Entered,
): Promise<Readonly<Record<string, unknown>>> {
  const { call, db } = context;
  const { audience_id } = one;
  try {
    const before = await db.audiences.find(call.owner, accountId, audience_id);
    if (one.delete === true) {
      if (before === undefined) throw noAudience(`${field}.audience_id`);
      await db.audiences.remove(before);
      await followBuys(context, accountId, audience_id);
      return { audience_id, action: 'deleted' };
    }
    const added = await mapPaced(one.add, pace, (value, index) => readMember(value, `${field}.add[${index}]`));
    const removed = await mapPaced(one.remove, pace, (value, at) => readExternalId(value, `${field}.remove[${at}]`));
    return await changeMembers(context, accountId, { entry: one, before }, { added, removed, pace });
  } catch (thrown) {
    const error = taskErrorOrThrow(thrown);
    return { audience_id, action: 'failed', errors: [errorObject(error, call.to.release)] };
  }
}

async function mapPaced<T>(
  values: readonly unknown[] | undefined,
  pace: Pace,
  read: (value: unknown, index: number) => T,
): Promise<readonly T[]> {
  const all: T[] = [];
  for (const [index, value] of (values ?? []).entries()) {
    if (pace.isDue()) await pace.rest();
    all.push(read(value, index));
  }
  return all;
}

type MemberChanges = {
  readonly added: readonly AudienceMember[];
  readonly removed: readonly string[];
  readonly pace: Pace;
};

async function changeMembers(
  context: Context,
  accountId: string,
  { entry, before }: { readonly entry: Entry; readonly before: AudienceRow | undefined },
  { added, removed, pace }: MemberChanges,
): Promise<Readonly<Record<string, unknown>>> {
  const { app, call, db } = context;
  const fields = fieldsOf(entry);
  const audience: Audience = {
    ...(before?.audience ?? { seller_id: app.ids.next('aud') }),
    ...fields,
    audience_id: entry.audience_id,
    hold: holdAfterSync(before),
    last_synced_at: call.now.iso,
  };
  const couldBeTargeted = before !== undefined && (await isTargetable(context, before));
  const seq = await db.audiences.save(call.owner, accountId, audience);
  const gone = new Set(removed);
  // Whoever stands in both lists is removed.
  const staying = added.filter((member) => !gone.has(member.external_id));
  for (const member of staying) {
    await db.audiences.addMember(seq, member);
    if (pace.isDue()) await pace.rest();
  }
  let dropped = 0;
  for (const id of gone) {
    dropped += (await db.audiences.removeMember(seq, id)) ? 1 : 0;
    if (pace.isDue()) await pace.rest();
  }
  if (couldBeTargeted !== (await isTargetable(context, { seq, audience })))
    await followBuys(context, accountId, entry.audience_id);
  const isChanged = staying.length > 0 || dropped > 0 || !hasSameFields(before?.audience, audience);
  const action = syncAction(before === undefined, isChanged);
  return { ...(await showAudience(context, { seq, audience }, added.length)), action };
}

/** Opens or closes the impairments of the buys that target an audience. */
function followBuys({ app, call, db }: Context, accountId: string, audienceId: string): Promise<void> {
  const change = { tx: db, lifecycle: app.lifecycle, owner: call.owner, now: call.now };
  return followAudience(change, accountId, audienceId);
}

async function isTargetable({ account, db }: Context, { seq, audience }: AudienceRow): Promise<boolean> {
  const groups = await db.audiences.groups(seq);
  return audienceStatus({ audience, groups, least: leastMatched(account?.sandbox === true) }) === 'ready';
}

/** Returns what a seller has decided about an audience that its buyer sends again: people are matched anew, and a suspension stays. */
function holdAfterSync(before: AudienceRow | undefined): Audience['hold'] {
  return before?.audience.hold?.status === 'suspended' ? before.audience.hold : undefined;
}

function fieldsOf({ name, description, audience_type, tags, consent_basis }: Entry): Fields {
  const fields = { name, description, audience_type, tags, consent_basis };
  return withoutUndefined(fields) as Fields;
}

function hasSameFields(before: Audience | undefined, after: Audience): boolean {
  return (
    before !== undefined &&
    JSON.stringify({ ...before, last_synced_at: after.last_synced_at }) === JSON.stringify(after)
  );
}

async function showAudience(
  { db, call }: Context,
  { seq, audience }: AudienceRow,
  uploaded: number,
): Promise<Record<string, unknown>> {
  const least = leastMatched(call.principal?.sandbox === true);
  return audienceWire(audience, await db.audiences.groups(seq), { uploaded, least });
}

function noAudience(field: string): TaskError {
  return new TaskError('REFERENCE_NOT_FOUND', 'The account has no such audience.', {
    field,
    suggestion: 'Call sync_audiences without audiences to see what is there.',
  });
}

function nothingNamed(): TaskError {
  return new TaskError('INVALID_REQUEST', 'delete_missing needs the audiences that are to stay.', {
    field: 'audiences',
    suggestion: 'Name the audiences to keep, or leave delete_missing out.',
    issues: [{ pointer: '/audiences', message: 'is required', keyword: 'required' }],
  });
}
