import { isDeepStrictEqual } from 'node:util';
import { isObject, readJson } from '../../platform/kernel/json/json.js';
import { faultsOf } from './check.js';
import type { TaskAnswer } from './evidence.js';

/** Returns how the first text of a result and its structured content differ from each other. */
export function textFaults({ exchange }: TaskAnswer): readonly string[] {
  const result = exchange.ok && isObject(exchange.message?.result) ? exchange.message.result : {};
  const content: readonly unknown[] = Array.isArray(result.content) ? result.content : [];
  const [first] = content;
  const text = isObject(first) && typeof first.text === 'string' ? first.text : undefined;
  const written = text === undefined ? undefined : readJson(text);
  if (written === undefined) return ['The first text is no JSON.'];
  const isSame = result.structuredContent === undefined || isDeepStrictEqual(written, result.structuredContent);
  return faultsOf([!isSame, 'The text and the structured content differ.']);
}
