import type { SeenCertificate } from '../../platform/net/certificate.js';
import type { FetchReason } from '../../platform/net/fetch-error.js';
import type { ProtocolNames } from '../../protocol/names.js';
import type { AdagentsDiscovery } from '../adagents/discovery.js';
import type { BrandDocument } from '../brand/types.js';
import type { Finding as DocumentFinding } from '../documents/finding.js';

/** A JSON object of a stranger. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** An answer over HTTP, and the JSON-RPC response in it, if any. Header names are in lower case. */
export type Answered = {
  readonly ok: true;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly message?: JsonObject;
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

/** A tool as tools/list shows it. */
export type ListedTool = {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: unknown;
};

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

/** A change that was tried in the sandbox account: without a key, under one, again, and as another request under it. */
type SandboxTrial = {
  readonly withoutKey: TaskAnswer;
  readonly first: TaskAnswer;
  readonly replay: TaskAnswer;
  readonly conflict: TaskAnswer;
};

/** A webhook as a receiver judged it: proven, or with what is wrong with its signature or its body. */
export type ArrivedWebhook =
  | { readonly verdict: 'proven' }
  | { readonly verdict: 'unsigned' | 'malformed'; readonly why: string };

/** A subscription for webhooks of the sandbox account: the answer, and what had come to its address by then. */
type Subscription = { readonly answer: TaskAnswer; readonly arrived: readonly ArrivedWebhook[] };

/** The parts of the evidence that may be missing, by name. */
export type Gathered = {
  /** The certificate as a stranger sees it. */
  readonly certificate: SeenCertificate;
  /** The first request: `initialize`, with the key where there is one. */
  readonly arrival: Exchange;
  /** The same where MCP answered it. */
  readonly introduction: Answered;
  /** `initialize` under a revision that there never was. */
  readonly otherRevision: Exchange;
  readonly notice: Exchange;
  readonly unknownMethod: Exchange;
  readonly brokenJson: Exchange;
  readonly plainGet: Exchange;
  readonly tools: readonly ListedTool[];
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
  /** The same question under each release that is declared. */
  readonly releases: readonly { readonly release: string; readonly answer: TaskAnswer }[];
  readonly wrongMajor: TaskAnswer;
  readonly unknownTool: TaskAnswer;
  readonly wrongInput: TaskAnswer & { readonly field: string };
  readonly wrongCursor: TaskAnswer;
  readonly brand: BrandEvidence;
  readonly jwks: ReadDocument;
  readonly publishers: readonly AdagentsDiscovery[];
  readonly trial: SandboxTrial;
  readonly subscription: Subscription;
};

/** The name of a part of the evidence. */
export type EvidenceName = keyof Gathered;

/** What is known of the agent from the start. */
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
