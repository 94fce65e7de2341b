import { z } from 'zod';
import { asMember } from '../auth/caller.js';
import { problemsOf } from '../http/answers.js';
import { ok, type Route, route } from '../http/route.js';
import { domain } from '../openapi/fields.js';
import { TAGS } from '../openapi/tags.js';
import { issueChallenge, PROOF_METHODS, verifyChallenge } from '../service/brand/ownership.js';
import { savableDomain } from '../service/brand/save.js';

/** Proof that a domain is in an organization's hands. */
export const OWNERSHIP_ROUTES: readonly Route[] = [
  route({
    method: 'POST',
    path: '/api/ownership/issue',
    operation_id: 'issueOwnershipChallenge',
    tag: TAGS.ownership,
    summary: 'Get a nonce to publish on a domain, as a TXT record or a file.',
    description: 'It is good for 15 minutes and one verification, and takes the place of an earlier one.',
    auth: 'member',
    limits: ['ownership'],
    body: z.object({ domain: domain() }),
    answers: {
      200: {
        description: 'The challenge; the nonce is shown this once.',
        body: z.object({
          domain: z.string(),
          nonce: z.string(),
          expires_at: z.string(),
          dns_record_name: z.string(),
          dns_record_type: z.literal('TXT'),
          dns_record_value: z.string(),
          http_url: z.string(),
          http_body: z.string(),
          instructions: z.string(),
        }),
      },
      ...problemsOf(400, 401, 403, 405, 429),
    },
    run: async ({ registry, caller, body }) =>
      ok(await issueChallenge(registry, asMember(caller), savableDomain(body.domain)), { 'cache-control': 'no-store' }),
  }),
  route({
    method: 'POST',
    path: '/api/ownership/verify',
    operation_id: 'verifyOwnership',
    tag: TAGS.ownership,
    summary: 'Check the nonce where it was published. It is used up either way.',
    auth: 'member',
    limits: ['ownership'],
    body: z.object({ domain: domain(), method: z.enum(PROOF_METHODS).optional() }),
    answers: {
      200: {
        description: 'The domain is proven.',
        body: z.object({
          domain: z.string(),
          verified: z.literal(true),
          method: z.enum(PROOF_METHODS),
          verified_at: z.string(),
          reproof_after: z.string(),
        }),
      },
      ...problemsOf(400, 401, 403, 404, 405, 410, 429),
    },
    run: async ({ registry, caller, body }) =>
      ok(await verifyChallenge(registry, asMember(caller), savableDomain(body.domain), body.method)),
  }),
];
