import type { SeenCertificate } from '../../platform/net/certificate.js';
import type { FetchReason } from '../../platform/net/fetch-error.js';
import type { ProtocolNames } from '../../protocol/names.js';
import type { AdagentsDiscovery } from '../adagents/discovery.js';
import type { BrandDocument } from '../brand/types.js';
import type { Finding as DocumentFinding } from '../documents/finding.js';
import type { JudgedRead } from './answer-shapes.js';
import type { Sighting } from './sightings.js';

/** A JSON object of a stranger. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** An answer over HTTP, and the JSON-RPC response in it, if any. Header names are in lower case. */
export type Answered = {
  readonly ok: true;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly message?: JsonObject;
  /** Whether the message is under another id than its request. */
  readonly isStray?: boolean;
  readonly bytes: number;
  readonly tookMs: number;
};

/** One request and what came of it. */
export type Exchange = Answered | { readonly ok: false; readonly reason: FetchReason };

/** Whether a request was turned away for whom it came from. */
export function isRefusal(exchange: Exchange): boolean {
  return exchange.ok && (exchange.status === 401 || exchange.status === 403);
}

/** The answer of a task: `payload` is what its result holds, by whatever member. */
export type TaskAnswer = {
  readonly task: string;
  readonly exchange: Exchange;
  readonly payload?: JsonObject;
  readonly isError: boolean;
};

/** A message of JSON-RPC as MCP answered it, with a status of success. */
export type SeenResponse = {
  /** The method, and the task that it calls. */
  readonly request: string;
  /** The Content-Type; empty where there is none. */
  readonly type: string;
  readonly jsonrpc: unknown;
  readonly id: unknown;
  /** Whether the message is under another id than its request. */
  readonly isStray: boolean;
  /** Whether it holds a result and an error. */
  readonly isDouble: boolean;
  readonly tookMs: number;
};

/** A tool as tools/list shows it. */
export type ListedTool = {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: unknown;
  readonly annotations?: unknown;
};

/** A read that the agent lists, and its answer. */
export type AnsweredRead = { readonly read: JudgedRead; readonly answer: TaskAnswer };

/** The first page of a read with room for one item, and the page that its cursor leads to. */
export type AnsweredPages = AnsweredRead & { readonly next?: TaskAnswer };

/** A JSON document of a URL; `json` is absent for what is no JSON object. */
export type ReadDocument = {
  readonly url: string;
  readonly exchange: Exchange;
  readonly json?: JsonObject;
};

/** The brand.json that speaks for the agent, and what its reader remarked on. */
type BrandEvidence = {
  readonly url: string;
  readonly isServed: boolean;
  readonly content?: BrandDocument;
  readonly findings: readonly DocumentFinding[];
};

/** A change that was tried in the sandbox account: without a key, under one that is too short, under a good one, again, and as another request under it. */
type SandboxTrial = {
  readonly withoutKey: TaskAnswer;
  readonly shortKey: TaskAnswer;
  readonly first: TaskAnswer;
  readonly replay: TaskAnswer;
  readonly conflict: TaskAnswer;
};

/** An agent card of A2A, and whether it is at the path of older clients alone. */
type AgentCard = { readonly url: string; readonly json: JsonObject; readonly isOlderPath: boolean };

/** The answer to a message that calls a skill. */
export type SkillAnswer = {
  readonly exchange: Exchange;
  /** The state of the Task as revision 0.3 writes it; absent where the answer is no Task. */
  readonly state?: string | undefined;
  readonly taskId?: string | undefined;
  /** The service data: of the artifact of a Task that is over, of the message of its status before. */
  readonly payload?: JsonObject | undefined;
};

/** The capabilities as an interface of the card answers them, and whether the key was sent with the question. */
type SpokenRevision = { readonly revision: string; readonly isKeyed: boolean; readonly answer: SkillAnswer };

/** A webhook as a receiver judged it: proven, or with what is wrong with its signature or its body. */
export type ArrivedWebhook =
  | { readonly verdict: 'proven'; readonly payload: JsonObject }
  | { readonly verdict: 'unsigned' | 'malformed'; readonly why: string };

/** A registration for the webhooks of one task. */
export type TaskRegistration = { readonly taskId: string; readonly operationId: string; readonly url: string };

/** A task that the sandbox's controller ordered to be submitted and then ended, and what came to the address of its call. */
type HeldTask<Answer> = {
  readonly registration: TaskRegistration;
  readonly answer: Answer;
  /** What the controller said of its end; absent where the task was not submitted. */
  readonly completion?: TaskAnswer | undefined;
  readonly arrived: readonly ArrivedWebhook[];
};

/** A subscription for webhooks of the sandbox account: the answer, and what had come to its address by then. */
type Subscription = { readonly answer: TaskAnswer; readonly arrived: readonly ArrivedWebhook[] };

/** The parts of the evidence that may be missing, by name. */
export type Gathered = {
  /** The certificate as a stranger sees it. */
  readonly certificate: SeenCertificate;
  /** How many answers were 429, and when the first of them says to come again. */
  readonly limited: { readonly count: number; readonly retryAfter: string | undefined };
  /** What every request of MCP was answered that was not refused. */
  readonly responses: readonly SeenResponse[];
  /** What answers showed that no answer may. */
  readonly sightings: readonly Sighting[];
  /** Stages of the questions that failed by themselves, each with the message. */
  readonly unasked: readonly string[];
  /** The first request: `initialize`, with the key where there is one. */
  readonly arrival: Exchange;
  /** The first request, where MCP answered it. */
  readonly introduction: Answered;
  /** `initialize` under a revision that there never was. */
  readonly otherRevision: Exchange;
  readonly notice: Exchange;
  readonly unknownMethod: Exchange;
  readonly ping: Exchange;
  readonly brokenJson: Exchange;
  readonly plainGet: Exchange;
  readonly tools: readonly ListedTool[];
  /** How tools/list ended: whole, at a cursor that was asked with before, or at the bound of what is read. */
  readonly listEnd: 'whole' | 'circle' | 'cut';
  /** A read of the caller's own things, without credentials and with a key that is none. */
  readonly anonymousCall: TaskAnswer;
  readonly wrongKeyCall: TaskAnswer;
  /** Metadata that the refusal of a stranger points to. */
  readonly resourceMetadata: ReadDocument;
  /** Metadata at its usual path where the refusal points to none. */
  readonly unannouncedMetadata: ReadDocument;
  readonly issuers: readonly ReadDocument[];
  readonly publicCapabilities: TaskAnswer;
  /** The answer about capabilities, and its root. */
  readonly capabilities: TaskAnswer;
  readonly declared: JsonObject;
  /** The question about capabilities under each release that is declared. */
  readonly releases: readonly { readonly release: string; readonly answer: TaskAnswer }[];
  readonly wrongMajor: TaskAnswer;
  readonly unknownTool: TaskAnswer;
  readonly wrongInput: TaskAnswer & { readonly field: string };
  readonly wrongCursor: TaskAnswer;
  readonly reads: readonly AnsweredRead[];
  readonly pages: readonly AnsweredPages[];
  readonly brand: BrandEvidence;
  readonly jwks: ReadDocument;
  readonly publishers: readonly AdagentsDiscovery[];
  readonly trial: SandboxTrial;
  /** A search in the sandbox account. */
  readonly sandboxSearch: TaskAnswer;
  readonly subscription: Subscription;
  readonly card: AgentCard;
  /** The capabilities over each interface that the card names. */
  readonly spoken: readonly SpokenRevision[];
  /** A message under a revision of A2A that there never was. */
  readonly unknownRevision: Exchange;
  readonly unknownSkill: SkillAnswer;
  /** A question for a task of A2A that there never was. */
  readonly unknownTask: Exchange;
  /** What tasks/get says of the Task that answered a read just before. */
  readonly answeredTask: SkillAnswer;
  /** The read of A2A as a stream, where the card declares that. */
  readonly streamed: SkillAnswer;
  /** A read of the caller's own things over A2A, without credentials. */
  readonly strangerSkill: SkillAnswer;
  /** A read of the caller's own things over A2A, under a key that is none. */
  readonly wrongKeySkill: SkillAnswer;
  readonly heldTask: HeldTask<TaskAnswer>;
  /** A task held over A2A, with its registration as the agent shows it, and what tasks/get says of it before it ends. */
  readonly heldSkill: HeldTask<SkillAnswer> & {
    readonly shown?: Exchange | undefined;
    readonly polled?: SkillAnswer | undefined;
  };
};

/** The name of a part of the evidence. */
export type EvidenceName = keyof Gathered;

/** The agent of an assessment, before it is asked anything. */
export type Subject = {
  readonly names: ProtocolNames;
  readonly url: string;
  readonly nowMs: number;
  /** Whether plain http and loopback are let through, in development mode only. */
  readonly isLocal: boolean;
  readonly hasKey: boolean;
};

/** Everything that was seen of an agent. */
export type Evidence = Subject & Partial<Gathered>;

/** The context of every request, which answers have to hold as it is. */
export const SENT_CONTEXT: JsonObject = { doctor: { trace: 'a-1', list: [1, null, 'ä'] } };
