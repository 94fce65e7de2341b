import { z } from 'zod';
import { isObject, type Written, writeOnce } from '../../../platform/kernel/json/json.js';
import type { Seller } from '../../domain/tenant/seller.js';
import { listedTools } from '../index.js';
import { envelopeFields } from './shapes.js';
import { canBeTask, type Tool, toolName } from './tool.js';

/** A task as tools/list shows it to a client or a language model. */
export type PublishedTool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly [keyword: string]: unknown };
  readonly annotations: Readonly<Record<string, boolean>>;
  /** Of a task whose calls may be followed as tasks of MCP. */
  readonly execution?: { readonly taskSupport: 'optional' } | undefined;
};

/** Keywords that tell a caller nothing it needs beforehand; the error that a wrong value gets does. */
const UNPUBLISHED = new Set([
  'unlisted',
  '$schema',
  'additionalProperties',
  'format',
  'maximum',
  'maxLength',
  'maxItems',
  'minimum',
  'minItems',
  'minLength',
  'pattern',
  'propertyNames',
]);

/** Who a list of tools is for. */
type Readers = {
  /** Sandbox principals, or all others. */
  readonly isSandbox: boolean;
  /** What clients of this kind are told of a task beside the rest; nothing unless given. */
  readonly metaOf?: (task: string) => object | undefined;
  /** They may ask for a call as a task, and are told of which tools. */
  readonly hasTasks?: boolean;
};

/** Returns the tools of a tenant as tools/list answers them; worked out once, its JSON written once. */
export function publishTools(seller: Seller, { hasTasks, isSandbox, metaOf }: Readers): Written {
  return writeOnce(
    listedTools(seller, isSandbox).map((tool) => {
      const published = publish(tool, seller);
      const execution = hasTasks === true && canBeTask(tool) ? AS_TASK : undefined;
      return { ...published, execution, _meta: metaOf?.(published.name) };
    }),
  );
}

const AS_TASK = { taskSupport: 'optional' } as const;

/** What calls carry for programs, which know it from the protocol. It is named, since clients leave out of a call what its schema does not name. */
const OF_THE_PROTOCOL = [
  ...['push_notification_config', 'reporting_webhook', 'artifact_webhook'],
  ...['governance_context', 'context_id'],
];

function publish(tool: Tool, seller: Seller): PublishedTool {
  const { properties = {}, required = [] } = z.toJSONSchema(tool.input, { unrepresentable: 'any', io: 'input' });
  const { names } = seller;
  const beside = Object.keys(properties).filter((name) => OF_THE_PROTOCOL.includes(name));
  const versions = tool.since === undefined ? [names.version, `${names.own}_major_version`] : [];
  const envelope = [...beside, ...Object.keys(envelopeFields), ...versions];
  const own = Object.entries(properties).filter(([name]) => !envelope.includes(name));
  // An account that a task cannot do without is judged with the others, so that its schema leaves it open.
  const needed = new Set([...required, ...(tool.account?.required ? ['account'] : [])]);
  // A task of one release is refused to callers who do not name exactly that.
  const pinned = tool.since === undefined ? {} : { [names.version]: { type: 'string', const: tool.since } };
  for (const name of Object.keys(pinned)) needed.add(name);
  return {
    name: toolName(tool, names),
    title: tool.title,
    description: tool.description,
    inputSchema: {
      type: 'object',
      required: needed.size === 0 ? undefined : [...needed],
      properties: Object.fromEntries([
        ...own.map(([name, schema]) => [name, compact(schema, needed.has(name))]),
        ...envelope.map((name) => [name, {}]),
        ...Object.entries(pinned),
      ]),
    },
    annotations: annotationsOf(tool),
  };
}

/**
 * Says what a task does, where that is not what a client assumes of a tool: that it changes something, and may ask or tell agents and
 * servers of others.
 */
function annotationsOf(tool: Tool): PublishedTool['annotations'] {
  if (tool.kind === 'query')
    return tool.fromCatalog ? { readOnlyHint: true, openWorldHint: false } : { readOnlyHint: true };
  const changing = { destructiveHint: tool.destructive === true, idempotentHint: true };
  return tool.sandboxOnly ? { ...changing, openWorldHint: false } : changing;
}

/**
 * Returns a JSON Schema without what goes without saying, an object within an argument in one line. A `brief` one says what it holds in
 * its description, more shortly where it is optional; of one that is `unlisted` and optional only the type is left.
 */
function compact(schema: unknown, isNeeded = true): Record<string, unknown> {
  if (!isObject(schema)) return {};
  const { type, description, properties, short } = schema;
  if (schema.unlisted === true && !isNeeded) return typeOf(schema);
  if (schema.brief === true) return { ...typeOf(schema), description: isNeeded ? description : (short ?? description) };
  const isEmpty = isObject(properties) && Object.keys(properties).length === 0;
  if (isObject(properties) && !isEmpty)
    return { type, description: [signatureOf(schema), description].filter((part) => part !== undefined).join(': ') };
  const shown = Object.entries(schema).filter(
    ([keyword]) => !UNPUBLISHED.has(keyword) && !(isEmpty && keyword === 'properties'),
  );
  return Object.fromEntries(shown.map(([keyword, value]) => [keyword, compactKeyword(keyword, value)]));
}

/** Returns the type of a schema; of a list with that of its items, without which hosts of models refuse it. */
function typeOf({ type, items }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (type !== 'array') return { type };
  return { type, items: isObject(items) ? { type: items.type } : {} };
}

function compactKeyword(keyword: string, value: unknown): unknown {
  if (keyword === 'items') return compact(value);
  return keyword === 'anyOf' && Array.isArray(value) ? value.map((form) => compact(form)) : value;
}

/** Deeper objects are called `object`; what they hold is said by the error that a wrong one gets. */
const SPELLED_LEVELS = 3;

/** Longer lists of allowed values are named by the error that another one gets. */
const MAX_VALUES = 8;

/** What is said of a form of values that JSON Schema has no short word for. */
const ANY = 'any';

/**
 * Returns a JSON Schema in one line, as TypeScript would write it, but that a text has no type: `{domain, amount?: number}`. A third of
 * the schema's length, and a language model reads it as well.
 */
function signatureOf(schema: unknown, levels = SPELLED_LEVELS): string {
  if (!isObject(schema)) return ANY;
  const { type, description, properties, items, enum: values, anyOf, const: only } = schema;
  if (only !== undefined) return String(only);
  if (Array.isArray(values)) return values.length > MAX_VALUES ? 'string' : values.join('|');
  if (Array.isArray(anyOf)) return anyOf.map((form) => signatureOf(form, levels)).join(' or ');
  if (schema.brief === true) return String(schema.short ?? description ?? type).replace(/(?<=\}):.*$/, '');
  if (type === 'array') return listOf(signatureOf(items, levels));
  if (isObject(properties) && Object.keys(properties).length > 0 && levels > 0) {
    const required = new Set(Array.isArray(schema.required) ? schema.required : []);
    const members = listedMembers(properties).map(([name, member]) => {
      const kind = signatureOf(member, levels - 1);
      return `${name}${required.has(name) ? '' : '?'}${kind === 'string' ? '' : `: ${kind}`}`;
    });
    return `{${members.join(', ')}}`;
  }
  return type === 'integer' ? 'number' : String(type ?? ANY);
}

/** Members that are `unlisted` are for programs: there is no room for them in what a model reads, and there are others for it. */
function listedMembers(properties: object): readonly (readonly [name: string, member: unknown])[] {
  return Object.entries(properties).filter(([, member]) => !isObject(member) || member.unlisted !== true);
}

function listOf(member: string): string {
  return /[| ]/.test(member) && !member.startsWith('{') ? `(${member})[]` : `${member}[]`;
}
