import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Route, RouteAuth } from '../../../../src/registry/server/http/route.js';
import { listTools } from '../../../../src/registry/server/mcp/tools.js';
import { REGISTRY_ROUTES } from '../../../../src/registry/server/routes/routes.js';
import { publicOperations } from '../../../kit/registry-contract.js';

const DOCUMENT = new URL('../../../../docs/registry.md', import.meta.url);
const START =
  '<!-- registry operations: written by UPDATE_DOCS=1 npx vitest run test/registry/server/openapi/docs.test.ts -->';
const END = '<!-- /registry operations -->';
const UNSERVED_START = '<!-- operations that are not served: written by the same -->';
const UNSERVED_END = '<!-- /operations that are not served -->';

const WHO: Readonly<Record<RouteAuth, string>> = {
  none: 'everybody',
  optional: 'everybody; members see more',
  bearer: 'a key or an access token',
  member: 'members of an organization',
  admin: 'moderators and admins',
};

/** The operations that the registry's API has to have. */
const SPECIFIED = [
  ...['GET /api/brands/resolve', 'POST /api/brands/resolve/bulk', 'GET /api/brands/brand-json'],
  ...['GET /api/brands/registry', 'GET /api/brands/enrich', 'GET /api/brands/history', 'POST /api/brands/save'],
  ...['POST /api/brands/discovered/community', 'GET /api/properties/resolve', 'POST /api/properties/resolve/bulk'],
  ...['GET /api/properties/registry', 'GET /api/properties/validate', 'GET /api/properties/history'],
  ...['POST /api/properties/save', 'GET /api/registry/agents', 'GET /api/registry/agents/search'],
  ...['GET /api/registry/operator', 'GET /api/registry/publisher', 'GET /api/registry/publishers'],
  ...['GET /api/registry/stats', 'POST /api/registry/crawl-request', 'GET /api/registry/feed'],
  ...['GET /api/registry/lookup/domain/{domain}', 'GET /api/registry/lookup/property'],
  ...['GET /api/registry/lookup/agent/{agentUrl}/domains', 'POST /api/registry/validate/product-authorization'],
  ...['POST /api/registry/expand/product-identifiers', 'GET /api/registry/validate/property-authorization'],
  ...['POST /api/adagents/validate', 'POST /api/adagents/create', 'GET /api/search', 'GET /api/manifest-refs/lookup'],
  ...['GET /api/public/discover-agent', 'GET /api/public/agent-formats', 'GET /api/public/agent-products'],
  ...['GET /api/public/validate-publisher', 'GET /.well-known/oauth-authorization-server'],
  ...['GET /.well-known/oauth-protected-resource/api', 'GET /.well-known/oauth-protected-resource/mcp'],
  ...['POST /register', 'GET /openapi/registry.yaml', 'GET /.well-known/openapi.yaml'],
] as const;

const tools = new Map([...listTools(REGISTRY_ROUTES).values()].map(({ name, route }) => [route, name]));

function row(route: Route): readonly string[] {
  const { auth, method, path, summary } = route;
  const tool = tools.get(route);
  return [
    `\`${method} ${path}\``,
    WHO[auth],
    summary.replaceAll('|', '\\|'),
    tool === undefined ? 'no' : `\`${tool}\``,
  ];
}

const rows = REGISTRY_ROUTES.map(row);

function written(): string {
  const lines = [['operation', 'who may', 'what it does', 'tool of `/mcp`'], ['---', '---', '---', '---'], ...rows];
  const table = lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  return `${START}\n<details><summary>All ${rows.length} operations</summary>\n\n${table}\n\n</details>\n${END}`;
}

/** An operation whatever its parameters are called. */
const nameless = (operation: string): string => operation.replaceAll(/\{\w+\}/g, '{}');

function unserved(operations: readonly string[]): string {
  const served = new Set(REGISTRY_ROUTES.map(({ method, path }) => nameless(`${method} ${path}`)));
  const names = operations.filter((operation) => !served.has(nameless(operation)));
  const list = names.map((name) => `- \`${name}\``).join('\n');
  const summary = `The ${names.length} operations of the public contract (3.1.0) that are not served`;
  return `${UNSERVED_START}\n<details><summary>${summary}</summary>\n\n${list}\n\n</details>\n${UNSERVED_END}`;
}

/** Holds the part of the document between two marks against what it should be, or writes it. */
function expectWritten(start: string, end: string, wanted: string): void {
  const text = readFileSync(DOCUMENT, 'utf8');
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  expect([from, to].every((at) => at > 0)).toBe(true);
  const found = text.slice(from, to + end.length);
  if (process.env.UPDATE_DOCS === '1')
    writeFileSync(
      DOCUMENT,
      text.replace(found, () => wanted),
    );
  else expect(found).toBe(wanted);
}

const operations = publicOperations();

describe('the table of operations in docs/registry.md', () => {
  it('is what the route table says', () => {
    expectWritten(START, END, written());
  });

  it.runIf(operations !== undefined)('names the operations of the public contract that are missing from it', () => {
    expectWritten(UNSERVED_START, UNSERVED_END, unserved(operations ?? []));
  });

  it('has no empty cell, and every operation of the public contract', () => {
    expect(rows.flat().filter((cell) => cell.trim() === '' || cell === '``')).toEqual([]);
    const named = new Set(REGISTRY_ROUTES.map(({ method, path }) => `${method} ${path}`));
    expect(SPECIFIED.filter((operation) => !named.has(operation))).toEqual([]);
  });
});
