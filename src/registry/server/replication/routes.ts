import { z } from 'zod';
import { SECOND_MS } from '../../../platform/kernel/clock.js';
import { problemsOf } from '../http/answers.js';
import { ok, type Route, route } from '../http/route.js';
import { choice, integer, text } from '../openapi/fields.js';
import { TAGS } from '../openapi/tags.js';
import { carryOutAct } from '../service/acts.js';
import { RegistryProblem } from '../service/problem.js';
import { MAX_WAIT_SECONDS, readReplica } from './page.js';
import { SCOPES } from './scope.js';

const state = z.looseObject({});

/** What mirrors read. */
export const REPLICATION_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/registry/replica',
    operation_id: 'getRegistryReplica',
    tag: TAGS.feed,
    summary: 'Rows and events for a mirror of this registry: all of them first, then what changed.',
    description:
      'A page begins where the cursor of the page before ends. A cursor of another epoch or scope answers 410, and the mirror begins again.',
    auth: 'bearer',
    query: z.object({
      cursor: text('Of the page before; none to begin.').optional(),
      scope: choice(SCOPES, 'What is public (the default), or with a key of an admin, the whole.').optional(),
      limit: integer('Most rows, and most events.', { min: 1, max: 1000, usual: 500 }).optional(),
      wait: integer('Seconds that are waited for something new.', {
        min: 0,
        max: MAX_WAIT_SECONDS,
        usual: 0,
      }).optional(),
    }),
    answers: {
      200: {
        description: 'A page; has_more says whether another one is there already.',
        body: z.looseObject({
          epoch: z.looseObject({ id: z.string(), term: z.int() }),
          scope: z.enum(SCOPES),
          as_of: z.string(),
          feed_floor: z.string().nullable(),
          range: z.looseObject({ kind: z.string(), after: z.string(), through: z.string().nullable() }).nullable(),
          cursor: z.string(),
          has_more: z.boolean(),
          rows: z.array(z.looseObject({ kind: z.string(), id: z.string() })),
          events: z.array(z.looseObject({ event_id: z.string() })),
        }),
      },
      ...problemsOf(400, 401, 403, 409, 410, 429),
    },
    run: async ({ registry, caller, query, signal }) => {
      const { cursor, limit = 500, scope = 'public', wait = 0 } = query;
      if (scope === 'whole' && (caller.kind === 'anonymous' || caller.role !== 'admin'))
        throw new RegistryProblem('forbidden', 'Keys and members are for a standby with the key of an admin.', {
          field: 'scope',
          suggestion: 'Ask the operator for a key made with "registry key new --role admin", or mirror what is public.',
        });
      const slot = wait > 0 ? registry.streams.take() : undefined;
      try {
        const signals = slot === undefined ? signal : AbortSignal.any([signal, slot.ended]);
        const page = await readReplica(registry, { cursor, scope, limit, waitMs: wait * SECOND_MS, signal: signals });
        return { text: page, type: 'application/json', headers: { 'cache-control': 'no-store' } };
      } finally {
        slot?.release();
      }
    },
  }),
];

/** What the operator of a mirror does. */
export const REPLICATION_ADMIN_ROUTES: readonly Route[] = [
  route({
    method: 'POST',
    path: '/api/admin/promote',
    operation_id: 'adminPromote',
    tag: TAGS.operation,
    summary: 'Make this standby the primary.',
    description: 'At its own machine alone: a mirror takes no changes over its API.',
    auth: 'admin',
    body: z.object({ force: z.boolean().optional().describe('Also while the primary answers.') }),
    answers: { 200: { description: 'Done.', body: state }, ...problemsOf(400, 401, 403, 405, 409) },
    run: async ({ registry, body }) => {
      const act = { by: 'operator', action: 'adminPromote', request: body };
      return carryOutAct(registry, act, async ({ replication, store }) =>
        ok(await replication.promote(store, body.force === true)),
      );
    },
  }),
  route({
    method: 'GET',
    path: '/api/admin/replication',
    operation_id: 'adminReplication',
    tag: TAGS.operation,
    summary: 'Whether this registry is a primary or a mirror, and how far it is behind.',
    auth: 'admin',
    answers: { 200: { description: 'The state.', body: state }, ...problemsOf(401, 403) },
    run: async ({ registry: { replication } }) => {
      const lag = replication.lag();
      if (lag !== undefined) return ok({ role: 'mirror', ...lag });
      return ok({ role: replication.mirrors === undefined ? 'primary' : 'mirror', ...replication.epoch });
    },
  }),
];
