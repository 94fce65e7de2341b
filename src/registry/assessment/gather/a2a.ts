import { isObject } from '../../../platform/kernel/json/json.js';
import { isUrl } from '../../../platform/net/url.js';
import { isRevision1, jsonRpcInterfaces, revisionOf } from '../agent-card.js';
import {
  type Evidence,
  type Exchange,
  type Gathered,
  SENT_CONTEXT,
  type SkillAnswer,
  type TaskRegistration,
} from '../evidence.js';
import { a2aRequest, readSkillAnswer, skillRequest } from '../skill-message.js';
import type { Gathering, Stage } from './stage.js';
import { ownRead } from './strangers.js';
import { readDocument, type Wire } from './wire.js';

/** Where cards are: the present path, and the one of older clients. */
const CARD_PATH = '.well-known/agent-card.json';
const OLDER_CARD_PATH = '.well-known/agent.json';
/** Interfaces that are spoken to. */
const MAX_SPOKEN = 3;
/** A revision that there never was. */
const NO_REVISION = '99.0';

/** A line to an interface of the card, and the revision that it speaks. */
type A2aLine = {
  readonly wire: Wire;
  readonly url: string;
  readonly revision: string;
  readonly isKeyed: boolean;
};

/** Reads the agent card of A2A; an agent need not have one. */
export const readCard: Stage = async ({ options }, { arrival }) => {
  if (arrival?.ok !== true) return {};
  for (const path of [CARD_PATH, OLDER_CARD_PATH]) {
    for (const url of cardUrls(options.url, path)) {
      const { exchange, json } = await readDocument(options, url);
      if (exchange.ok && exchange.status === 200 && json !== undefined)
        return { card: { url, json, isOlderPath: path === OLDER_CARD_PATH } };
    }
  }
  return {};
};

/** Returns where a card may be: beside the endpoint, where one host serves several agents, and at the host. */
function cardUrls(url: string, path: string): readonly string[] {
  return [...new Set([new URL(path, url).href, new URL(`/${path}`, url).href])];
}

/** Asks over A2A what was asked over MCP, and what has to be refused there. Nothing but reads is sent. */
export const speakA2a: Stage = async (gathering, evidence) => {
  const lines = openLines(gathering, evidence);
  const [line] = lines;
  if (line === undefined) return {};
  const spoken = [];
  for (const one of lines) {
    const answer = readSkillAnswer(await callSkill(gathering, one, evidence.names.capabilitiesTool));
    spoken.push({ revision: one.revision, isKeyed: one.isKeyed, answer });
  }
  return {
    spoken,
    unknownTask: (await askTask(line, `doctor-${gathering.uuid()}`)).exchange,
    unknownSkill: readSkillAnswer(await callSkill(gathering, line, 'doctor_no_such_task')),
    ...(await askAnsweredTask(line, spoken[0]?.answer)),
    ...(await streamSkill(gathering, evidence, line)),
    ...(await askUnknownRevision(gathering, evidence, lines)),
    ...(await askAsStranger(gathering, evidence, line)),
  };
};

/** Opens a line to each interface of the card whose version can be read. The key is sent to no other origin than its own. */
export function openLines({ open, options }: Gathering, { card }: Evidence): readonly A2aLine[] {
  const { origin } = new URL(options.url);
  const lines = jsonRpcInterfaces(card?.json ?? {}).flatMap(({ url, version }) => {
    const revision = revisionOf(version);
    if (revision === undefined || typeof url !== 'string' || !isUrl(url)) return [];
    const isOwn = new URL(url).origin === origin;
    const credentials = isOwn ? options.credentials : undefined;
    return [{ wire: open({ url, credentials }), url, revision, isKeyed: credentials !== undefined }];
  });
  return lines.slice(0, MAX_SPOKEN);
}

/** Calls a skill over a line with the context that its answer has to hold. */
export function callSkill(
  { uuid }: Gathering,
  { revision, wire }: A2aLine,
  skill: string,
  more: SkillExtras = {},
): Promise<Exchange> {
  const input = { context: SENT_CONTEXT, ...more.input };
  const { isStreamed, push } = more;
  const { headers, message } = skillRequest(revision, { skill, input, messageId: uuid(), isStreamed, push });
  return wire.rpc(message, { ...headers, ...more.headers });
}

type SkillExtras = {
  readonly input?: object;
  readonly push?: TaskRegistration;
  readonly isStreamed?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Asks for a Task by its id. */
export async function askTask({ revision, wire }: A2aLine, id: string): Promise<SkillAnswer> {
  const { headers, message } = a2aRequest(revision, 'task', { id });
  return readSkillAnswer(await wire.rpc(message, headers));
}

async function askAnsweredTask(line: A2aLine, answer: SkillAnswer | undefined): Promise<Partial<Gathered>> {
  if (answer?.taskId === undefined || answer.taskId === '') return {};
  return { answeredTask: await askTask(line, answer.taskId) };
}

async function streamSkill(gathering: Gathering, { card, names }: Evidence, line: A2aLine): Promise<Partial<Gathered>> {
  const capabilities = card?.json.capabilities;
  if (!isObject(capabilities) || capabilities.streaming !== true) return {};
  return { streamed: readSkillAnswer(await callSkill(gathering, line, names.capabilitiesTool, { isStreamed: true })) };
}

/** Clients of older revisions name none, so that only an interface of 1.0 or later has to refuse one. */
async function askUnknownRevision(
  gathering: Gathering,
  { names }: Evidence,
  lines: readonly A2aLine[],
): Promise<Partial<Gathered>> {
  const line = lines.find(({ revision }) => isRevision1(revision));
  if (line === undefined) return {};
  const headers = { 'a2a-version': NO_REVISION };
  return { unknownRevision: await callSkill(gathering, line, names.capabilitiesTool, { headers }) };
}

async function askAsStranger(gathering: Gathering, evidence: Evidence, line: A2aLine): Promise<Partial<Gathered>> {
  const task = ownRead(evidence);
  if (task === undefined) return {};
  const anonymous = { ...line, wire: gathering.open({ url: line.url }) };
  const wrong = { ...line, wire: gathering.open({ url: line.url, credentials: `doctor-${gathering.uuid()}` }) };
  return {
    strangerSkill: readSkillAnswer(await callSkill(gathering, anonymous, task)),
    wrongKeySkill: readSkillAnswer(await callSkill(gathering, wrong, task)),
  };
}
