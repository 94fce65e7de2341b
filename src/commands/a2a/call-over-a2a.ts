import { type Artifact, SendMessageRequest, type StreamResponse, type Task, TaskState, taskStateToJSON } from 'a2a-sdk';
import { type Client, ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from 'a2a-sdk/client';
import { isObject } from '../../platform/kernel/json/json.js';
import { pause } from '../../platform/kernel/loop.js';
import { OperatorError } from '../operator.js';

/** A call of a tenant's skill with a principal's key. */
type A2aCall = {
  /** The address of the server, without a trailing slash. */
  readonly baseUrl: string;
  readonly tenant: string;
  readonly skill: string;
  readonly input: unknown;
  readonly key: string;
  readonly messageId: string;
  /** Hears where a task stands that goes on. */
  readonly onStatus: (line: string) => void;
};

/** The end of a call: its answer, and whether the Task was completed. */
type A2aEnd = { readonly ok: boolean; readonly answer: object };

/** The most times that a stream which broke off is taken up again without a word of the server, and the pause before each, ms. */
const MAX_TRIES = 30;
const PAUSE_MS = 1000;

const ENDS: ReadonlySet<TaskState | undefined> = new Set([
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_CANCELED,
  TaskState.TASK_STATE_REJECTED,
  // It is the caller's turn.
  TaskState.TASK_STATE_INPUT_REQUIRED,
]);

/**
 * Calls a skill over A2A: finds the agent's card, streams the call, and follows a task that goes on until it is over or wants something of
 * its caller. Throws OperatorError where nobody answers.
 */
export async function callOverA2a(call: A2aCall): Promise<A2aEnd> {
  const { input, messageId, onStatus, skill } = call;
  const client = await openClient(call);
  const message = { messageId, role: 'ROLE_USER', parts: [{ data: { skill, input } }] };
  const followed = new FollowedTask(onStatus);
  await followed.takeAll(client.sendMessageStream(SendMessageRequest.fromJSON({ message })));
  for (let tries = 0; !followed.isOver; tries += 1) {
    const { id } = followed.task;
    if (tries === MAX_TRIES)
      throw new OperatorError(`The server has not answered for a while. The task goes on as ${id}: get_task_status.`);
    await pause(PAUSE_MS);
    if (await takeUp(client, id, followed)) tries = 0;
  }
  return { ok: followed.task.status?.state === TaskState.TASK_STATE_COMPLETED, answer: followed.answer };
}

/** Takes up the stream of a task that broke off; returns whether the server answered. */
async function takeUp(client: Client, id: string, followed: FollowedTask): Promise<boolean> {
  let hasAnswered = false;
  try {
    const task = await client.getTask({ id, tenant: '', historyLength: undefined });
    hasAnswered = true;
    followed.take({ payload: { $case: 'task', value: task } });
    if (followed.isOver) return true;
    await followed.takeAll(client.resubscribeTask({ id, tenant: '' }));
  } catch {
    // The server is away, or the task ended between the two questions: it is asked again.
  }
  return hasAnswered;
}

/** Returns the client of the agent that a tenant's card describes. The key goes nowhere but to the server that was named. */
async function openClient({ baseUrl, key, tenant }: A2aCall): Promise<Client> {
  const { origin } = new URL(baseUrl);
  const fetchImpl: typeof fetch = (url, init) => {
    const headers = new Headers(init?.headers);
    if (new URL(String(url)).origin === origin) headers.set('authorization', `Bearer ${key}`);
    return fetch(url, { ...init, headers });
  };
  const transports = [new JsonRpcTransportFactory({ fetchImpl })];
  const factory = new ClientFactory({ transports, cardResolver: new DefaultAgentCardResolver({ fetchImpl }) });
  const address = `${baseUrl}/${tenant}/`;
  return factory.createFromUrl(address).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(
      `No agent card was found below ${address}: ${reason}. Over A2A a running server is called: check its address (--port, --base-url) and the tenant.`,
    );
  });
}

/** A Task as the events of its streams tell it. */
class FollowedTask {
  readonly #onStatus: (line: string) => void;
  #task: Task | undefined;
  #lastLine = '';

  constructor(onStatus: (line: string) => void) {
    this.#onStatus = onStatus;
  }

  /** Returns the Task. Throws before there is one. */
  get task(): Task {
    if (this.#task === undefined) throw new OperatorError('The agent answered no Task.');
    return this.#task;
  }

  get isOver(): boolean {
    return ENDS.has(this.task.status?.state);
  }

  /** Returns the answer of the task: the last data of its artifact, or while there is none the first of its status. */
  get answer(): object {
    const { artifacts, status } = this.task;
    const final = dataIn(artifacts[0]?.parts).at(-1);
    return final ?? dataIn(status?.message?.parts)[0] ?? {};
  }

  /** Takes the events of a stream until it breaks off, or nothing is left to wait for. */
  async takeAll(events: AsyncIterable<StreamResponse>): Promise<void> {
    for await (const event of events) {
      this.take(event);
      if (this.isOver) return;
    }
  }

  take({ payload }: StreamResponse): void {
    if (payload?.$case === 'task') this.#task = payload.value;
    else if (payload?.$case === 'artifactUpdate') this.task.artifacts = artifactsIn(payload.value.artifact);
    else if (payload?.$case === 'statusUpdate') this.task.status = payload.value.status;
    if (!this.isOver) this.#report();
  }

  #report(): void {
    const { id, status } = this.task;
    const state = taskStateToJSON(status?.state ?? TaskState.TASK_STATE_UNSPECIFIED).replace('TASK_STATE_', '');
    const { percentage } = this.answer as { readonly percentage?: unknown };
    const line = `${id} is ${state.toLowerCase()}${typeof percentage === 'number' ? `, ${percentage} %` : ''}`;
    if (line !== this.#lastLine) this.#onStatus(line);
    this.#lastLine = line;
  }
}

function artifactsIn(artifact: Artifact | undefined): Artifact[] {
  return artifact === undefined ? [] : [artifact];
}

function dataIn(parts: Artifact['parts'] | undefined): readonly object[] {
  return (parts ?? []).map(({ content }): unknown => content?.value).filter(isObject);
}
