import { type Clock, DAY_MS, isoTime } from '../../../platform/kernel/clock.js';
import type { Ids } from '../../../platform/kernel/ids.js';
import type { ServerStore } from '../store/server-store.js';
import { listHolds } from './blocks/holds.js';
import type { OperatorAct } from './records.js';

/** How long an act is kept, and how many are. */
const RETENTION_MS = 730 * DAY_MS;
const MAX_ACTS = 100_000;
/** Acts that are removed at a time. */
const CHUNK = 1000;
/** Acts on one page of the list. */
const PAGE_SIZE = 200;
const MAX_SUBJECT_CHARACTERS = 2048;
/** Things of a list that are named; of the others their number is told. */
const MAX_NAMED = 3;

/** Members of requests that name what an operation is about. */
const NAMING = [
  'organization',
  'subject',
  'slug',
  'kind',
  'name',
  'url',
  'domain',
  'domains',
  'role',
  'key_id',
  'review_id',
  'revision_number',
  'files',
];

/** Who did something, and with what request. */
type Acted = { readonly by: string; readonly action: string; readonly request: unknown };

type ActContext = { readonly clock: Clock; readonly ids: Ids; readonly store: ServerStore };

/**
 * Does what the operator, an admin or a moderator asked for, on a registry whose first transaction records the act too: both are on disk, or
 * neither. One that ends without a transaction is recorded in its own.
 */
export async function carryOutAct<Context extends ActContext, T>(
  context: Context,
  acted: Acted,
  run: (context: Context) => Promise<T>,
): Promise<T> {
  const act = describeAct(context, acted);
  let isRecorded = false;
  const { store } = context;
  const transact: ServerStore['transact'] = async (action) => {
    const outcome = await store.transact(async (tx) => {
      const done = await action(tx);
      if (!isRecorded) await tx.operator_act.put(act);
      return done;
    });
    isRecorded = true;
    return outcome;
  };
  const outcome = await run({ ...context, store: { ...store, transact } });
  if (!isRecorded) await transact(async () => undefined);
  return outcome;
}

function describeAct({ clock, ids }: ActContext, { action, by, request }: Acted): OperatorAct {
  const given = (request ?? {}) as Readonly<Record<string, unknown>>;
  return {
    act_id: ids.uuid7(),
    at: isoTime(clock.now()),
    by,
    action,
    subject: subjectOf(given),
    ...(typeof given.reason === 'string' && { reason: given.reason }),
  };
}

/** Returns acts, the newest first, behind so many. */
export async function listActs({ store }: Pick<ActContext, 'store'>, offset: number): Promise<readonly OperatorAct[]> {
  return store.read.operator_act.listLatest('', PAGE_SIZE, offset);
}

/** Removes acts that are too old or too many, some at a time, but those that name what is under a legal hold. */
export async function clearActs(store: ServerStore, nowMs: number): Promise<void> {
  const { operator_act } = store.read;
  const held = await listHeldNames(store);
  const excess = (await operator_act.count()) - MAX_ACTS;
  let [after, passed] = ['', 0];
  for (;;) {
    const oldest = await operator_act.page(after, CHUNK);
    const due = oldest.filter(({ at }, index) => passed + index < excess || Date.parse(at) + RETENTION_MS <= nowMs);
    const gone = due.filter(({ subject }) => !held.some((name) => subject.includes(name)));
    if (gone.length > 0) {
      return store.transact(async (tx) => {
        for (const { act_id } of gone) await tx.operator_act.remove(act_id);
      });
    }
    if (due.length < CHUNK) return;
    after = due.at(-1)?.act_id ?? after;
    passed += CHUNK;
  }
}

async function listHeldNames({ read }: ServerStore): Promise<readonly string[]> {
  const names: string[] = [];
  for (const { kind, name } of await listHolds(read)) {
    const organization = kind === 'organization' ? await read.organization.find(name) : undefined;
    names.push(name, ...(organization === undefined ? [] : [organization.slug]));
  }
  return names;
}

function subjectOf(request: Readonly<Record<string, unknown>>): string {
  const named = NAMING.flatMap((member) => {
    const value = request[member];
    if (typeof value === 'string' || typeof value === 'number') return [`${value}`];
    if (!Array.isArray(value)) return [];
    const names = value.slice(0, MAX_NAMED).map((one) => (typeof one === 'string' ? one : String(one?.domain ?? '')));
    return [value.length > MAX_NAMED ? `${names.join(', ')} and ${value.length - MAX_NAMED} more` : names.join(', ')];
  });
  return named.join(' ').slice(0, MAX_SUBJECT_CHARACTERS);
}
