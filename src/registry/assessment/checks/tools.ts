import { isObject } from '../../../platform/kernel/json/json.js';
import { quoted } from '../../documents/finding.js';
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

/** Tasks without which an agent does not do what a protocol of its capabilities means. */
const TASKS_OF_PROTOCOLS: Readonly<Record<string, readonly string[]>> = {
  media_buy: ['get_products', 'create_media_buy', 'update_media_buy', 'get_media_buys', 'get_media_buy_delivery'],
  creative: ['list_creative_formats'],
  signals: ['get_signals', 'activate_signal'],
  brand: ['get_brand_identity'],
};

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
        ...[...repeated].map((name) => `${quoted(name)} is listed more than once.`),
        ...all.filter((name) => !NAME.test(name)).map((name) => `${quoted(name)} is no name of a tool.`),
      ];
    },
  }),
  check({
    id: 'tools.schemas',
    severity: 'error',
    needs: ['tools'],
    rule: 'Each tool has an inputSchema of type object, whose required members are among its properties.',
    reference: REFERENCES.tools,
    fix: 'Write {"type": "object", "properties": {…}}, and name in "required" what stands there.',
    judge: ({ tools }) => tools.flatMap(schemaFaults),
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
        const found = isObject(inputSchema) ? COMPOSED.find((word) => word in inputSchema) : undefined;
        return found === undefined ? [] : [`${quoted(name)} has ${found}.`];
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
      tools.filter(({ description = '' }) => description.trim() === '').map(({ name }) => `${quoted(name)} has none.`),
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
        .map(({ name }) => `${quoted(name)} does not require it.`),
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
        const missing = (TASKS_OF_PROTOCOLS[protocol] ?? []).filter((task) => !offered.has(task));
        return missing.length === 0 ? [] : [`${protocol} is declared, and there is no ${missing.join(', ')}.`];
      });
    },
  }),
];

function schemaFaults({ inputSchema, name }: ListedTool): readonly string[] {
  if (!isObject(inputSchema) || inputSchema.type !== 'object') return [`${quoted(name)} has no schema of type object.`];
  const properties = isObject(inputSchema.properties) ? inputSchema.properties : {};
  const lost = textsOf(inputSchema.required).filter((member) => !Object.hasOwn(properties, member));
  return lost.map((member) => `${quoted(name)} requires ${quoted(member)}, which is no property of it.`);
}

function requiresKey(schema: unknown): boolean {
  return isObject(schema) && textsOf(schema.required).includes('idempotency_key');
}
