import { isObject, readJson, writeOnce } from '../../../platform/kernel/json/json.js';
import type { Caller, TaskRequest } from '../../context.js';
import type { Answer } from '../pipeline/receive.js';
import type { Query } from '../pipeline/tool.js';
import { cutToBudget } from './budget.js';

/** Rows of a page for a language model that asks for no number. */
const MODEL_ROWS = 10;
/** Bytes that such a page fits into, where its rows can be fewer. */
const MODEL_BYTES = 20_000;
/** Most readings of one page: the size of rows is a guess the first time. */
const MAX_READINGS = 4;

/**
 * Returns the answer of a reading task in a page that a language model can take, where the caller may be one and named no size: ten rows,
 * or as many as fit into 20 KB, with `pagination` to the rest. What is longer all the same is cut, and says so.
 */
export async function readForModel(
  tool: Query,
  { isForModel }: Caller,
  request: TaskRequest,
  read: (request: TaskRequest) => Promise<Answer>,
): Promise<Answer> {
  if (isForModel !== true || !isSizeOpen(request) || tool.isLong?.(request) === true) return read(request);
  if (tool.rows === undefined) return cutToBudget(await read(request), tool, MODEL_BYTES);
  let rows: number | undefined = MODEL_ROWS;
  for (let readings = 1; ; readings += 1) {
    const answer = await read({ ...request, pagination: { ...request.pagination, max_results: rows } });
    rows = readings < MAX_READINGS ? fewerRows(answer, tool.rows) : undefined;
    if (rows === undefined) return cutToBudget(answer, tool, MODEL_BYTES);
  }
}

type OpenRequest = TaskRequest & { readonly pagination?: object };

function isSizeOpen(request: TaskRequest): request is OpenRequest {
  const { max_results, pagination } = request;
  if (max_results !== undefined) return false;
  return pagination === undefined || (isObject(pagination) && pagination.max_results === undefined);
}

/** Returns how many rows of an answer that is too long would do; undefined for one that is short enough, or has one row. */
function fewerRows({ payload }: Answer, member: string): number | undefined {
  const text = writeOnce(payload).plain;
  const bytes = Buffer.byteLength(text);
  if (bytes <= MODEL_BYTES) return undefined;
  const whole = readJson(text);
  const rows: unknown = isObject(whole) ? whole[member] : undefined;
  if (!Array.isArray(rows) || rows.length < 2) return undefined;
  const rowBytes = Buffer.byteLength(JSON.stringify(rows));
  const fitting = Math.floor((rows.length * (MODEL_BYTES - (bytes - rowBytes))) / rowBytes);
  return Math.max(1, Math.min(rows.length - 1, fitting));
}
