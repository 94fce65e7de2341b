import { beyond, fieldsOf, honored, type Members, unused } from './field.js';
import { ACCOUNT, ENVELOPE, KEYED, NOTIFICATIONS, PAGINATION } from './shared.js';

const SEARCH = 'tasks/signal/get-signals.ts';
const SHAPES = 'tasks/signal/shapes.ts';

const DESTINATIONS = honored(
  'domain/signal/deployment.ts',
  fieldsOf(['type', 'platform', 'account', 'agent_url'], honored('domain/signal/deployment.ts')),
);

/** The fields of get_signals. */
export const GET_SIGNALS: Members = {
  ...ENVELOPE,
  account: ACCOUNT,
  ...fieldsOf(['signal_spec', 'discovery_mode', 'countries', 'fields', 'max_results'], honored(SEARCH)),
  signal_ids: honored(SHAPES, fieldsOf(['source', 'data_provider_domain', 'id', 'agent_url'], honored(SHAPES))),
  signal_refs: honored(
    SHAPES,
    fieldsOf(['scope', 'signal_id', 'data_provider_domain', 'signal_source_url'], honored(SHAPES)),
  ),
  destinations: DESTINATIONS,
  filters: honored('domain/signal/filters.ts', {
    ...fieldsOf(
      ['catalog_types', 'data_providers', 'max_cpm', 'max_percent', 'min_coverage_percentage'],
      honored('domain/signal/filters.ts'),
    ),
    ext: unused('Extensions belong to their vendor; none is known here.'),
  }),
  pagination: PAGINATION,
  push_notification_config: NOTIFICATIONS,
  if_wholesale_feed_version: honored('domain/feed/feed.ts'),
  if_pricing_version: honored('domain/feed/feed.ts'),
};

const ACTIVATE = 'tasks/signal/activate-signal.ts';

/** The fields of activate_signal. */
export const ACTIVATE_SIGNAL: Members = {
  ...KEYED,
  ...beyond({ push_notification_config: NOTIFICATIONS }),
  account: ACCOUNT,
  ...fieldsOf(['action', 'signal_agent_segment_id', 'pricing_option_id'], honored(ACTIVATE)),
  destinations: DESTINATIONS,
  governance_context: honored('tasks/pipeline/consult-governance.ts'),
};
