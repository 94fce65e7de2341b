import { isObject } from '../../../platform/kernel/json/json.js';
import { JUDGED_READS, type JudgedRead } from '../answer-shapes.js';
import { type AnsweredPages, type AnsweredRead, isRefusal } from '../evidence.js';
import type { Stage } from './stage.js';
import type { Wire } from './wire.js';

/** Reads whose pages are followed. */
const MAX_PAGED = 2;

/** Calls each read that the agent lists, and follows the pages of some. A stranger who is turned away learns nothing. */
export const callReads: Stage = async ({ wire }, { declared, hasKey, tools }) => {
  if (declared === undefined || tools === undefined) return {};
  const reads: AnsweredRead[] = [];
  for (const read of JUDGED_READS.filter(({ task }) => tools.some(({ name }) => name === task))) {
    const answer = await wire.call(read.task, read.args);
    if (hasKey || !isRefusal(answer.exchange)) reads.push({ read, answer });
  }
  const pages: AnsweredPages[] = [];
  for (const { read } of reads.filter(hasTwoItems).slice(0, MAX_PAGED)) pages.push(await callPages(wire, read));
  return { reads: reads.length > 0 ? reads : undefined, pages: pages.length > 0 ? pages : undefined };
};

function hasTwoItems({ answer, read }: AnsweredRead): boolean {
  const items = read.page === undefined ? undefined : answer.payload?.[read.page.list];
  return Array.isArray(items) && items.length > 1;
}

async function callPages(wire: Wire, read: JudgedRead): Promise<AnsweredPages> {
  const ask = (cursor: object) => wire.call(read.task, { ...read.args, pagination: { max_results: 1, ...cursor } });
  const answer = await ask({});
  const pagination = answer.payload?.pagination;
  const cursor = isObject(pagination) ? pagination.cursor : undefined;
  return { read, answer, next: typeof cursor === 'string' ? await ask({ cursor }) : undefined };
}
