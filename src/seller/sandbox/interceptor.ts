import type { Clock } from '../../platform/kernel/clock.js';
import type { Ids } from '../../platform/kernel/ids.js';
import { type Written, writeOnce } from '../../platform/kernel/json/json.js';
import { errorObject, type Payload } from '../../protocol/envelope.js';
import { TaskError } from '../../protocol/errors.js';
import { staleResponse } from '../../protocol/stale-response.js';
import { isOngoing, type TaskType } from '../../protocol/tasks.js';
import type { Call, Caller, InterceptedCall, Interceptor, TaskRequest } from '../context.js';
import { FIXTURE_ACCOUNT } from '../domain/account/account.js';
import type { Commitment } from '../domain/governance/commitment.js';
import type { SeededPlan } from '../domain/governance/seeded-plan.js';
import { checkVerdict, type GovernanceVerdict } from '../domain/governance/verdict.js';
import { openTask } from '../domain/task/task.js';
import type { Seller } from '../domain/tenant/seller.js';
import type { Store, Writer } from '../store/store.js';
import type { Sandboxes } from './sandboxes.js';

/** The services that sandbox callers' arrangements are carried out with. */
type SandboxServices = {
  readonly store: Store;
  readonly sandboxes: Sandboxes;
  readonly ids: Ids;
  readonly clock: Clock;
  /** Whether a seeded plan may decide in place of a governance agent that can be nobody's. */
  readonly development: boolean;
  /** The tenants as their files have them, by path. */
  readonly sellers: () => ReadonlyMap<string, Seller>;
};

/** The answer that a sandbox principal has ordered for its next call of a task. */
type OrderedAnswer = {
  readonly arm: 'submitted' | 'input-required';
  /** There with `submitted`. */
  readonly task_id?: string;
  readonly message?: string;
};

/** Returns the key of an ordered answer: for the calls of a task in one account, or in whichever. */
export function answerKey(task: string, accountId: string | undefined): string {
  return accountId === undefined ? task : `${task} ${accountId}`;
}

/** Returns the key of an ordered outage: the next call of a task finds something behind it out of reach. */
export function outageKey(task: string): string {
  return `outage ${task}`;
}

/** Returns the hooks by which the calls of a sandbox principal go as it has arranged, everything arranged once; undefined for other callers. */
export function interceptForSandbox(services: SandboxServices): (caller: Caller) => Interceptor | undefined {
  const { sandboxes, sellers } = services;
  const interceptor: Interceptor = {
    receive: (seller, owner) => sandboxes.seen(seller, owner),
    admit: (call, account) => {
      if (account?.account_id !== FIXTURE_ACCOUNT.account_id) return undefined;
      const seller = sellers().get(call.seller.tenant.path);
      return seller && sandboxes.alone(seller, call.owner);
    },
    prepare: (call, task) => failOnce(services, call, task),
    consult: (call, agent, commitment, planId) => {
      const plan = findSeededPlan(services, call, agent.url, planId);
      return plan && decideBySeededPlan(services, plan, commitment, planId);
    },
    effect: (intercepted, db, judge) => answerChange(services, intercepted, db, judge),
    answer: (intercepted, run) => answerReading(services, intercepted, run),
  };
  return ({ principal }) => (principal?.sandbox === true ? interceptor : undefined);
}

/** Returns what fails the caller's next call of a task with SERVICE_UNAVAILABLE, once, where that was ordered. */
function failOnce(services: SandboxServices, call: Call, task: string): (() => Promise<never>) | undefined {
  const end = orderedOutage(services, call, task);
  return end && (async () => Promise.reject(refuseUnavailable(await end())));
}

/** Tasks whose answers may be old: what a caller reads of its own things may not. */
const CATALOG_TASKS: ReadonlySet<string> = new Set(['get_products', 'list_creative_formats', 'get_signals']);

/** Answers a reading call as it was ordered; in an outage with the answer that its caller last had to the same question, while it is kept. */
async function answerReading(
  services: SandboxServices,
  intercepted: InterceptedCall,
  run: () => Promise<Payload | Written>,
): Promise<Payload | Written> {
  const { call, task } = intercepted;
  const { answers } = services.sandboxes;
  const key = answerKey(task, call.owner);
  const end = orderedOutage(services, call, task);
  if (end === undefined) {
    const answer = (await orderedAnswer(services, intercepted)) ?? (await run());
    if (CATALOG_TASKS.has(task))
      answers.set(key, { asked: questionOf(intercepted), answer: writeOnce(answer), atMs: call.now.ms });
    return answer;
  }
  const upstream = await end();
  const recorded = answers.get(key);
  const answer = recorded?.asked === questionOf(intercepted) ? (JSON.parse(recorded.answer.plain) as Payload) : {};
  const field = Object.keys(answer).find((name) => Array.isArray(answer[name]) && answer[name].length > 0);
  if (recorded === undefined || field === undefined) throw refuseUnavailable(upstream);
  const earlier: readonly unknown[] = Array.isArray(answer.errors) ? answer.errors : [];
  const stale = staleResponse({ field, ageMs: call.now.ms - recorded.atMs, upstream });
  return { ...answer, errors: [...earlier, errorObject(stale, call.to.release)] };
}

function questionOf({ call, request: { context: _echoed, ...asked } }: InterceptedCall): string {
  return JSON.stringify([call.to.release, asked]);
}

/** Something behind a task, as the caller named it. */
type Upstream = { readonly name: string };

/** Returns what ends the outage that the caller has ordered of a task, and says what was out of reach; undefined where none is ordered. */
function orderedOutage(
  { store, sandboxes }: SandboxServices,
  { owner }: Call,
  task: string,
): (() => Promise<Upstream>) | undefined {
  const key = outageKey(task);
  const ordered = sandboxes.find(owner, 'arm', key);
  if (ordered === undefined) return undefined;
  return async () => {
    await store.transact((tx) => sandboxes.remove(tx, owner, 'arm', key));
    return { name: String(ordered.doc.upstream_name ?? 'default') };
  };
}

function refuseUnavailable(upstream: Upstream): TaskError {
  return new TaskError('SERVICE_UNAVAILABLE', 'Something that this task needs could not be reached.', {
    retryAfter: 5,
    details: { upstream },
    suggestion: 'Retry in a few seconds, a changing task with the same idempotency_key; nothing was done.',
  });
}

/** Returns the key of the answer that was ordered for a call: in its account, else in any. */
function findAnswerKey(sandboxes: Sandboxes, { call, task, account }: InterceptedCall): string | undefined {
  return [answerKey(task, account?.account_id), task].find(
    (key) => sandboxes.find(call.owner, 'arm', key) !== undefined,
  );
}

/** Answers a changing call as it was ordered, after it was judged in full: what would be refused is refused. */
async function answerChange(
  { sandboxes }: SandboxServices,
  intercepted: InterceptedCall,
  db: Writer,
  judge: () => Promise<unknown>,
): Promise<Payload | undefined> {
  const key = findAnswerKey(sandboxes, intercepted);
  if (key === undefined) return undefined;
  const ordered = await db.sandboxes.find(intercepted.call.owner, 'arm', key);
  if (ordered === undefined) return undefined;
  await db.rehearse(judge);
  await sandboxes.remove(db, intercepted.call.owner, 'arm', ordered.key);
  return giveAnswer(intercepted, db, ordered.doc as OrderedAnswer);
}

/** Returns the answer to a reading call that was ordered, unless it asks for the whole catalog, which is never a task. */
async function orderedAnswer(
  { store, sandboxes }: SandboxServices,
  intercepted: InterceptedCall,
): Promise<Payload | undefined> {
  const { call, request } = intercepted;
  const isWholesale = request.buying_mode === 'wholesale' || request.discovery_mode === 'wholesale';
  const key = isWholesale ? undefined : findAnswerKey(sandboxes, intercepted);
  if (key === undefined) return undefined;
  return store.transact(async (db) => {
    const ordered = await db.sandboxes.find(call.owner, 'arm', key);
    if (ordered === undefined) return undefined;
    await sandboxes.remove(db, call.owner, 'arm', key);
    const answer = await giveAnswer(intercepted, db, ordered.doc as OrderedAnswer);
    if (isOngoing(answer)) call.onTask?.(db, answer.task_id);
    return answer;
  });
}

/** Asks the buyer for something, or opens a task that waits until it is completed by order too. */
async function giveAnswer(intercepted: InterceptedCall, db: Writer, ordered: OrderedAnswer): Promise<Payload> {
  const { task_id, message } = ordered;
  if (task_id === undefined) return askForInput(ordered);
  const answer = { status: 'submitted', task_id, message, sandbox: true };
  await saveTask(intercepted, db, task_id, answer);
  return answer;
}

function askForInput({ message = 'The seller needs to know more before it can go on.' }: OrderedAnswer): Payload {
  return {
    status: 'input-required',
    reason: 'APPROVAL_REQUIRED',
    message,
    errors: [{ code: 'APPROVAL_REQUIRED', message, recovery: 'correctable' }],
  };
}

/** Stores a task that waits; under an id that was used before it replaces the old task. */
async function saveTask(
  { call, task, account, request }: InterceptedCall,
  db: Writer,
  task_id: string,
  answer: Payload,
): Promise<void> {
  const record = openTask(
    {
      task_id,
      owner: call.owner,
      account_id: account?.account_id ?? '',
      sandbox: true,
      task_type: task as TaskType,
      release: call.to.release,
      request: withoutKey(request),
    },
    answer,
    call.now.iso,
  );
  const before = await db.tasks.find(call.owner, task_id);
  await (before === undefined ? db.tasks.insert(record) : db.tasks.replace(record));
}

function withoutKey({ idempotency_key: _key, ...request }: TaskRequest): TaskRequest {
  return request;
}

/** Returns the plan that stands in for an agent: a seeded one, where the agent's name is reserved for examples. */
function findSeededPlan(
  { sandboxes, development }: SandboxServices,
  { owner }: Call,
  agentUrl: string,
  planId: string,
): SeededPlan | undefined {
  if (!development || !new URL(agentUrl).hostname.endsWith('.example')) return undefined;
  return sandboxes.find(owner, 'plan', planId)?.doc as SeededPlan | undefined;
}

async function decideBySeededPlan(
  { ids, clock }: SandboxServices,
  plan: SeededPlan,
  commitment: Commitment,
  planId: string,
): Promise<GovernanceVerdict> {
  const { decideByPlan } = await import('../domain/governance/seeded-plan.js');
  const verdict = decideByPlan(plan, commitment, { check_id: ids.next('chk'), nowMs: clock.now() });
  checkVerdict(verdict, planId, clock.now());
  return verdict;
}
