import { canonicalHash } from '../../../platform/kernel/canonical.js';
import { SECOND_MS } from '../../../platform/kernel/clock.js';
import { signDecodedJws } from '../../../platform/signing/jws.js';
import type { Payload } from '../../../protocol/envelope.js';
import type { App, Call } from '../../context.js';
import { houseOf } from './get-brand-identity.js';

/** How long an answer counts as fresh, seconds. */
const ANSWER_SECONDS = 3600;

/** An answer to claims: the task, what it was asked by its own members, and what it says. */
type ClaimAnswer = {
  readonly task: 'verify_brand_claim' | 'verify_brand_claims';
  readonly question: Readonly<Record<string, unknown>>;
  readonly response: Payload;
};

/**
 * Returns an answer to claims with the signature over it, by a key for that purpose alone. `request_hash` binds it to the question: the
 * hash of `{task, request}`, where the request has the task's own members alone.
 */
export async function signAnswer(app: App, call: Call, { task, question, response }: ClaimAnswer): Promise<Payload> {
  await app.keys.ensure('response-signing');
  const { seller, now } = call;
  const iat = Math.floor(now.ms / SECOND_MS);
  const type = `${seller.names.own}-response-payload+jws`;
  const claims = {
    typ: type,
    task,
    brand_domain: houseOf(seller).house.domain,
    agent_url: seller.url,
    request_hash: `sha256:${canonicalHash({ task, request: question })}`,
    iat,
    exp: iat + ANSWER_SECONDS,
    response,
  };
  return { ...response, signed_response: signDecodedJws(claims, app.keys.signing('response-signing'), type) };
}
