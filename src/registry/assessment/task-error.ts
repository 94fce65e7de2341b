import { isObject } from '../../platform/kernel/json/json.js';
import type { JsonObject } from './evidence.js';

/** Returns the error object of a failed task, wherever its release puts it: in `adcp_error`, in `errors`, or at the root. */
export function errorOf(payload: JsonObject | undefined): JsonObject | undefined {
  if (payload === undefined) return undefined;
  const named = Object.entries(payload).find(([name, value]) => name.endsWith('_error') && isObject(value));
  const [first]: readonly unknown[] = Array.isArray(payload.errors) ? payload.errors : [];
  const found = [named?.[1], first, payload].find((one) => isObject(one) && typeof one.code === 'string');
  return isObject(found) ? found : undefined;
}
