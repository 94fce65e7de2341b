import { timingSafeEqual } from 'node:crypto';
import { sha256Hex } from '../../platform/kernel/canonical.js';
import { type Clock, SECOND_MS } from '../../platform/kernel/clock.js';
import type { Ids } from '../../platform/kernel/ids.js';
import { isObject } from '../../platform/kernel/json/json.js';
import { readStrictJson } from '../../platform/kernel/json/strict-json.js';
import type { Outbound } from '../../platform/net/fetch.js';
import { fetchReason } from '../../platform/net/fetch-error.js';
import { parsedTarget } from '../../platform/signing/target-uri.js';
import { TaskError } from '../../protocol/errors.js';
import type { Subscriber } from '../domain/account/subscriber.js';
import { subscriberChannel } from './delivery/channel.js';
import { createProver, type FindSigner } from './delivery/proof.js';

/** A subscriber that is to show that its endpoint is its own. */
type Challenge = {
  readonly tenant: string;
  /** URL of the agent that will send the events. */
  readonly agentUrl: string;
  readonly accountId: string;
  readonly subscriber: Subscriber;
  /** Where the subscriber stands in the request. */
  readonly field: string;
};

/** Has an endpoint show that it wants what it was registered for. Throws VALIDATION_ERROR when it does not, with the field of its URL. */
export type Challenger = (challenge: Challenge) => Promise<void>;

/** The ports that challenges are sent through. */
type ChallengePorts = {
  readonly outbound: Pick<Outbound, 'fetch'>;
  readonly sign: FindSigner;
  readonly ensureKeys: () => Promise<void>;
  readonly ids: Pick<Ids, 'secret'>;
  readonly clock: Clock;
};

const TIMEOUT_MS = 10 * SECOND_MS;
const MAX_ANSWER_BYTES = 4096;
const SCHEMES = { 'hmac-sha256': 'HMAC-SHA256', bearer: 'Bearer', rfc9421: 'rfc9421' } as const;

/** Makes a challenger: one POST, always signed with the seller's key, whose answer repeats a random text. */
export function createChallenger({ outbound, sign, ensureKeys, ids, clock }: ChallengePorts): Challenger {
  const prove = createProver(sign, ids);
  return async ({ tenant, agentUrl, accountId, subscriber, field }) => {
    await ensureKeys();
    const { credentials, mode, ...channel } = subscriberChannel(subscriber);
    const challenge = ids.secret();
    const fingerprint = credentials === undefined ? undefined : sha256Hex(credentials);
    const body = Buffer.from(
      JSON.stringify({
        type: 'webhook.challenge',
        challenge,
        account_id: accountId,
        subscriber_id: subscriber.subscriber_id,
        seller_agent_url: agentUrl,
        delivery_auth: { mode: SCHEMES[mode], credential_fingerprint: fingerprint },
        event_types: subscriber.event_types,
      }),
    );
    const target = parsedTarget(channel.url, `${field}.url`);
    const claim = { tenant, channel: { ...channel, mode: 'rfc9421' as const }, target, body, nowMs: clock.now() };
    const headers = await prove(claim);
    const answer = await postChallenge(outbound, {
      url: target.uri,
      headers: headers ?? {},
      body,
      local: channel.local,
    });
    if (!isEchoed(answer, challenge)) throw refuseUnproven(`${field}.url`);
  };
}

type Post = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly local: boolean;
};

/** Returns the body of a 2xx answer; undefined for any other end. */
async function postChallenge(
  outbound: Pick<Outbound, 'fetch'>,
  { url, headers, body, local }: Post,
): Promise<Buffer | undefined> {
  try {
    const { status, bytes } = await outbound.fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      maxRedirects: 0,
      maxBytes: MAX_ANSWER_BYTES,
      timeoutMs: TIMEOUT_MS,
      local,
    });
    return status >= 200 && status < 300 ? bytes : undefined;
  } catch (error) {
    if (fetchReason(error) === undefined) throw error;
    return undefined;
  }
}

/** Whether an answer repeats a challenge in exactly one of its two members. */
function isEchoed(answer: Buffer | undefined, challenge: string): boolean {
  const read = answer === undefined ? undefined : readStrictJson(answer);
  if (read?.ok !== true || !isObject(read.value)) return false;
  const { challenge: own, token } = read.value;
  const given = own === undefined ? token : own;
  if ((own !== undefined && token !== undefined) || typeof given !== 'string') return false;
  const [expected, received] = [Buffer.from(challenge), Buffer.from(given)];
  return expected.length === received.length && timingSafeEqual(expected, received);
}

function refuseUnproven(field: string): TaskError {
  return new TaskError('VALIDATION_ERROR', 'The endpoint did not show that it wants these events.', {
    field,
    suggestion:
      'Answer our signed POST of type webhook.challenge with 2xx and {"challenge": …} as it was sent, within 10 seconds; or register it with active: false.',
  });
}
