import type { Traces } from '../../../platform/health/traces.js';
import { isObject, QuotedText, readJson, Written, writeOnce } from '../../../platform/kernel/json/json.js';
import { findNearest } from '../../../platform/kernel/nearest.js';
import type { Payload } from '../../../protocol/envelope.js';
import { TaskError } from '../../../protocol/errors.js';
import type { CallLog, CallOrigin } from '../../calls/call-log.js';
import type { App, Caller } from '../../context.js';
import { findTool, listedTools } from '../../tasks/index.js';
import { runTask } from '../../tasks/pipeline/pipeline.js';
import { type Answer, addresseeOf, answerFailure, ownerOf } from '../../tasks/pipeline/receive.js';
import { type Tool, toolName } from '../../tasks/pipeline/tool.js';
import type { Limits } from '../limits.js';
import { CAPABILITIES, summarize } from './summary/summary.js';

/**
 * Returns an answer as the result of a `tools/call`: its payload as text and as structured content.
 * Where `called` is given and may be a language model, a second text says the answer in plain words, and a failure is said once in the first.
 */
export function callResult({ payload, isError }: Answer, called?: Called): Record<string, unknown> {
  const body = writeOnce(payload);
  if (isError) {
    const text = called?.caller.isForModel === true ? writeOnce(flattenError(payload)) : body;
    return { content: [textOf(text)], structuredContent: body, isError };
  }
  const words = called?.caller.isForModel === true ? wordsOf(body, called) : undefined;
  const content = words === undefined ? [textOf(body)] : [textOf(body), { type: 'text', text: words }];
  return { content, structuredContent: body };
}

function textOf(body: Written): object {
  return { type: 'text', text: new QuotedText(body) };
}

/** Returns a failed answer with what its error says at the root, and nowhere else. */
function flattenError(payload: Payload | Written): object {
  const whole: unknown = payload instanceof Written ? readJson(payload.plain) : payload;
  if (!isObject(whole) || !Array.isArray(whole.errors) || !isObject(whole.errors[0])) return payload;
  const [{ issues, ...error }] = whole.errors;
  // One issue says again what the error does.
  const others = Array.isArray(issues) && issues.length > 1 ? issues : undefined;
  const isAgain = (value: unknown): boolean => isObject(value) && value.code === error.code;
  const rest = Object.entries(whole).filter(([name, value]) => name !== 'errors' && !isAgain(value));
  return { ...Object.fromEntries(rest), ...error, code: whole.code ?? error.code, issues: others };
}

/** Who called what: the name of a task, as the message has it. */
type Called = { readonly caller: Caller; readonly name: unknown };

function wordsOf(body: Written, { caller: { principal, seller }, name }: Called): string | undefined {
  const tool = typeof name === 'string' ? findTool(seller, name, principal) : undefined;
  const task = tool === undefined ? undefined : toolName(tool, seller.names);
  return summarize(task === seller.names.capabilitiesTool ? CAPABILITIES : task, body.plain, (next) => {
    return findTool(seller, next, principal) !== undefined;
  });
}

/** Runs the task that the `params` of a `tools/call` name, and records the call; a failed answer says what is wrong with it. */
export async function callTool(app: App, limits: Limits, caller: Caller, params: unknown): Promise<Answer> {
  const { name, arguments: given = {} } = isObject(params) ? params : {};
  const args = isObject(given) ? given : {};
  const startedMs = app.calls.begin();
  const tool = typeof name === 'string' ? findTool(caller.seller, name, caller.principal) : undefined;
  const task = tool === undefined ? UNKNOWN_TASK : toolName(tool, caller.seller.names);
  const run = (): Promise<Answer> => answerCall(app, limits, caller, { name, given, args, tool });
  const answer = await (app.traces === undefined ? run() : traceCall(app.traces, caller, task, run));
  const call = finishCall(caller, { task, args, answer });
  app.calls.record(call, startedMs);
  return { ...answer, payload: call.answer };
}

function traceCall(traces: Traces, caller: Caller, task: string, run: () => Promise<Answer>): Promise<Answer> {
  const { origin, principal, seller } = caller;
  const attributes = {
    'seller_agent.tenant': seller.tenant.path,
    'seller_agent.principal': principal?.id,
    'seller_agent.request_id': origin?.requestId,
  };
  return traces.span({ name: task, headers: origin?.trace ?? {}, attributes, run, refusalOf: ({ code }) => code });
}

/** What a call that names no task of the tenant is recorded as. */
const UNKNOWN_TASK = 'unknown';

/** The parts of a call whose answer is known. */
type Answered = {
  readonly task: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly answer: Answer;
};

/** Returns a call as it is recorded. */
export function finishCall(
  { origin = OWN_CALL, principal, seller }: Caller,
  { answer, args, task }: Answered,
): Parameters<CallLog['record']>[0] {
  return {
    requestId: origin.requestId,
    protocol: origin.protocol,
    bytes: origin.bytes,
    tenant: seller.tenant.path,
    principal: principal?.id,
    isSandbox: principal?.sandbox === true,
    task,
    code: answer.code ?? 'ok',
    reason: answer.reason,
    isReplayed: answer.isReplayed === true,
    args,
    answer: writeOnce(answer.payload),
  };
}

const OWN_CALL: CallOrigin = { requestId: '', protocol: 'operator', bytes: 0 };

type NamedCall = {
  readonly name: unknown;
  readonly given: unknown;
  readonly args: Readonly<Record<string, unknown>>;
  readonly tool: Tool | undefined;
};

async function answerCall(
  app: App,
  limits: Limits,
  caller: Caller,
  { args, given, name, tool }: NamedCall,
): Promise<Answer> {
  const to = addresseeOf(caller, args);
  try {
    if (typeof name !== 'string') throw malformed('name', 'Name the tool to call; tools/list shows them.');
    if (!isObject(given)) throw malformed('arguments', 'Send the arguments as a JSON object.');
    if (tool === undefined) throw unknownTool(app, caller, name);
    if (caller.principal !== undefined)
      await limits.take(ownerOf(caller), caller.principal, tool.kind === 'query' ? 'reads' : 'writes');
    return await runTask(app, tool, caller, args);
  } catch (error) {
    return answerFailure({ app, caller, to }, error);
  }
}

function malformed(field: string, suggestion: string): TaskError {
  return new TaskError('INVALID_REQUEST', `params.${field} is missing or has the wrong type.`, { field, suggestion });
}

/** Returns the error for an unknown tool: it begins with the words that clients look for, and names in development mode the tenants that have the tool. */
function unknownTool(app: App, { principal, seller }: Caller, name: string): TaskError {
  const others = app.development ? [...app.sellers().values()] : [];
  const elsewhere = others.filter((other) => other !== seller && findTool(other, name) !== undefined);
  const shown = name.slice(0, 80);
  const message =
    elsewhere.length === 0
      ? `Unknown tool: ${shown}`
      : `Unknown tool: ${shown}. It is offered at ${elsewhere.map((other) => other.url).join(', ')}`;
  const offered = listedTools(seller, principal?.sandbox === true).map((tool) => toolName(tool, seller.names));
  const meant = findNearest(name, offered);
  return new TaskError('INVALID_REQUEST', message, {
    field: 'name',
    suggestion: meant === undefined ? ONE_OF_THE_LIST : `Did you mean "${meant}"? ${ONE_OF_THE_LIST}`,
  });
}

const ONE_OF_THE_LIST = 'Call one of the tools that tools/list shows.';
