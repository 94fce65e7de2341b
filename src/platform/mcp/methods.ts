import type { ServerCapabilities } from '@modelcontextprotocol/server';
import { isObject } from '../kernel/json/json.js';
import { McpRefusal } from './refusal.js';

/** The result of a method. */
type Result = Readonly<Record<string, unknown>>;

/** Answers one method of MCP with its result. Throws McpRefusal for what is no result at all. */
type Answering<Caller> = (caller: Caller, params: unknown, client?: ClientSide) => Result | Promise<Result>;

/** What a client says of itself, and what it answers to a question about the request before. */
export type ClientSide = {
  /** It can put a form before a person. */
  readonly canAsk: boolean;
  /** It shows apps beside the answers of tools. */
  readonly canShowApps: boolean;
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

/** What an endpoint answers: its tools, and what it serves beside them. */
export type Served<Caller> = {
  /** The tools as `tools/list` shows them: a list, or one that is written already. */
  readonly listTools: (caller: Caller, client?: ClientSide) => object;
  /** Whether tools have apps, which clients that show them have to be told of. */
  readonly hasApps?: true;
  /** Runs the tool that `params` name and returns the whole result. Throws McpRefusal for what is no result at all. */
  readonly callTool: Answering<Caller>;
  readonly features?: readonly McpFeature<Caller>[];
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

/** Returns the capabilities that an endpoint declares. No list is said to change: a stateless endpoint could not tell anybody. */
export function capabilitiesOf<Caller>({ features = [] }: Served<Caller>): ServerCapabilities {
  return Object.fromEntries(['tools', ...features.map(({ capability }) => capability)].map((name) => [name, {}]));
}

/** Returns the one page of a list. Throws -32602 where another one is asked for. */
export function onlyPage(params: unknown, list: Result): Result {
  if (isObject(params) && params.cursor !== undefined)
    throw new McpRefusal(400, -32602, 'Invalid cursor: this list has one page; ask for it without a cursor.');
  return list;
}
