import { type Asked, type Given, isObject, type Json, KEY } from './faulty-agent.js';

/** Runs a skill as the task of its name is run. */
type RunTask = (asked: Asked) => Json;

/** The registration of a message, by the id of its Task. */
export type Pushes = Map<string, { readonly url: string; readonly contextId: string }>;

const STATES: Readonly<Record<string, string>> = { submitted: 'submitted', failed: 'failed' };

/** The card of an agent that speaks both revisions at one URL. */
export function cardOf(origin: string, skills: readonly Json[]): Json {
  const url = `${origin}/a2a`;
  return {
    name: 'A seller',
    description: 'Sells.',
    version: '1.0.0',
    url,
    protocolVersion: '0.3.0',
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { pushNotifications: true, streaming: true },
    defaultInputModes: ['application/json'],
    defaultOutputModes: ['application/json'],
    skills: skills.map(({ description, name }) => ({ id: name, name, description, tags: ['adcp'] })),
  };
}

/** What an agent remembers of A2A. */
type A2aMemory = { readonly pushes: Pushes; readonly tasks: Map<string, Json> };

/** Answers a request of A2A by the book. */
export function answerA2a(asked: Asked, version: string | undefined, run: RunTask, memory: A2aMemory): Given {
  const { pushes, tasks } = memory;
  const { args, id, key, method = '' } = asked;
  const answer = (rest: Json): Given => ({ status: 200, headers: {}, body: { jsonrpc: '2.0', id, ...rest } });
  const fail = (code: number): Given => answer({ error: { code, message: 'No.' } });
  const isNewer = /^[A-Z]/.test(method);
  if (version !== undefined && version !== '1.0') return fail(-32009);
  if (/^tasks\/get$|^GetTask$/.test(method)) {
    const held = tasks.get(String(args.id));
    return held === undefined ? fail(-32001) : answer({ result: taskOf(held, isNewer, String(args.id)) });
  }
  if (/push/i.test(method)) {
    const { taskId = args.id } = args;
    const config = { url: pushes.get(String(taskId))?.url };
    const shown = isNewer ? { configs: [config] } : [{ taskId, pushNotificationConfig: config }];
    return answer({ result: shown });
  }
  const isStreamed = /^(message\/stream|SendStreamingMessage)$/.test(method);
  if (!isStreamed && !/^(message\/send|SendMessage)$/.test(method)) return fail(-32601);
  const { input, skill } = skillOf(args);
  if (skill !== 'get_adcp_capabilities' && key !== KEY)
    return { ...fail(-32000), status: 401, headers: { 'www-authenticate': 'Bearer realm="agents"' } };
  const payload = { ...run({ ...asked, task: skill, args: input }), context: input.context };
  const task = taskOf(payload, isNewer);
  tasks.set(String(task.id), payload);
  register(args, task, pushes);
  const given = answer({ result: isNewer ? { task } : task });
  if (!isStreamed) return given;
  return {
    ...given,
    headers: { 'content-type': 'text/event-stream' },
    body: `data: ${JSON.stringify(given.body)}\n\n`,
  };
}

/** Returns the Task that a payload comes to. */
export function taskOf(payload: Json, isNewer: boolean, id = `a2a-${String(payload.task_id ?? 'over')}`): Json {
  const state = STATES[String(payload.status)] ?? 'completed';
  const parts = [isNewer ? { data: payload } : { kind: 'data', data: payload }];
  const written = isNewer ? `TASK_STATE_${state.toUpperCase()}` : state;
  const message = { role: 'agent', messageId: 'one', parts };
  const over = { status: { state: written }, artifacts: [{ artifactId: 'one', parts }] };
  const rest = state === 'submitted' ? { status: { state: written, message } } : over;
  return { ...(!isNewer && { kind: 'task' }), id, contextId: 'context', ...rest };
}

function skillOf({ message }: Json): { readonly skill: string; readonly input: Json } {
  const parts = isObject(message) && Array.isArray(message.parts) ? (message.parts as readonly unknown[]) : [];
  const [part] = parts.filter(isObject);
  const data = isObject(part?.data) ? part.data : {};
  return { skill: String(data.skill), input: isObject(data.input) ? data.input : {} };
}

function register({ configuration }: Json, { contextId, id }: Json, pushes: Pushes): void {
  const given = isObject(configuration) ? configuration : {};
  const push = given.pushNotificationConfig ?? given.taskPushNotificationConfig;
  if (isObject(push)) pushes.set(String(id), { url: String(push.url), contextId: String(contextId) });
}
