import { z } from 'zod';
import { startPace } from '../../../platform/kernel/event-loop.js';
import { isObject } from '../../../platform/kernel/json/json.js';
import { errorObject } from '../../../protocol/envelope.js';
import { TaskError, taskErrorOrThrow } from '../../../protocol/errors.js';
import type { Release } from '../../../protocol/releases.js';
import { checkAccountUse } from '../../domain/account/account.js';
import { readEvent } from '../../domain/event/event.js';
import type { EventSourceRow } from '../../store/events.js';
import { accountRef, envelopeFields, keyField } from '../pipeline/shapes.js';
import { MAX_VALUES_OF_LISTS, mutation } from '../pipeline/tool.js';

const input = z.looseObject({
  ...keyField,
  event_source_id: z.string().min(1).max(255),
  account: accountRef.optional(),
  events: z
    .array(z.unknown())
    .min(1)
    .max(10_000)
    .describe('{event_id, event_type, event_time, user_match, custom_data: {value, currency}}'),
  test_event_code: z.string().max(255).optional(),
  ...envelopeFields,
});

/** log_event: marketing events of a source, each once. Good events count beside bad ones. */
export const logEvent = mutation({
  name: 'log_event',
  title: 'Log marketing events',
  description:
    'Logs marketing events, each once per source, type and id; refused ones are in partial_failures. Delivery reports attribute none of them.',
  kinds: ['sales'],
  input,
  maxValues: MAX_VALUES_OF_LISTS,
  account: { use: 'sync', required: false },
  run: async ({ args, call, db, account }) => {
    const { event_source_id: id, events, test_event_code: testCode } = args;
    const row = oneSource(await db.events.findAnywhere(call.owner, id), account?.account_id);
    const owner = await db.accounts.findById(call.owner, row.accountId);
    if (owner === undefined) throw new Error('an event source without its account');
    checkAccountUse(owner, 'sync');
    const failures: object[] = [];
    const counted = { fresh: 0, again: 0, matched: 0 };
    const pace = startPace();
    for (const [index, value] of events.entries()) {
      if (pace.isDue()) await pace.rest();
      try {
        const event = readEvent(value, row.source, call.now.ms);
        const isNew = await db.events.log(row, { isTest: testCode !== undefined, receivedAt: call.now.ms, event });
        counted[isNew ? 'fresh' : 'again'] += 1;
        counted.matched += event.matched ? 1 : 0;
      } catch (thrown) {
        const error = taskErrorOrThrow(thrown);
        failures.push(failureOf(value, index, error, call.to.release));
      }
    }
    const good = counted.fresh + counted.again;
    const warnings = [
      ...(counted.again === 0
        ? []
        : [`${counted.again} of the events had been logged before and were not counted again.`]),
      ...(good === 0 || counted.matched > 0 ? [] : ['No user of these events is known here; add user_match.']),
    ];
    return {
      events_received: events.length,
      events_processed: good,
      partial_failures: failures.length === 0 ? undefined : failures,
      warnings: warnings.length === 0 ? undefined : warnings,
      match_quality: good === 0 ? undefined : Math.round((counted.matched / good) * 10_000) / 10_000,
      sandbox: call.principal?.sandbox ?? false,
    };
  },
});

/** Returns the source that is meant: ids are unique within an account only. */
function oneSource(sources: readonly EventSourceRow[], accountId: string | undefined): EventSourceRow {
  const own = accountId === undefined ? sources : sources.filter((row) => row.accountId === accountId);
  const [row, other] = own;
  if (row === undefined) {
    throw new TaskError('REFERENCE_NOT_FOUND', 'There is no such event source.', {
      field: 'event_source_id',
      suggestion: 'Set it up with sync_event_sources first; without event_sources that lists what is there.',
    });
  }
  if (other !== undefined) {
    throw new TaskError('ACCOUNT_AMBIGUOUS', 'Several of your accounts have an event source of this id.', {
      field: 'account',
      suggestion: 'Name the account of the event source.',
    });
  }
  return row;
}

function failureOf(value: unknown, index: number, error: TaskError, release: Release): object {
  const { code, message, field, suggestion } = errorObject(error, release);
  const event_id = isObject(value) && typeof value.event_id === 'string' ? value.event_id.slice(0, 256) : '';
  return { event_id, code, message, field: `events[${index}].${String(field)}`, suggestion };
}
