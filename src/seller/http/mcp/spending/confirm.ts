import { canonicalHashInSlices } from '../../../../platform/kernel/canonical.js';
import { isObject } from '../../../../platform/kernel/json/json.js';
import type { ClientSide } from '../../../../platform/mcp/methods.js';
import type { Payload } from '../../../../protocol/envelope.js';
import { TaskError } from '../../../../protocol/errors.js';
import type { App, Caller } from '../../../context.js';
import { findTool } from '../../../tasks/index.js';
import { rehearseTask } from '../../../tasks/pipeline/pipeline.js';
import { addresseeOf, answerFailure, ownerOf } from '../../../tasks/pipeline/receive.js';
import type { Mutation } from '../../../tasks/pipeline/tool.js';
import type { Limits } from '../../limits.js';
import { callResult, finishCall } from '../call-tool.js';
import { QUESTIONS, type Question } from './questions.js';

/** The key of the question, and the member of its form. */
const CONFIRM = 'confirm';

type Result = Readonly<Record<string, unknown>>;

/** A call whose client can ask a person. */
type Asking = { readonly caller: Caller; readonly params: unknown; readonly client: ClientSide };

/**
 * Returns what stands before a call that spends: the question for the client's person, or the refusal of what they did not allow. Nothing
 * where they allowed just this, where the client can ask nobody, or the call spends nothing or would be refused.
 */
export async function confirmSpending(
  app: App,
  limits: Limits,
  { caller, client, params }: Asking,
): Promise<Result | undefined> {
  const { name, arguments: args } = isObject(params) ? params : {};
  if (!client.canAsk || typeof name !== 'string' || !isObject(args)) return undefined;
  const asked = QUESTIONS[name];
  const tool = asked && findTool(caller.seller, name, caller.principal);
  if (asked === undefined || tool?.kind !== 'mutation') return undefined;
  const answer = client.answers === undefined ? undefined : client.answers[CONFIRM];
  if (isObject(answer) && !isAllowed(answer)) return notAllowed(app, caller, { asked, task: name, args });
  const message = await describeSpending(app, limits, { asked, tool, caller, args });
  if (message === undefined) return undefined;
  // Only what was shown was allowed: other arguments or another price are asked about anew.
  const state = await canonicalHashInSlices({ args, message });
  return isObject(answer) && client.state === state ? undefined : question(asked, message, state);
}

function isAllowed({ action, content }: Readonly<Record<string, unknown>>): boolean {
  return action === 'accept' && isObject(content) && content[CONFIRM] === true;
}

/** Returns the result by which the newest revision asks. https://modelcontextprotocol.io/specification */
function question({ title }: Question, message: string, requestState: string): Result {
  const requestedSchema = {
    type: 'object',
    properties: { [CONFIRM]: { type: 'boolean', title, default: false } },
    required: [CONFIRM],
  };
  const params = { mode: 'form', message, requestedSchema };
  return {
    resultType: 'input_required',
    inputRequests: { [CONFIRM]: { method: 'elicitation/create', params } },
    requestState,
  };
}

type Spending = { readonly asked: Question; readonly tool: Mutation; readonly caller: Caller; readonly args: Payload };

/** Returns a call in words, tried and undone; undefined for one that spends nothing, is refused, or done already: the call itself says so. */
async function describeSpending(
  app: App,
  limits: Limits,
  { args, asked, caller, tool }: Spending,
): Promise<string | undefined> {
  const { principal } = caller;
  try {
    if (principal !== undefined) await limits.take(ownerOf(caller), principal, 'writes');
    if (!(await isFresh(app, asked, caller, args))) return undefined;
    const rehearsed = asked.rehearsed?.(args) ?? args;
    const { order, seller } = await rehearseTask(app, tool, caller, rehearsed);
    const { media_buy_id: id } = args;
    const before = typeof id === 'string' ? await app.store.read.mediaBuys.find(ownerOf(caller), id) : undefined;
    const lines = asked.lines({ args, order, seller, principal, before });
    return lines.length === 0 ? undefined : lines.join('\n');
  } catch {
    return undefined;
  }
}

/** Whether a call is none that was answered under its key. */
async function isFresh(app: App, { keyOptional }: Question, caller: Caller, args: Payload): Promise<boolean> {
  const { idempotency_key: key } = args;
  if (key === undefined) return keyOptional === true;
  return typeof key === 'string' && (await app.store.read.keys.find(ownerOf(caller), key)) === undefined;
}

type Refused = { readonly asked: Question; readonly task: string; readonly args: Payload };

function notAllowed(app: App, caller: Caller, { args, asked, task }: Refused): Result {
  const startedMs = app.calls.begin();
  const error = new TaskError('PERMISSION_DENIED', `Whoever was asked did not allow this. ${asked.undone}`, {
    suggestion: 'Ask what should be different, and call again with that and a fresh idempotency_key.',
  });
  const answer = answerFailure({ app, caller, to: addresseeOf(caller, args) }, error);
  app.calls.record(finishCall(caller, { task, args, answer }), startedMs);
  return callResult(answer);
}
