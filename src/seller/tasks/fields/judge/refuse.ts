import { isDeepStrictEqual } from 'node:util';
import { fieldPath, isObject, pointerStep } from '../../../../platform/kernel/json/json.js';
import { type Issue, TaskError } from '../../../../protocol/errors.js';
import { RELEASE_TABLE } from '../../../../protocol/releases.js';
import type { TaskRequest } from '../../../context.js';
import type { Parsed } from '../../pipeline/stages.js';
import type { Tool } from '../../pipeline/tool.js';
import type { Members, Refused } from '../field.js';
import { TASK_FIELDS } from '../index.js';
import { ADDED_FIELDS } from '../preview/added.js';

const REFUSALS = new Map(Object.entries(TASK_FIELDS).map(([task, members]) => [task, collectRefusals(members)]));

const ADDED_REFUSALS = new Map(Object.entries(ADDED_FIELDS).map(([task, members]) => [task, collectRefusals(members)]));

/** Refuses a call that has a field which its task refuses whatever its value. Throws the code of the first; `issues` names all of them. */
export function refuseFields({ tool, request, call }: Pick<Parsed<Tool>, 'tool' | 'request' | 'call'>): void {
  const task = tableName(tool);
  const refusals = REFUSALS.get(task);
  if (refusals !== undefined) refuseIn(refusals, request);
  const added = RELEASE_TABLE[call.to.release].isPreview ? ADDED_REFUSALS.get(task) : undefined;
  if (added !== undefined) refuseIn(added, request);
}

/** Returns the name under which a task stands in the table of fields. */
export function tableName({ name }: Pick<Tool, 'name'>): string {
  return typeof name === 'string' ? name : 'get_capabilities';
}

/** The refused fields of a task, and the ways to them. */
type Refusals = ReadonlyMap<string, Refused | Refusals>;

/** Fields of one request that are refused. */
type RefusedField = { readonly path: readonly (string | number)[]; readonly field: Refused };

/** Most fields that one error names. */
const MAX_NAMED_FIELDS = 10;

/** Returns what of a task's fields is refused by the table alone. */
function collectRefusals(members: Members): Refusals {
  const refusals = new Map<string, Refused | Refusals>();
  for (const [name, field] of Object.entries(members)) {
    if (field.use === 'refused' && field.by === undefined) refusals.set(name, field);
    if (field.use !== 'honored' || field.members === undefined || field.members === 'whole') continue;
    const within = collectRefusals(field.members);
    if (within.size > 0) refusals.set(name, within);
  }
  return refusals;
}

/** Refuses a request that has fields of `refusals`. Throws the code of the first; `issues` names all of them. */
function refuseIn(refusals: Refusals, request: TaskRequest): void {
  const refused: RefusedField[] = [];
  findIn(request, refusals, [], refused);
  const [first] = refused;
  if (first === undefined) return;
  const { code, because, instead } = first.field;
  throw new TaskError(code, because, {
    field: fieldPath(first.path),
    suggestion: instead,
    issues: refused.map(toIssue),
  });
}

function findIn(value: unknown, refusals: Refusals, path: RefusedField['path'], refused: RefusedField[]): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) findIn(item, refusals, [...path, index], refused);
    return;
  }
  if (!isObject(value)) return;
  for (const [name, field] of refusals) {
    const names = name === '*' ? Object.keys(value) : [name];
    for (const own of names) {
      const member = value[own];
      if (refused.length >= MAX_NAMED_FIELDS || member === undefined) continue;
      if (field instanceof Map) findIn(member, field, [...path, own], refused);
      else if (asksForSomething(member, field as Refused))
        refused.push({ path: [...path, own], field: field as Refused });
    }
  }
}

function asksForSomething(value: unknown, { unless }: Refused): boolean {
  if (value === null || (Array.isArray(value) && value.length === 0)) return false;
  return !unless.some((harmless) => isDeepStrictEqual(harmless, value));
}

function toIssue({ path, field }: RefusedField): Issue {
  return { pointer: path.map(pointerStep).join(''), message: field.because, keyword: 'not' };
}
