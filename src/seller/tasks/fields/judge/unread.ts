import { fieldPath, isObject } from '../../../../platform/kernel/json/json.js';
import { findMeantName } from '../../../../platform/kernel/nearest.js';
import type { ProtocolNames } from '../../../../protocol/names.js';
import { RELEASE_TABLE } from '../../../../protocol/releases.js';
import type { Parsed } from '../../pipeline/stages.js';
import type { Tool } from '../../pipeline/tool.js';
import type { Field, Members } from '../field.js';
import { TASK_FIELDS } from '../index.js';
import { ADDED_FIELDS } from '../preview/added.js';
import { tableName } from './refuse.js';

/** Members that the protocol lets a request of any task have. */
const ANYWHERE: ReadonlySet<string> = new Set([
  'account',
  'context',
  'context_id',
  'ext',
  'governance_context',
  'idempotency_key',
  'push_notification_config',
  'task_id',
  'timestamp',
]);

/** Most fields that a sentence names. */
const MAX_NAMED = 5;
/** Most members that are held against the table: a list of many items is read as far as this. */
const MAX_LOOKED_AT = 2000;
/** Longest name that is told again whole. */
const MAX_NAME_CHARACTERS = 64;

type Path = readonly (string | number)[];
type Unread = { readonly path: Path; readonly meant: string | undefined };
type Search = { readonly unread: Unread[]; readonly names: ProtocolNames; left: number };

/** Returns what an answer says of members of its request that no schema names, which change nothing; undefined where there are none. */
export function describeUnread({ tool, request, call, task }: Parsed<Tool>): string | undefined {
  const { names, release } = call.to;
  const own = tableName(tool);
  const members = TASK_FIELDS[own];
  if (members === undefined) return undefined;
  const added = RELEASE_TABLE[release].isPreview ? ADDED_FIELDS[own] : undefined;
  const search: Search = { unread: [], names, left: MAX_LOOKED_AT };
  findUnread(request, added === undefined ? [members] : [members, added], [], search);
  if (search.unread.length === 0) return undefined;
  const named = search.unread.slice(0, MAX_NAMED).map(nameUnread);
  const more = search.unread.length > named.length ? ' and more' : '';
  return `Not read, for ${task} has no such field: ${named.join(', ')}${more}. Nothing follows from it; say what you mean in the fields of the schema.`;
}

function nameUnread({ path, meant }: Unread): string {
  const field = fieldPath(path.map((step) => (typeof step === 'string' ? step.slice(0, MAX_NAME_CHARACTERS) : step)));
  return meant === undefined ? field : `${field} (${meant}?)`;
}

/** Finds the members of a value that neither of two tables has: that of the task, and what a preview adds to it. */
function findUnread(value: unknown, tables: readonly Members[], path: Path, search: Search): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      if (search.left <= 0 || search.unread.length > MAX_NAMED) return;
      findUnread(item, tables, [...path, index], search);
    }
    return;
  }
  if (!isObject(value)) return;
  for (const name of Object.keys(value)) {
    search.left -= 1;
    if (search.left <= 0 || search.unread.length > MAX_NAMED) return;
    const member = value[name];
    if (member === undefined || member === null || isAnywhere(name, path, search)) continue;
    const fields = tables.flatMap((table) => table[name] ?? table['*'] ?? []);
    if (fields.length === 0) search.unread.push({ path: [...path, name], meant: guessMeant(name, value, tables) });
    else if (fields.every((field) => field.use === 'honored' && isTable(field.members)))
      findUnread(member, fields.flatMap(membersOf), [...path, name], search);
  }
}

/** Whether a member is of the protocol itself: the release that is asked for, or what any request may have. */
function isAnywhere(name: string, path: Path, { names }: Search): boolean {
  if (names.acceptedVersion.includes(name) || names.acceptedMajorVersion.includes(name)) return true;
  return path.length === 0 && ANYWHERE.has(name);
}

function isTable(members: Members | 'whole' | undefined): members is Members {
  return members !== undefined && members !== 'whole';
}

function membersOf(field: Field): readonly Members[] {
  return field.use === 'honored' && isTable(field.members) ? [field.members] : [];
}

/** Returns the field that a name most likely means: one that is honored, and that the object does not have. */
function guessMeant(
  name: string,
  value: Readonly<Record<string, unknown>>,
  tables: readonly Members[],
): string | undefined {
  const open = tables.flatMap((table) =>
    Object.keys(table).filter((own) => table[own]?.use === 'honored' && value[own] === undefined),
  );
  return findMeantName(name, open);
}
