import { describe, expect, it } from 'vitest';
import { protocolNames } from '../../src/protocol/names.js';
import { TOOLS } from '../../src/seller/tasks/index.js';
import { toolName } from '../../src/seller/tasks/pipeline/tool.js';
import { boot, rpc } from '../kit/boot.js';
import { SHIPPED_PATHS } from '../kit/tenants.js';

type Tool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: Readonly<Record<string, unknown>>;
  readonly inputSchema: {
    readonly required?: readonly string[];
    readonly properties: Readonly<Record<string, object>>;
    readonly [keyword: string]: unknown;
  };
};

/** The bytes that each list takes at most. */
const MAX_BYTES: Readonly<Record<string, number>> = {
  brand: 10_000,
  creative: 15_000,
  'creative-builder': 15_000,
  signals: 9_000,
};
const MAX_BYTES_OF_ANY = 20_000;

const server = await boot();
/** Words of descriptions that look like tasks: a scenario of the sandbox, and members of answers. */
const NO_TASKS: ReadonlySet<string> = new Set(['list_scenarios', 'list_id']);
const TASK_NAMES: ReadonlySet<string> = new Set(TOOLS.map((tool) => toolName(tool, protocolNames('adcp'))));
const lists = await Promise.all(
  SHIPPED_PATHS.map(async (tenant) => {
    // The revision whose clients are told which tools may be tasks.
    const headers = { 'mcp-protocol-version': '2025-11-25' };
    const answer = await server.raw({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, headers, tenant);
    const { tools } = rpc(answer).result as unknown as { readonly tools: readonly Tool[] };
    return { tenant, bytes: Buffer.byteLength(answer.text), tools };
  }),
);
const tools = lists.flatMap(({ tenant, tools: listed }) =>
  listed.map((tool) => [`${tenant}: ${tool.name}`, tool] as const),
);

/** What clients leave out of calls of a tool that does not name it (`SingleAgentClient` of @adcp/sdk), and what else programs alone send. */
const ENVELOPE = ['context', 'ext', 'adcp_version', 'adcp_major_version'];
const OF_PROGRAMS: ReadonlySet<string> = new Set([
  ...ENVELOPE,
  ...['push_notification_config', 'reporting_webhook', 'artifact_webhook', 'governance_context', 'context_id'],
]);

/** Keywords at the root of arguments that some providers of models refuse a whole list for. */
const REFUSED_AT_ROOT = ['oneOf', 'anyOf', 'allOf', 'not', '$ref', 'enum'];

/** Letters of descriptions that are too few to say when to use a tool, and more than a model should read of each. */
const DESCRIPTION = { min: 50, max: 400 };

describe('the tools that a model reads', () => {
  it.each(lists.map(({ bytes, tenant }) => [tenant, bytes]))(
    'of %s take no more bytes than they may',
    (tenant, bytes) => {
      expect(bytes).toBeLessThanOrEqual(MAX_BYTES[tenant] ?? MAX_BYTES_OF_ANY);
    },
  );

  it.each(lists.map(({ tenant, tools: listed }) => [tenant, listed]))('of %s have names of their own', (_, listed) => {
    expect(new Set(listed.map(({ name }) => name)).size).toBe(listed.length);
    expect(new Set(listed.map(({ description }) => description)).size).toBe(listed.length);
  });

  it.each(tools)('%s is named as every provider takes it, and says when to use it', (_, tool) => {
    expect(tool.name).toMatch(/^[a-z][a-z0-9_]{2,63}$/);
    expect(tool.title).toMatch(/^[A-Z]/);
    expect(tool.description.length).toBeGreaterThanOrEqual(DESCRIPTION.min);
    expect(tool.description.length).toBeLessThanOrEqual(DESCRIPTION.max);
    expect(tool.description).toMatch(/^[A-Z].*[.)]$/s);
  });

  it.each(tools)('%s says what it does', (_, { annotations: { openWorldHint = true, ...said } }) => {
    // A tool changes something unless it says otherwise.
    const changing = { destructiveHint: expect.any(Boolean), idempotentHint: true };
    expect(said).toEqual(said.readOnlyHint === true ? { readOnlyHint: true } : changing);
    expect(openWorldHint).toBeTypeOf('boolean');
  });

  it('are said to reach nobody else where they read the files of the tenant, or touch a sandbox, alone', () => {
    const closed = tools.filter(([, { annotations }]) => annotations.openWorldHint === false);
    expect(new Set(closed.map(([, { name }]) => name))).toEqual(
      new Set(['get_adcp_capabilities', 'list_creative_formats', 'list_transformers', 'comply_test_controller']),
    );
  });

  it.each(tools)(
    '%s takes an object of arguments that are all told, without a choice at its root',
    (_, { inputSchema }) => {
      expect(inputSchema.type).toBe('object');
      expect(REFUSED_AT_ROOT.filter((keyword) => keyword in inputSchema)).toEqual([]);
      const names = Object.keys(inputSchema.properties);
      expect((inputSchema.required ?? []).filter((name) => !names.includes(name))).toEqual([]);
      expect(names.filter((name) => !/^[a-z][a-zA-Z0-9_]{0,63}$/.test(name))).toEqual([]);
    },
  );

  it.each(tools)('%s names what every call may carry', (_, { inputSchema }) => {
    expect(Object.keys(inputSchema.properties)).toEqual(expect.arrayContaining(ENVELOPE));
  });

  it.each(tools)('%s says of each argument what it is, of lists what is in them', (_, { inputSchema }) => {
    const ofModels = Object.entries(inputSchema.properties).filter(([name]) => !OF_PROGRAMS.has(name));
    const shapeless = ofModels.filter(([, schema]) => !hasShape(schema));
    expect(shapeless).toEqual([]);
  });

  it.each(tools)(
    '%s shows the form of every object that it needs',
    (_, { inputSchema: { properties, required = [] } }) => {
      const bare = required.filter(
        (name) => /"object"/.test(JSON.stringify(properties[name])) && !/[{[]\w*/.test(formOf(properties[name])),
      );
      expect(bare).toEqual([]);
    },
  );

  it.each(tools)('%s closes every bracket of the forms that it shows', (_, tool) => {
    const texts = [tool.description, ...Object.values(tool.inputSchema.properties).map(formOf)];
    expect(texts.filter((text) => !isBalanced(text))).toEqual([]);
  });

  it.each(tools)('%s names no task that there is not', (_, tool) => {
    const text = `${tool.description} ${Object.values(tool.inputSchema.properties).map(formOf).join(' ')}`;
    const named =
      text.match(/\b(get|list|sync|create|update|build|preview|activate|acquire|check|validate)_[a-z_]+\b/g) ?? [];
    expect(named.filter((name) => !TASK_NAMES.has(name) && !NO_TASKS.has(name))).toEqual([]);
  });
});

type Schema = {
  readonly type?: string;
  readonly description?: string;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
};

/** Whether a schema says a type or the forms there are, and a list what its items are: hosts of models refuse one that does not. */
function hasShape({ anyOf, description, items, type }: Schema): boolean {
  if (type === 'array') return items !== undefined;
  return type !== undefined || description !== undefined || (anyOf?.every(hasShape) ?? false);
}

/** Returns what the descriptions of an argument say. */
function formOf(schema: Schema | undefined): string {
  const parts = [schema?.description, schema?.items && formOf(schema.items), ...(schema?.anyOf ?? []).map(formOf)];
  return parts.filter((part) => part !== undefined).join(' ');
}

function isBalanced(text: string): boolean {
  const open: string[] = [];
  for (const mark of text.match(/[()[\]{}]/g) ?? []) {
    const before = { ')': '(', ']': '[', '}': '{' }[mark];
    if (before === undefined) open.push(mark);
    else if (open.pop() !== before) return false;
  }
  return open.length === 0;
}
