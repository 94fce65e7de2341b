import { isoTime } from '../../../platform/kernel/clock.js';
import { Written } from '../../../platform/kernel/json/json.js';
import { settlesWithin } from '../../../platform/kernel/loop.js';
import { errorObject, type Payload } from '../../../protocol/envelope.js';
import { catchTaskError, TaskError } from '../../../protocol/errors.js';
import type { Release } from '../../../protocol/releases.js';
import { isOver, type TaskType } from '../../../protocol/tasks.js';
import type { App } from '../../context.js';
import { moveTask, noteProgress, openTask, type Progress, type Step, type Task } from '../../domain/task/task.js';
import { ownerLock, type Writer } from '../../store/store.js';
import { announceTask } from '../../webhooks/events/task-events.js';
import type { Admitted, Parsed, PendingPreparation, Prepared } from './stages.js';

/** Tells how far a preparation is. */
export type ReportProgress = (progress: Progress) => void;

/** Carries out in a transaction what has been prepared, and answers it. */
type CarryOut = (prepared: Prepared, tx: Writer) => Promise<Payload>;

/** How often a task is begun, the first time included. */
const MAX_RUNS = 3;

/**
 * Prepares a call, as long as its caller waits: what takes longer goes on beside the answer, as `pending` of what is returned. Callers
 * without a name, who could not ask for it, and dry runs wait to the end.
 */
export async function prepareWithin(
  parsed: Parsed,
  prepare: (report: ReportProgress) => Promise<Prepared>,
): Promise<Prepared> {
  const { app, call, tool, args } = parsed;
  const canGoOn = tool.outlasts === true && call.principal !== undefined && tool.dryRun?.(args) !== true;
  if (!canGoOn || !app.unfinished.hasRoom()) return prepare(() => undefined);
  let latest: Progress | undefined;
  let listener = (): void => undefined;
  const preparing = prepare((progress) => {
    latest = progress;
    listener();
  });
  if (await settlesWithin(preparing, call.seller.tenant.answerWithinMs)) return preparing;
  const pending: PendingPreparation = {
    preparing,
    progress: () => latest,
    listen: (next) => {
      listener = next;
    },
  };
  return { ...parsed, prepared: undefined, approval: undefined, isConsulted: false, pending };
}

/** Opens the task of a call that goes on, and answers that it was submitted; once that is stored, it is carried to its end. */
export async function openUnfinished(
  admitted: Admitted,
  pending: PendingPreparation,
  carryOut: CarryOut,
): Promise<Payload> {
  const { app, call, task, request, context } = admitted;
  const { idempotency_key: _key, ...stored } = request;
  const sandbox = call.principal?.sandbox ?? false;
  const task_id = app.ids.next('task');
  const hasWebhook = stored.push_notification_config !== undefined;
  const answer = {
    status: 'submitted',
    task_id,
    message: `This takes longer. Ask get_task_status for this task_id every few seconds, with include_result: true${hasWebhook ? ', or wait for the call to your webhook' : ''}.`,
    sandbox,
  };
  const facts = {
    task_id,
    owner: call.owner,
    account_id: context.account?.account_id ?? '',
    sandbox,
    task_type: task as TaskType,
    release: call.to.release,
    request: stored,
    context_text: call.to.context instanceof Written ? call.to.context.plain : undefined,
    run: { count: 1, due_at: app.unfinished.nextWord(app.clock.now()) },
  };
  const opened = openTask(facts, answer, call.now.iso);
  const working = moveTask(opened, { status: 'working', at: call.now.iso, result: progressResult(pending.progress()) });
  await context.db.tasks.insert(working);
  call.onTask?.(context.db, task_id);
  await announceTask(app.outbox, context.db, working);
  context.db.onCommit(() => app.unfinished.add(task_id, () => goOn(app, working, pending, carryOut)));
  return answer;
}

/** Carries a task to its end while it is prepared, and stores its progress. What fails for a reason of our own is begun again later. */
async function goOn(app: App, task: Task, pending: PendingPreparation, carryOut: CarryOut): Promise<void> {
  const { task_id } = task;
  const progress = new ProgressLog(app, task, pending);
  pending.listen(() => progress.write());
  try {
    const prepared = await catchTaskError(() => pending.preparing);
    await progress.end();
    await endUnfinished(app, task, prepared, carryOut);
  } catch (error) {
    app.log.error({ err: error, task: task_id }, 'a task that goes on could not be ended; it is begun again');
  }
}

/** Stores that the tasks which go on in this process do so: no other one begins them again. Their buyers are told nothing. */
export async function renewUnfinished({ clock, store, unfinished }: App): Promise<void> {
  for (const task_id of unfinished.ids()) {
    await store.transact(async (tx) => {
      const present = await tx.tasks.findAnywhere(task_id);
      if (present?.run === undefined || isOver(present.status)) return;
      const run = { count: present.run.count, due_at: unfinished.nextWord(clock.now()) };
      await tx.tasks.replace({ ...present, run });
    });
  }
}

/** Begins a task again that its process left behind; after the last run it fails. `prepare` makes ready what the task asks for. */
export async function beginAgain(app: App, task: Task, prepare: () => Promise<CarryOutNow>): Promise<void> {
  const run = { count: (task.run?.count ?? 0) + 1, due_at: app.unfinished.nextWord(app.clock.now()) };
  if (run.count > MAX_RUNS) return endTask(app, task, async () => gaveUp(task.release));
  await app.store.transact(async (tx) => {
    const present = await tx.tasks.findAnywhere(task.task_id);
    if (present !== undefined && !isOver(present.status)) await tx.tasks.replace({ ...present, run });
  });
  app.unfinished.add(task.task_id, async () => {
    try {
      const ready = await catchTaskError(prepare);
      await endTask(app, task, outcomeOf(task.release, ready));
    } catch (error) {
      app.log.error({ err: error, task: task.task_id }, 'a task that was begun again could not be ended');
    }
  });
}

/** Carries out in a transaction what a task asks for, and answers it. */
type CarryOutNow = (tx: Writer) => Promise<Payload>;

type Outcome = Omit<Step, 'at' | 'by'>;

function endUnfinished(app: App, task: Task, prepared: Prepared | TaskError, carryOut: CarryOut): Promise<void> {
  const ready = prepared instanceof TaskError ? prepared : (tx: Writer) => carryOut(prepared, tx);
  return endTask(app, task, outcomeOf(task.release, ready));
}

/** Returns what ends a task in its transaction: what it asks for is done, or undone and refused. */
function outcomeOf(release: Release, ready: CarryOutNow | TaskError): (tx: Writer) => Promise<Outcome> {
  return async (tx) => {
    if (ready instanceof TaskError) return failTask(ready, release);
    const answer = await tx.rehearse(
      () => catchTaskError(() => ready(tx)),
      (outcome) => !(outcome instanceof TaskError),
    );
    return answer instanceof TaskError
      ? failTask(answer, release)
      : { status: 'completed', message: 'What was asked for is done.', result: answer };
  };
}

/** Ends a task in one transaction with its effect and its event; one that is over by now stays as it is, and nothing is done. */
async function endTask(app: App, task: Task, carryOut: (tx: Writer) => Promise<Outcome>): Promise<void> {
  const { task_id, owner } = task;
  await app.store.transact(
    async (tx) => {
      const present = await tx.tasks.findAnywhere(task_id);
      if (present === undefined || isOver(present.status)) return;
      const outcome = await carryOut(tx);
      await tx.ownerUsage.requireWithin(owner, app.store.read.ownerUsage);
      const ended = moveTask(present, { ...outcome, at: isoTime(app.clock.nowOf(owner)) });
      await tx.tasks.replace(ended);
      await announceTask(app.outbox, tx, ended);
    },
    { locks: [ownerLock(owner)] },
  );
}

function failTask(error: TaskError, release: Release): Outcome {
  return {
    status: 'failed',
    message: error.message,
    result: { status: 'failed', errors: [errorObject(error, release)] },
  };
}

function gaveUp(release: Release): Outcome {
  const error = new TaskError(
    'SERVICE_UNAVAILABLE',
    'The task could not be ended, though it was begun several times.',
    {
      suggestion: 'Send the request again with a new idempotency_key.',
    },
  );
  return failTask(error, release);
}

/** Returns what a task says of itself while it goes on. */
function progressResult(progress: Progress | undefined): Record<string, unknown> {
  if (progress === undefined) return { percentage: 0 };
  const { step_number, total_steps, current_step, share = 0 } = progress;
  return {
    percentage: Math.floor((100 * (step_number - 1 + share)) / total_steps),
    current_step,
    step_number,
    total_steps,
  };
}

/** Stores the progress of a task, the latest alone where steps follow each other closely. */
class ProgressLog {
  readonly #app: App;
  readonly #task: Task;
  readonly #pending: PendingPreparation;
  #writing: Promise<void> | undefined;
  #isStale = false;
  #isEnded = false;

  constructor(app: App, task: Task, pending: PendingPreparation) {
    this.#app = app;
    this.#task = task;
    this.#pending = pending;
  }

  write(): void {
    this.#isStale = true;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Waits for what is being written; nothing is written afterwards. */
  async end(): Promise<void> {
    this.#isEnded = true;
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    const { log } = this.#app;
    while (this.#isStale && !this.#isEnded) {
      this.#isStale = false;
      await this.#writeLatest().catch((error: unknown) =>
        log.warn({ err: error, task: this.#task.task_id }, 'the progress of a task could not be stored'),
      );
    }
  }

  async #writeLatest(): Promise<void> {
    const { store, clock, outbox, unfinished } = this.#app;
    const { task_id, owner } = this.#task;
    const result = progressResult(this.#pending.progress());
    await store.transact(async (tx) => {
      const present = await tx.tasks.findAnywhere(task_id);
      if (present?.status !== 'working') return;
      const run = { count: present.run?.count ?? 1, due_at: unfinished.nextWord(clock.now()) };
      const noted = { ...noteProgress(present, result, isoTime(clock.nowOf(owner))), run };
      await tx.tasks.replace(noted);
      await announceTask(outbox, tx, noted);
    });
  }
}
