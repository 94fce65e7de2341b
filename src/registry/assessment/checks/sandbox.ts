import { isDeepStrictEqual } from 'node:util';
import { quoted } from '../../documents/finding.js';
import { type Check, check, faultsOf, REFERENCES } from '../check.js';
import type { JsonObject, TaskAnswer } from '../evidence.js';
import { errorOf } from '../task-error.js';

/** Members of an answer that a replay may say anew. */
const RENEWED: ReadonlySet<string> = new Set(['context', 'context_id', 'message', 'replayed', 'timestamp']);

/** How the agent takes a change that is sent more than once; in a sandbox account alone. */
export const SANDBOX_CHECKS: readonly Check[] = [
  check({
    id: 'sandbox.taken',
    severity: 'error',
    needs: ['trial'],
    rule: 'An agent that declares sandbox accounts opens them.',
    reference: REFERENCES.capabilities,
    fix: 'Open accounts that are sent with "sandbox": true, or declare account.sandbox false.',
    judge: ({ trial: { first } }) =>
      faultsOf([!isTaken(first), `sync_accounts is refused with ${quoted(errorOf(first.payload)?.code)}.`]),
  }),
  check({
    id: 'idempotency.required',
    severity: 'error',
    needs: ['trial'],
    rule: 'A change without an idempotency_key is refused.',
    reference: REFERENCES.idempotency,
    fix: 'Refuse it with INVALID_REQUEST and the field idempotency_key.',
    judge: ({ trial: { withoutKey } }) => faultsOf([isTaken(withoutKey), 'sync_accounts without a key was taken.']),
  }),
  check({
    id: 'idempotency.replay',
    severity: 'error',
    needs: ['trial'],
    rule: 'The same request under the same key gets the first answer again, with "replayed": true.',
    reference: REFERENCES.idempotency,
    fix: 'Store the answer of a change in the transaction that makes it, and answer it again under its key.',
    judge: ({ trial: { first, replay } }) => {
      if (!isTaken(first)) return 'not_applicable';
      if (!isTaken(replay)) return [`The replay is refused with ${quoted(errorOf(replay.payload)?.code)}.`];
      return faultsOf(
        [replay.payload?.replayed !== true, '"replayed" is not true.'],
        [!isDeepStrictEqual(lasting(first.payload), lasting(replay.payload)), 'The replay is another answer.'],
      );
    },
  }),
  check({
    id: 'idempotency.conflict',
    severity: 'error',
    needs: ['trial'],
    rule: 'Another request under a key that was used is refused with IDEMPOTENCY_CONFLICT.',
    reference: REFERENCES.idempotency,
    fix: 'Store a digest of the canonical request beside the key, and compare.',
    judge: ({ trial: { conflict, first } }) => {
      if (!isTaken(first)) return 'not_applicable';
      if (isTaken(conflict)) return ['It was taken.'];
      const code = errorOf(conflict.payload)?.code;
      return faultsOf([code !== 'IDEMPOTENCY_CONFLICT', `The code is ${quoted(code)}.`]);
    },
  }),
];

function isTaken({ exchange, isError, payload }: TaskAnswer): boolean {
  return exchange.ok && exchange.status < 300 && !isError && payload !== undefined;
}

function lasting(payload: JsonObject = {}): object {
  return Object.fromEntries(Object.entries(payload).filter(([name]) => !RENEWED.has(name)));
}
