import { isObject, readJson, toJson, Written, writeOnce } from '../../../platform/kernel/json/json.js';
import type { Answer } from '../pipeline/receive.js';
import { argumentNames, type Query } from '../pipeline/tool.js';

/** Longest answer that is cut, in characters: reading a longer one would hold up others. */
const MAX_CUT_CHARACTERS = 4 * 1024 * 1024;
/** Most lists that are cut: each is a reading of the whole. */
const MAX_ROUNDS = 12;
/** Bytes that are left for the note of what was cut. */
const NOTE_BYTES = 900;

/** Arguments by which a question can be made narrower, the most helpful first. */
const NARROWING = [
  'media_buy_ids',
  'creative_ids',
  'requests',
  'targets',
  'plan_ids',
  'list_ids',
  'filters',
  'status_filter',
  'start_date',
  'end_date',
  'fields',
] as const;

/** A list of an answer that was cut, by the names that lead to it. */
type CutList = { readonly member: string; readonly shown: number; readonly of: number };

/**
 * Returns a successful answer cut to so many bytes, its outermost lists first; `message` and `ext` say what was left out and how to ask
 * for it. An answer that fits is returned as it is, and so is that of a task that cannot be asked for less.
 */
export function cutToBudget(answer: Answer, tool: Query, maxBytes: number): Answer {
  const text = writeOnce(answer.payload).plain;
  if (answer.isError || text.length > MAX_CUT_CHARACTERS || Buffer.byteLength(text) <= maxBytes) return answer;
  const advice = adviseNarrowing(tool);
  if (advice === undefined) return answer;
  const whole = readJson(text);
  if (!isObject(whole)) return answer;
  const cuts = cutLists(whole, maxBytes - NOTE_BYTES);
  return cuts.length === 0 ? answer : { ...answer, payload: new Written(toJson(withNote(whole, cuts, advice))) };
}

/** Cuts the largest of the outermost lists until a value fits, and returns which were cut; one entry of each stays. */
function cutLists(value: object, maxBytes: number): readonly CutList[] {
  const cuts = new Map<string, CutList>();
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const excess = bytesOf(value) - maxBytes;
    if (excess <= 0) break;
    const lists = outermostLists(value, []);
    const sized = lists.map((list) => ({ ...list, bytes: bytesOf(list.entries) }));
    const largest = sized.toSorted((one, other) => other.bytes - one.bytes)[0];
    if (largest === undefined) break;
    const { entries, member } = largest;
    const of = cuts.get(member)?.of ?? entries.length;
    let freed = 0;
    while (entries.length > 1 && freed < excess) freed += bytesOf(entries.pop()) + 1;
    cuts.set(member, { member, shown: entries.length, of });
  }
  return [...cuts.values()];
}

/** A list in an answer, which may be cut in its place. */
type List = { readonly member: string; readonly entries: unknown[] };

/** Returns the lists of more than one entry that lie in no other; errors are not cut. */
function outermostLists(value: unknown, names: readonly string[]): readonly List[] {
  if (Array.isArray(value)) {
    return value.length > 1
      ? [{ member: names.join('.'), entries: value }]
      : value.flatMap((entry) => outermostLists(entry, names));
  }
  if (!isObject(value)) return [];
  const members = Object.entries(value).filter(([name]) => !UNCUT.has(name));
  return members.flatMap(([name, inner]) => outermostLists(inner, [...names, name]));
}

/** Members that belong to the caller, or say what is wrong. */
const UNCUT: ReadonlySet<string> = new Set(['errors', 'context', 'ext']);

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}

/** Returns how what is left out of a task's answer is asked for; undefined where it cannot be. */
function adviseNarrowing(tool: Query): string | undefined {
  // The schemas of some answers have no room for a note.
  if (tool.root !== undefined) return undefined;
  const names = argumentNames(tool);
  const narrowing = NARROWING.filter((name) => names.includes(name));
  const narrower = narrowing.length === 0 ? '' : `Ask for less with ${narrowing.join(', ')}`;
  const isPaged = names.includes('pagination');
  if (narrower === '' && !isPaged) return undefined;
  const whole = isPaged ? 'name pagination.max_results to have the answer whole' : '';
  const advice = [narrower, whole].filter((text) => text !== '').join(', or ');
  return `${advice.charAt(0).toUpperCase()}${advice.slice(1)}.`;
}

/** Returns an answer with what was cut in its message, for people, and in its `ext`, for programs. */
function withNote(answer: object, cuts: readonly CutList[], advice: string): object {
  const { ext, message } = answer as { readonly ext?: unknown; readonly message?: unknown };
  const carried = isObject(ext) ? ext : {};
  const own = isObject(carried.seller_agent) ? carried.seller_agent : {};
  const lists = cuts.map(({ member, of, shown }) => `${shown} of ${of} in ${member}`).join(', ');
  const note = `Shortened: ${lists}. ${advice}`;
  return {
    ...answer,
    message: typeof message === 'string' ? `${message} ${note}` : note,
    ext: { ...carried, seller_agent: { ...own, left_out: cuts } },
  };
}
