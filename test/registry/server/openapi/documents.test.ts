import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { jsonSchema } from '../../../../src/registry/server/openapi/openapi.js';
import { exampleOfSchema } from '../../../../src/registry/server/openapi/schema-example.js';
import { REGISTRY_ROUTES } from '../../../../src/registry/server/routes/routes.js';
import { type BootedRegistry, bootRegistry } from '../../../kit/registry.js';

describe('what the registry publishes about itself', () => {
  let registry: BootedRegistry;
  let token: string;

  beforeAll(async () => {
    registry = await bootRegistry({ service: { policy: { ownership: 'off' } } });
    ({ token } = await registry.member('acme'));
  });

  it('describes its API as OpenAPI 3.1, found from the well-known place', async () => {
    const found = await registry.get('/.well-known/openapi.yaml');
    expect([found.status, found.headers.location]).toEqual([302, '/openapi/registry.yaml']);
    const served = await registry.get('/openapi/registry.yaml');
    expect(served.headers['content-type']).toContain('yaml');
    const document = parse(served.text) as {
      openapi: string;
      servers: unknown;
      paths: Record<string, Record<string, { parameters?: unknown[] }>>;
    };
    expect([document.openapi, document.servers]).toEqual(['3.1.0', [{ url: registry.baseUrl }]]);
    expect(document.paths['/api/brands/history']?.get?.parameters).toContainEqual({
      name: 'limit',
      in: 'query',
      required: false,
      description: 'Most revisions of a page.',
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    });
  });

  it('describes every closed set of a parameter: what is refused for its words is refused by the description', async () => {
    const ajv = formats.default(new Ajv2020({ strict: false }));
    let closed = 0;
    for (const { hidden, operation_id, query } of REGISTRY_ROUTES) {
      if (hidden === true || query === undefined) continue;
      const { properties = {} } = jsonSchema(query, 'input') as { properties?: Record<string, { type?: string }> };
      for (const [name, schema] of Object.entries(properties)) {
        const read = query.safeParse({ [name]: 'word.example' });
        const isRefused = read.error?.issues.some(({ path }) => path[0] === name) === true;
        const isDescribed = !ajv.validate(schema, schema.type === 'array' ? ['word.example'] : 'word.example');
        expect([isRefused, isDescribed], `${operation_id} ${name}`).toEqual([isRefused, isRefused]);
        closed += Number(isRefused);
      }
    }
    expect(closed).toBeGreaterThan(50);
    const { paths } = parse((await registry.get('/openapi/registry.yaml')).text) as {
      paths: Record<string, Record<string, { parameters: { name: string; schema: object; description?: string }[] }>>;
    };
    const parametersOf = (path: string) => paths[path]?.get?.parameters ?? [];
    expect(parametersOf('/api/registry/publisher')).toContainEqual({
      name: 'include',
      in: 'query',
      required: false,
      description: 'What is listed too. Any of placements.',
      schema: { type: 'string', pattern: '^(?:placements)(?:,(?:placements))*$' },
    });
    const [, role] = parametersOf('/api/registry/agents/{encodedUrl}/badge/{role}/embed');
    expect(role?.schema).toMatchObject({ enum: expect.arrayContaining(['media-buy', 'sales']) });
    const inPaths = Object.values(paths).flatMap((one) =>
      Object.values(one).flatMap(({ parameters = [] }) => parameters),
    );
    expect(inPaths.filter(({ description }) => description === undefined)).toEqual([]);
  });

  it('shows it to people on one page, whose one script is served beside it and calls nobody else', async () => {
    const page = await registry.get('/docs');
    expect(page.headers['content-type']).toContain('text/html');
    for (const { hidden, operation_id } of REGISTRY_ROUTES) {
      if (hidden === true) continue;
      expect(page.text).toContain(`id="${operation_id}"`);
      expect(page.text).toContain(`href="#${operation_id}"`);
    }
    expect(page.text).not.toMatch(/undefined|\[object|<script(?! src="\/docs\/page\.js)| on\w+="/);
    const policy = String(page.headers['content-security-policy']).split('; ');
    expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "script-src 'self'", "connect-src 'self'"]));
    const script = await registry.get(/src="([^"]+)"/.exec(page.text)?.[1] ?? '');
    expect([script.status, script.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
  });

  it.each([
    [{ type: 'object', properties: { a: { type: 'string' }, b: { type: 'boolean' } }, required: ['b'] }, { b: false }],
    [{ type: 'array', items: { type: 'string', example: 'acme.example' } }, ['acme.example']],
    [{ type: 'array' }, []],
    [{ type: 'integer', minimum: 6 }, 6],
    [{ type: 'integer', minimum: 6, default: 20 }, 20],
    [{ enum: ['mcp', 'a2a'] }, 'mcp'],
    [{ anyOf: [{ const: 'x' }, { type: 'number' }] }, 'x'],
    [{ $ref: '#/$defs/Id', $defs: { Id: { type: 'string' } } }, ''],
    [{ $ref: '#/$defs/Loop', $defs: { Loop: { $ref: '#/$defs/Loop' } } }, null],
    [{}, null],
  ])('begins a request of %j with %j', (schema, example) => {
    expect(exampleOfSchema(schema)).toEqual(example);
  });

  it('publishes schemas of the feed that its own feed fits, and that refuse an event without its payload', async () => {
    const property = {
      publisher_domain: 'acme.example',
      authorized_agents: [],
      properties: [{ type: 'website', name: 'N' }],
    };
    await registry.post('/api/properties/save', property, token);
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    const schemas = await Promise.all(
      ['registry-event', 'registry-feed-response'].map((name) => registry.get(`/schemas/v3/core/${name}.json`)),
    );
    const [event, page] = schemas.map((answer) => ajv.compile(answer.json() as object));
    const feed = (await registry.get('/api/registry/feed', token)).json() as { events: { payload: object }[] };
    expect(feed.events).toHaveLength(1);
    expect([page?.(feed), page?.errors]).toEqual([true, null]);
    expect(event?.({ ...feed.events[0], payload: {} })).toBe(false);
    expect(page?.({ events: [] })).toBe(false);
    expect((await registry.get('/schemas/v3/core/nothing.json')).status).toBe(404);
  });
});
