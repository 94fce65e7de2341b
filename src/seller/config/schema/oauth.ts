import { z } from 'zod';
import { object, webAddress } from './shapes.js';

/** How clients get access tokens for a tenant. */
export const oauthSchema = object({
  issuer: object({
    url: webAddress('The issuer, exactly as the "iss" of its tokens says it.'),
    jwks_uri: webAddress('Where its keys are; its metadata say it unless set.').optional(),
    audience: z
      .string()
      .min(1)
      .optional()
      .describe('What its tokens have to be for ("aud"); the address of the tenant\'s MCP endpoint unless set.'),
    principal_claim: z
      .string()
      .min(1)
      .default('sub')
      .describe('The claim that names the principal, as its "oauth_subjects" say it; "sub" unless set.'),
  })
    .optional()
    .describe('An authorization server of your own, whose tokens are JWTs; the one that is built in unless set.'),
  max_daily_spend: object({
    amount: z.number().min(0).max(1e12).describe('The amount.'),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .describe('ISO 4217, such as "USD".'),
  })
    .optional()
    .describe('The most that may be committed under one access on a day of UTC, whatever its owner allows.'),
  try_sandbox: z
    .boolean()
    .default(false)
    .describe(
      'true: whoever has no key may try the sandbox, as the principal of its public token; only with public_sandbox or in development mode.',
    ),
});

/** The `oauth` of a tenant file. */
export type OauthFile = z.output<typeof oauthSchema>;
