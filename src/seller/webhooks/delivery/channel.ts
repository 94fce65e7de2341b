import { isObject } from '../../../platform/kernel/json/json.js';
import {
  type CallbackPolicy,
  checkCallbackHost,
  checkCallbackUrl,
  isPlaceholder,
} from '../../../platform/net/callback-url.js';
import type { Outbound } from '../../../platform/net/fetch.js';
import { HEADER_TOKEN, isUrl } from '../../../platform/net/url.js';
import { checkSecret } from '../../../platform/signing/hmac.js';
import { parsedTarget } from '../../../platform/signing/target-uri.js';
import type { ChannelMode } from '../../../protocol/channels.js';
import { refuseField, TaskError } from '../../../protocol/errors.js';
import type { Release } from '../../../protocol/releases.js';
import type { Subscriber } from '../../domain/account/subscriber.js';
import type { WebhookSettings } from '../../domain/tenant/tenant.js';

/** The address that events are posted to, and how each proves its sender. A registration has one mode and never another. */
export type Channel = {
  readonly url: string;
  readonly mode: ChannelMode;
  /** Of the legacy modes: the shared secret, or the bearer token. */
  readonly credentials?: string;
  /** Echoed verbatim in every event. */
  readonly operation_id?: string;
  readonly token?: string;
  /** Plain http and loopback may be called, in development mode. */
  readonly local: boolean;
  /** The protocol's release that the buyer asked for; 3.0 unless given. */
  readonly release?: Release;
  /** The envelope of a registration by A2A's own mechanism; the MCP envelope unless given. */
  readonly envelope?: 'a2a-0.3' | 'a2a-1.0';
};

/** The arguments that register a channel. */
export const CHANNEL_FIELDS = ['push_notification_config', 'reporting_webhook', 'artifact_webhook'] as const;

/** The arguments whose events report and change nothing; the protocol gives them no operation_id. */
const REPORTING_FIELDS: ReadonlySet<string> = new Set(['reporting_webhook', 'artifact_webhook']);

/** An argument that registers a channel. */
export type ChannelField = (typeof CHANNEL_FIELDS)[number];

/** The choices of a tenant about registrations. */
type RegistrationPolicy = WebhookSettings['registration'];

/** The policy unless a tenant chooses. */
export const REGISTRATION_POLICY: RegistrationPolicy = {
  legacyWebhooks: true,
  bearerForChanges: false,
  requireOperationId: false,
};

/** The rules that a registration is judged by. `local`: the caller is a sandbox principal in development mode. */
export type RegistrationRules = CallbackPolicy & {
  /** The registration as refusals name it: an argument, A2A's own, or a subscriber of an account. */
  readonly field: string;
  /** Whether the task that registers changes something. Reports change nothing, whatever task registers them. */
  readonly mutating: boolean;
  readonly policy: RegistrationPolicy;
};

const MODES: Readonly<Record<string, Exclude<ChannelMode, 'rfc9421'>>> = {
  'HMAC-SHA256': 'hmac-sha256',
  Bearer: 'bearer',
};
const MIN_CREDENTIALS_CHARACTERS = 32;
const UNSIGNED =
  'Leave authentication out: deliveries are then signed with RFC 9421, and you verify them with our published key.';

/**
 * Reads a registration in a task's arguments. Throws INVALID_REQUEST for one that cannot be stored and UNSUPPORTED_FEATURE for a
 * scheme that this seller does not accept, each with `field` and what to send instead.
 */
export function readChannel(config: unknown, rules: RegistrationRules): Channel {
  const { field, policy, local } = rules;
  if (!isObject(config)) throw refuseField(field, 'The registration must be an object.', 'Send {"url": "https://…"}.');
  const { url, operation_id, token, authentication } = config;
  if (typeof url !== 'string' || url.length > 2048) {
    throw refuseField(
      `${field}.url`,
      'The callback URL must be a text of at most 2048 characters.',
      'Send an absolute https URL.',
    );
  }
  checkCallbackUrl(url, `${field}.url`, { local });
  if (!isPlaceholder(url)) parsedTarget(url, `${field}.url`);
  checkText(
    operation_id,
    `${field}.operation_id`,
    { min: 1, max: 255 },
    'Send a UUID per call; it comes back in every event.',
  );
  checkText(token, `${field}.token`, { min: 16, max: 4096 }, 'Send 16 to 4096 characters, or leave it out.');
  if (!REPORTING_FIELDS.has(field) && operation_id === undefined && policy.requireOperationId) {
    throw refuseField(
      `${field}.operation_id`,
      'This seller wants an operation_id with every registration.',
      'Add an operation_id, for example a UUID; it comes back in every event.',
    );
  }
  const scheme = authentication === undefined ? undefined : readScheme(authentication, `${field}.authentication`);
  if (scheme !== undefined) checkAccepted(scheme, rules);
  return channelOf(config, local);
}

/**
 * Refuses a channel whose host leads to a private or local address now; one that does not resolve is accepted. Asks a name
 * server, so it belongs before the transaction. Throws INVALID_REQUEST.
 */
export function checkChannelHost(channel: Channel, field: string, outbound: Pick<Outbound, 'leadsInside'>) {
  return checkCallbackHost(channel.url, `${field}.url`, channel, outbound);
}

/** Returns the channel of a registration that was read and stored before. */
export function channelOf(config: Readonly<Record<string, unknown>>, local: boolean, release?: Release): Channel {
  const { url, operation_id, token, authentication } = config;
  const [scheme] = isObject(authentication) && Array.isArray(authentication.schemes) ? authentication.schemes : [];
  const credentials = isObject(authentication) ? authentication.credentials : undefined;
  return {
    url: String(url),
    mode: MODES[String(scheme)] ?? 'rfc9421',
    credentials: typeof credentials === 'string' ? credentials : undefined,
    operation_id: typeof operation_id === 'string' ? operation_id : undefined,
    token: typeof token === 'string' ? token : undefined,
    local,
    release,
  };
}

/** Returns the channel of a subscriber to the events of an account. */
export function subscriberChannel({ url, authentication, local, release }: Subscriber): Channel {
  return channelOf({ url, authentication }, local, release);
}

/** Returns the origin of a channel, which bounds the connections of all who are served there; undefined for one that is never called. */
export function findOrigin({ url }: Pick<Channel, 'url'>): string | undefined {
  return isPlaceholder(url) || !isUrl(url) ? undefined : new URL(url).origin;
}

function readScheme(authentication: unknown, field: string): { readonly mode: ChannelMode; readonly field: string } {
  const { schemes, credentials } = isObject(authentication) ? authentication : {};
  const [scheme, second] = Array.isArray(schemes) ? schemes : [];
  const mode = typeof scheme === 'string' && Object.hasOwn(MODES, scheme) ? MODES[scheme] : undefined;
  if (mode === undefined || second !== undefined) {
    throw refuseField(
      `${field}.schemes`,
      'authentication.schemes must name exactly one of HMAC-SHA256 and Bearer.',
      `Send one scheme. ${UNSIGNED}`,
    );
  }
  if (typeof credentials !== 'string' || credentials.length < MIN_CREDENTIALS_CHARACTERS) {
    throw refuseField(
      `${field}.credentials`,
      `authentication.credentials must be a secret of at least ${MIN_CREDENTIALS_CHARACTERS} characters.`,
      `Send a longer random secret. ${UNSIGNED}`,
    );
  }
  checkSecret(credentials, `${field}.credentials`);
  if (mode === 'bearer' && !HEADER_TOKEN.test(credentials)) {
    throw refuseField(
      `${field}.credentials`,
      'The token cannot be sent in a header.',
      `Send letters, digits and signs without spaces. ${UNSIGNED}`,
    );
  }
  return { mode, field };
}

function checkAccepted(scheme: { readonly mode: ChannelMode; readonly field: string }, rules: RegistrationRules): void {
  const { policy, mutating, field } = rules;
  const unsupported = (message: string): TaskError =>
    new TaskError('UNSUPPORTED_FEATURE', message, { field: `${scheme.field}.schemes[0]`, suggestion: UNSIGNED });
  if (!policy.legacyWebhooks) throw unsupported('This seller takes no legacy webhook authentication.');
  if (scheme.mode !== 'bearer' || policy.bearerForChanges) return;
  if (mutating && !REPORTING_FIELDS.has(field)) {
    throw unsupported('This seller takes no bearer token for tasks that change something: it protects no bytes.');
  }
}

/** Refuses what is no text of so many characters. */
function checkText(
  value: unknown,
  field: string,
  { min, max }: { readonly min: number; readonly max: number },
  suggestion: string,
): void {
  if (value === undefined || (typeof value === 'string' && value.length >= min && value.length <= max)) return;
  throw refuseField(field, `${field} must be a text of ${min} to ${max} characters.`, suggestion);
}
