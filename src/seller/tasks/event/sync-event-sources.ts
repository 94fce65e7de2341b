import { z } from 'zod';
import { HOST_NAME } from '../../../platform/net/url.js';
import { TaskError } from '../../../protocol/errors.js';
import { ACTION_SOURCES, EVENT_TYPES, type EventSource } from '../../domain/event/event.js';
import { followEventSources } from '../../lifecycle/followed-resources.js';
import { accountIdOf } from '../pipeline/resolve-account.js';
import { envelopeFields, keyField, syncedAccountRef } from '../pipeline/shapes.js';
import { mutation } from '../pipeline/tool.js';
import { syncAction } from '../sync-action.js';

const entry = z.looseObject({
  event_source_id: z.string().min(1).max(255),
  name: z.string().max(255).optional(),
  event_types: z.array(z.enum(EVENT_TYPES)).min(1).optional(),
  action_source: z.enum(ACTION_SOURCES).optional(),
  allowed_domains: z.array(z.string().regex(HOST_NAME).max(253)).min(1).max(100).optional(),
});
type Entry = z.output<typeof entry>;

const input = z.looseObject({
  ...keyField,
  account: syncedAccountRef,
  event_sources: z
    .array(entry.meta({ brief: true, description: '{event_source_id, name, event_types, allowed_domains}' }))
    .min(1)
    .max(1000)
    .optional(),
  delete_missing: z.boolean().optional(),
  ...envelopeFields,
});

/** The setup that a buyer is given: there is no tag of ours, events come by log_event. */
const SETUP = {
  snippet_type: 'server_only',
  instructions: 'Send events from your server with log_event and this event_source_id.',
};

/** sync_event_sources: sets up what sends marketing events on an account. */
export const syncEventSources = mutation({
  name: 'sync_event_sources',
  title: 'Set up event sources',
  description: 'Sets up what sends marketing events on an account. Next: log_event. Without event_sources: lists them.',
  kinds: ['sales'],
  input,
  account: { use: 'sync', required: true },
  run: async (context) => {
    const { app, args, call, db } = context;
    const accountId = accountIdOf(context);
    const sandbox = call.principal?.sandbox ?? false;
    const before = await db.events.list(call.owner, accountId);
    const { event_sources: wanted } = args;
    if (wanted === undefined) {
      if (args.delete_missing === true) throw nothingNamed();
      return { event_sources: before.map(({ source }) => ({ ...showSource(source), action: 'unchanged' })), sandbox };
    }
    const rows: object[] = [];
    const changed = new Set<string>();
    for (const one of wanted) {
      const existing = before.find(({ source }) => source.event_source_id === one.event_source_id)?.source;
      const after = { seller_id: existing?.seller_id ?? app.ids.next('evs'), ...fieldsOf(one) };
      const action = syncAction(existing === undefined, existing === undefined || !isSameSource(existing, after));
      if (action !== 'unchanged') {
        await db.events.save(call.owner, accountId, after);
        changed.add(after.event_source_id);
      }
      rows.push({ ...showSource(after), action });
    }
    const named = new Set(wanted.map((one) => one.event_source_id));
    const missing = before.filter(({ source }) => args.delete_missing === true && !named.has(source.event_source_id));
    for (const row of missing) {
      await db.events.remove(row);
      changed.add(row.source.event_source_id);
      rows.push({ event_source_id: row.source.event_source_id, action: 'deleted' });
    }
    const change = { tx: db, lifecycle: app.lifecycle, owner: call.owner, now: call.now };
    await followEventSources(change, accountId, changed);
    return { event_sources: rows, sandbox };
  },
});

function fieldsOf({
  event_source_id,
  name,
  event_types,
  action_source,
  allowed_domains,
}: Entry): Omit<EventSource, 'seller_id'> {
  return {
    event_source_id,
    ...(name === undefined ? {} : { name }),
    ...(event_types === undefined ? {} : { event_types }),
    ...(action_source === undefined ? {} : { action_source }),
    ...(allowed_domains === undefined
      ? {}
      : { allowed_domains: allowed_domains.map((domain) => domain.toLowerCase()) }),
  };
}

function isSameSource(one: EventSource, other: EventSource): boolean {
  const text = (source: EventSource): string => JSON.stringify(Object.entries(source).sort());
  return text(one) === text(other);
}

function showSource({ allowed_domains: _domains, ...wire }: EventSource): object {
  return { ...wire, managed_by: 'buyer', setup: SETUP };
}

function nothingNamed(): TaskError {
  return new TaskError('INVALID_REQUEST', 'delete_missing needs the event sources that are to stay.', {
    field: 'event_sources',
    suggestion: 'Name the event sources to keep, or leave delete_missing out.',
    issues: [{ pointer: '/event_sources', message: 'is required', keyword: 'required' }],
  });
}
