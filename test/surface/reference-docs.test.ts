import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { COMMANDS, GROUPS } from '../../src/commands/index.js';
import { ERROR_CODES } from '../../src/protocol/errors.js';
import { PROBLEMS } from '../../src/registry/server/service/problem.js';
import type { JsonSchema } from '../../src/seller/config/explain.js';
import { settingsJsonSchema } from '../../src/seller/config/schema/settings.js';
import { tenantJsonSchema } from '../../src/seller/config/schema/tenant.js';
import { SETTINGS } from '../../src/seller/config/settings.js';
import { PROJECT } from '../kit/surroundings.js';

const PAGE = path.join(PROJECT, 'docs/reference.md');

/** Keys of any object that say nothing of a seller. */
const REMARKS: ReadonlySet<string> = new Set(['$schema', '$comment']);

/** Keys whose members are the same as those of many others, which the page describes once. */
const OF_USUAL_MEMBERS =
  /(^registry_service\.limits\.\w+|^principals\.policies|brand_data\.key|\.api_key|_secret|\.secret|\.token|\.password|\.url)$/;

/** Keys of a tenant file that hold what the protocol describes: the schema has what is inside. */
const IN_PROTOCOL_WORDS: ReadonlySet<string> = new Set(['products', 'proposals', 'signals', 'brand']);

type Key = { readonly name: string; readonly description: string };

/** Returns the keys below a node of a JSON Schema with their descriptions, each once. */
function keysOf(node: JsonSchema, above = ''): readonly Key[] {
  const keys = Object.entries(node.properties ?? {}).flatMap(([key, child]) => {
    if (REMARKS.has(key)) return [];
    const name = above === '' ? key : `${above}.${key}`;
    const own = { name, description: child.description ?? '' };
    return IN_PROTOCOL_WORDS.has(name) || OF_USUAL_MEMBERS.test(name) ? [own] : [own, ...keysOf(child, name)];
  });
  const { additionalProperties, anyOf = [], items, oneOf = [] } = node;
  const others = [
    items,
    typeof additionalProperties === 'object' ? additionalProperties : undefined,
    ...anyOf,
    ...oneOf,
  ];
  const inside = others.flatMap((child) => (child === undefined ? [] : keysOf(child, above)));
  return [...new Map([...inside, ...keys].map((key) => [key.name, key])).values()];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`).join('\n');
}

const variables = new Map<string, string>(
  Object.values(SETTINGS).flatMap((setting) =>
    'env' in setting ? [[setting.pointer.slice(1).replaceAll('/', '.'), `\`${setting.env}\``]] : [],
  ),
);
const settings = keysOf(settingsJsonSchema() as JsonSchema);
const tenantKeys = keysOf(tenantJsonSchema() as JsonSchema);
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function page(): string {
  return `# Reference

Written from the code by \`UPDATE_DOCS=1 npx vitest run --project main test/surface/reference-docs.test.ts\`. How things belong together is in
[configuration.md](configuration.md) and [operations.md](operations.md).

## Commands

\`seller-agent <command> --help\` has the options of each.

${table(
  ['command', 'what it does'],
  COMMANDS.map(({ description, usage }) => [`\`${usage}\``, capital(description)]),
)}

## Settings

The keys of \`seller-agent.json\`, and the variables that override them. A secret is \`{"env": "NAME"}\`, the name of a variable, here and in tenant
files. A limit of a registry is \`{"points": 20, "window_seconds": 60}\`, or \`false\`.

${table(
  ['key', 'variable', 'what it sets'],
  settings.map(({ description, name }) => [`\`${name}\``, variables.get(name) ?? '', description]),
)}

## Tenant files

The keys of a tenant file. What is inside ${[...IN_PROTOCOL_WORDS].map((key) => `\`${key}\``).join(', ')} is described in \`tenants/tenant.schema.json\`, which editors show.

${table(
  ['key', 'what it sets'],
  tenantKeys.map(({ description, name }) => [`\`${name}\``, description]),
)}

## Error codes of a seller

Of tasks, over MCP and A2A; \`recovery\` is explained in [protocol/errors.md](protocol/errors.md).

${table(
  ['code', 'recovery', 'status over REST'],
  Object.entries(ERROR_CODES).map(([code, { recovery, status }]) => [`\`${code}\``, recovery, String(status)]),
)}

## Error codes of a registry

${table(
  ['code', 'status'],
  Object.entries(PROBLEMS).map(([code, { status }]) => [`\`${code}\``, String(status)]),
)}
`;
}

it('docs/reference.md has every command, setting, key of a tenant file and error code', () => {
  if (process.env.UPDATE_DOCS === '1') writeFileSync(PAGE, page());
  expect(readFileSync(PAGE, 'utf8')).toBe(page());
});

it('nothing in it is without a description', () => {
  const undescribed = [...settings, ...tenantKeys]
    .filter(({ description }) => description === '')
    .map(({ name }) => name);
  expect(undescribed).toEqual([]);
});

it('every group of commands is described in the help', () => {
  const groups = COMMANDS.flatMap(({ usage }) => {
    const words = usage.replace(/ [<[].*$/, '').split(' ');
    return words.slice(0, -1).map((_, at) => words.slice(0, at + 1).join(' '));
  });
  expect(groups.filter((group) => GROUPS[group] === undefined)).toEqual([]);
});
