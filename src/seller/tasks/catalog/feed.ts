import { explainExcess } from '../../../platform/kernel/json/bounds.js';
import { isObject } from '../../../platform/kernel/json/json.js';
import { readJsonInSlices } from '../../../platform/kernel/json/slices.js';
import { FetchError } from '../../../platform/net/fetch-error.js';
import { TaskError } from '../../../protocol/errors.js';
import type { App, Call } from '../../context.js';
import { canNameLocal } from '../pipeline/order-context.js';
import { MAX_VALUES_OF_LISTS } from '../pipeline/tool.js';

const MAX_FEED_BYTES = 8 * 1024 * 1024;
const FEED_BOUNDS = { levels: 64, values: MAX_VALUES_OF_LISTS, members: 1000 };
const FEED_TIMEOUT_MS = 10_000;

/**
 * Returns the items of a feed: a JSON list, or an object with a list of items. An error where they cannot be had; it is told with its
 * catalog.
 */
export async function fetchFeed(
  app: App,
  call: Call,
  url: string,
  field: string,
): Promise<readonly unknown[] | TaskError> {
  try {
    const { status, bytes } = await app.renderer().outbound.fetch(url, {
      maxBytes: MAX_FEED_BYTES,
      timeoutMs: FEED_TIMEOUT_MS,
      headers: { accept: 'application/json' },
      local: canNameLocal(app, call),
      field,
    });
    if (status !== 200) return refuseUnfetched(field, `The feed answered ${status}.`, 'Check that the feed is served.');
    return await readItems(bytes, field);
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    return refuseUnfetched(field, error.message, error.extras.suggestion ?? 'Check that the feed is served.');
  }
}

async function readItems(bytes: Buffer, field: string): Promise<readonly unknown[] | TaskError> {
  const read = await readJsonInSlices(bytes, FEED_BOUNDS);
  if (!read.ok) return read.exceeded === undefined ? refuseUnread(field) : tooMuch(read.exceeded, field);
  const items = isObject(read.value) ? read.value.items : read.value;
  return Array.isArray(items) ? items : refuseUnread(field);
}

function refuseUnfetched(field: string, message: string, suggestion: string): TaskError {
  return new TaskError('FEED_FETCH_FAILED', message, { field, suggestion });
}

function tooMuch(exceeded: keyof typeof FEED_BOUNDS, field: string): TaskError {
  const { fault } = explainExcess(exceeded, FEED_BOUNDS);
  return new TaskError('INVALID_FEED_FORMAT', `The feed ${fault}.`, {
    field,
    suggestion: 'Serve flat items, and split a long feed into several catalogs.',
  });
}

function refuseUnread(field: string): TaskError {
  return new TaskError('INVALID_FEED_FORMAT', 'The feed is no JSON list of items.', {
    field,
    suggestion: 'Serve a JSON list of items, or {"items": […]}; or send the items inline.',
  });
}
