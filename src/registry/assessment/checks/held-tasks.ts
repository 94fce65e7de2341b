import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../platform/kernel/json/json.js';
import { quoteValue } from '../../documents/finding.js';
import { objectsOf } from '../agent-card.js';
import { STATUS } from '../answer-shapes.js';
import { type Check, check, faultsOf, REFERENCES, type Verdict } from '../check.js';
import { type ArrivedWebhook, type Evidence, type Exchange, type JsonObject, SENT_CONTEXT } from '../evidence.js';
import { type Shape, shapeFaults } from '../shape.js';
import { readTask } from '../skill-message.js';
import { unshownTask } from './a2a.js';
import { faultyWebhooks } from './sandbox.js';

/** Members of a webhook in the words and the format of the protocol. */
const TASK_EVENT: Shape = { must: { status: STATUS, timestamp: 'instant' } };

/** How the agent tells of tasks that end later, by both registrations; in a sandbox account with a controller alone. */
export const HELD_TASK_CHECKS: readonly Check[] = [
  check({
    id: 'sandbox.held',
    severity: 'error',
    needs: ['heldTask'],
    rule: 'A search that the controller orders to be submitted is answered as submitted, under the task_id that was ordered.',
    reference: REFERENCES.capabilities,
    fix: 'Take what the controller ordered as the answer of the next call of that task, account and caller.',
    judge: ({ heldTask: { answer, completion, registration } }) => {
      const { status, task_id } = answer.payload ?? {};
      if (status !== 'submitted') return [`${answer.task} is answered as ${quoteValue(status)}.`];
      return faultsOf(
        [task_id !== registration.taskId, `The task_id is ${quoteValue(task_id)}.`],
        [completion?.payload?.success !== true, 'force_task_completion does not end the task.'],
      );
    },
  }),
  ...webhookChecks({
    ids: ['webhooks.task', 'webhooks.task-signature', 'webhooks.task-envelope'],
    evidence: 'heldTask',
    channel: 'push_notification_config of the call',
    envelope:
      'It has task_id, task_type, a status of the protocol, a timestamp with its offset, an idempotency_key and, once completed, the result, and repeats operation_id and context as they were sent.',
    fix: 'Write the members of the registration and the context of the call into every webhook of its task.',
    judge: wrongTaskEnvelope,
  }),
  check({
    id: 'webhooks.task-key',
    severity: 'error',
    needs: ['heldTask'],
    rule: 'An event has one idempotency_key, the same each time that it is sent, and no other event has it.',
    reference: REFERENCES.webhooks,
    fix: 'Store the key with the event before it is first sent, and read it from there for every attempt.',
    judge: ({ heldTask: { arrived } }) => {
      const proven = arrived.flatMap((one) => (one.verdict === 'proven' ? [one.payload] : []));
      if (proven.length === 0) return 'not_applicable';
      return proven.flatMap((later, at) => proven.slice(0, at).flatMap((earlier) => wrongKeys(earlier, later)));
    },
  }),
  check({
    id: 'webhooks.task-again',
    severity: 'note',
    needs: ['heldTask'],
    rule: 'A webhook that is answered 503 is sent again, soon at first and then less often; how soon is not prescribed.',
    reference: REFERENCES.webhooks,
    fix: 'Put the time of the next attempt beside the event, and try it for a day.',
    judge: ({ heldTask: { arrived } }) => {
      const proven = arrived.filter(({ verdict }) => verdict === 'proven');
      if (proven.length === 0) return 'not_applicable';
      return faultsOf([proven.length === 1, 'The event was answered 503, and did not come again in time.']);
    },
  }),
  check({
    id: 'a2a.held-task',
    severity: 'error',
    needs: ['heldSkill'],
    rule: 'A Task that was submitted is shown to its caller by tasks/get until it is over, for webhooks may be lost.',
    reference: REFERENCES.a2a,
    fix: 'Store the Task in the transaction that submits it, and answer tasks/get from there.',
    judge: ({ heldSkill: { polled } }) => (polled === undefined ? 'not_applicable' : unshownTask(polled)),
  }),
  check({
    id: 'a2a.push-config',
    severity: 'error',
    needs: ['heldSkill'],
    rule: 'A registration of A2A is shown to its caller, with the address that was sent.',
    reference: REFERENCES.a2a,
    fix: 'Store configuration.pushNotificationConfig with the Task, and answer tasks/pushNotificationConfig/list from there.',
    judge: ({ heldSkill: { answer, registration, shown } }) => {
      if (answer.state !== 'submitted')
        return [`The message is answered with a Task that is ${quoteValue(answer.state)}.`];
      if (shown?.ok !== true) return ['There was no answer.'];
      const urls = shownUrls(shown);
      return faultsOf([
        !urls.includes(registration.url),
        `It shows ${urls.length} registrations, none of this address.`,
      ]);
    },
  }),
  ...webhookChecks({
    ids: ['a2a.push', 'a2a.push-signature', 'a2a.push-envelope'],
    evidence: 'heldSkill',
    channel: 'pushNotificationConfig of the message',
    envelope: 'It is the Task as A2A has it, with its id, its state and, once completed, its data part.',
    fix: 'Send the Task that tasks/get answers to an address that was registered by A2A.',
    judge: wrongPushEnvelope,
  }),
];

/** The three checks of one channel: that a webhook comes, is signed, and is the envelope of the channel. */
type ChannelSpec = {
  readonly ids: readonly [arrival: string, signature: string, envelope: string];
  readonly evidence: 'heldTask' | 'heldSkill';
  readonly channel: string;
  readonly envelope: string;
  readonly fix: string;
  /** Returns what is wrong with a proven payload. */
  readonly judge: (evidence: Evidence, payload: JsonObject) => readonly string[];
};

function webhookChecks({ channel, envelope, evidence: name, fix, ids, judge }: ChannelSpec): readonly Check[] {
  const shared = { severity: 'error', needs: [name], reference: REFERENCES.webhooks } as const;
  const [arrival, signature, body] = ids;
  return [
    check({
      ...shared,
      id: arrival,
      severity: 'warning',
      rule: `The end of a task that was submitted is told to the address in ${channel}.`,
      fix: 'Put the event into the transaction that ends the task, and send it at once.',
      judge: (evidence) => {
        const held = evidence[name];
        if (held?.completion?.payload?.success !== true) return 'not_applicable';
        return faultsOf([held.arrived.length === 0, 'The task ended, and nothing came to the address in time.']);
      },
    }),
    check({
      ...shared,
      id: signature,
      rule: 'Every webhook of a task is signed by RFC 9421 with a key that the agent publishes.',
      fix: 'Sign the exact bytes that are sent, with a published key, the tag adcp/webhook-signing/v1 and content-digest covered.',
      judge: (evidence) => faultyWebhooks(evidence[name]?.arrived ?? [], 'unsigned'),
    }),
    check({
      ...shared,
      id: body,
      rule: `A webhook is the whole envelope of the channel that it was registered by. ${envelope}`,
      fix,
      judge: (evidence) => judgeBodies(evidence[name]?.arrived ?? [], (payload) => judge(evidence, payload)),
    }),
  ];
}

function wrongKeys(earlier: JsonObject, later: JsonObject): readonly string[] {
  // Some senders write the time of the attempt.
  const { idempotency_key: first, timestamp: _sent, ...event } = earlier;
  const { idempotency_key: second, timestamp: _sentAgain, ...again } = later;
  const isSame = isDeepStrictEqual(event, again);
  return faultsOf(
    [isSame && first !== second, `One event came under the keys ${quoteValue(first)} and ${quoteValue(second)}.`],
    [!isSame && first === second, `Two events came under the key ${quoteValue(first)}.`],
  );
}

function judgeBodies(arrived: readonly ArrivedWebhook[], judge: (payload: JsonObject) => readonly string[]): Verdict {
  const malformed = faultyWebhooks(arrived, 'malformed');
  if (malformed === 'not_applicable') return malformed;
  return [...malformed, ...arrived.flatMap((one) => (one.verdict === 'proven' ? judge(one.payload) : []))];
}

function wrongTaskEnvelope({ heldTask }: Evidence, payload: JsonObject): readonly string[] {
  if (heldTask === undefined) return [];
  const { answer, registration } = heldTask;
  const { context, operation_id, result, status, task_id, task_type } = payload;
  const wrong = faultsOf(
    [status === 'completed' && !isObject(result), `The task is completed, and its result is ${quoteValue(result)}.`],
    [task_id !== answer.payload?.task_id, `task_id is ${quoteValue(task_id)}.`],
    [task_type !== answer.task, `task_type is ${quoteValue(task_type)}.`],
    [operation_id !== registration.operationId, `operation_id is ${quoteValue(operation_id)}.`],
    [!isDeepStrictEqual(context, SENT_CONTEXT), 'The context is not that of the call.'],
  );
  return [...shapeFaults(payload, TASK_EVENT), ...wrong];
}

function wrongPushEnvelope({ heldSkill }: Evidence, payload: JsonObject): readonly string[] {
  if (heldSkill === undefined) return [];
  const { payload: data, state, taskId } = readTask(payload);
  if (state === undefined) return ['It is no Task of A2A, and no event of one.'];
  return [
    ...shapeFaults(state, STATUS, 'status.state'),
    ...faultsOf(
      [taskId !== heldSkill.answer.taskId, `The id of the Task is ${quoteValue(taskId)}.`],
      [state === 'completed' && data === undefined, 'The Task is completed, and its artifact holds no data part.'],
    ),
  ];
}

/** Returns the addresses of a list of registrations, in either revision's shapes. */
function shownUrls({ message }: Extract<Exchange, { readonly ok: true }>): readonly unknown[] {
  const result = message?.result;
  const listed = isObject(result) ? result.configs : result;
  return objectsOf(listed).map((one) =>
    isObject(one.pushNotificationConfig) ? one.pushNotificationConfig.url : one.url,
  );
}
