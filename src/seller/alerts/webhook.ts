import { SECOND_MS } from '../../platform/kernel/clock.js';
import type { Outbound } from '../../platform/net/fetch.js';
import { fetchReason } from '../../platform/net/fetch-error.js';
import { parsedTarget } from '../../platform/signing/target-uri.js';
import type { AlertWebhook } from '../domain/alert/alert.js';
import type { Channel } from '../webhooks/delivery/channel.js';
import type { Prover } from '../webhooks/delivery/proof.js';
import type { AlertMessage } from './message.js';

const TIMEOUT_MS = 10 * SECOND_MS;
const MAX_ANSWER_BYTES = 64 * 1024;

/** The ports that alerts are posted through. */
type AlertPorts = {
  readonly outbound: Pick<Outbound, 'fetch'>;
  readonly prove: Prover;
};

/** Posts a message, signed as the webhooks of buyers are. Throws an Error that says what came of it, without the address. */
export async function postAlert(
  { outbound, prove }: AlertPorts,
  { secret, url }: AlertWebhook,
  { body }: AlertMessage,
  { nowMs, tenant }: { readonly nowMs: number; readonly tenant: string },
): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(body));
  const target = parsedTarget(url);
  const channel: Channel = { url, local: false, ...proofOf(secret) };
  const proof = await prove({ tenant, channel, target, body: bytes, nowMs });
  if (proof === undefined) throw new Error('there is no key to sign it with');
  const status = await sendTo(outbound, target.uri, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...proof },
    body: bytes,
  });
  if (status < 200 || status > 299) throw new Error(`it was answered with status ${status}`);
}

/** Asks whether there is an HTTP server at an address; nothing is posted. Throws an Error that says why there is not. */
export async function tryAlertWebhook(outbound: Pick<Outbound, 'fetch'>, { url }: AlertWebhook): Promise<void> {
  await sendTo(outbound, url, { method: 'HEAD' });
}

function proofOf(secret: string | undefined): Pick<Channel, 'mode' | 'credentials'> {
  return secret === undefined ? { mode: 'rfc9421' } : { mode: 'hmac-sha256', credentials: secret };
}

/**
 * Sends an alert and returns the status. The address is of the seller's own settings, so that it may lie in its own
 * network.
 */
async function sendTo(
  outbound: Pick<Outbound, 'fetch'>,
  url: string,
  request: Pick<Parameters<Outbound['fetch']>[1], 'method' | 'headers' | 'body'>,
): Promise<number> {
  const options = { maxBytes: MAX_ANSWER_BYTES, timeoutMs: TIMEOUT_MS, maxRedirects: 0 };
  try {
    return (await outbound.fetch(url, { ...options, ...request, overflow: 'cut', trusted: true })).status;
  } catch (error) {
    const reason = fetchReason(error);
    if (reason === undefined) throw error;
    throw new Error(`it cannot be reached: ${reason}`);
  }
}
