import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Field, Members } from '../../../../src/seller/tasks/fields/field.js';
import { TASK_FIELDS } from '../../../../src/seller/tasks/fields/index.js';
import { ADDED_FIELDS } from '../../../../src/seller/tasks/fields/preview/added.js';
import { TOOLS } from '../../../../src/seller/tasks/index.js';
import { memberNodes, REQUEST_SCHEMAS, requestNodes, type SchemaNode } from '../../../kit/schema-fields.js';
import { hasSchemas, readSchemas, type SchemaRelease } from '../../../kit/schemas.js';
import { PROJECT } from '../../../kit/surroundings.js';

const RELEASES = (['3.0', '3.1', '3.2-beta.5'] as const).filter(hasSchemas);
const TASKS = Object.keys(TASK_FIELDS);
/** Tasks that 3.2 reshapes: the preview refuses them. */
const RESHAPED: ReadonlySet<string> = new Set(
  TOOLS.flatMap((tool) => (tool.notIn?.release === '3.2-beta.5' ? [String(tool.name)] : [])),
);

/** The fields of a task with those that a release adds to it. */
function fieldsOf(release: SchemaRelease, task: string): Members {
  const own = TASK_FIELDS[task] ?? {};
  return release === '3.2-beta.5' ? merged(own, ADDED_FIELDS[task] ?? {}) : own;
}

function merged(own: Members, added: Members): Members {
  const both = Object.entries(added).map(([name, field]) => {
    const [before, more] = [membersOf(own[name]), membersOf(field)];
    if (before === undefined || more === undefined || field.use !== 'honored')
      return [name, own[name] ?? field] as const;
    return [name, { ...field, members: merged(before, more) }] as const;
  });
  return { ...own, ...Object.fromEntries(both) };
}

/** Names on the wire hold the protocol's name; the table has the neutral one. */
function neutral(name: string): string {
  return name.replace(/^adcp_/, 'proto_');
}

/** The members of these schemas as the table names them. */
function wireMembers(release: SchemaRelease, nodes: readonly SchemaNode[]): ReadonlyMap<string, readonly SchemaNode[]> {
  return new Map([...memberNodes(readSchemas(release), nodes)].map(([name, within]) => [neutral(name), within]));
}

function membersOf(field: Field | undefined): Members | undefined {
  return field?.use === 'honored' && field.members !== 'whole' ? field.members : undefined;
}

/** Paths of a release's schemas that the table says nothing of. */
function unjudged(
  release: SchemaRelease,
  nodes: readonly SchemaNode[],
  members: Members | undefined,
  at: string,
): readonly string[] {
  return [...wireMembers(release, nodes)].flatMap(([name, within]) => {
    const field = members?.[name] ?? members?.['*'];
    const to = `${at}.${name}`;
    if (field === undefined) return [to];
    return field.use === 'honored' && field.members !== 'whole' ? unjudged(release, within, field.members, to) : [];
  });
}

/** Rows of the table that no schema has; `nodes` by release. */
function unheardOf(
  nodes: ReadonlyMap<SchemaRelease, readonly SchemaNode[]>,
  members: Members,
  at: string,
): readonly string[] {
  const known = new Map([...nodes].map(([release, own]) => [release, wireMembers(release, own)]));
  return Object.entries(members).flatMap(([name, field]) => {
    const within = new Map([...known].map(([release, own]) => [release, own.get(name) ?? []]));
    const to = `${at}.${name}`;
    const isKnown = [...within.values()].some((own) => own.length > 0);
    const deeper = membersOf(field);
    return [
      ...(isKnown === (field.beyond !== true) ? [] : [to]),
      ...(isKnown && deeper !== undefined ? unheardOf(within, deeper, to) : []),
    ];
  });
}

/** Every row of the table with its path. */
function rows(members: Members, at: string): readonly (readonly [path: string, name: string, field: Field])[] {
  return Object.entries(members).flatMap(([name, field]) => [
    [`${at}.${name}`, name, field] as const,
    ...rows(membersOf(field) ?? {}, `${at}.${name}`),
  ]);
}

describe.each(RELEASES)('the table of fields beside the public schemas of %s', (release) => {
  const tasks = TASKS.filter((task) => release !== '3.2-beta.5' || !RESHAPED.has(task));
  test.each(tasks)('says of every field of %s what becomes of it', (task) => {
    expect(unjudged(release, requestNodes(readSchemas(release), task), fieldsOf(release, task), task)).toEqual([]);
  });
});

describe('the table of fields', () => {
  test('has the tasks that have request schemas', () => {
    expect(TASKS.toSorted()).toEqual(Object.keys(REQUEST_SCHEMAS).toSorted());
  });

  test.skipIf(RELEASES.length < 2).each(TASKS)('has no row of %s that no schema has', (task) => {
    const nodes = new Map(RELEASES.map((release) => [release, requestNodes(readSchemas(release), task)]));
    expect(unheardOf(nodes, TASK_FIELDS[task] ?? {}, task)).toEqual([]);
  });

  test('names for every honored field a file that speaks of it', () => {
    const wrong = TASKS.flatMap((task) => rows(TASK_FIELDS[task] ?? {}, task)).filter(([, name, field]) => {
      if (field.use !== 'honored' || membersOf(field) !== undefined) return false;
      const file = path.join(PROJECT, 'src', field.by);
      return !existsSync(file) || !mentions(readFileSync(file, 'utf8'), name);
    });
    expect(wrong.map(([at, , field]) => `${at}: ${field.use === 'honored' ? field.by : ''}`)).toEqual([]);
  });
});

/** Releases are read under the protocol's name, whatever it is. */
function mentions(text: string, name: string): boolean {
  return name.startsWith('proto_')
    ? /acceptedVersion|acceptedMajorVersion/.test(text)
    : new RegExp(`\\b${name}\\b`).test(text);
}
