import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { protocolNames } from '../../src/protocol/names.js';
import { RELEASE_TABLE, type Release } from '../../src/protocol/releases.js';
import type { Members } from '../../src/seller/tasks/fields/field.js';
import { TASK_FIELDS } from '../../src/seller/tasks/fields/index.js';
import { ADDED_FIELDS } from '../../src/seller/tasks/fields/preview/added.js';
import { TOOLS } from '../../src/seller/tasks/index.js';
import { type Tool, toolName } from '../../src/seller/tasks/pipeline/tool.js';
import { hasSchemas, SCHEMA_FOLDERS } from '../kit/schemas.js';
import { PROJECT } from '../kit/surroundings.js';

const PAGE = path.join(PROJECT, 'docs/protocol/support.md');
const RELEASES = Object.keys(RELEASE_TABLE) as readonly Release[];
const NAMES = protocolNames('adcp');
const SERVED = new Map(TOOLS.map((tool) => [toolName(tool, NAMES), tool]));

/** Folders whose request schemas are of parts of a request, or of other agents' protocols. */
const NO_TASKS: ReadonlySet<string> = new Set(['core', 'trusted-match']);

/** Protocols whose tasks are to come. */
const PLANNED: ReadonlySet<string> = new Set(['brand']);

/** The tasks that the schemas of a release know, with the folder that each is in. */
function tasksOf(release: Release): ReadonlyMap<string, string> {
  const files = readdirSync(SCHEMA_FOLDERS[release], { recursive: true, encoding: 'utf8' }).sort();
  const requests = files.flatMap((file) => {
    const [folder = '', name = ''] = file.split('/');
    const isTask = name.endsWith('-request.json') && folder !== 'bundled' && !NO_TASKS.has(folder);
    return isTask ? [[name.replace(/-request\.json$/, '').replaceAll('-', '_'), folder] as const] : [];
  });
  return new Map(requests.filter(([task]) => task !== 'package'));
}

/** How many fields of a task are refused to callers of a release, whatever else they send. */
function countRefused(members: Members): number {
  return Object.values(members).reduce((sum, field) => {
    if (field.use === 'refused') return sum + 1;
    return field.use === 'honored' && typeof field.members === 'object' ? sum + countRefused(field.members) : sum;
  }, 0);
}

function cell(release: Release, name: string, absence: string, isKnown: boolean): string {
  const tool: Tool | undefined = SERVED.get(name);
  if (tool === undefined) return isKnown ? absence : '';
  if (tool.since !== undefined && tool.since !== release) return '';
  if (tool.notIn?.release === release) return 'not served';
  const table = name === NAMES.capabilitiesTool ? 'get_capabilities' : name;
  const added = RELEASE_TABLE[release].isPreview ? (ADDED_FIELDS[table] ?? {}) : {};
  const refused = countRefused(TASK_FIELDS[table] ?? {}) + countRefused(added);
  return `served${isKnown ? '' : ', beyond it'}${refused === 0 ? '' : `; refuses ${refused}`}`;
}

function page(): string {
  const known = new Map(RELEASES.map((release) => [release, tasksOf(release)]));
  const folders = new Map([...known.values()].flatMap((tasks) => [...tasks]));
  for (const name of SERVED.keys()) if (!folders.has(name)) folders.set(name, 'ours');
  const rows = [...folders]
    .toSorted(([one, a], [other, b]) => (a === b ? (one < other ? -1 : 1) : a < b ? -1 : 1))
    .map(([name, folder]) => {
      const cells = RELEASES.map((release) =>
        cell(release, name, PLANNED.has(folder) ? 'planned' : 'not served', known.get(release)?.has(name) === true),
      );
      return `| ${folder} | \`${name}\` | ${cells.join(' | ')} |`;
    });
  return `# Support

Task by task and release by release, what is served: the tasks that the public schemas of a release know, and those of ours. "Refuses" counts the fields
that a request cannot have; [fields.md](fields.md) names each with the reason, and \`src/seller/tasks/fields/preview\` those that 3.2 adds. A release
marked as a preview is served where [it is turned on](3.2.md). A task that is planned or not served is answered as one that nobody knows,
and as \`VERSION_UNSUPPORTED\` where another release has it.

<!-- Written by UPDATE_DOCS=1 npx vitest run --project main test/surface/support.test.ts -->

| protocol | task | ${RELEASES.map((release) => (RELEASE_TABLE[release].isPreview ? `${release} (preview)` : release)).join(' | ')} |
|---|---|${RELEASES.map(() => '---|').join('')}
${rows.join('\n')}
`;
}

test.skipIf(!RELEASES.every(hasSchemas))('docs/protocol/support.md says what is served now', () => {
  const current = page();
  if (process.env.UPDATE_DOCS) writeFileSync(PAGE, current);
  expect(readFileSync(PAGE, 'utf8'), 'stale; UPDATE_DOCS=1 writes it').toBe(current);
});
