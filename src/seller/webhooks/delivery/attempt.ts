import type { Clock } from '../../../platform/kernel/clock.js';
import { MINUTE_MS, SECOND_MS } from '../../../platform/kernel/clock.js';
import type { FetchOptions, Outbound } from '../../../platform/net/fetch.js';
import { fetchReason } from '../../../platform/net/fetch-error.js';
import type { Store } from '../../store/store.js';
import type { AttemptRecord, ClaimedEvent, SettledEvent } from '../../store/webhooks/outbox/rows.js';
import { findChannel } from '../events/registration.js';
import {
  ANSWER_POLICY,
  type AnswerPolicy,
  type DeadReason,
  judgeAnswer,
  type PostResult,
  type Verdict,
} from './answers.js';
import type { Channel } from './channel.js';
import type { Endpoint } from './endpoint.js';
import type { Prover } from './proof.js';
import { nextAttemptMs, SCHEDULE, type Schedule } from './schedule.js';

/** The schedule, time and answer policy of a tenant's deliveries. */
export type DeliveryPolicy = AnswerPolicy & {
  readonly schedule: Schedule;
  /** For the whole of one POST, name lookup and answer included. */
  readonly timeoutMs: number;
};

/** The policy unless a tenant chooses. */
export const DELIVERY_POLICY: DeliveryPolicy = { ...ANSWER_POLICY, schedule: SCHEDULE, timeoutMs: 10 * SECOND_MS };

/** The ports and policy of an attempt. */
type AttemptPorts = {
  readonly store: Pick<Store, 'read'>;
  readonly clock: Clock;
  readonly outbound: Pick<Outbound, 'fetch'>;
  readonly prove: Prover;
  readonly findEndpoint: (owner: string, url: string) => Endpoint | undefined;
  readonly policy: DeliveryPolicy;
};

/** The result of an attempt, for the store and the lane. */
export type AttemptResult = {
  readonly settled: SettledEvent;
  /** Absent where nothing was posted. */
  readonly record?: AttemptRecord;
  readonly verdict?: Verdict;
  /** The registration leads to another endpoint by now: all events that wait for it go there. */
  readonly moved?: { readonly mediaBuyId: string; readonly channel: string; readonly endpoint: string };
  readonly paused?: { readonly channel: string; readonly url: string } | undefined;
  /** Nothing could be posted, as the seller has no key to prove it with. */
  readonly isUnproven?: boolean;
};

/** How much of an answer is read; only its status counts. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** How long an event waits that the seller itself could not send. */
const OWN_FAULT_MS = MINUTE_MS;

/**
 * Delivers a claimed event once: looks its channel up anew, proves the stored bytes anew and posts them. Nothing is posted after the
 * event's time is over, to an address that is not allowed, or without the proof that the registration asks for.
 */
export async function attemptDelivery(event: ClaimedEvent, ports: AttemptPorts): Promise<AttemptResult> {
  const { store, clock, policy } = ports;
  const firedAt = clock.now();
  // One that was never tried is, however late: no receiver knows its key yet.
  if (firedAt >= event.expires_at && event.attempts > 0) return giveUp('expired', event, firedAt);
  const channel = await findChannel(store.read, event.owner, event.channel);
  const endpoint = channel && ports.findEndpoint(event.owner, channel.url);
  if (channel === undefined || endpoint === undefined) return giveUp('unregistered', event, firedAt);
  // Earlier releases queued by origin alone.
  const isElsewhere = endpoint.endpoint !== event.endpoint && endpoint.origin !== event.endpoint;
  if (isElsewhere && event.media_buy_id !== null) {
    const moved = { mediaBuyId: event.media_buy_id, channel: event.channel, endpoint: endpoint.endpoint };
    return { settled: postponeEvent(event, { atMs: firedAt }), moved };
  }
  if (policy.onGone === 'pause' && (await store.read.outbox.isPaused(event.channel, channel.url))) {
    return giveUp('paused', event, firedAt);
  }
  const body = Buffer.from(event.body);
  const { target } = endpoint;
  const headers = await ports.prove({ tenant: event.tenant, channel, target, body, nowMs: firedAt });
  if (headers === undefined) {
    const reason = 'there is no key to prove it with';
    const settled = postponeEvent(event, { atMs: firedAt + OWN_FAULT_MS, reason, ownDelay: policy.schedule });
    return { settled, isUnproven: true };
  }
  // As late as can be: what is told by now is not posted any more.
  if (await isOutdated(store, event)) {
    const { settled } = giveUp('outdated', event, firedAt);
    return { settled: { ...settled, state: 'dropped' } };
  }
  const result = await postEvent(ports, { channel, url: target.uri, headers, body });
  const completedAt = clock.now();
  const verdict = judgeAnswer(result, policy, completedAt);
  return {
    settled: settleEvent(event, verdict, policy.schedule, completedAt),
    verdict,
    record: recordAttempt(event, { firedAt, completedAt, url: endpoint.shown, result, verdict }),
    paused: verdict.pausesChannel ? { channel: event.channel, url: channel.url } : undefined,
  };
}

type PostedEvent = {
  readonly firedAt: number;
  readonly completedAt: number;
  readonly url: string;
  readonly result: Awaited<ReturnType<typeof postEvent>>;
  readonly verdict: ReturnType<typeof judgeAnswer>;
};

/** Returns the record of an attempt, for the log and the buy's webhook activity. */
function recordAttempt(
  event: ClaimedEvent,
  { firedAt, completedAt, url, result, verdict }: PostedEvent,
): NonNullable<AttemptResult['record']> {
  const hasAnswer = 'status' in result;
  return {
    event_seq: event.seq,
    owner: event.owner,
    media_buy_id: event.media_buy_id,
    attempt: event.attempts + 1,
    fired_at: firedAt,
    completed_at: completedAt,
    status: verdict.activity,
    url,
    http_status_code: hasAnswer ? result.status : null,
    response_time_ms: hasAnswer ? completedAt - firedAt : null,
    error_message: verdict.message,
  };
}

/** Whether an answer or a newer event has told what an event tells since it was claimed, under the same revision or a later one. */
async function isOutdated({ read }: AttemptPorts['store'], { revision, seq }: ClaimedEvent): Promise<boolean> {
  return revision !== null && (await read.outbox.findRevision(seq)) === 0;
}

/** When an event is tried again, and why not now. */
type Postponement = {
  readonly atMs: number;
  /** The reason of the last attempt unless given. */
  readonly reason?: string | null;
  /** Given where the delay is the seller's own: an event that was never posted does not run out of time by it. */
  readonly ownDelay?: Schedule;
};

/** Returns a claimed event to the queue as it was, with no attempt counted. */
export function postponeEvent(
  event: ClaimedEvent,
  { atMs, reason = event.reason, ownDelay }: Postponement,
): SettledEvent {
  const { seq, claim, attempts, refusals } = event;
  const expires_at =
    ownDelay !== undefined && attempts === 0 ? Math.max(event.expires_at, atMs + ownDelay.horizonMs) : event.expires_at;
  return {
    seq,
    claim,
    state: 'pending',
    reason,
    next_attempt_at: atMs,
    expires_at,
    attempts,
    refusals,
    finished_at: null,
  };
}

function settleEvent(event: ClaimedEvent, verdict: Verdict, schedule: Schedule, nowMs: number): SettledEvent {
  const { action } = verdict;
  const refusals = event.refusals + (action === 'bounded' ? 1 : 0);
  const counted = { ...event, attempts: event.attempts + 1, refusals };
  if (action === 'done') {
    return { ...postponeEvent(counted, { atMs: nowMs, reason: null }), ...DELIVERED, finished_at: nowMs };
  }
  const isSpent = action === 'bounded' && event.refusals >= verdict.retries;
  if (action === 'stop' || isSpent) return buryEvent(verdict.reason, counted, nowMs);
  const nextMs = nextAttemptMs(schedule, {
    key: event.idempotency_key,
    firstMs: event.first_attempt_at,
    nowMs,
    expiresMs: event.expires_at,
    retryAfterMs: verdict.retryAfterMs,
  });
  if (nextMs === undefined) return buryEvent('exhausted', counted, nowMs);
  return postponeEvent(counted, { atMs: nextMs, reason: verdict.message });
}

const DELIVERED = { state: 'delivered', next_attempt_at: null } as const;
const DEAD = { state: 'dead', next_attempt_at: null } as const;

function buryEvent(reason: DeadReason, event: ClaimedEvent, nowMs: number): SettledEvent {
  return { ...postponeEvent(event, { atMs: nowMs, reason }), ...DEAD, finished_at: nowMs };
}

function giveUp(reason: DeadReason, event: ClaimedEvent, nowMs: number): AttemptResult {
  return { settled: buryEvent(reason, event, nowMs) };
}

type Post = {
  readonly channel: Channel;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};

/** Returns the token of a registration as a header, where A2A's receivers look for it; it is in the body too. */
function tokenHeader({ envelope, token }: Channel): Readonly<Record<string, string>> {
  return envelope === undefined || token === undefined ? {} : { 'x-a2a-notification-token': token };
}

async function postEvent({ outbound, policy }: AttemptPorts, post: Post): Promise<PostResult> {
  const options: FetchOptions = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...tokenHeader(post.channel), ...post.headers },
    body: post.body,
    maxRedirects: 0,
    maxBytes: MAX_ANSWER_BYTES,
    overflow: 'cut',
    timeoutMs: policy.timeoutMs,
    local: post.channel.local,
  };
  try {
    const { status, headers } = await outbound.fetch(post.url, options);
    return { status, headers };
  } catch (error) {
    const fault = fetchReason(error);
    if (fault === undefined) throw error;
    return { fault };
  }
}
