import { HOUR_MS, isoTime } from '../../../platform/kernel/clock.js';
import { isObject, Written } from '../../../platform/kernel/json/json.js';
import type { Payload } from '../../../protocol/envelope.js';
import { TaskError } from '../../../protocol/errors.js';
import type { TaskType } from '../../../protocol/tasks.js';
import type { TaskRequest } from '../../context.js';
import type { MediaBuy } from '../../domain/media-buy/media-buy.js';
import { type ApprovalRule, assessStake, findRule, type Stake } from '../../domain/task/approval.js';
import { answerQuestion, openTask, type Task } from '../../domain/task/task.js';
import { holdBeyond, listHeld, releaseHolder } from '../../lifecycle/inventory.js';
import type { Hold } from '../../store/inventory/holds.js';
import { takeFromLimit } from '../grant/limit-spending.js';
import { holdProposal } from '../product/proposals.js';
import type { Admitted } from './stages.js';
import { type MutationContext, shapeAnswer } from './tool.js';

/** The reason why a call has to wait, and the rule that says so. */
type Asked = { readonly rule: ApprovalRule; readonly because: string; readonly stake: Stake };

/**
 * Does what a call asks for, or, where a rule of the tenant wants a person to decide, undoes it and opens a task: a call that would be
 * refused is refused at once. Answers in the shape of the caller's release.
 */
export async function askOrEffect(admitted: Admitted, effect: () => Promise<Payload>): Promise<Payload> {
  const { app, tool, call, args, context } = admitted;
  const before = await findAsked(admitted);
  // What the request held while it waited is judged anew with it.
  if (before !== undefined) await releaseHolder(context.db, before.task_id);
  const { answer, asked, holds } = await context.db.rehearse(
    async () => {
      const named = isObject(args) ? args.media_buy_id : undefined;
      const earlier = await findBuy(context, named ?? (await tool.changes?.(context)));
      const answer = await effect();
      const after = await findBuy(context, answer.media_buy_id);
      const stake =
        (await tool.stake?.(context, answer)) ??
        (after && assessStake(call.principal?.id ?? '', earlier, after, call.seller.products));
      const rule = stake && findRule(call.seller.tenant.approvals, stake);
      if (rule) await context.db.ownerUsage.requireWithin(call.owner, app.store.read.ownerUsage);
      const holds = rule && after ? await listHeld(context.db, [after.media_buy_id]) : [];
      return { answer, asked: rule && stake && { ...rule, stake }, holds };
    },
    (outcome) => outcome.asked === undefined,
  );
  if (asked !== undefined) {
    const { currency, total, total_before = 0 } = asked.stake;
    // What waits counts, and is not given back: a person who approves it later looks at no limit.
    await takeFromLimit(admitted, { amount: total - total_before, currency });
    return submitForApproval(admitted, asked, { wanted: holds, before });
  }
  if (before !== undefined) throw noLongerAsked();
  return shapeAnswer(tool, answer, call);
}

/** Returns the task that a call answers by its `context_id`: its buyer was asked something about it. Throws INVALID_STATE for one that is over. */
async function findAsked({ task, request, context }: Admitted): Promise<Task | undefined> {
  const { context_id: id } = request;
  const stored = typeof id === 'string' ? await context.db.tasks.find(context.scope, id) : undefined;
  if (stored === undefined || stored.task_type !== task) return undefined;
  if (stored.status === 'input-required') return stored;
  throw new TaskError('INVALID_STATE', `The task is ${stored.status}; nothing is asked about it.`, {
    field: 'context_id',
    suggestion: 'Leave context_id out to make a request of its own.',
  });
}

/** Returns the error of a request that needs nobody's approval any more: it is a request of its own. */
function noLongerAsked(): TaskError {
  return new TaskError('INVALID_STATE', 'This needs no approval, so it does not answer what was asked.', {
    field: 'context_id',
    suggestion: 'Send it without context_id; the task that waits ends by itself, or cancel it.',
  });
}

async function findBuy({ db, scope }: MutationContext, mediaBuyId: unknown): Promise<MediaBuy | undefined> {
  return typeof mediaBuyId === 'string' ? db.mediaBuys.find(scope, mediaBuyId) : undefined;
}

/** Opens the task of a call that waits; `wanted` is what it will hold, which nobody else gets meanwhile. */
async function submitForApproval(
  { app, call, task, tool, request, context }: Admitted,
  asked: Asked,
  { wanted, before }: { readonly wanted: readonly Hold[]; readonly before: Task | undefined },
): Promise<Payload> {
  const { rule, because, stake } = asked;
  const { idempotency_key: _key, context_id: _context, ...stored } = request;
  const sandbox = call.principal?.sandbox ?? false;
  const task_id = before?.task_id ?? app.ids.next('task');
  const due_at = isoTime(call.now.ms + rule.timeout_hours * HOUR_MS);
  const answer = {
    ...tool.shape?.(tool.pending?.(context) ?? {}, call.to.release),
    status: 'submitted',
    task_id,
    message: `A person of the seller has to approve this first; it is decided by ${due_at}. Ask get_task_status for this task_id every few minutes, with include_result: true${callsBack(stored)}.`,
    estimated_completion: due_at,
    sandbox,
  };
  const record = openTask(
    {
      task_id,
      owner: call.owner,
      account_id: stake.account_id,
      sandbox,
      task_type: task as TaskType,
      release: call.to.release,
      request: stored,
      context_text: call.to.context instanceof Written ? call.to.context.plain : undefined,
      question: { because, stake, due_at, on_timeout: rule.on_timeout },
    },
    answer,
    call.now.iso,
  );
  if (before === undefined) await context.db.tasks.insert(record);
  else await context.db.tasks.replace(answerQuestion(before, record));
  await holdForTask(context, { task_id, due_at, stake, proposed: stored.proposal_id }, wanted);
  return answer;
}

type HeldTask = Pick<Asked, 'stake'> & {
  readonly task_id: string;
  readonly due_at: string;
  readonly proposed: unknown;
};

/** Holds for a task what its call wants, beyond what its buy and its proposal hold; the proposal stays until it is decided. */
async function holdForTask(
  context: MutationContext,
  { task_id, due_at, stake, proposed }: HeldTask,
  wanted: readonly Hold[],
): Promise<void> {
  const proposal = typeof proposed === 'string' ? await holdProposal(context, proposed, due_at) : undefined;
  const held = await listHeld(
    context.db,
    [stake.media_buy_id, proposal].filter((holder) => holder !== undefined),
  );
  await holdBeyond(context.db, { holder_id: task_id, expires_at: null }, wanted, held);
}

function callsBack(request: TaskRequest): string {
  return request.push_notification_config === undefined ? '' : ', or wait for the call to your webhook';
}
