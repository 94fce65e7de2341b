import { z } from 'zod';
import type { Seller } from '../domain/seller.js';
import { type Written, written } from '../kernel/json.js';
import { type Tool, toolName } from './define.js';
import { toolsOf } from './index.js';

/** A task as tools/list shows it to a client or a language model. */
export type PublishedTool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly [keyword: string]: unknown };
  readonly annotations: Readonly<Record<string, boolean>>;
};

/** How deep the published schema goes; what lies deeper is explained by the error that a wrong value gets. */
const SHOWN_LEVELS = 4;

/** Keywords that tell a caller nothing it needs beforehand. */
const UNSAID = new Set([
  '$schema',
  'additionalProperties',
  'maxLength',
  'maxItems',
  'minItems',
  'minLength',
  'propertyNames',
  'pattern',
]);

/** The tools of a tenant as tools/list answers them; worked out once, its JSON written once. */
export function publishTools(seller: Seller): Written {
  return written(toolsOf(seller).map((tool) => publish(tool, seller)));
}

function publish(tool: Tool, seller: Seller): PublishedTool {
  const { names } = seller;
  const schema = compact(z.toJSONSchema(tool.input, { unrepresentable: 'any', io: 'input' }), SHOWN_LEVELS);
  const versions = Object.fromEntries([names.version, `${names.own}_major_version`].map((field) => [field, {}]));
  return {
    name: toolName(tool, names),
    title: tool.title,
    description: tool.description,
    inputSchema: {
      type: 'object',
      ...schema,
      properties: { ...(schema.properties as object), ...versions },
      additionalProperties: true,
    },
    annotations:
      tool.kind === 'query'
        ? { readOnlyHint: true, openWorldHint: false }
        : {
            readOnlyHint: false,
            destructiveHint: tool.destructive === true,
            idempotentHint: true,
            openWorldHint: false,
          },
  };
}

/** A JSON Schema without what goes without saying, and only so deep. One that is `brief` says in its description what it holds. */
function compact(schema: unknown, levels: number): Record<string, unknown> {
  if (typeof schema !== 'object' || schema === null) return {};
  if ('brief' in schema && 'type' in schema && 'description' in schema) {
    const { type, description } = schema;
    return { type, description };
  }
  const kept: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (UNSAID.has(keyword) || isBound(keyword, value)) continue;
    if (keyword === 'properties') {
      if (levels > 0 && Object.keys(value as object).length > 0)
        kept.properties = mapValues(value as object, (member) => compact(member, levels - 1));
    } else if (keyword === 'items') kept.items = compact(value, levels - 1);
    else if (keyword === 'required' && levels <= 0) continue;
    else if (keyword === 'anyOf' && Array.isArray(value))
      kept.anyOf = value.map((member) => compact(member, levels - 1));
    else kept[keyword] = value;
  }
  return kept;
}

/** Limits that only say "a safe number". */
function isBound(keyword: string, value: unknown): boolean {
  return (keyword === 'maximum' || keyword === 'minimum') && typeof value === 'number' && Math.abs(value) >= 1e9;
}

function mapValues(object: object, map: (value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}
