import { canonicalHash } from '../../platform/kernel/canonical.js';
import { DAY_MS } from '../../platform/kernel/clock.js';
import { isObject } from '../../platform/kernel/json/json.js';
import { TaskError } from '../../protocol/errors.js';
import type { KeyRecord } from '../store/idempotency-keys.js';

/** Life of a key from its first use: a late retry learns that its answer is gone. */
export const TOMBSTONE_MS = 90 * DAY_MS;

const KEY = /^[A-Za-z0-9_.:-]{16,255}$/;

/** The request's key. Throws INVALID_REQUEST when it is missing or malformed. */
export function readKey(value: unknown): string {
  if (typeof value === 'string' && KEY.test(value)) return value;
  throw new TaskError(
    'INVALID_REQUEST',
    value === undefined ? 'This task needs an idempotency_key.' : 'The idempotency_key has the wrong form.',
    {
      field: 'idempotency_key',
      suggestion:
        'Send a fresh UUID v4 per intended change, and the same one again when you retry: 16 to 255 of A-Z a-z 0-9 _ . : -',
      issues: [
        {
          pointer: '/idempotency_key',
          message: `must match ${KEY.source}`,
          keyword: value === undefined ? 'required' : 'pattern',
        },
      ],
    },
  );
}

/**
 * Hash of what a request asks for: the tool and all arguments but the four that may differ between retries
 * (key, context, governance context, callback credentials).
 */
export function requestHash(tool: string, args: Readonly<Record<string, unknown>>): string {
  const { idempotency_key: _key, context: _context, governance_context: _governance, ...rest } = args;
  return canonicalHash([tool, { ...rest, ...withoutCredentials(rest.push_notification_config) }]);
}

function withoutCredentials(config: unknown): Record<string, unknown> {
  if (!isObject(config) || !isObject(config.authentication)) return {};
  const { credentials: _credentials, ...authentication } = config.authentication;
  return { push_notification_config: { ...config, authentication } };
}

/**
 * What a known key means for a request: the stored answer to replay. Throws IDEMPOTENCY_EXPIRED outside the replay window and
 * IDEMPOTENCY_CONFLICT for another request; the latter says nothing about the first one.
 */
export function judge(record: KeyRecord, hash: string, nowMs: number): string {
  if (record.response === null || record.expires_at <= nowMs) {
    throw new TaskError(
      'IDEMPOTENCY_EXPIRED',
      'The idempotency_key was used before and its answer is no longer kept.',
      {
        suggestion: 'Read the present state (for example with get_media_buys); for a new change send a new key.',
      },
    );
  }
  if (record.hash !== hash) {
    throw new TaskError(
      'IDEMPOTENCY_CONFLICT',
      'The idempotency_key was used for a different request. Send a new key for a new request.',
    );
  }
  return record.response;
}
