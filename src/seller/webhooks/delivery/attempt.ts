import type { Clock } from '../../../platform/kernel/clock.js';
import { MINUTE_MS, SECOND_MS } from '../../../platform/kernel/clock.js';
import type { FetchOptions, Outbound } from '../../../platform/net/fetch.js';
import { fetchReason } from '../../../platform/net/fetch-error.js';
import type { Store } from '../../store/store.js';
import type { AttemptRecord, ClaimedEvent, SettledEvent } from '../../store/webhooks/outbox-rows.js';
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

/** How a tenant's events are delivered. */
export type DeliveryPolicy = AnswerPolicy & {
  readonly schedule: Schedule;
  /** For the whole of one POST, name look-up and answer included. */
  readonly timeoutMs: number;
};

/** What holds where a tenant says nothing (facts 5.3). */
export const DELIVERY_POLICY: DeliveryPolicy = { ...ANSWER_POLICY, schedule: SCHEDULE, timeoutMs: 10 * SECOND_MS };

/** What an attempt works with. */
export type AttemptPorts = {
  readonly store: Pick<Store, 'read'>;
  readonly clock: Clock;
  readonly outbound: Pick<Outbound, 'fetch'>;
  readonly prove: Prover;
  readonly placeOf: (url: string) => Endpoint;
  readonly policy: DeliveryPolicy;
};

/** What an attempt came to, for the store and the lane. */
export type AttemptResult = {
  readonly settled: SettledEvent;
  /** Absent where nothing was posted. */
  readonly record?: AttemptRecord;
  readonly verdict?: Verdict;
  /** The registration leads elsewhere by now: all that waits for it goes there. */
  readonly moved?: { readonly mediaBuyId: string; readonly channel: string; readonly endpoint: string };
  readonly paused?: { readonly channel: string; readonly url: string };
  /** Nothing could be posted for a reason of our own. */
  readonly trouble?: 'unproven';
};

/** How much of an answer is read; only its status counts. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** How long an event waits that we ourselves could not send. */
const OWN_FAULT_MS = MINUTE_MS;

/**
 * Delivers a claimed event once: looks its channel up as it is now, proves the stored bytes anew and posts them. Nothing is posted
 * after the event's time is over, to an address that is not allowed, or without the proof that the registration asks for.
 */
export async function attemptDelivery(event: ClaimedEvent, ports: AttemptPorts): Promise<AttemptResult> {
  const { store, clock, policy } = ports;
  const firedAt = clock.now();
  if (firedAt >= event.expires_at) return given('expired', event, firedAt);
  const channel = await findChannel(store.read, event.owner, event.channel);
  if (channel === undefined) return given('unregistered', event, firedAt);
  const { endpoint, posting, shown } = ports.placeOf(channel.url);
  if (endpoint === undefined) return given('unregistered', event, firedAt);
  if (endpoint !== event.endpoint && event.media_buy_id !== null) {
    const moved = { mediaBuyId: event.media_buy_id, channel: event.channel, endpoint };
    return { settled: postponed(event, firedAt), moved };
  }
  if (policy.onGone === 'pause' && (await store.read.outbox.isPaused(event.channel, channel.url))) {
    return given('paused', event, firedAt);
  }
  const body = Buffer.from(event.body);
  const headers = await ports.prove({ tenant: event.tenant, channel, url: posting, body, nowMs: firedAt });
  if (headers === undefined) {
    const settled = postponed(event, firedAt + OWN_FAULT_MS, 'there is no key to prove it with', policy.schedule);
    return { settled, trouble: 'unproven' };
  }
  const result = await post(ports, channel, posting, headers, body);
  const completedAt = clock.now();
  const verdict = judgeAnswer(result, policy, completedAt);
  return {
    settled: afterVerdict(event, verdict, policy.schedule, completedAt),
    verdict,
    record: {
      event_seq: event.seq,
      owner: event.owner,
      media_buy_id: event.media_buy_id,
      attempt: event.attempts + 1,
      fired_at: firedAt,
      completed_at: completedAt,
      status: verdict.activity,
      url: shown,
      http_status_code: 'status' in result ? result.status : null,
      response_time_ms: 'status' in result ? completedAt - firedAt : null,
      error_message: verdict.message,
    },
    ...(verdict.pausesChannel ? { paused: { channel: event.channel, url: channel.url } } : {}),
  };
}

/** A claimed event that goes back as it came: to be tried at `atMs`, and no attempt counted. */
export function postponed(
  event: ClaimedEvent,
  atMs: number,
  reason: string | null = event.reason,
  /** Given where the delay is our own: an event that was never posted does not run out of time by it. */
  schedule?: Schedule,
): SettledEvent {
  const { seq, attempts, refusals } = event;
  const expires_at =
    schedule !== undefined && attempts === 0 ? Math.max(event.expires_at, atMs + schedule.horizonMs) : event.expires_at;
  return { seq, state: 'pending', reason, next_attempt_at: atMs, expires_at, attempts, refusals, finished_at: null };
}

/** Where an event stands after an attempt. */
export function afterVerdict(event: ClaimedEvent, verdict: Verdict, schedule: Schedule, nowMs: number): SettledEvent {
  const counted = {
    ...event,
    attempts: event.attempts + 1,
    refusals: event.refusals + (verdict.action === 'bounded' ? 1 : 0),
  };
  if (verdict.action === 'done') return { ...postponed(counted, nowMs, null), ...DELIVERED, finished_at: nowMs };
  const spent = verdict.action === 'bounded' && event.refusals >= verdict.retries;
  if (verdict.action === 'stop' || spent) return dead(verdict.reason, counted, nowMs);
  const nextMs = nextAttemptMs(schedule, {
    key: event.idempotency_key,
    firstMs: event.first_attempt_at,
    nowMs,
    expiresMs: event.expires_at,
    retryAfterMs: verdict.retryAfterMs,
  });
  return nextMs === undefined ? dead('exhausted', counted, nowMs) : postponed(counted, nextMs, verdict.message);
}

const DELIVERED = { state: 'delivered', next_attempt_at: null } as const;
const DEAD = { state: 'dead', next_attempt_at: null } as const;

function dead(reason: DeadReason, event: ClaimedEvent, nowMs: number): SettledEvent {
  return { ...postponed(event, nowMs, reason), ...DEAD, finished_at: nowMs };
}

function given(up: DeadReason, event: ClaimedEvent, nowMs: number): AttemptResult {
  return { settled: dead(up, event, nowMs) };
}

async function post(
  { outbound, policy }: AttemptPorts,
  channel: Channel,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
): Promise<PostResult> {
  const options: FetchOptions = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
    maxRedirects: 0,
    maxBytes: MAX_ANSWER_BYTES,
    overflow: 'cut',
    timeoutMs: policy.timeoutMs,
    local: channel.local,
  };
  try {
    const { status, headers: answered } = await outbound.fetch(url, options);
    return { status, headers: answered };
  } catch (error) {
    const fault = fetchReason(error);
    if (fault === undefined) throw error;
    return { fault };
  }
}
