import { TaskError } from '../../../protocol/errors.js';
import type { Call } from '../../context.js';
import type { Goal } from '../../domain/optimization/goal.js';
import type { Reader } from '../../store/store.js';

/** A package with the goals that it is steered toward. */
type Steered = { readonly optimization_goals?: readonly Goal[] | undefined };

/**
 * Refuses goals of events whose sources the account does not have, or that were not set up for their type. `list` is the path of the packages.
 * Throws REFERENCE_NOT_FOUND or UNSUPPORTED_FEATURE with the field.
 */
export async function checkGoalSources(
  { db, call, accountId }: { readonly db: Reader; readonly call: Call; readonly accountId: string },
  packages: readonly Steered[],
  list: string,
): Promise<void> {
  const named = packages.flatMap(({ optimization_goals: goals = [] }, index) =>
    goals.flatMap(({ event_sources: sources = [] }, at) =>
      sources.map((source, position) => ({
        ...source,
        field: `${list}[${index}].optimization_goals[${at}].event_sources[${position}]`,
      })),
    ),
  );
  if (named.length === 0) return;
  const rows = await db.events.list(call.owner, accountId);
  const own = new Map(rows.map(({ source }) => [source.event_source_id, source]));
  for (const { event_source_id, event_type, field } of named) {
    const source = own.get(event_source_id);
    if (source === undefined) {
      throw new TaskError('REFERENCE_NOT_FOUND', 'The account has no such event source.', {
        field: `${field}.event_source_id`,
        suggestion: 'Set it up with sync_event_sources first; without event_sources that lists what is there.',
      });
    }
    if (source.event_types === undefined || source.event_types.includes(event_type)) continue;
    throw new TaskError('UNSUPPORTED_FEATURE', 'The event source was not set up for this type.', {
      field: `${field}.event_type`,
      suggestion: `Add ${event_type} to the source's event_types with sync_event_sources, or name ${source.event_types.join(', ')}.`,
      details: { allowed_values: source.event_types },
    });
  }
}
