import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../platform/kernel/json/json.js';
import { quoteValue } from '../../documents/finding.js';
import { type Check, check, faultsOf, REFERENCES, type Verdict } from '../check.js';
import type { ArrivedWebhook, JsonObject, TaskAnswer } from '../evidence.js';
import { errorOf, hasErrorObject } from '../task-error.js';

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
      faultsOf([!isTaken(first), `sync_accounts is refused with ${quoteValue(errorOf(first.payload)?.code)}.`]),
  }),
  check({
    id: 'sandbox.marked',
    severity: 'warning',
    needs: ['sandboxSearch'],
    rule: 'Answers about a sandbox account have "sandbox": true, so that nobody takes them for real.',
    reference: REFERENCES.envelope,
    fix: 'Write "sandbox": true into every answer about an account that is a sandbox.',
    judge: ({ sandboxSearch }) => {
      const { payload, task } = sandboxSearch;
      if (!isTaken(sandboxSearch) || payload?.status === 'submitted') return 'not_applicable';
      return faultsOf([payload?.sandbox !== true, `${task}: "sandbox" is ${quoteValue(payload?.sandbox)}.`]);
    },
  }),
  check({
    id: 'idempotency.required',
    severity: 'error',
    needs: ['trial'],
    rule: 'A change without an idempotency_key, or under one of less than 16 characters, is refused.',
    reference: REFERENCES.idempotency,
    fix: 'Refuse it with INVALID_REQUEST and the field idempotency_key.',
    judge: ({ trial: { shortKey, withoutKey } }) =>
      faultsOf(
        [isTaken(withoutKey), 'sync_accounts without a key was taken.'],
        [isTaken(shortKey), 'sync_accounts under the key "short" was taken.'],
      ),
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
      if (!isTaken(replay)) return [`The replay is refused with ${quoteValue(errorOf(replay.payload)?.code)}.`];
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
    rule: 'Another request under a key that was used is refused with IDEMPOTENCY_CONFLICT, and nothing of the first one is shown.',
    reference: REFERENCES.idempotency,
    fix: 'Store a digest of the canonical request beside the key, and compare.',
    judge: ({ trial: { conflict, first } }) => {
      if (!isTaken(first)) return 'not_applicable';
      if (isTaken(conflict)) return ['It was taken.'];
      const { code, details } = errorOf(conflict.payload) ?? {};
      return faultsOf(
        [code !== 'IDEMPOTENCY_CONFLICT', `The code is ${quoteValue(code)}.`],
        [details !== undefined, `It shows details: ${quoteValue(details)}.`],
      );
    },
  }),
  check({
    id: 'webhooks.challenge',
    severity: 'error',
    needs: ['subscription'],
    rule: 'An address that an account subscribes with has to answer a challenge before it counts.',
    reference: REFERENCES.webhooks,
    fix: 'POST {"type": "webhook.challenge", "challenge": …} to the address within the call, and take it once the answer repeats it.',
    judge: ({ subscription: { answer, arrived } }) => {
      if (arrived.length === 0 && !isSubscribed(answer)) return 'not_applicable';
      return faultsOf([arrived.length === 0, 'The subscription was taken, and nothing came to the address.']);
    },
  }),
  check({
    id: 'webhooks.signature',
    severity: 'error',
    needs: ['subscription'],
    rule: 'Every webhook is signed by RFC 9421 with a key that the agent publishes.',
    reference: REFERENCES.webhooks,
    fix: 'Sign the exact bytes that are sent, with a published key, the tag adcp/webhook-signing/v1 and content-digest covered.',
    judge: ({ subscription: { arrived } }) => faultyWebhooks(arrived, 'unsigned'),
  }),
  check({
    id: 'webhooks.envelope',
    severity: 'error',
    needs: ['subscription'],
    rule: 'A webhook is a POST of JSON with all the members that its kind has to have.',
    reference: REFERENCES.webhooks,
    fix: 'Send the whole envelope as application/json.',
    judge: ({ subscription: { arrived } }) => faultyWebhooks(arrived, 'malformed'),
  }),
];

/** Whether a subscription was taken; each account has an outcome of its own. */
function isSubscribed(answer: TaskAnswer): boolean {
  const accounts: readonly unknown[] = Array.isArray(answer.payload?.accounts) ? answer.payload.accounts : [];
  return (
    isTaken(answer) && accounts.some((one) => isObject(one) && one.action !== 'failed' && one.errors === undefined)
  );
}

/** Returns what a receiver has against webhooks of one kind of fault; `not_applicable` where none came. */
export function faultyWebhooks(arrived: readonly ArrivedWebhook[], wanted: 'unsigned' | 'malformed'): Verdict {
  if (arrived.length === 0) return 'not_applicable';
  const seen = arrived.flatMap((one) => (one.verdict === wanted ? [`The receiver refuses it: ${one.why}`] : []));
  return [...new Set(seen)];
}

function isTaken({ exchange, isError, payload }: TaskAnswer): boolean {
  return exchange.ok && exchange.status < 300 && !isError && payload !== undefined && !hasErrorObject(payload);
}

function lasting(payload: JsonObject = {}): object {
  return Object.fromEntries(Object.entries(payload).filter(([name]) => !RENEWED.has(name)));
}
