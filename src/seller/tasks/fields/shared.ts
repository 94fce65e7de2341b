import { beyond, carried, fieldsOf, honored, type Members, unused } from './field.js';

/** The fields by which a request asks for a release. */
const VERSIONED: Members = fieldsOf(['proto_version', 'proto_major_version'], honored('~/protocol/releases.ts'));

const ACCOMPANYING: Members = {
  context: carried('answer'),
  ext: unused('Extensions belong to their vendor; none is known here.'),
};

/** Fields that every request may have. */
export const ENVELOPE: Members = { ...VERSIONED, ...ACCOMPANYING };

/** Those fields for a task whose schema has the release alone. */
export const BARE_ENVELOPE: Members = { ...VERSIONED, ...beyond(ACCOMPANYING) };

/** The fields of a request that may come twice. */
export const KEYED: Members = { ...ENVELOPE, idempotency_key: honored('idempotency/key.ts') };

/** A brand of which only the domain, and the brand within its house, mean something. */
export const BRAND_KEY: Members = {
  ...fieldsOf(['domain', 'brand_id'], honored('domain/account/account.ts')),
  ...fieldsOf(
    ['industries', 'data_subject_contestation', 'brand_kit_override'],
    unused('An account is told by the domain and the brand_id of its brand.'),
  ),
};

/** A reference to an account. */
export const ACCOUNT_REF: Members = {
  account_id: honored('tasks/pipeline/resolve-account.ts'),
  brand: honored('tasks/pipeline/resolve-account.ts', BRAND_KEY),
  operator: honored('tasks/pipeline/resolve-account.ts'),
  sandbox: honored('tasks/pipeline/resolve-account.ts'),
};

/** The account of a request. */
export const ACCOUNT = honored('tasks/pipeline/resolve-account.ts', ACCOUNT_REF);

/** A page of a list. */
export const PAGINATION = honored(
  '~/platform/kernel/cursor.ts',
  fieldsOf(['max_results', 'cursor'], honored('~/platform/kernel/cursor.ts')),
);

/** A reference to a creative format. */
export const FORMAT_ID: Members = fieldsOf(
  ['agent_url', 'id', 'width', 'height', 'duration_ms'],
  honored('~/creative/formats/format-id.ts'),
);

/** A format, or a list of formats. */
export const FORMAT = honored('~/creative/formats/format-id.ts', FORMAT_ID);

/** Returns the fields of a span of time. */
export function duration(by: string): Members {
  return fieldsOf(['interval', 'unit'], honored(by));
}

/** How a webhook proves itself. */
const AUTHENTICATION = honored(
  'webhooks/delivery/channel.ts',
  fieldsOf(['schemes', 'credentials'], honored('webhooks/delivery/channel.ts')),
);

/** Where the events of a buy go, or of a task that goes on after it was answered. */
export const NOTIFICATIONS = honored('webhooks/delivery/channel.ts', {
  ...fieldsOf(['url', 'operation_id', 'token'], honored('webhooks/delivery/channel.ts')),
  authentication: AUTHENTICATION,
});

/**
 * The registration of a task that is over with its answer, of which nothing is told later (docs/webhooks.md). Clients that send one with
 * every call are served; `@adcp/sdk` does.
 */
export const UNUSED_REGISTRATION: Members = beyond({
  push_notification_config: unused('The task is over when it is answered; nothing is left to call a webhook for.'),
});

/** Where reports of delivery go. */
export const REPORTING_WEBHOOK = honored('tasks/media-buy/callbacks.ts', {
  ...fieldsOf(['url', 'token'], honored('webhooks/delivery/channel.ts')),
  authentication: AUTHENTICATION,
  ...fieldsOf(['reporting_frequency', 'requested_metrics'], honored('tasks/media-buy/callbacks.ts')),
});

/** Where the content beside ads goes. */
export const ARTIFACT_WEBHOOK = honored('tasks/media-buy/callbacks.ts', {
  ...fieldsOf(['url', 'token'], honored('webhooks/delivery/channel.ts')),
  authentication: AUTHENTICATION,
  ...fieldsOf(['delivery_mode', 'batch_frequency'], honored('tasks/media-buy/callbacks.ts')),
  sampling_rate: honored('adserver/content-sampler.ts'),
});

/** How an asset came to be, as its sender declares it. */
export const PROVENANCE = carried('creative', 'A declaration of the sender that is shown as it came.');

const OPTION = '~/creative/formats/canonical/select.ts';

/** A reference to an option of `format_options`. */
export const FORMAT_OPTION = honored(
  OPTION,
  fieldsOf(['scope', 'format_option_id', 'publisher_domain'], honored(OPTION)),
);

/** A format in canonical terms. */
export const CANONICAL_FORMAT: Members = { format_kind: honored(OPTION), format_option_ref: FORMAT_OPTION };
