import type { Clock } from '../../platform/kernel/clock.js';
import { isObject } from '../../platform/kernel/json/json.js';
import type { SeenCertificate } from '../../platform/net/certificate.js';
import type { Outbound } from '../../platform/net/fetch.js';
import type { ProtocolNames } from '../../protocol/names.js';
import { quoteValue } from '../documents/finding.js';
import type { Check, Reference, Severity } from './check.js';
import { CHECKS } from './checks/index.js';
import { type Evidence, type EvidenceName, isRefusal, type Subject } from './evidence.js';
import { gatherEvidence } from './gather/gather.js';
import type { Gathering, WebhookAddress } from './gather/stage.js';
import { ASSESSMENT_BOUNDS, type AssessmentBounds, RequestBudget, Wire, type WireOptions } from './gather/wire.js';
import type { SandboxAccount } from './sandbox-account.js';
import { type BadgeForecast, forecastBadge } from './storyboards.js';
import { textsOf } from './texts.js';

/** Whom to look at, and by what means. */
type AssessmentOptions = {
  readonly outbound: Pick<Outbound, 'fetch'>;
  readonly clock: Clock;
  readonly names: ProtocolNames;
  /** An absolute URL of http or https. */
  readonly url: string;
  /** A key of the agent's. It is sent to this URL alone. */
  readonly key?: string | undefined;
  /** Where changes may be tried; nothing is changed anywhere without it. */
  readonly sandbox?: SandboxAccount | undefined;
  /** Where the agent may send webhooks of the sandbox account; none are asked for without it. */
  readonly webhooks?: WebhookAddress | undefined;
  /** Lets plain http and loopback through, in development mode only. */
  readonly local: boolean;
  /** Reads the certificate of a host; left out where it cannot be reached as strangers do. */
  readonly readCertificate?: (host: string, port: number) => Promise<SeenCertificate>;
  /** A new UUID. */
  readonly uuid: () => string;
  readonly bounds?: AssessmentBounds;
};

/** Something that is wrong with an agent: the rule, what was seen, and how to mend it. */
export type AgentFinding = {
  readonly check: string;
  readonly severity: Severity;
  readonly rule: string;
  readonly reference: Reference;
  readonly seen: readonly string[];
  readonly fix: string;
};

/** A check, and what became of it. */
type CheckOutcome = {
  readonly check: string;
  readonly status: 'ok' | 'fault' | 'skipped';
  readonly why?: string;
};

/** Everything that an assessment came to. */
export type Assessment = {
  readonly url: string;
  readonly agent: {
    readonly name?: string;
    readonly version?: string;
    readonly releases: readonly string[];
    readonly protocols: readonly string[];
    readonly specialisms: readonly string[];
    readonly tools: readonly string[];
  };
  /** Milliseconds since the epoch, and for how long it went on. */
  readonly startedAt: number;
  readonly tookMs: number;
  readonly requests: number;
  readonly bytes: number;
  /** Whether a bound was reached, so that the rest was not asked. */
  readonly isCut: boolean;
  readonly findings: readonly AgentFinding[];
  readonly checks: readonly CheckOutcome[];
  readonly badge: BadgeForecast;
};

/** Sentences that a finding shows, and characters of each. */
const MAX_SEEN = 5;
const MAX_SEEN_CHARACTERS = 300;
/** Texts of the agent that are passed on. */
const MAX_LISTED = 50;

/**
 * Looks at an agent from outside, once, within bounds: gathers the evidence over the guarded fetch, then judges it by the table of checks.
 * Changes nothing but in the sandbox account that it is given. Never rejects for what the agent does.
 */
export async function assessAgent(options: AssessmentOptions): Promise<Assessment> {
  const { clock, key, local, names, sandbox, url, uuid, webhooks } = options;
  const startedAt = clock.now();
  const budget = new RequestBudget(options.outbound, clock, options.bounds ?? ASSESSMENT_BOUNDS);
  const wireOptions: WireOptions = { budget, clock, url, local, credentials: key };
  const open: Gathering['open'] = (changes) => new Wire({ ...wireOptions, credentials: undefined, ...changes });
  const gathering = { options: wireOptions, wire: new Wire(wireOptions), open, sandbox, webhooks, uuid };
  const subject: Subject = { names, url, nowMs: startedAt, isLocal: local, hasKey: key !== undefined };
  const certificate = await certificateOf(options);
  const gathered = await gatherEvidence(subject, gathering);
  const evidence = {
    ...gathered,
    limited: budget.limited,
    responses: budget.responses,
    sightings: budget.sightings,
    certificate,
  };
  const judged = CHECKS.map((check) => carryOutCheck(check, evidence, budget.isOver));
  const agent = describeAgent(evidence);
  const findings = judged.flatMap(({ finding }) => finding ?? []);
  return {
    url,
    agent,
    startedAt,
    tookMs: clock.now() - startedAt,
    ...budget.spent,
    isCut: budget.isOver,
    findings,
    checks: judged.map(({ outcome }) => outcome),
    badge: forecastBadge({ ...agent, findings }),
  };
}

async function certificateOf({ readCertificate, url }: AssessmentOptions): Promise<SeenCertificate | undefined> {
  const { hostname, port, protocol } = new URL(url);
  if (protocol !== 'https:') return undefined;
  return readCertificate?.(hostname, port === '' ? 443 : Number(port));
}

type Judged = { readonly outcome: CheckOutcome; readonly finding?: AgentFinding };

/** Returns what came of a check. What an agent answers may be anything, so that a check that fails over it is a finding and no end. */
function carryOutCheck(check: Check, evidence: Evidence, isCut: boolean): Judged {
  try {
    return judgeCheck(check, evidence, isCut);
  } catch (error) {
    return brokenCheck(check, error instanceof Error ? error.message : String(error));
  }
}

function brokenCheck({ id, reference, rule }: Check, message: string): Judged {
  const seen = `The check itself could not be carried out: ${plainText(message)}`;
  return {
    outcome: { check: id, status: 'skipped', why: 'the check itself failed' },
    finding: { check: id, severity: 'note', rule, reference, seen: shortened([seen]), fix: BROKEN_CHECK_FIX },
  };
}

/** How to go on where a check failed by itself. */
const BROKEN_CHECK_FIX =
  'It says nothing of the agent: hold the rule against its answers by hand, and report the message to whoever maintains seller-agent.';

function judgeCheck(check: Check, evidence: Evidence, isCut: boolean): Judged {
  const { fix, id, judge: judgeEvidence, needs, reference, rule, severity } = check;
  const missing = needs.find((name) => evidence[name] === undefined);
  if (missing !== undefined) {
    const why = isCut ? CUT : whyMissing(missing, evidence);
    return { outcome: { check: id, status: 'skipped', why } };
  }
  const verdict = judgeEvidence(evidence);
  if (verdict === 'not_applicable') return { outcome: { check: id, status: 'skipped', why: 'not about this agent' } };
  if (verdict.length === 0) return { outcome: { check: id, status: 'ok' } };
  return {
    outcome: { check: id, status: 'fault' },
    finding: { check: id, severity, rule, reference, seen: shortened(verdict), fix },
  };
}

function shortened(seen: readonly string[]): readonly string[] {
  const lines = seen.slice(0, MAX_SEEN).map((line) => line.slice(0, MAX_SEEN_CHARACTERS));
  return seen.length > MAX_SEEN ? [...lines, `${seen.length - MAX_SEEN} more.`] : lines;
}

const CUT = 'a bound was reached before it was asked, or while it was';
const NO_CARD = 'no agent card of A2A is served, or it names no interface for this';
const NO_TRIAL = 'no sandbox account was named, or the agent declares none that it lists';
const NO_HELD_TASK = 'no sandbox account and address for webhooks were named, or no controller there submits a search';

/** Evidence that is not there for a reason of its own; the rest was not answered. */
const REASONS: Readonly<Partial<Record<EvidenceName, string>>> = {
  certificate: 'no TLS to look at',
  resourceMetadata: 'no OAuth metadata is announced',
  unannouncedMetadata: 'the metadata is announced',
  issuers: 'no OAuth metadata is announced',
  publishers: 'the portfolio names no publisher',
  pages: 'no read lists more than one thing',
  subscription: 'no address for webhooks was named, or the agent does not serve 3.1',
  heldTask: NO_HELD_TASK,
  heldSkill: NO_HELD_TASK,
  card: NO_CARD,
  spoken: NO_CARD,
  unknownRevision: NO_CARD,
  unknownSkill: NO_CARD,
  unknownTask: NO_CARD,
  strangerSkill: NO_CARD,
  answeredTask: NO_CARD,
  streamed: 'no agent card of A2A is served, or it declares no streaming',
  sandboxSearch: NO_TRIAL,
  trial: NO_TRIAL,
};

function whyMissing(name: EvidenceName, { arrival, hasKey }: Evidence): string {
  if (arrival?.ok === false) return 'the agent does not answer';
  if (hasKey && arrival !== undefined && isRefusal(arrival)) return 'the agent refuses the key';
  return (
    REASONS[name] ?? (hasKey ? 'the agent did not answer what it needs' : 'the agent shows this to holders of a key')
  );
}

function describeAgent({ declared, introduction, names, tools = [] }: Evidence): Assessment['agent'] {
  const result = isObject(introduction?.message?.result) ? introduction.message.result : {};
  const info = isObject(result.serverInfo) ? result.serverInfo : {};
  const root = declared?.[names.capabilitiesRoot];
  const listed = (value: unknown): readonly string[] => textsOf(value).slice(0, MAX_LISTED).map(plainText);
  return {
    name: typeof info.name === 'string' ? plainText(info.name) : undefined,
    version: typeof info.version === 'string' ? plainText(info.version) : undefined,
    releases: listed(isObject(root) ? root.supported_versions : undefined),
    protocols: listed(declared?.supported_protocols),
    specialisms: listed(declared?.specialisms),
    tools: listed(tools.map(({ name }) => name)),
  };
}

/** Returns a text of a stranger as a line may hold it: short, and nothing that moves the cursor. */
function plainText(text: string): string {
  return quoteValue(text).slice(1, -1);
}
