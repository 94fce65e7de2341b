import { isObject } from '../../../platform/kernel/json/json.js';
import { quoteValue } from '../../documents/finding.js';
import { type Check, check, faultsOf, REFERENCES } from '../check.js';
import type { ListedTool } from '../evidence.js';
import { textsOf } from '../texts.js';

const NAME = /^[A-Za-z0-9_./-]{1,128}$/;
const COMPOSED = ['allOf', 'anyOf', 'oneOf'];

/** Tasks that change something, which a buyer may have to send twice. */
const MUTATIONS: ReadonlySet<string> = new Set([
  'create_media_buy',
  'update_media_buy',
  'sync_creatives',
  'sync_catalogs',
  'sync_audiences',
  'sync_event_sources',
  'log_event',
  'provide_performance_feedback',
  'activate_signal',
  'sync_accounts',
  'sync_governance',
  'report_usage',
  'sync_plans',
  'report_plan_outcome',
  'create_property_list',
  'update_property_list',
  'delete_property_list',
  'create_collection_list',
  'update_collection_list',
  'delete_collection_list',
  'create_content_standards',
  'update_content_standards',
  'acquire_rights',
  'update_rights',
]);

/** Arguments without which a task cannot be asked for what it is for. */
const ARGUMENTS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    get_products: ['brief'],
    create_media_buy: ['packages'],
    update_media_buy: ['media_buy_id'],
    sync_creatives: ['creatives'],
    sync_accounts: ['accounts'],
    sync_catalogs: ['catalogs'],
    sync_audiences: ['audiences'],
    get_signals: ['signal_spec'],
    activate_signal: ['signal_agent_segment_id'],
    preview_creative: ['creative_manifest'],
  }),
);

const TYPES: ReadonlySet<unknown> = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);
/** Words of JSON Schema that hold schemas by name, and those that hold one or a list. */
const SCHEMA_MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const SCHEMA_PARTS = [
  'items',
  'prefixItems',
  'additionalProperties',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
];
const MAX_PARTS = 2000;
const MAX_PART_FAULTS = 5;

/** Tasks without which an agent does not do what a protocol of its capabilities means. */
const TASKS_OF_PROTOCOLS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    media_buy: ['get_products', 'create_media_buy', 'update_media_buy', 'get_media_buys', 'get_media_buy_delivery'],
    creative: ['list_creative_formats'],
    signals: ['get_signals', 'activate_signal'],
    brand: ['get_brand_identity'],
  }),
);

/** The tools, as models and programs read them. */
export const TOOL_CHECKS: readonly Check[] = [
  check({
    id: 'tools.listed',
    severity: 'error',
    needs: ['tools'],
    rule: 'tools/list names get_adcp_capabilities, where everything begins.',
    reference: REFERENCES.capabilities,
    fix: 'Offer get_adcp_capabilities, and list it.',
    judge: ({ names, tools }) =>
      faultsOf([
        !tools.some(({ name }) => name === names.capabilitiesTool),
        `It is not among the ${tools.length} tools.`,
      ]),
  }),
  check({
    id: 'tools.names',
    severity: 'error',
    needs: ['tools'],
    rule: 'The name of a tool is unique, and made of letters, digits, _ . / and -.',
    reference: REFERENCES.tools,
    fix: 'Rename the tool, or list it once.',
    judge: ({ tools }) => {
      const all = tools.map(({ name }) => name);
      const repeated = new Set(all.filter((name, index) => all.indexOf(name) !== index));
      return [
        ...[...repeated].map((name) => `${quoteValue(name)} is listed more than once.`),
        ...all.filter((name) => !NAME.test(name)).map((name) => `${quoteValue(name)} is no name of a tool.`),
      ];
    },
  }),
  check({
    id: 'tools.schemas',
    severity: 'error',
    needs: ['tools'],
    rule: 'Each tool has an inputSchema of type object that can be read by itself: its required members are among its properties, its types are those of JSON Schema, and every $ref leads into it.',
    reference: REFERENCES.tools,
    fix: 'Write {"type": "object", "properties": {…}}, and name in "required" what stands there.',
    judge: ({ tools }) => tools.flatMap((tool) => [...schemaFaults(tool), ...partFaults(tool)]),
  }),
  check({
    id: 'tools.pages',
    severity: 'error',
    needs: ['tools', 'listEnd'],
    rule: 'The last page of tools/list has no nextCursor, and it is reached: 25 pages and 500 tools are read.',
    reference: REFERENCES.tools,
    fix: 'Leave nextCursor out where no tool is left.',
    judge: ({ listEnd, tools }) =>
      faultsOf(
        [listEnd === 'circle', 'A page leads back: its nextCursor is one that was asked with before.'],
        [listEnd === 'cut', `After 25 pages or 500 tools it goes on; ${tools.length} tools came.`],
      ),
  }),
  check({
    id: 'tools.arguments',
    severity: 'warning',
    needs: ['tools'],
    rule: 'An inputSchema names the arguments of its task, and allows others: clients drop what it does not name, and every task takes context and ext.',
    reference: REFERENCES.tools,
    fix: 'Name every member of the public request schema in properties, and leave "additionalProperties": false out.',
    judge: ({ tools }) =>
      tools.flatMap(({ inputSchema, name }) => {
        const schema = isObject(inputSchema) ? inputSchema : {};
        const properties = isObject(schema.properties) ? schema.properties : {};
        const unnamed = (ARGUMENTS.get(name) ?? []).filter((argument) => !Object.hasOwn(properties, argument));
        const isClosed = schema.additionalProperties === false && !Object.hasOwn(properties, 'context');
        return faultsOf(
          [unnamed.length > 0, `${quoteValue(name)} does not name ${unnamed.join(', ')}.`],
          [isClosed, `${quoteValue(name)} allows no context.`],
        );
      }),
  }),
  check({
    id: 'tools.hints',
    severity: 'warning',
    needs: ['tools'],
    rule: 'A tool that changes something does not say readOnlyHint: hosts call such tools without asking a person.',
    reference: REFERENCES.tools,
    fix: 'Set "readOnlyHint": false for it, and "destructiveHint" where it cannot be undone.',
    judge: ({ tools }) =>
      tools
        .filter(
          ({ annotations, name }) => MUTATIONS.has(name) && isObject(annotations) && annotations.readOnlyHint === true,
        )
        .map(({ name }) => `${quoteValue(name)} says that it only reads.`),
  }),
  check({
    id: 'tools.composed',
    severity: 'warning',
    needs: ['tools'],
    rule: 'No inputSchema has allOf, anyOf or oneOf at its top: hosts of models refuse the whole list for one.',
    reference: REFERENCES.tools,
    fix: 'Move the choice into a property, or describe it in words.',
    judge: ({ tools }) =>
      tools.flatMap(({ inputSchema, name }) => {
        const keyword = isObject(inputSchema) ? COMPOSED.find((word) => word in inputSchema) : undefined;
        return keyword === undefined ? [] : [`${quoteValue(name)} has ${keyword}.`];
      }),
  }),
  check({
    id: 'tools.descriptions',
    severity: 'warning',
    needs: ['tools'],
    rule: 'Each tool has a description, by which a model chooses it.',
    reference: REFERENCES.tools,
    fix: 'Say in a sentence what the task does and what comes next.',
    judge: ({ tools }) =>
      tools
        .filter(({ description = '' }) => description.trim() === '')
        .map(({ name }) => `${quoteValue(name)} has none.`),
  }),
  check({
    id: 'tools.idempotency',
    severity: 'error',
    needs: ['tools'],
    rule: 'Every task that changes something takes an idempotency_key, and requires it.',
    reference: REFERENCES.idempotency,
    fix: 'Add "idempotency_key" to the properties and to "required" of the inputSchema.',
    judge: ({ tools }) =>
      tools
        .filter(({ inputSchema, name }) => MUTATIONS.has(name) && !requiresKey(inputSchema))
        .map(({ name }) => `${quoteValue(name)} does not require it.`),
  }),
  check({
    id: 'tools.protocols',
    severity: 'error',
    needs: ['tools', 'declared'],
    rule: 'An agent offers the tasks of every protocol that it declares.',
    reference: REFERENCES.capabilities,
    fix: 'Offer the tasks, or leave the protocol out of supported_protocols.',
    judge: ({ declared, tools }) => {
      const offered = new Set(tools.map(({ name }) => name));
      return textsOf(declared.supported_protocols).flatMap((protocol) => {
        const missing = (TASKS_OF_PROTOCOLS.get(protocol) ?? []).filter((task) => !offered.has(task));
        return missing.length === 0 ? [] : [`${protocol} is declared, and there is no ${missing.join(', ')}.`];
      });
    },
  }),
];

function schemaFaults({ inputSchema, name }: ListedTool): readonly string[] {
  if (!isObject(inputSchema) || inputSchema.type !== 'object')
    return [`${quoteValue(name)} has no schema of type object.`];
  const properties = isObject(inputSchema.properties) ? inputSchema.properties : {};
  const lost = textsOf(inputSchema.required).filter((member) => !Object.hasOwn(properties, member));
  return lost.map((member) => `${quoteValue(name)} requires ${quoteValue(member)}, which is no property of it.`);
}

/** Returns what cannot be read in the parts of a schema; a schema of any size is looked at this far. */
function partFaults({ inputSchema, name }: ListedTool): readonly string[] {
  const faults: string[] = [];
  const parts: unknown[] = [inputSchema];
  for (let at = 0; at < parts.length && at < MAX_PARTS && faults.length < MAX_PART_FAULTS; at += 1) {
    const part = parts[at];
    if (!isObject(part)) continue;
    const types: readonly unknown[] = [part.type].flat().filter((type) => type !== undefined);
    const odd = types.find((type) => !TYPES.has(type));
    if (odd !== undefined)
      faults.push(`${quoteValue(name)} has the type ${quoteValue(odd)}, which JSON Schema does not know.`);
    const { $ref } = part;
    if (typeof $ref === 'string' && !leadsInto($ref, inputSchema))
      faults.push(`${quoteValue(name)} refers to ${quoteValue($ref)}, which is not in it.`);
    for (const word of SCHEMA_MAPS) if (isObject(part[word])) parts.push(...Object.values(part[word]));
    for (const word of SCHEMA_PARTS) parts.push(...[part[word]].flat());
  }
  return faults;
}

/** Whether a reference leads to a part of the document that it stands in. */
function leadsInto(reference: string, document: unknown): boolean {
  if (reference === '#') return true;
  // An anchor is looked up by name, which few schemas have.
  if (!reference.startsWith('#/')) return reference.startsWith('#');
  const steps = reference
    .slice(2)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const part = steps.reduce<unknown>(
    (value, step) =>
      isObject(value) || Array.isArray(value) ? Object.entries(value).find(([key]) => key === step)?.[1] : undefined,
    document,
  );
  return part !== undefined;
}

function requiresKey(schema: unknown): boolean {
  return isObject(schema) && textsOf(schema.required).includes('idempotency_key');
}
