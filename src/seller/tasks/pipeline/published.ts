import { z } from 'zod';
import { isObject, type Written, writeOnce } from '../../../platform/kernel/json/json.js';
import type { Seller } from '../../domain/tenant/seller.js';
import { listedTools } from '../index.js';
import { type Tool, toolName } from './define.js';
import { envelopeFields } from './shapes.js';
import { signatureOf } from './signature.js';

/** A task as tools/list shows it to a client or a language model. */
export type PublishedTool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly [keyword: string]: unknown };
  readonly annotations: Readonly<Record<string, boolean>>;
};

/** Keywords that tell a caller nothing it needs beforehand; the error that a wrong value gets does. */
const UNPUBLISHED = new Set([
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

/** The tools of a tenant as tools/list answers them, for sandbox principals or all others; worked out once, its JSON written once. */
export function publishTools(seller: Seller, sandbox = false): Written {
  return writeOnce(listedTools(seller, sandbox).map((tool) => publish(tool, seller)));
}

function publish(tool: Tool, seller: Seller): PublishedTool {
  const { names } = seller;
  const { properties, ...schema } = z.toJSONSchema(tool.input, { unrepresentable: 'any', io: 'input' });
  const envelope = [...Object.keys(envelopeFields), names.version, `${names.own}_major_version`];
  return {
    name: toolName(tool, names),
    title: tool.title,
    description: tool.description,
    inputSchema: {
      ...compact(schema),
      type: 'object',
      properties: {
        ...mapValues(properties ?? {}, compact),
        ...Object.fromEntries(envelope.map((field) => [field, {}])),
      },
      additionalProperties: true,
    },
    annotations:
      tool.kind === 'query'
        ? { readOnlyHint: true }
        : { readOnlyHint: false, destructiveHint: tool.destructive === true, idempotentHint: true },
  };
}

/**
 * A JSON Schema without what goes without saying. An object within an argument is said in one line; one that is `brief` says in its
 * description what it holds.
 */
function compact(schema: unknown): Record<string, unknown> {
  if (!isObject(schema)) return {};
  const { type, description, properties } = schema;
  if (schema.brief === true) return { type, description };
  const isEmpty = isObject(properties) && Object.keys(properties).length === 0;
  if (isObject(properties) && !isEmpty)
    return { type, description: [signatureOf(schema), description].filter((part) => part !== undefined).join(': ') };
  const shown = Object.entries(schema).filter(
    ([keyword]) => !UNPUBLISHED.has(keyword) && !(isEmpty && keyword === 'properties'),
  );
  return Object.fromEntries(shown.map(([keyword, value]) => [keyword, compactKeyword(keyword, value)]));
}

function compactKeyword(keyword: string, value: unknown): unknown {
  if (keyword === 'items') return compact(value);
  if (keyword === 'anyOf' && Array.isArray(value)) return value.map(compact);
  return keyword === 'properties' && isObject(value) ? mapValues(value, compact) : value;
}

function mapValues(object: object, map: (value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}
