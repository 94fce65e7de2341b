import { isRefusal, type TaskAnswer } from '../evidence.js';
import type { Stage } from './stage.js';

/** An input that every agent with the task has to refuse, and the field that is wrong in it. */
type WrongInput = { readonly task: string; readonly args: object; readonly field: string };

const NO_OBJECT = { args: { pagination: 'no object' }, field: 'pagination' };

/** Reads alone: what an agent takes by mistake changes nothing. */
const WRONG_INPUTS: readonly WrongInput[] = [
  { task: 'get_products', args: { buying_mode: 'no-such-mode' }, field: 'buying_mode' },
  { task: 'get_signals', args: { signal_spec: 'people', ...NO_OBJECT.args }, field: 'pagination' },
  { task: 'list_creative_formats', ...NO_OBJECT },
  { task: 'list_accounts', ...NO_OBJECT },
  { task: 'list_property_lists', ...NO_OBJECT },
  { task: 'get_brand_identity', args: { brand_id: 7 }, field: 'brand_id' },
];

/** Reads that page by a cursor. */
const PAGED_READS = ['list_accounts', 'list_creatives', 'list_creative_formats', 'get_media_buys', 'get_signals'];

/** Asks what has to be refused: a task that there is not, an input that is wrong, a cursor that is none. A stranger who is turned away learns nothing. */
export const probeRefusals: Stage = async ({ wire }, { declared, hasKey, tools }) => {
  if (declared === undefined || tools === undefined) return {};
  const offers = (task: string): boolean => tools.some(({ name }) => name === task);
  const wrong = WRONG_INPUTS.find(({ task }) => offers(task));
  const paged = PAGED_READS.find(offers);
  const ask = async (task: string, args?: object): Promise<TaskAnswer | undefined> => {
    const answer = await wire.call(task, args);
    return hasKey || !isRefusal(answer.exchange) ? answer : undefined;
  };
  const unknownTool = await ask('doctor_no_such_task');
  const wrongInput = wrong === undefined ? undefined : await ask(wrong.task, wrong.args);
  const cursor = { pagination: { max_results: 1, cursor: 'no-such-cursor' } };
  const wrongCursor = paged === undefined ? undefined : await ask(paged, cursor);
  return {
    unknownTool,
    wrongInput: wrong !== undefined && wrongInput !== undefined ? { ...wrongInput, field: wrong.field } : undefined,
    wrongCursor,
  };
};
