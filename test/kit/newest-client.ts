import { isObject } from '../../src/platform/kernel/json/json.js';
import { a2aBuyer } from './a2a.js';
import { readAnswer, toolCall } from './boot.js';
import { send } from './http.js';
import { hasSchemas, schemaJudge } from './schemas.js';

// biome-ignore lint/suspicious/noExplicitAny: a client of many tasks
type Any = any;

/** How a client of 3.1 reaches its seller. */
export type Wire = (tenant: string, token: string, task: string, args: object) => Promise<object>;

/** A client that knows the shapes of 3.1 alone: what it is answered has lost all that is left of 3.0, and it sends none of that. */
export type NewestClient = {
  /** Calls a task. Throws for a failed answer, and for one that the schemas of 3.1 do not allow. */
  readonly call: (task: string, args: object, tenant?: string) => Promise<Any>;
  /** Reads the result of a webhook as an answer is read. */
  readonly read: (value: unknown) => Any;
};

/** Members that 3.1 replaced, wherever they stand. */
const OLD_MEMBERS: ReadonlySet<string> = new Set(['format_ids', 'format_id', 'valid_actions', 'buyer_ref']);

/** Tasks whose root `status` was the state of the buy. */
const BUYING: ReadonlySet<string> = new Set(['create_media_buy', 'update_media_buy']);

const FOLDERS: Readonly<Record<string, string>> = {
  sync_creatives: 'creative',
  get_signals: 'signals',
  activate_signal: 'signals',
  get_task_status: 'protocol',
  get_adcp_capabilities: 'protocol',
};

/** Returns a client over a wire. */
export function newestClient(wire: Wire, token: string): NewestClient {
  const judge = hasSchemas('3.1') ? schemaJudge('3.1') : () => [];
  return {
    read: withoutOld,
    call: async (task, args, tenant = 'sales') => {
      if (JSON.stringify(withoutOld(args)) !== JSON.stringify(args))
        throw new Error(`${task} is sent what 3.1 replaced`);
      const whole = (await wire(tenant, token, task, { adcp_version: '3.1', ...args })) as Any;
      const faults = judge(`${FOLDERS[task] ?? 'media-buy'}/${task.replaceAll('_', '-')}-response`, whole);
      // A task of A2A that goes on says in its status what it waits for, and no release.
      const isEchoed = whole.adcp_version === '3.1' || whole.status === 'submitted';
      if (faults.length > 0 || whole.status === 'failed' || !isEchoed)
        throw new Error(`${task}: ${JSON.stringify({ faults, whole })}`);
      const isTaskState = ['completed', 'submitted', 'working'].includes(whole.status);
      if (BUYING.has(task) && !isTaskState) throw new Error(`${task} says ${whole.status} where the task's state is`);
      return withoutOld(whole);
    },
  };
}

function withoutOld(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOld);
  if (!isObject(value)) return value;
  const left = Object.entries(value).filter(([name]) => !OLD_MEMBERS.has(name));
  return Object.fromEntries(left.map(([name, member]) => [name, withoutOld(member)]));
}

/** Returns the wire of MCP to a server. */
export function overMcp(baseUrl: string): Wire {
  return async (tenant, token, task, args) => {
    const answer = await send(`${baseUrl}/${tenant}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
      },
      body: JSON.stringify(toolCall(task, args)),
    });
    return readAnswer(answer).payload;
  };
}

/** Returns the wire of A2A to a server. */
export function overA2a(baseUrl: string): Wire {
  return async (tenant, token, task, args) => {
    const answer = await a2aBuyer({ baseUrl }, { tenant, token }).call(task, args);
    const { parts } = answer.artifacts?.[0] ?? answer.status.message ?? { parts: [] };
    const data = parts.find(({ kind }) => kind === 'data')?.data;
    if (data === undefined) throw new Error(`no answer: ${JSON.stringify(answer)}`);
    return data;
  };
}
