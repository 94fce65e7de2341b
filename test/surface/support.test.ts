import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { protocolNames } from '../../src/protocol/names.js';
import { RELEASE_TABLE, type Release } from '../../src/protocol/releases.js';
import type { Members } from '../../src/seller/tasks/fields/field.js';
import { TASK_FIELDS } from '../../src/seller/tasks/fields/index.js';
import { ADDED_FIELDS } from '../../src/seller/tasks/fields/preview/added.js';
import { TOOLS } from '../../src/seller/tasks/index.js';
import { type Tool, toolName } from '../../src/seller/tasks/pipeline/tool.js';
import { type Booted, boot, rpc } from '../kit/boot.js';
import { hasSchemas, SCHEMA_FOLDERS } from '../kit/schemas.js';
import { PROJECT } from '../kit/surroundings.js';
import { SHIPPED, shippedTenant, tenantsWithEveryTask } from '../kit/tenants.js';

const PAGE = path.join(PROJECT, 'docs/protocol/support.md');
const RELEASES = Object.keys(RELEASE_TABLE) as readonly Release[];
const NAMES = protocolNames('adcp');
const SERVED = new Map(TOOLS.map((tool) => [toolName(tool, NAMES), tool]));

/** Folders whose request schemas are of parts of a request, or of other agents' protocols. */
const NO_TASKS: ReadonlySet<string> = new Set(['core', 'trusted-match']);

/** Tasks that are to come. */
const PLANNED: ReadonlySet<string> = new Set(['creative_approval']);

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
        cell(release, name, PLANNED.has(name) ? 'planned' : 'not served', known.get(release)?.has(name) === true),
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

/** The cells of the page by task, one for each release. */
function cells(): ReadonlyMap<string, readonly string[]> {
  const rows = readFileSync(PAGE, 'utf8').matchAll(/^\| [\w-]+ \| `(\w+)` \| (.*) \|$/gm);
  return new Map([...rows].map(([, task = '', rest = '']) => [task, rest.split('|').map((cell) => cell.trim())]));
}

describe('what docs/protocol/support.md says is what callers meet', () => {
  let server: Booted;
  const listed = new Map<string, ReadonlySet<string>>();
  beforeAll(async () => {
    server = await boot({ tenants: tenantsWithEveryTask(), settings: { protocolPreview: true } });
    for (const tenant of SHIPPED) {
      const { result } = rpc(await server.raw({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, {}, tenant));
      const { tools } = result as unknown as { readonly tools: readonly { readonly name: string }[] };
      listed.set(tenant, new Set(tools.map(({ name }) => name)));
    }
  });

  /** What becomes of a task that is called with nothing: where the call is understood, whatever it lacks, the task is served. */
  async function meet(tenant: string, task: string, version: Release): Promise<'served' | 'refused' | 'unknown'> {
    const params = { name: task, arguments: { adcp_version: version } };
    const { result } = rpc(await server.raw({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, {}, tenant));
    const [first] = result?.structuredContent?.errors ?? [];
    if (first?.message?.startsWith('Unknown tool') === true) return 'unknown';
    return first?.code === 'VERSION_UNSUPPORTED' ? 'refused' : 'served';
  }

  test('every task that a tenant lists is on the page, and served there in some release', () => {
    const pages = cells();
    for (const task of new Set([...listed.values()].flatMap((tasks) => [...tasks])))
      expect({ task, cells: pages.get(task) }).toMatchObject({
        cells: expect.arrayContaining([expect.stringMatching(/^served/)]),
      });
  });

  test.each([...cells()])('%s is served, refused and unknown as its row says', async (task, row) => {
    const tool = SERVED.get(task);
    const isServed = row.some((cell) => cell.startsWith('served'));
    expect(tool !== undefined).toBe(isServed);
    let servers = 0;
    for (const tenant of SHIPPED) {
      const kinds = (shippedTenant(tenant).kinds ?? ['sales']) as readonly string[];
      const met = await Promise.all(RELEASES.map((release) => meet(tenant, task, release)));
      const isOffered = met.some((one) => one !== 'unknown');
      servers += isOffered ? 1 : 0;
      if (isOffered) {
        const said = row.map((cell) => (cell.startsWith('served') ? 'served' : 'refused'));
        expect({ tenant, met }).toEqual({ tenant, met: said });
        expect(tool?.kinds.some((kind) => kinds.includes(kind))).toBe(true);
      } else if (tool?.offered === undefined)
        expect({ tenant, kinds: tool?.kinds.filter((kind) => kinds.includes(kind)) ?? [] }).toEqual({
          tenant,
          kinds: [],
        });
      if (!isOffered) expect(listed.get(tenant)?.has(task)).toBe(false);
    }
    expect(servers > 0).toBe(isServed);
  });
});
