import { z } from 'zod';
import { isObject } from '../../../platform/kernel/json/json.js';
import type { Payload } from '../../../protocol/envelope.js';
import { TaskError } from '../../../protocol/errors.js';
import { ACCOUNT_STATUSES, accountNotFound, moveAccount } from '../../domain/account/account.js';
import { AUDIENCE_STATUSES, leastMatched, SUSPENSIONS } from '../../domain/audience/audience.js';
import { audienceStatus, moveAudience } from '../../domain/audience/status.js';
import {
  CREATIVE_REASONS,
  CREATIVE_STATUSES,
  type Creative,
  moveCreative,
  PURGES,
  type PurgeKind,
} from '../../domain/creative/creative.js';
import { MEDIA_BUY_STATUSES, type MediaBuy } from '../../domain/media-buy/media-buy.js';
import { moveBySeller } from '../../domain/media-buy/settlement.js';
import { moveStoredCreative, purgeCreative } from '../../lifecycle/creatives.js';
import { followAudience } from '../../lifecycle/followed-resources.js';
import { loadRotations } from '../../lifecycle/media-buys.js';
import type { AudienceRow } from '../../store/audiences.js';
import type { Reader } from '../../store/store.js';
import { toolName } from '../../tasks/pipeline/tool.js';
import { answerKey, outageKey } from '../interceptor.js';
import { type Scenario, type ScenarioContext, scenario } from './action.js';

const id = z.string().min(1).max(255);
const reason = z.string().max(2000).optional();

/** Longest completion payload, in characters of its JSON. */
const MAX_RESULT_CHARS = 262_144;

/** The members that the answer of a finished task holds at least, by its type. */
const RESULTS: Readonly<Record<string, readonly string[]>> = {
  create_media_buy: ['media_buy_id', 'packages'],
  update_media_buy: ['media_buy_id'],
  get_products: ['products'],
  get_signals: ['signals'],
};

/** Parameters of force_task_completion. */
export const completionParams = z.looseObject({ task_id: z.string().min(1).max(128), result: z.looseObject({}) });

/** force_*: moves that else time, a person of the seller or its billing bring about, by the same rules. */
export const FORCES = {
  force_creative_status: scenario(
    z.looseObject({
      creative_id: id,
      status: z.enum(CREATIVE_STATUSES),
      rejection_reason: reason,
      reason_detail: reason,
    }),
    async ({ app, call, db }, { creative_id, status, rejection_reason, reason_detail }) => {
      const creative = await findCreative({ call, db }, creative_id);
      const after = moveCreative(creative, status, rejection_reason ?? reason_detail, call.now.iso);
      if (status === 'archived' && (await db.creatives.listAssignments(call.owner, [creative])).length > 0) {
        throw new TaskError('INVALID_STATE', 'The creative is assigned to a package and cannot be archived.', {
          field: 'params.status',
          suggestion: 'Take it out of its packages with update_media_buy first.',
          details: { current_state: creative.status },
        });
      }
      if (after !== creative) await moveStoredCreative(changeOf({ app, call, db }), creative, after);
      return transition(creative.status, after.status);
    },
  ),
  force_creative_purge: scenario(
    z.looseObject({
      creative_id: id,
      purge_kind: z.enum(Object.keys(PURGES) as PurgeKind[]).default('soft'),
      reason_code: z.enum(CREATIVE_REASONS).optional(),
    }),
    async ({ app, call, db }, { creative_id, purge_kind, reason_code = PURGES[purge_kind] }) => {
      const creative = await findCreative({ call, db }, creative_id);
      await purgeCreative(changeOf({ app, call, db }), creative, purge_kind, reason_code);
      return transition(creative.status, 'purged');
    },
  ),
  force_account_status: scenario(
    z.looseObject({ account_id: id, status: z.enum(ACCOUNT_STATUSES) }),
    async ({ call, db }, { account_id, status }) => {
      const account = await db.accounts.findById(call.owner, account_id);
      if (account === undefined) throw accountNotFound([]);
      const after = moveAccount(account, status);
      if (after !== account) await db.accounts.save(call.owner, after);
      return transition(account.status, after.status);
    },
  ),
  force_media_buy_status: scenario(
    z.looseObject({ media_buy_id: id, status: z.enum(MEDIA_BUY_STATUSES), rejection_reason: reason }),
    async (context, { media_buy_id, status, rejection_reason }) => {
      const buy = await findBuy(context, media_buy_id);
      return transition(buy.status, (await forceBuy(context, buy, status, rejection_reason)).status);
    },
  ),
  force_create_media_buy_arm: ordering('create_media_buy', ['submitted', 'input-required']),
  force_get_products_arm: ordering('get_products', ['submitted']),
  force_get_signals_arm: ordering('get_signals', ['submitted']),
  force_task_completion: scenario(completionParams, async ({ call, db, complete }, { task_id, result }) => {
    const task = await db.tasks.find(call.owner, task_id);
    if (task === undefined || complete === undefined) {
      throw new TaskError('REFERENCE_NOT_FOUND', 'There is no such task for this caller.', {
        field: 'params.task_id',
        suggestion: 'Name the task_id of a submitted answer; list_tasks shows them.',
      });
    }
    await checkResult(db, task.task_type, result);
    const ended = await complete(db);
    return transition(task.status, ended.status);
  }),
  force_audience_status: scenario(
    z.looseObject({
      audience_id: id,
      status: z.enum(AUDIENCE_STATUSES),
      account_id: id.optional(),
      reason_code: z.enum(SUSPENSIONS).optional(),
      reason_detail: reason,
    }),
    async (context, { audience_id, status, account_id, reason_code, reason_detail }) => {
      const { call, db } = context;
      const { accountId, seq, audience } = await findAudience(context, audience_id, account_id);
      const counted = { audience, groups: await db.audiences.groups(seq), least: leastMatched(true) };
      const after = moveAudience(counted, status, { reason_code, reason: reason_detail });
      await db.audiences.save(call.owner, accountId, after);
      await followAudience(changeOf(context), accountId, audience_id);
      return transition(audienceStatus(counted), audienceStatus({ ...counted, audience: after }));
    },
  ),
  force_upstream_unavailable: scenario(
    z.looseObject({ tool: z.string().min(1).max(100), upstream_name: z.string().min(1).max(255).optional() }),
    async ({ app, call, db, findTool }, { tool: name, upstream_name }) => {
      const tool = findTool(name);
      if (tool === undefined) {
        throw new TaskError('REFERENCE_NOT_FOUND', 'This agent has no such task.', {
          field: 'params.tool',
          suggestion: 'Name a task of tools/list.',
        });
      }
      const key = outageKey(toolName(tool, call.seller.names));
      const doc = upstream_name === undefined ? {} : { upstream_name };
      await app.sandboxes.save(db, { owner: call.owner, kind: 'arm', key, doc });
      return transition('available', 'unavailable');
    },
  ),
} satisfies Record<string, Scenario>;

/**
 * Orders how the caller's next call of a task is answered, in the account that it names, else in whichever; a second order takes the
 * place of the first.
 */
function ordering(task: string, arms: readonly string[]): Scenario {
  const params = z.looseObject({
    arm: z.enum(arms),
    task_id: z.string().min(1).max(128).optional(),
    message: reason,
  });
  return scenario(params, async ({ app, call, db, account }, { arm, task_id, message }) => {
    if ((arm === 'submitted') !== (task_id !== undefined)) {
      throw new TaskError('INVALID_REQUEST', 'A task_id goes with the arm "submitted", and only with it.', {
        field: 'params.task_id',
        suggestion: `Send the task_id that the next ${task} shall answer with, or leave it out.`,
      });
    }
    if (task_id !== undefined) await checkTaskId(db, call.owner, task_id);
    await app.sandboxes.save(db, {
      owner: call.owner,
      kind: 'arm',
      key: answerKey(task, account?.account_id),
      doc: { arm, task_id, message },
    });
    return { forced: { arm, task_id } };
  });
}

async function findCreative({ call, db }: Pick<ScenarioContext, 'call' | 'db'>, creativeId: string): Promise<Creative> {
  const creative = await db.creatives.findAnywhere(call.owner, creativeId);
  if (creative !== undefined) return creative;
  throw new TaskError('CREATIVE_NOT_FOUND', 'There is no such creative for this caller.', {
    field: 'params.creative_id',
    suggestion: 'Send it with sync_creatives or seed_creative first.',
  });
}

/**
 * Returns the caller's audience: in the account that is named, else the one of that id. Throws REFERENCE_NOT_FOUND, and ACCOUNT_AMBIGUOUS
 * for two.
 */
async function findAudience(
  { account, call, db }: Pick<ScenarioContext, 'account' | 'call' | 'db'>,
  audienceId: string,
  accountId = account?.account_id,
): Promise<AudienceRow & { readonly accountId: string }> {
  const inAccount = accountId === undefined ? undefined : await db.audiences.find(call.owner, accountId, audienceId);
  if (inAccount !== undefined && accountId !== undefined) return { ...inAccount, accountId };
  const [first, other] = accountId === undefined ? await db.audiences.findAnywhere(call.owner, audienceId) : [];
  if (other !== undefined) {
    throw new TaskError('ACCOUNT_AMBIGUOUS', 'Two accounts of this caller have such an audience.', {
      field: 'params.account_id',
      suggestion: 'Name the account.',
    });
  }
  if (first !== undefined) return first;
  throw new TaskError('REFERENCE_NOT_FOUND', 'There is no such audience for this caller.', {
    field: 'params.audience_id',
    suggestion: 'Upload it with sync_audiences first.',
  });
}

/** Returns the caller's media buy. Throws MEDIA_BUY_NOT_FOUND. */
export async function findBuy(
  { call, db }: Pick<ScenarioContext, 'call' | 'db'>,
  mediaBuyId: string,
): Promise<MediaBuy> {
  const buy = await db.mediaBuys.find(call.owner, mediaBuyId);
  if (buy !== undefined) return buy;
  throw new TaskError('MEDIA_BUY_NOT_FOUND', 'There is no such media buy for this caller.', {
    field: 'params.media_buy_id',
    suggestion: 'Make it with create_media_buy or seed_media_buy first.',
  });
}

/** Moves a buy as its seller would; answers it. Throws INVALID_STATE for a move that is not in the table. */
async function forceBuy(
  { app, call, db }: ScenarioContext,
  buy: MediaBuy,
  to: MediaBuy['status'],
  because?: string,
): Promise<MediaBuy> {
  const settled = moveBySeller(buy, { to, reason: because }, await loadRotations(db, buy), call.now);
  if (settled.buy !== buy) await app.lifecycle.save(db, call.owner, settled.buy, settled.moves);
  return settled.buy;
}

function transition(previous_state: string, current_state: string): Payload {
  return { previous_state, current_state };
}

/** Checks that a task id is new, or was used by the same owner, who may use it again. */
async function checkTaskId(db: Reader, owner: string, taskId: string): Promise<void> {
  const existing = await db.tasks.findAnywhere(taskId);
  if (existing === undefined || existing.owner === owner) return;
  throw new TaskError('VALIDATION_ERROR', 'This task_id cannot be used here.', {
    field: 'params.task_id',
    suggestion: 'Choose another task_id.',
  });
}

/** Refuses a completion payload that no buyer could read, or that names a buy which is there already. */
async function checkResult(db: Reader, taskType: string, result: Payload): Promise<void> {
  const refuse = (message: string, suggestion: string) =>
    new TaskError('VALIDATION_ERROR', message, { field: 'params.result', suggestion });
  if (JSON.stringify(result).length > MAX_RESULT_CHARS)
    throw refuse('The result is larger than 256 KB.', 'Send a smaller result.');
  if (Array.isArray(result.errors) && result.errors.length > 0) return;
  const missing = (RESULTS[taskType] ?? []).filter((name) => result[name] === undefined);
  if (missing.length > 0 || (result.packages !== undefined && !isPackages(result.packages))) {
    const needed = missing.length > 0 ? missing.join(', ') : 'packages as a list of {package_id}';
    throw refuse(`This is no answer of ${taskType}.`, `Add ${needed}, or send errors.`);
  }
  const { media_buy_id } = result;
  if (taskType !== 'create_media_buy') return;
  if (typeof media_buy_id !== 'string' || media_buy_id === '' || media_buy_id.length > 255)
    throw refuse('The media_buy_id of the result is no id.', 'Send a text of 1 to 255 characters.');
  if ((await db.mediaBuys.findAnywhere(media_buy_id)) !== undefined)
    throw refuse('This media_buy_id cannot be used here.', 'Choose another media_buy_id.');
}

function isPackages(value: unknown): boolean {
  return Array.isArray(value) && value.every((line) => isObject(line) && typeof line.package_id === 'string');
}

/** Returns a change that the sandbox makes in the seller's name. */
function changeOf({ app, call, db }: Pick<ScenarioContext, 'app' | 'call' | 'db'>) {
  const { lifecycle, accountEvents: events } = app;
  return { tx: db, lifecycle, owner: call.owner, now: call.now, events, initiator: 'seller' } as const;
}
