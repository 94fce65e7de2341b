/** The neutral name that is always accepted instead of the protocol's own. */
const NEUTRAL = 'proto';

/** Every identifier on the wire that contains the protocol's name, derived from one setting. `accepted*` lists what is read, the rest what is written. */
export type ProtocolNames = {
  readonly own: string;
  readonly accepted: readonly string[];
  readonly capabilitiesTool: string;
  /** Answered like the capabilities task, never listed. */
  readonly capabilitiesAliases: readonly string[];
  /** Member of the capabilities that holds versions and idempotency. */
  readonly capabilitiesRoot: string;
  /** Member of a failed answer that holds the error object. */
  readonly error: string;
  /** Member that names the release served (`3.0`). */
  readonly version: string;
  readonly acceptedVersion: readonly string[];
  readonly acceptedMajorVersion: readonly string[];
  /** Lower-case request headers that may carry the token beside `Authorization`. */
  readonly acceptedAuthHeaders: readonly string[];
  /** `tag` of a webhook's signature, and of a request's. */
  readonly webhookTag: string;
  readonly acceptedWebhookTags: readonly string[];
  readonly requestTag: string;
  readonly acceptedRequestTags: readonly string[];
  /** Members of a JWK that say what the key is for; all are written. */
  readonly keyUses: readonly KeyUse[];
  /** Beginnings of the headers of the legacy HMAC scheme (`X-ADCP`); all are written. */
  readonly hmacHeaders: readonly string[];
};

/** A member of a JWK such as `adcp_use`. */
export type KeyUse = `${string}_use`;

/** Derives the identifiers of a protocol called `own`, which must match `^[a-z][a-z0-9]{1,31}$`. */
export function protocolNames(own: string): ProtocolNames {
  const accepted = [...new Set([own, NEUTRAL])];
  const tool = (name: string): string => `get_${name}_capabilities`;
  const webhookTag = (name: string): string => `${name}/webhook-signing/v1`;
  const requestTag = (name: string): string => `${name}/request-signing/v1`;
  return {
    own,
    accepted,
    capabilitiesTool: tool(own),
    capabilitiesAliases: [...accepted.slice(1).map(tool), 'get_agent_capabilities'],
    capabilitiesRoot: own,
    error: `${own}_error`,
    version: `${own}_version`,
    acceptedVersion: accepted.map((name) => `${name}_version`),
    acceptedMajorVersion: accepted.map((name) => `${name}_major_version`),
    acceptedAuthHeaders: accepted.map((name) => `x-${name}-auth`),
    webhookTag: webhookTag(own),
    acceptedWebhookTags: accepted.map(webhookTag),
    requestTag: requestTag(own),
    acceptedRequestTags: accepted.map(requestTag),
    keyUses: accepted.map((name) => `${name}_use` as const),
    hmacHeaders: accepted.map((name) => `X-${name.toUpperCase()}`),
  };
}
