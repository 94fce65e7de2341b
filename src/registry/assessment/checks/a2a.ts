import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../platform/kernel/json/json.js';
import { isUrl } from '../../../platform/net/url.js';
import { quoteValue } from '../../documents/finding.js';
import { isRevision1, jsonRpcInterfaces, objectsOf, revisionOf } from '../agent-card.js';
import { type Check, check, faultsOf, REFERENCES } from '../check.js';
import { type Exchange, isRefusal, type JsonObject, SENT_CONTEXT, type SkillAnswer } from '../evidence.js';
import { describeExchange, describeSilence } from '../task-error.js';
import { textsOf } from '../texts.js';

const TASK_NOT_FOUND = -32001;
const VERSION_NOT_SUPPORTED = -32009;
const INTERNAL_ERROR = -32603;
/** The tool that arranges tests, which is shown to some callers alone. */
const CONTROLLER = 'comply_test_controller';
/** Texts and lists that a card has to have. */
const CARD_TEXTS = ['name', 'description', 'version'];
const CARD_LISTS = ['skills', 'defaultInputModes', 'defaultOutputModes'];
const SKILL_TEXTS = ['id', 'name', 'description'];
/** States of a Task in which nothing was done for the caller. */
const REFUSED_STATES: ReadonlySet<unknown> = new Set(['failed', 'rejected', 'auth-required', 'canceled']);

/** How the agent speaks A2A, where it serves a card. */
export const A2A_CHECKS: readonly Check[] = [
  check({
    id: 'a2a.card',
    severity: 'error',
    needs: ['card'],
    rule: 'An agent card has a name, a description, a version, capabilities, modes of input and output, and skills with an id, a name, a description and tags.',
    reference: REFERENCES.agentCard,
    fix: 'Write the members that are missing into the card.',
    judge: ({ card: { json } }) => [
      ...CARD_TEXTS.filter((name) => !isText(json[name])).map((name) => `There is no ${name}.`),
      ...CARD_LISTS.filter((name) => !Array.isArray(json[name])).map((name) => `${name} is no list.`),
      ...faultsOf([!isObject(json.capabilities), 'There are no capabilities.']),
      ...faultsOf([Array.isArray(json.skills) && json.skills.length === 0, 'It lists no skill.']),
      ...objectsOf(json.skills).flatMap(skillFaults),
    ],
  }),
  check({
    id: 'a2a.skills',
    severity: 'warning',
    needs: ['card', 'tools'],
    rule: 'A task is a skill: the card names the tasks that tools/list names, and no others.',
    reference: REFERENCES.agentCard,
    fix: 'Make card and list from one table of tasks.',
    judge: ({ card: { json }, tools }) => {
      const skills: readonly unknown[] = Array.isArray(json.skills) ? json.skills : [];
      const named = new Set(skills.flatMap((skill) => (isObject(skill) && isText(skill.id) ? skill.id : [])));
      const tasks = tools.map(({ name }) => name).filter((name) => name !== CONTROLLER);
      // Skills that are named by other words than tasks are about something else.
      if (!tasks.some((task) => named.has(task))) return 'not_applicable';
      const lost = tasks.filter((task) => !named.has(task));
      const more = [...named].filter((id) => /^[a-z]+(_[a-z]+)+$/.test(id) && id !== CONTROLLER && !tasks.includes(id));
      return faultsOf(
        [lost.length > 0, `The card does not name ${lost.join(', ')}.`],
        [more.length > 0, `The card names ${more.join(', ')}, which tools/list does not.`],
      );
    },
  }),
  check({
    id: 'a2a.card-path',
    severity: 'warning',
    needs: ['card'],
    rule: 'The card of an agent is at /.well-known/agent-card.json.',
    reference: REFERENCES.agentCard,
    fix: 'Serve the card there too; /.well-known/agent.json is asked by older clients alone.',
    judge: ({ card: { isOlderPath, url } }) => faultsOf([isOlderPath, `It is served at ${url} alone.`]),
  }),
  check({
    id: 'a2a.interfaces',
    severity: 'error',
    needs: ['card'],
    rule: 'Every interface of a card has an absolute https URL and the version of A2A that is spoken there.',
    reference: REFERENCES.agentCard,
    fix: 'List {"url", "protocolBinding", "protocolVersion"} in supportedInterfaces, or url and protocolVersion for clients of 0.3.',
    judge: ({ card: { json }, isLocal }) => {
      const interfaces = jsonRpcInterfaces(json);
      const isNone = interfaces.length === 0 && objectsOf(json.supportedInterfaces).length === 0;
      return [
        ...faultsOf([isNone && !isText(json.url), 'It names no interface.']),
        ...interfaces.flatMap(({ url, version }) =>
          faultsOf(
            [!isText(url) || !isUrl(url), `The URL ${quoteValue(url)} is not absolute.`],
            [isText(url) && isUrl(url) && !isLocal && !url.startsWith('https:'), `${quoteValue(url)} is not https.`],
            [revisionOf(version) === undefined, `The version of ${quoteValue(url)} is ${quoteValue(version)}.`],
          ),
        ),
      ];
    },
  }),
  check({
    id: 'a2a.send',
    severity: 'error',
    needs: ['spoken'],
    rule: 'A message that calls a read is answered with a completed Task, its payload in the last data part of its artifact, in the shapes of every version that the card names.',
    reference: REFERENCES.a2a,
    fix: 'Answer message/send (SendMessage since 1.0) with a Task, or take the version off the card.',
    judge: ({ arrival, spoken }) => {
      // A key that the agent refuses everywhere says nothing of A2A.
      const isKeyRefused = arrival !== undefined && isRefusal(arrival);
      const asked = isKeyRefused ? [] : spoken.filter(({ answer, isKeyed }) => isKeyed || !isRefusal(answer.exchange));
      if (asked.length === 0) return 'not_applicable';
      return asked.flatMap(({ answer, revision }) =>
        [...unansweredSend(answer), ...findMisspelled(answer, revision)].map((seen) => `${revision}: ${seen}`),
      );
    },
  }),
  check({
    id: 'a2a.same-answer',
    severity: 'error',
    needs: ['spoken', 'declared'],
    rule: 'A task answers the same over MCP and A2A, and repeats the context of its request.',
    reference: REFERENCES.capabilities,
    fix: 'Run both transports on one task, and put its whole answer into the data part.',
    judge: ({ declared, names, spoken }) => {
      const answered = spoken.filter(({ answer }) => answer.payload !== undefined);
      if (answered.length === 0) return 'not_applicable';
      const root = names.capabilitiesRoot;
      return answered.flatMap(({ answer: { payload = {} }, revision }) =>
        faultsOf(
          ...[root, 'supported_protocols'].map(
            (name) => [!isDeepStrictEqual(payload[name], declared[name]), `${revision}: ${name} differs.`] as const,
          ),
          [!isDeepStrictEqual(payload.context, SENT_CONTEXT), `${revision}: the context is not repeated.`],
        ),
      );
    },
  }),
  check({
    id: 'a2a.revision',
    severity: 'error',
    needs: ['unknownRevision'],
    rule: 'A version in A2A-Version that the interface does not speak is refused with the error -32009.',
    reference: REFERENCES.a2aVersions,
    fix: 'Compare the header with the versions of the card before anything is read.',
    judge: ({ spoken, unknownRevision }) =>
      isSilent(spoken) ? 'not_applicable' : wrongError(unknownRevision, VERSION_NOT_SUPPORTED),
  }),
  check({
    id: 'a2a.unknown-task',
    severity: 'error',
    needs: ['unknownTask'],
    rule: 'A Task that there is not, or that belongs to somebody else, is answered with the error -32001.',
    reference: REFERENCES.a2a,
    fix: 'Answer tasks/get with {"error": {"code": -32001, "message": "Task not found"}}.',
    judge: ({ spoken, unknownTask }) => (isSilent(spoken) ? 'not_applicable' : wrongError(unknownTask, TASK_NOT_FOUND)),
  }),
  check({
    id: 'a2a.answered-task',
    severity: 'warning',
    needs: ['answeredTask'],
    rule: 'A Task that a message was answered with is shown to its caller by tasks/get, under the id of the answer.',
    reference: REFERENCES.a2a,
    fix: 'Store each Task for a while where every process finds it, under the id that the answer gave.',
    judge: ({ answeredTask, spoken }) => (isSilent(spoken) ? 'not_applicable' : unshownTask(answeredTask)),
  }),
  check({
    id: 'a2a.streaming',
    severity: 'error',
    needs: ['streamed'],
    rule: 'A card with capabilities.streaming has message/stream (SendStreamingMessage since 1.0), which is answered with a stream of events about the Task.',
    reference: REFERENCES.a2a,
    fix: 'Answer message/stream as text/event-stream, or declare streaming false.',
    judge: ({ spoken, streamed }) => {
      if (isSilent(spoken) || isRefusal(streamed.exchange)) return 'not_applicable';
      const { exchange, state } = streamed;
      if (!exchange.ok || exchange.message?.error !== undefined) return [describeExchange(exchange)];
      const type = exchange.headers['content-type'] ?? '';
      return faultsOf(
        [!/^text\/event-stream\b/.test(type), `It is answered ${exchange.status} as ${quoteValue(type)}.`],
        [state === undefined, 'Its first event is about no Task.'],
      );
    },
  }),
  check({
    id: 'a2a.unknown-skill',
    severity: 'error',
    needs: ['unknownSkill'],
    rule: 'A skill that there is not is refused: by a failed Task with an error of the protocol, or by an error of JSON-RPC.',
    reference: REFERENCES.errors,
    fix: 'Answer a failed Task whose data part holds adcp_error.',
    judge: ({ spoken, unknownSkill }) => {
      if (isSilent(spoken)) return 'not_applicable';
      const { exchange } = unknownSkill;
      const error = exchange.ok ? exchange.message?.error : undefined;
      const isCrash = isObject(error) && error.code === INTERNAL_ERROR;
      return [
        ...letThrough(unknownSkill),
        ...faultsOf([isCrash, 'It is answered with the error -32603, as if the agent had failed.']),
      ];
    },
  }),
  check({
    id: 'a2a.auth',
    severity: 'error',
    needs: ['strangerSkill'],
    rule: 'A call for the caller’s own things without credentials, or with a key that is none, is refused over A2A as over MCP.',
    reference: REFERENCES.security,
    fix: 'Admit callers by one rule for both transports.',
    judge: ({ spoken, strangerSkill, wrongKeySkill }) => {
      if (isSilent(spoken)) return 'not_applicable';
      return [
        ...letThrough(strangerSkill).map((seen) => `Without credentials: ${seen}`),
        ...(wrongKeySkill === undefined ? [] : letThrough(wrongKeySkill)).map((seen) => `With a random key: ${seen}`),
      ];
    },
  }),
];

/** Whether no interface of the card answered with a Task, which another check tells. */
function isSilent(spoken: readonly { readonly answer: SkillAnswer }[] | undefined): boolean {
  return spoken?.every(({ answer }) => answer.state === undefined && !isRefusal(answer.exchange)) === true;
}

/** Returns how a Task that was understood is not written as its revision has it. */
function findMisspelled({ exchange, state }: SkillAnswer, revision: string): readonly string[] {
  if (!exchange.ok || state === undefined) return [];
  const isNewer = isRevision1(revision);
  const result = isObject(exchange.message?.result) ? exchange.message.result : {};
  const task = isObject(result.task) ? result.task : result;
  const written = isObject(task.status) ? task.status.state : undefined;
  const spelled = isNewer ? `TASK_STATE_${state.replaceAll('-', '_').toUpperCase()}` : state;
  return faultsOf(
    [written !== spelled, `The state is written ${quoteValue(written)}, not ${quoteValue(spelled)}.`],
    [!isText(task.id) || !isText(task.contextId), 'The Task lacks an id or a contextId.'],
    [!isNewer && result.kind !== 'task', `The kind of the result is ${quoteValue(result.kind)}.`],
    [exchange.isStray === true, 'It is answered under another id than its request.'],
    [
      !/^application\/(?:[\w.-]+\+)?json\b/i.test(exchange.headers['content-type'] ?? ''),
      `The type is ${quoteValue(exchange.headers['content-type'])}.`,
    ],
  );
}

function skillFaults(skill: JsonObject): readonly string[] {
  const missing = SKILL_TEXTS.filter((name) => !isText(skill[name]));
  const lacks = textsOf(skill.tags).length === 0 ? [...missing, 'tags'] : missing;
  return lacks.length === 0 ? [] : [`The skill ${quoteValue(skill.id)} lacks ${lacks.join(', ')}.`];
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function unansweredSend({ exchange, payload, state }: SkillAnswer): readonly string[] {
  if (!exchange.ok) return [describeSilence(exchange.reason)];
  const error = exchange.message?.error;
  if (isObject(error)) return [`It is answered ${exchange.status} with the error ${quoteValue(error.code)}.`];
  if (state === undefined) return [`It is answered ${exchange.status} without a Task.`];
  return faultsOf(
    [state !== 'completed', `The Task is ${quoteValue(state)}.`],
    [payload === undefined, 'Its artifact holds no data part.'],
  );
}

function wrongError(exchange: Exchange, code: number): readonly string[] | 'not_applicable' {
  if (!exchange.ok) return [describeSilence(exchange.reason)];
  if (isRefusal(exchange)) return 'not_applicable';
  const error = exchange.message?.error;
  if (!isObject(error)) return [`It is answered ${exchange.status}, with no error.`];
  return faultsOf([error.code !== code, `The error is ${quoteValue(error.code)}.`]);
}

function letThrough({ exchange, state }: SkillAnswer): readonly string[] {
  if (!exchange.ok) return [describeSilence(exchange.reason)];
  const isRefused = exchange.status >= 400 || exchange.message?.error !== undefined || REFUSED_STATES.has(state);
  return faultsOf(
    [!isRefused, `It is answered ${exchange.status}, and the Task is ${quoteValue(state)}.`],
    [exchange.status >= 500, `It is answered ${exchange.status}.`],
  );
}

/** Returns how a Task that there is was not shown. */
export function unshownTask({ exchange, state }: SkillAnswer): readonly string[] {
  return faultsOf([state === undefined, describeExchange(exchange)]);
}
