import { carried, fieldsOf, honored, type Members, refused, unused } from './field.js';
import { ACCOUNT, KEYED, NOTIFICATIONS, UNUSED_REGISTRATION } from './shared.js';

const AUDIENCES = 'tasks/audience/sync-audiences.ts';
const IDENTITY = 'domain/audience/identity.ts';

/** Universal ids of a person. */
const UIDS = honored(IDENTITY, fieldsOf(['type', 'value'], honored(IDENTITY)));

const MEMBER = honored('domain/audience/audience.ts', {
  external_id: honored('domain/audience/audience.ts'),
  ...fieldsOf(['hashed_email', 'hashed_phone'], honored(IDENTITY)),
  uids: UIDS,
  ext: unused('Nothing of a person is stored beyond whether it is known.'),
});

/** The fields of sync_audiences. */
export const SYNC_AUDIENCES: Members = {
  ...KEYED,
  ...UNUSED_REGISTRATION,
  account: ACCOUNT,
  audiences: honored(AUDIENCES, {
    ...fieldsOf(['audience_id', 'name', 'delete'], honored(AUDIENCES)),
    ...fieldsOf(
      ['description', 'audience_type', 'tags', 'consent_basis'],
      carried('store', 'It is stored with the audience; the protocol does not show it again.'),
    ),
    ...fieldsOf(['add', 'remove'], MEMBER),
  }),
  delete_missing: honored(AUDIENCES),
};

const SOURCES = 'tasks/event/sync-event-sources.ts';

/** The fields of sync_event_sources. */
export const SYNC_EVENT_SOURCES: Members = {
  ...KEYED,
  ...UNUSED_REGISTRATION,
  account: ACCOUNT,
  event_sources: honored(SOURCES, {
    ...fieldsOf(['event_source_id', 'name', 'event_types', 'action_source', 'allowed_domains'], honored(SOURCES)),
    surface: unused('Events are told by their source, not by where within it they happen.'),
  }),
  delete_missing: honored(SOURCES),
};

const EVENT = 'domain/event/event.ts';

/** The fields of log_event. */
export const LOG_EVENT: Members = {
  ...KEYED,
  ...UNUSED_REGISTRATION,
  ...fieldsOf(['event_source_id', 'test_event_code'], honored('tasks/event/log-event.ts')),
  events: honored(EVENT, {
    ...fieldsOf(
      ['event_id', 'event_type', 'event_time', 'action_source', 'event_source_url', 'custom_event_name'],
      honored(EVENT),
    ),
    user_match: honored(IDENTITY, {
      ...fieldsOf(['hashed_email', 'hashed_phone'], honored(IDENTITY)),
      uids: UIDS,
      ...fieldsOf(
        ['click_id', 'click_id_type', 'client_ip', 'client_user_agent', 'ext'],
        unused('People are matched by hashed identifiers and uids alone; nothing else of them is stored.'),
      ),
    }),
    custom_data: honored(EVENT, {
      ...fieldsOf(['value', 'currency'], honored(EVENT)),
      ...fieldsOf(
        [
          'order_id',
          'content_ids',
          'content_type',
          'content_name',
          'content_category',
          'num_items',
          'search_string',
          'contents',
          'progress_percent',
          'progress_seconds',
          'ext',
        ],
        carried('store', 'It is stored with the event.'),
      ),
    }),
    ...fieldsOf(['surface', 'ext'], unused('Events are told by their source, not by where within it they happen.')),
  }),
};

const CATALOGS = 'tasks/catalog/sync-catalogs.ts';

/** The fields of sync_catalogs. */
export const SYNC_CATALOGS: Members = {
  ...KEYED,
  account: ACCOUNT,
  catalogs: honored(CATALOGS, {
    ...fieldsOf(['catalog_id', 'name', 'type', 'url', 'feed_format', 'items'], honored(CATALOGS)),
    update_frequency: refused(
      'A feed is read when it is synced, and not again by itself.',
      'Leave update_frequency out, and sync again when the feed changes.',
    ),
    ...fieldsOf(
      ['ids', 'gtins', 'tags', 'category', 'query'],
      refused('A catalog is synced whole.', 'Leave the selection out, and send only the items that are meant.'),
    ),
    ...fieldsOf(
      ['conversion_events', 'content_id_type'],
      refused(
        'Events are not attributed to items of a catalog.',
        'Leave this field out; log_event counts the events of a source.',
      ),
    ),
    feed_field_mappings: refused(
      'The members of items are taken as they are named.',
      'Leave feed_field_mappings out, and name the members of items as the protocol does.',
    ),
  }),
  ...fieldsOf(['catalog_ids', 'delete_missing', 'dry_run', 'validation_mode'], honored(CATALOGS)),
  push_notification_config: NOTIFICATIONS,
};
