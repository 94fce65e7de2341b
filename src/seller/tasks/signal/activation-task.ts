import { isoTime } from '../../../platform/kernel/clock.js';
import { Written } from '../../../platform/kernel/json/json.js';
import type { Payload } from '../../../protocol/envelope.js';
import { isOver } from '../../../protocol/tasks.js';
import type { App, Call } from '../../context.js';
import type { Account } from '../../domain/account/account.js';
import {
  type Deployment,
  deactivateDeployment,
  deploymentState,
  deploymentWire,
} from '../../domain/signal/deployment.js';
import { moveTask, openTask, type Step, type Task } from '../../domain/task/task.js';
import type { Reader, Writer } from '../../store/store.js';
import { announceTask } from '../../webhooks/events/task-events.js';
import { type GivenDestination, readDestination } from './shapes.js';

/** A call that activates a signal, in its transaction. */
type Activating = {
  readonly app: App;
  readonly call: Call;
  readonly db: Writer;
  readonly account: Account | undefined;
  readonly request: Readonly<Record<string, unknown>>;
};

/**
 * Returns the answer of a call that brought a registration, whose signal is not live everywhere yet: a task that goes on until it is. Its
 * registrations are told that it is being worked on, and of its end.
 */
export async function openActivation(activating: Activating, answer: Payload, liveAt: string): Promise<Payload> {
  const { app, call, db, account, request } = activating;
  const { idempotency_key: _key, ...stored } = request;
  const task_id = app.ids.next('task');
  const submitted = { status: 'submitted', task_id, ...answer };
  const facts = {
    task_id,
    owner: call.owner,
    account_id: account?.account_id ?? '',
    sandbox: call.principal?.sandbox ?? false,
    task_type: 'activate_signal',
    release: call.to.release,
    request: stored,
    context_text: call.to.context instanceof Written ? call.to.context.plain : undefined,
    run: { count: 0, due_at: liveAt },
  } as const;
  const step: Step = { status: 'working', at: call.now.iso, result: { percentage: 0, current_step: 'activation' } };
  const working = moveTask(openTask(facts, submitted, call.now.iso), step);
  await db.tasks.insert(working);
  call.onTask?.(db, task_id);
  await announceTask(app.outbox, db, working);
  return submitted;
}

/** Ends a task whose signal should be live by now: completed where it is, canceled where its buyer took it back everywhere. */
export async function endActivation(app: App, { task_id, owner }: Task): Promise<void> {
  await app.store.transact(async (tx) => {
    const task = await tx.tasks.findAnywhere(task_id);
    if (task === undefined || isOver(task.status)) return;
    const nowMs = app.clock.nowOf(owner);
    const deployments = await findDeployments(tx, task);
    const late = deployments.find((one) => deploymentState(one, nowMs) === 'activating');
    if (late !== undefined) return tx.tasks.replace({ ...task, run: { count: 0, due_at: late.live_at } });
    const isLive = deployments.some((one) => deploymentState(one, nowMs) === 'live');
    const result = { deployments: deployments.map((one) => deploymentWire(one, true, nowMs)), sandbox: task.sandbox };
    const ended = moveTask(task, { ...(isLive ? LIVE : TAKEN_BACK), at: isoTime(nowMs), result });
    await tx.tasks.replace(ended);
    await announceTask(app.outbox, tx, ended);
  });
}

const LIVE = { status: 'completed', message: 'Live. Target by the activation_key of each deployment.' } as const;
const TAKEN_BACK = { status: 'canceled', message: 'The signal was taken back before it was live.' } as const;

/** Takes back, from wherever it is not live yet, the signal of a task that its buyer gives up. */
export async function cancelActivation(tx: Writer, task: Task, nowMs: number): Promise<void> {
  for (const deployment of await findDeployments(tx, task))
    if (deploymentState(deployment, nowMs) === 'activating')
      await tx.signals.save(task.owner, deactivateDeployment(deployment, nowMs));
}

/** The arguments of the call that a task comes from. */
type Activated = { readonly signal_agent_segment_id: string; readonly destinations: readonly GivenDestination[] };

/** Returns the deployments of the signal of a task, as they are now. */
async function findDeployments(db: Reader, { owner, account_id, request }: Task): Promise<readonly Deployment[]> {
  const { signal_agent_segment_id: id, destinations } = request as Activated;
  const accountId = account_id === '' ? undefined : account_id;
  const deployments: Deployment[] = [];
  for (const [index, given] of destinations.entries()) {
    const deployment = await db.signals.find(owner, accountId, id, readDestination(given, `destinations[${index}]`));
    if (deployment !== undefined) deployments.push(deployment);
  }
  return deployments;
}
