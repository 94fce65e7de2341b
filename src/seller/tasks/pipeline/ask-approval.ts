import { HOUR_MS, isoTime } from '../../../platform/kernel/clock.js';
import { isObject } from '../../../platform/kernel/json/json.js';
import type { Payload } from '../../../protocol/envelope.js';
import type { TaskType } from '../../../protocol/tasks.js';
import { type ApprovalRule, ruleFor, type Stake, stakeOf } from '../../domain/task/approval.js';
import { openTask } from '../../domain/task/task.js';
import { holdProposal } from '../product/proposals.js';
import { type Mutation, type MutationContext, toolName } from './define.js';
import { type PreparedMutation, shaped } from './work.js';

/** Why a call has to wait, and for whom. */
type Asked = { readonly rule: ApprovalRule; readonly because: string; readonly stake: Stake };

/**
 * Does what a call asks for, or, where the tenant wants a person to decide first, judges it in full and opens a task: a call that
 * would be refused is refused at once. `request` are the arguments as they came. Answers in the shape of the caller's release.
 */
export async function runOrAsk(
  tool: Mutation,
  work: Pick<PreparedMutation, 'run'>,
  turn: MutationContext,
  request: Payload,
): Promise<Payload> {
  const { payload, asked } = await turn.db.rehearse(
    async () => {
      const before = isObject(turn.args) ? await findBuy(turn, turn.args.media_buy_id) : undefined;
      const answer = await work.run(turn);
      const after = await findBuy(turn, answer.media_buy_id);
      const { seller, principal } = turn.call;
      const stake = after && stakeOf(principal?.id ?? '', before, after, seller.products);
      const found = stake && ruleFor(seller.tenant.approvals, stake);
      return { payload: answer, asked: found && stake && { ...found, stake } };
    },
    (outcome) => outcome.asked === undefined,
  );
  return asked === undefined ? shaped(tool, payload, turn.call) : ask(tool, turn, asked, request);
}

async function findBuy({ db, call }: MutationContext, mediaBuyId: unknown) {
  return typeof mediaBuyId === 'string' ? db.mediaBuys.find(call.owner, mediaBuyId) : undefined;
}

async function ask(tool: Mutation, turn: MutationContext, asked: Asked, request: Payload): Promise<Payload> {
  const { app, call, db } = turn;
  const { rule, because, stake } = asked;
  const { idempotency_key: _key, ...kept } = request;
  const sandbox = call.principal?.sandbox ?? false;
  const task_id = app.ids.next('task');
  const due_at = isoTime(call.now.ms + rule.timeout_hours * HOUR_MS);
  const answer = {
    status: 'submitted',
    task_id,
    message: `A person of the seller has to approve this first; it is decided by ${due_at}. Ask get_task_status for this task_id every few minutes, with include_result: true${callsBack(kept)}.`,
    estimated_completion: due_at,
    sandbox,
  };
  const task = openTask(
    {
      task_id,
      owner: call.owner,
      account_id: stake.account_id,
      sandbox,
      task_type: toolName(tool, call.seller.names) as TaskType,
      release: call.to.release,
      request: kept,
      question: { because, stake, due_at, on_timeout: rule.on_timeout },
    },
    answer,
    call.now.iso,
  );
  await db.tasks.insert(task);
  if (typeof kept.proposal_id === 'string') await holdProposal(db, call.owner, kept.proposal_id, due_at);
  return answer;
}

function callsBack(request: Payload): string {
  return request.push_notification_config === undefined ? '' : ', or wait for the call to your webhook';
}
