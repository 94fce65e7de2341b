import { z } from 'zod';
import { DIGEST_POLICIES, SIGNED_METHODS } from '../../domain/tenant/request-signing.js';
import { distinct, object, webAddress } from './shapes.js';

/** The agent that signs for a principal. */
export const signerSchema = object({
  agent_url: webAddress("Address of the buyer's agent, exactly as its operator's brand.json lists it."),
  jwks_uri: webAddress('Where its keys are, when that was agreed on; nothing else is asked then.').optional(),
  brand_json_url: webAddress(
    "Where its operator's brand.json is; asked of the agent's own capabilities unless set.",
  ).optional(),
});

/** The rules of a tenant for signed calls. */
export const requestSigningSchema = object({
  supported: z
    .boolean()
    .default(true)
    .describe('Whether signatures (RFC 9421) of calls are verified; true unless set. false: they are not looked at.'),
  covers_content_digest: z
    .enum(DIGEST_POLICIES)
    .default('either')
    .describe('Whether a signature covers the digest of the body: "required", "forbidden" or "either" (the default).'),
  required_for: distinct(z.string())
    .optional()
    .describe(
      'Tasks that need a signature, or another valid credential unless "strict"; create_media_buy, update_media_buy and activate_signal unless set, where a principal has a signer.',
    ),
  warn_for: distinct(z.string())
    .default([])
    .describe('Tasks where a signature that does not hold is logged and the API key counts.'),
  protocol_methods_required_for: distinct(z.enum(SIGNED_METHODS))
    .default([])
    .describe(
      'Methods of MCP and A2A that need a signature, or another valid credential unless "strict", whatever they call: "tools/list", "tools/call", "message/send", "tasks/get", "tasks/cancel".',
    ),
  protocol_methods_warn_for: distinct(z.enum(SIGNED_METHODS))
    .default([])
    .describe('Methods where a signature that does not hold is logged and the API key counts.'),
  strict: z
    .boolean()
    .default(false)
    .describe('true: an API key does not stand for a signature in "required_for"; false unless set.'),
});

/** The agent that signs for a principal, as the file gives it. */
export type SignerFile = z.output<typeof signerSchema>;
