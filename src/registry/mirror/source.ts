import { isObject } from '../../platform/kernel/json/json.js';
import type { EffectiveAdagents } from '../adagents/discovery.js';
import { RegistryError } from '../client/error.js';

/** One page of a registry's feed, as it came: nothing of it is believed to have a shape. */
export type SourcePage = {
  readonly events: unknown;
  readonly cursor: unknown;
  readonly has_more: unknown;
};

type Rows = AsyncIterable<unknown>;

/**
 * The calls that a mirror makes to a registry; RegistryClient is one. An error has a `status`: 404, 405 or 501 for an
 * operation that is not offered, 410 for a forgotten cursor; `retry_after`, in seconds, is when to come back.
 */
export type FeedSource = {
  /** Where the registry is: what the mirror's cursor is kept under. */
  readonly url: string;
  readonly feed: (question: {
    readonly cursor?: string;
    readonly types?: readonly string[];
    readonly limit?: number;
  }) => Promise<SourcePage>;
  readonly eachFoundAgent: () => Rows;
  readonly eachCatalogRow: () => Rows;
  readonly eachCollection: () => Rows;
  readonly eachPublisher: () => Rows;
  readonly authorizations: (question: { readonly agent_url: string }) => Promise<unknown>;
  readonly publisher: (question: { readonly domain: string }) => Promise<unknown>;
  /** All rows of the authorization graph, where the registry hands them out at once. */
  readonly eachAuthorization?: () => Rows;
  /** Calls back when there is something new, until it is stopped. `done` settles when it ends: rejected, unless it was stopped. */
  readonly listen?: (cursor: string, onNews: () => void) => { readonly done: Promise<void>; readonly stop: () => void };
};

/** Reads the file that counts for a publisher at its origin; undefined when there is none. */
export type OriginReader = (domain: string) => Promise<EffectiveAdagents | undefined>;

/** Returns the status of a registry's refusal; 0 when there was no answer. */
export function statusOf(error: unknown): number {
  return isObject(error) && typeof error.status === 'number' ? error.status : 0;
}

/** Returns what the log says of a reading that failed: one line of what the other side did, the stack of what went wrong here. */
export function describeReadFault(error: unknown): object {
  if (!(error instanceof RegistryError)) return { err: error };
  const { code, message, status } = error;
  return { reason: message, code, status: status || undefined };
}

/** Whether a registry does not offer what it was asked. */
export function isNotOffered(error: unknown): boolean {
  return [404, 405, 501].includes(statusOf(error));
}

/** Whether an answer had more bytes than are read. */
export function isTooLarge(error: unknown): boolean {
  return isObject(error) && error.code === 'too_large';
}

/** Seconds after which a registry wants to be asked again. */
export function retryAfterOf(error: unknown): number | undefined {
  return isObject(error) && typeof error.retry_after === 'number' ? error.retry_after : undefined;
}
