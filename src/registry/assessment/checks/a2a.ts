import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../platform/kernel/json/json.js';
import { isUrl } from '../../../platform/net/url.js';
import { quoted } from '../../documents/finding.js';
import { jsonRpcInterfaces, objectsOf, revisionOf } from '../agent-card.js';
import { type Check, check, faultsOf, REFERENCES } from '../check.js';
import { type Exchange, isRefusal, type JsonObject, SENT_CONTEXT, type SkillAnswer } from '../evidence.js';
import { textsOf } from '../texts.js';

const TASK_NOT_FOUND = -32001;
const VERSION_NOT_SUPPORTED = -32009;
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
      ...objectsOf(json.skills).flatMap(skillFaults),
    ],
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
            [!isText(url) || !isUrl(url), `The URL ${quoted(url)} is not absolute.`],
            [isText(url) && isUrl(url) && !isLocal && !url.startsWith('https:'), `${quoted(url)} is not https.`],
            [revisionOf(version) === undefined, `The version of ${quoted(url)} is ${quoted(version)}.`],
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
      return asked.flatMap(({ answer, revision }) => unansweredSend(answer).map((seen) => `${revision}: ${seen}`));
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
    judge: ({ unknownRevision }) => wrongError(unknownRevision, VERSION_NOT_SUPPORTED),
  }),
  check({
    id: 'a2a.unknown-task',
    severity: 'error',
    needs: ['unknownTask'],
    rule: 'A Task that there is not, or that belongs to somebody else, is answered with the error -32001.',
    reference: REFERENCES.a2a,
    fix: 'Answer tasks/get with {"error": {"code": -32001, "message": "Task not found"}}.',
    judge: ({ unknownTask }) => wrongError(unknownTask, TASK_NOT_FOUND),
  }),
  check({
    id: 'a2a.unknown-skill',
    severity: 'error',
    needs: ['unknownSkill'],
    rule: 'A skill that there is not is refused: by a failed Task with an error of the protocol, or by an error of JSON-RPC.',
    reference: REFERENCES.errors,
    fix: 'Answer a failed Task whose data part holds adcp_error.',
    judge: ({ unknownSkill }) => letThrough(unknownSkill),
  }),
  check({
    id: 'a2a.auth',
    severity: 'error',
    needs: ['strangerSkill'],
    rule: 'A call for the caller’s own things without credentials is refused over A2A as over MCP.',
    reference: REFERENCES.security,
    fix: 'Admit callers by one rule for both transports.',
    judge: ({ strangerSkill }) => letThrough(strangerSkill),
  }),
];

function skillFaults(skill: JsonObject): readonly string[] {
  const missing = SKILL_TEXTS.filter((name) => !isText(skill[name]));
  const lacks = textsOf(skill.tags).length === 0 ? [...missing, 'tags'] : missing;
  return lacks.length === 0 ? [] : [`The skill ${quoted(skill.id)} lacks ${lacks.join(', ')}.`];
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function unansweredSend({ exchange, payload, state }: SkillAnswer): readonly string[] {
  if (!exchange.ok) return [noAnswer(exchange)];
  const error = exchange.message?.error;
  if (isObject(error)) return [`It is answered ${exchange.status} with the error ${quoted(error.code)}.`];
  if (state === undefined) return [`It is answered ${exchange.status} without a Task.`];
  return faultsOf(
    [state !== 'completed', `The Task is ${quoted(state)}.`],
    [payload === undefined, 'Its artifact holds no data part.'],
  );
}

function wrongError(exchange: Exchange, code: number): readonly string[] | 'not_applicable' {
  if (!exchange.ok) return [noAnswer(exchange)];
  if (isRefusal(exchange)) return 'not_applicable';
  const error = exchange.message?.error;
  if (!isObject(error)) return [`It is answered ${exchange.status}, with no error.`];
  return faultsOf([error.code !== code, `The error is ${quoted(error.code)}.`]);
}

function letThrough({ exchange, state }: SkillAnswer): readonly string[] {
  if (!exchange.ok) return [noAnswer(exchange)];
  const isRefused = exchange.status >= 400 || exchange.message?.error !== undefined || REFUSED_STATES.has(state);
  return faultsOf(
    [!isRefused, `It is answered ${exchange.status}, and the Task is ${quoted(state)}.`],
    [exchange.status >= 500, `It is answered ${exchange.status}.`],
  );
}

function noAnswer(exchange: Exclude<Exchange, { readonly ok: true }>): string {
  return `There was no answer: ${exchange.reason.replaceAll('_', ' ')}.`;
}
