import { isDeepStrictEqual } from 'node:util';
import { isObject, readJson } from '../../platform/kernel/json/json.js';
import { faultsOf } from './check.js';
import type { JsonObject, TaskAnswer } from './evidence.js';

/** Returns how the first text of a result contradicts its structured content, or why a client of texts alone learns nothing. */
export function textFaults(answer: TaskAnswer): readonly string[] {
  const { structuredContent } = resultOf(answer);
  const written = firstJson(answer);
  if (written === undefined)
    return faultsOf([structuredContent === undefined, 'There is neither JSON text nor structured content.']);
  const isSame = structuredContent === undefined || isDeepStrictEqual(written, structuredContent);
  return faultsOf([!isSame, 'The text and the structured content differ.']);
}

/** Whether the payload stands in the structured content alone, with prose or nothing as its text. */
export function isTextProse(answer: TaskAnswer): boolean {
  return resultOf(answer).structuredContent !== undefined && firstJson(answer) === undefined;
}

function resultOf({ exchange }: TaskAnswer): JsonObject {
  return exchange.ok && isObject(exchange.message?.result) ? exchange.message.result : {};
}

/** Returns the JSON of the first text. */
function firstJson(answer: TaskAnswer): unknown {
  const { content } = resultOf(answer);
  const [first]: readonly unknown[] = Array.isArray(content) ? content : [];
  return isObject(first) && typeof first.text === 'string' ? readJson(first.text) : undefined;
}
