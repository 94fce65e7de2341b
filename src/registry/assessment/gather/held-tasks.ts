import { isRevision1 } from '../agent-card.js';
import type { Evidence, Gathered, JsonObject, TaskAnswer, TaskRegistration } from '../evidence.js';
import { a2aRequest, readSkillAnswer } from '../skill-message.js';
import { textsOf } from '../texts.js';
import { askTask, callSkill, openLines } from './a2a.js';
import { accountToOpen, isSandboxOffered } from './sandbox.js';
import type { Gathering, Stage, WebhookAddress } from './stage.js';

/** The tool that arranges tests in a sandbox. */
const CONTROLLER = 'comply_test_controller';

/** A search that the controller can order to be submitted: it reads, whether it is answered at once or later. */
type Search = {
  readonly task: string;
  readonly scenario: string;
  readonly args: JsonObject;
  readonly result: JsonObject;
};

const SEARCHES: readonly Search[] = [
  {
    task: 'get_products',
    scenario: 'force_get_products_arm',
    args: { brief: 'outdoor shoes', buying_mode: 'brief' },
    result: { products: [] },
  },
  {
    task: 'get_signals',
    scenario: 'force_get_signals_arm',
    args: { signal_spec: 'people who hike' },
    result: { signals: [] },
  },
];

/** The attempt that is answered 503, and the next one. */
const WITH_A_RETRY = 2;

/** The context of calls to the controller. */
type Controlled = {
  readonly gathering: Gathering;
  readonly evidence: Evidence;
  readonly webhooks: WebhookAddress;
  readonly search: Search;
  readonly account: JsonObject;
};

/**
 * Has the sandbox's controller submit a search and end it, once over MCP and once over A2A, with an address for the webhooks of the task.
 * Nothing is asked of an agent without a controller, or without a sandbox account.
 */
export const holdTasks: Stage = async (gathering, evidence) => {
  const { sandbox, webhooks } = gathering;
  if (sandbox === undefined || webhooks === undefined || !isSandboxOffered(evidence)) return {};
  const opened = await accountToOpen(gathering.wire, sandbox);
  const search = opened === undefined ? undefined : await findSearch(gathering, evidence, opened);
  if (opened === undefined || search === undefined) return {};
  const controlled = { gathering, evidence, webhooks, search, account: { ...opened, sandbox: true } };
  const held = { ...(await holdTask(controlled)), ...(await holdSkill(controlled)) };
  const { heldTask } = held;
  if (heldTask === undefined || heldTask.arrived.length === 0) return held;
  return { ...held, heldTask: { ...heldTask, arrived: await webhooks.awaitArrival('task', WITH_A_RETRY) } };
};

/** Returns the search that the agent offers and its controller can order; undefined where there is none. */
async function findSearch(
  { wire }: Gathering,
  { tools = [] }: Evidence,
  account: JsonObject,
): Promise<Search | undefined> {
  const offers = (task: string): boolean => tools.some(({ name }) => name === task);
  if (!offers(CONTROLLER)) return undefined;
  const listed = await wire.call(CONTROLLER, { scenario: 'list_scenarios', account: { ...account, sandbox: true } });
  const scenarios = textsOf(listed.payload?.scenarios);
  if (!scenarios.includes('force_task_completion')) return undefined;
  return SEARCHES.find(({ scenario, task }) => offers(task) && scenarios.includes(scenario));
}

/** Registers by the argument of the task. */
async function holdTask(controlled: Controlled): Promise<Partial<Gathered>> {
  const { account, gathering, search, webhooks } = controlled;
  const registration = await orderSubmission(controlled, 'task');
  if (registration === undefined) return {};
  const { operationId, url } = registration;
  webhooks.refuseOnce('task');
  const push_notification_config = { url, operation_id: operationId };
  const answer = await gathering.wire.call(search.task, { ...search.args, account, push_notification_config });
  if (answer.payload?.status !== 'submitted') return { heldTask: { registration, answer, arrived: [] } };
  const completion = await orderCompletion(controlled, registration.taskId);
  return { heldTask: { registration, answer, completion, arrived: await webhooks.awaitArrival('task') } };
}

/** Registers by A2A's own mechanism. */
async function holdSkill(controlled: Controlled): Promise<Partial<Gathered>> {
  const { account, evidence, gathering, search, webhooks } = controlled;
  const lines = openLines(gathering, evidence).filter(({ isKeyed }) => isKeyed);
  // A registration of older revisions has the members that the protocol describes.
  const line = lines.find(({ revision }) => !isRevision1(revision)) ?? lines[0];
  if (line === undefined || !sendsPushes(evidence)) return {};
  const registration = await orderSubmission(controlled, 'a2a');
  if (registration === undefined) return {};
  const more = { input: { ...search.args, account }, push: registration };
  const answer = readSkillAnswer(await callSkill(gathering, line, search.task, more));
  if (answer.state !== 'submitted') return { heldSkill: { registration, answer, arrived: [] } };
  const asked = a2aRequest(line.revision, 'pushes', { id: answer.taskId, taskId: answer.taskId });
  const shown = await line.wire.rpc(asked.message, asked.headers);
  const polled = answer.taskId === undefined ? undefined : await askTask(line, answer.taskId);
  const completion = await orderCompletion(controlled, registration.taskId);
  return {
    heldSkill: { registration, answer, shown, polled, completion, arrived: await webhooks.awaitArrival('a2a') },
  };
}

/** Whether the card says that the agent sends webhooks of A2A. */
function sendsPushes({ card }: Evidence): boolean {
  const capabilities = card?.json.capabilities as JsonObject | null | undefined;
  return capabilities?.pushNotifications === true;
}

/** Orders the next search to be submitted; undefined where the controller refuses. */
async function orderSubmission(controlled: Controlled, name: string): Promise<TaskRegistration | undefined> {
  const { gathering, search, webhooks } = controlled;
  const taskId = `doctor-${gathering.uuid()}`;
  const ordered = await runScenario(controlled, search.scenario, { arm: 'submitted', task_id: taskId });
  if (ordered.payload?.success !== true) return undefined;
  return { taskId, operationId: gathering.uuid(), url: webhooks.urlFor(name) };
}

function orderCompletion(controlled: Controlled, taskId: string): Promise<TaskAnswer> {
  return runScenario(controlled, 'force_task_completion', { task_id: taskId, result: controlled.search.result });
}

function runScenario({ account, gathering }: Controlled, scenario: string, params: JsonObject): Promise<TaskAnswer> {
  return gathering.wire.call(CONTROLLER, { scenario, params, account });
}
