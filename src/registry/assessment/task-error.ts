import { isObject } from '../../platform/kernel/json/json.js';
import { describeFetchReason, type FetchReason } from '../../platform/net/fetch-error.js';
import { quoteValue } from '../documents/finding.js';
import type { Exchange, JsonObject, TaskAnswer } from './evidence.js';

/** Returns the error object of a failed task, wherever its release puts it: in `adcp_error`, in `errors`, or at the root. */
export function errorOf(payload: JsonObject | undefined): JsonObject | undefined {
  if (payload === undefined) return undefined;
  const named = Object.entries(payload).find(([name, value]) => name.endsWith('_error') && isObject(value));
  const [first]: readonly unknown[] = Array.isArray(payload.errors) ? payload.errors : [];
  const error = [named?.[1], first, payload].find((one) => isObject(one) && typeof one.code === 'string');
  return isObject(error) ? error : undefined;
}

/** Whether a call came to nothing, however that was said: by HTTP, by JSON-RPC, by isError, or by an error object in the answer alone. */
export function isRefused({ exchange, isError, payload }: TaskAnswer): boolean {
  if (!exchange.ok || exchange.status >= 400 || exchange.message?.error !== undefined) return true;
  return isError || hasErrorObject(payload);
}

/** Whether the root of an answer holds the error object of a task that failed. */
export function hasErrorObject(payload: JsonObject | undefined): boolean {
  return Object.entries(payload ?? {}).some(([name, value]) => name.endsWith('_error') && isObject(value));
}

/** Returns why a request came to nothing, for people. */
export function describeSilence(reason: FetchReason): string {
  if (reason !== 'too_large') return `There was no answer: ${describeFetchReason(reason)}.`;
  return 'The answer is more than is read: over 4 MiB, 200,000 values or 64 levels of JSON.';
}

/** Returns what an exchange came to instead of a payload, for people. */
export function describeExchange(exchange: Exchange): string {
  if (!exchange.ok) return describeSilence(exchange.reason);
  const { message, status } = exchange;
  const error = isObject(message?.error) ? message.error : undefined;
  if (error === undefined)
    return `It is answered ${status}, ${isObject(message?.result) ? 'with a result' : 'and with no payload'}.`;
  return `It is answered ${status} with the error ${quoteValue(error.code)}: ${quoteValue(error.message)}.`;
}
