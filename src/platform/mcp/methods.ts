import type { ServerCapabilities } from '@modelcontextprotocol/server';
import { isObject } from '../kernel/json/json.js';
import { McpRefusal } from './refusal.js';
import { TASK_CAPABILITIES, type TaskRevision } from './tasks.js';

/** The result of a method. */
type Result = Readonly<Record<string, unknown>>;

/** Answers one method of MCP with its result. Throws McpRefusal for what is no result at all. */
type Answering<Caller> = (caller: Caller, params: unknown, client?: ClientSide) => Result | Promise<Result>;

/** A client's abilities, and its answers to a question about the request before. */
export type ClientSide = {
  /** It can put a form before a person. */
  readonly canAsk: boolean;
  /** It shows apps beside the answers of tools. */
  readonly canShowApps: boolean;
  /** The revision by whose rules it follows calls as tasks; undefined for one that does not. */
  readonly tasks: TaskRevision | undefined;
  /** The answers of the person by the keys of the questions, as the client says; undefined with a request that answers none. */
  readonly answers: Readonly<Record<string, unknown>> | undefined;
  /** The state that came with the questions. */
  readonly state: unknown;
};

/** Further methods that an endpoint answers, under the capability by which it declares them. */
export type McpFeature<Caller> = {
  readonly capability: 'resources' | 'prompts' | 'completions';
  readonly methods: Readonly<Record<string, Answering<Caller>>>;
};

/** Answers a method whose result may be long in coming: yields notifications meanwhile, and returns the result. Ends when `gone` aborts. */
export type Awaiting<Caller> = (
  caller: Caller,
  params: unknown,
  gone: AbortSignal,
) => AsyncGenerator<Notification, Result, undefined>;

/** A notification about a request that goes on. */
export type Notification = { readonly method: string; readonly params: Result };

/** The methods about calls that are followed as tasks, by the rules of each revision that has such. */
export type ServedTasks<Caller> = {
  readonly methods: Readonly<Record<TaskRevision, Readonly<Record<string, Answering<Caller>>>>>;
  /** Answers `tasks/result` of 2025-11-25 once its task is over. */
  readonly awaitResult: Awaiting<Caller>;
};

/** An endpoint's tools, and the other methods that it answers. */
export type Served<Caller> = {
  /** The tools as `tools/list` shows them: a list, or one that is written already. */
  readonly listTools: (caller: Caller, client?: ClientSide) => object;
  /** Whether tools have apps, which clients that show them have to be told of. */
  readonly hasApps?: true;
  /** Runs the tool that `params` name and returns the whole result. Throws McpRefusal for what is no result at all. */
  readonly callTool: Answering<Caller>;
  readonly features?: readonly McpFeature<Caller>[];
  readonly tasks?: ServedTasks<Caller>;
};

/** The methods of an endpoint by their names. */
export type McpMethods<Caller> = ReadonlyMap<string, Answering<Caller>>;

/** Returns the methods that an endpoint answers. */
export function methodsOf<Caller>({ callTool, features = [], listTools }: Served<Caller>): McpMethods<Caller> {
  return new Map<string, Answering<Caller>>([
    ['tools/call', callTool],
    ['tools/list', (caller, _params, client) => ({ tools: listTools(caller, client) })],
    ...features.flatMap(({ methods }) => Object.entries(methods)),
  ]);
}

/**
 * Returns the capabilities that an endpoint declares to clients who may follow tasks by the rules of `revision`. No list is said to change:
 * a stateless endpoint could not tell anybody.
 */
export function capabilitiesOf<Caller>(
  { features = [], tasks }: Served<Caller>,
  revision: TaskRevision | undefined,
): ServerCapabilities {
  const names = ['tools', ...features.map(({ capability }) => capability)];
  const declared = tasks === undefined || revision === undefined ? {} : TASK_CAPABILITIES[revision];
  return { ...Object.fromEntries(names.map((name) => [name, {}])), ...declared };
}

/** Returns the one page of a list. Throws -32602 where another one is asked for. */
export function onlyPage(params: unknown, list: Result): Result {
  if (isObject(params) && params.cursor !== undefined)
    throw new McpRefusal(400, -32602, 'Invalid cursor: this list has one page; ask for it without a cursor.');
  return list;
}
