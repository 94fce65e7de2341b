import { carried, fieldsOf, honored, type Members, refused, unused } from './field.js';
import { ACCOUNT, BRAND_KEY, ENVELOPE, KEYED, PAGINATION, UNUSED_REGISTRATION } from './shared.js';

const SYNC = 'tasks/account/sync-accounts.ts';

const SUBSCRIBERS = 'domain/account/subscriber.ts';

/** The fields of list_accounts. */
export const LIST_ACCOUNTS: Members = {
  ...ENVELOPE,
  account: ACCOUNT,
  ...fieldsOf(['status', 'sandbox'], honored('tasks/account/list-accounts.ts')),
  pagination: PAGINATION,
};

/** The fields of sync_accounts. */
export const SYNC_ACCOUNTS: Members = {
  ...KEYED,
  accounts: honored(SYNC, {
    account: ACCOUNT,
    brand: honored(SYNC, BRAND_KEY),
    ...fieldsOf(['operator', 'billing', 'payment_terms', 'sandbox'], honored(SYNC)),
    billing_entity: refused(
      'Who is invoiced for an account is agreed with the seller, not in a request.',
      'Leave billing_entity out, and tell the seller who is to be invoiced.',
    ),
    preferred_reporting_protocol: refused(
      'Reports are not delivered to buckets.',
      'Leave preferred_reporting_protocol out; reporting_webhook of a buy and get_media_buy_delivery report.',
    ),
    notification_configs: honored(SUBSCRIBERS, {
      ...fieldsOf(['subscriber_id', 'url', 'event_types', 'active', 'ext'], honored(SUBSCRIBERS)),
      authentication: honored(SUBSCRIBERS, fieldsOf(['schemes', 'credentials'], honored(SUBSCRIBERS))),
    }),
  }),
  ...fieldsOf(['delete_missing', 'dry_run'], honored(SYNC)),
  push_notification_config: unused('An account is open when it is answered, and changed by calls of its buyer alone.'),
};

/** The fields of get_account_financials. */
export const GET_ACCOUNT_FINANCIALS: Members = {
  ...ENVELOPE,
  account: ACCOUNT,
  period: honored(
    'tasks/account/get-account-financials.ts',
    fieldsOf(['start', 'end'], honored('tasks/account/get-account-financials.ts')),
  ),
};

const GOVERNANCE = 'tasks/account/sync-governance.ts';

/** The fields of sync_governance. */
export const SYNC_GOVERNANCE: Members = {
  ...KEYED,
  ...UNUSED_REGISTRATION,
  accounts: honored(GOVERNANCE, {
    account: ACCOUNT,
    governance_agents: honored(GOVERNANCE, {
      url: honored(GOVERNANCE),
      authentication: honored(GOVERNANCE, fieldsOf(['schemes', 'credentials'], honored(GOVERNANCE))),
      categories: unused('The one agent of an account decides about everything.'),
    }),
  }),
};

const USAGE = 'tasks/account/report-usage.ts';

/** The fields of report_usage. */
export const REPORT_USAGE: Members = {
  ...KEYED,
  ...UNUSED_REGISTRATION,
  reporting_period: honored(USAGE, fieldsOf(['start', 'end'], honored(USAGE))),
  usage: honored(USAGE, {
    account: ACCOUNT,
    ...fieldsOf(
      [
        'media_buy_id',
        'vendor_cost',
        'currency',
        'pricing_option_id',
        'impressions',
        'media_spend',
        'signal_agent_segment_id',
        'creative_id',
      ],
      honored(USAGE),
    ),
    ...fieldsOf(
      [
        'standards_id',
        'rights_id',
        'property_list_id',
        'build_variant_id',
        'final',
        'finalized_at',
        'measurement_window',
      ],
      carried('store', 'The record is stored as it came, for the bill.'),
    ),
  }),
};
