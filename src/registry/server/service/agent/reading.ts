import { isObject } from '../../../../platform/kernel/json/json.js';
import type { ProtocolNames } from '../../../../protocol/names.js';
import { BRAND_AGENT_TYPES, type BrandAgentType } from '../../../brand/types.js';
import { readSupportedFormats } from './formats.js';
import {
  type AgentAnswer,
  type AgentCallOptions,
  type AgentFault,
  type AgentIdentity,
  type AgentTool,
  openAgentSession,
} from './session.js';

/** The types of agents; `unknown` until one has been visited. */
export const AGENT_TYPES = [...BRAND_AGENT_TYPES, 'unknown'] as const;
export type AgentType = BrandAgentType | 'unknown';

/** A metric that a measurement agent computes, as it publishes it. */
export type Metric = {
  readonly metric_id: string;
  readonly standard_reference?: string;
  readonly accreditations?: readonly Accreditation[];
  readonly unit?: string;
  readonly description?: string;
  readonly methodology_url?: string;
  readonly methodology_version?: string;
};
type Accreditation = {
  readonly accrediting_body: string;
  readonly certification_id?: string;
  readonly valid_until?: string;
  readonly evidence_url?: string;
};

/** The capabilities of an agent, read in one visit. Wire names are the registry's own. */
export type AgentReading = {
  readonly identity: AgentIdentity;
  readonly type: AgentType;
  readonly tools: readonly AgentTool[];
  readonly responseMs: number;
  /** Absent: it did not say; `capabilitiesFault` tells why. */
  readonly capabilities?: Readonly<Record<string, unknown>>;
  readonly capabilitiesFault?: AgentFault;
};

/** The inventory that an agent declares, in the members of an inventory profile. */
export type DeclaredOffer = {
  readonly publisher_domains: readonly string[];
  readonly channels: readonly string[];
  readonly markets: readonly string[];
  readonly categories: readonly string[];
  readonly delivery_types: readonly string[];
  readonly format_ids: readonly unknown[];
  /** Absent of visits before it was read. */
  readonly format_kinds?: readonly string[];
  readonly has_tmp: boolean;
};

/** The type of agent that each protocol of its capabilities means; the first that it supports counts. */
const TYPES_OF_PROTOCOLS: readonly (readonly [protocol: string, type: BrandAgentType])[] = [
  ['media_buy', 'sales'],
  ['signals', 'signals'],
  ['creative', 'creative'],
  ['measurement', 'measurement'],
  ['governance', 'governance'],
  ['brand', 'brand'],
];

/** The type of agent that each task means, where it does not declare its protocols. */
const TYPES_OF_TOOLS: readonly (readonly [tool: string, type: BrandAgentType])[] = [
  ['create_media_buy', 'sales'],
  ['get_products', 'sales'],
  ['activate_signal', 'signals'],
  ['get_signals', 'signals'],
  ['build_creative', 'creative'],
  ['preview_creative', 'creative'],
  ['list_creative_formats', 'creative'],
  ['check_governance', 'governance'],
  ['acquire_rights', 'rights'],
  ['get_rights', 'rights'],
  ['get_brand_identity', 'brand'],
];

const MAX_METRICS = 200;
const MAX_ACCREDITATIONS = 20;
const MAX_TEXT_CHARACTERS = 2000;
const MAX_LIST_ITEMS = 1000;

/** Visits an agent: who it is, its tools, its capabilities. Fails only when it cannot be talked to at all. */
export async function readAgent(
  url: string,
  names: ProtocolNames,
  options: AgentCallOptions,
): Promise<AgentAnswer<AgentReading>> {
  const opened = await openAgentSession(url, options);
  if (!opened.ok) return opened;
  const { identity, responseMs, tools: list, call } = opened.value;
  const listed = await list();
  if (!listed.ok) return listed;
  const tools = listed.value;
  const accepted = [names.capabilitiesTool, ...names.capabilitiesAliases];
  const tool = accepted.find((name) => tools.some((one) => one.name === name));
  const answer = tool === undefined ? undefined : await call(tool, {});
  const capabilities = answer?.ok === true ? answer.value : undefined;
  return {
    ok: true,
    value: {
      identity,
      type: agentType(tools, capabilities),
      tools,
      responseMs,
      capabilities,
      ...(answer === undefined || answer.ok ? {} : { capabilitiesFault: answer.fault }),
    },
  };
}

/** Returns the type of an agent, by the protocols that it supports, else by its tools. */
function agentType(
  tools: readonly AgentTool[],
  capabilities: Readonly<Record<string, unknown>> | undefined,
): AgentType {
  const supported = new Set(textsOf(capabilities?.supported_protocols));
  const declared = TYPES_OF_PROTOCOLS.find(([protocol]) => supported.has(protocol));
  const offered = new Set(tools.map(({ name }) => name));
  return declared?.[1] ?? TYPES_OF_TOOLS.find(([tool]) => offered.has(tool))?.[1] ?? 'unknown';
}

/** Returns the `capabilities` of an agent in the catalog. */
export function describeCapabilities({ capabilities, capabilitiesFault, tools }: AgentReading): object {
  const offers = (...names: readonly string[]): boolean => tools.some(({ name }) => names.includes(name));
  const signals = capabilities?.signals;
  const metrics = readMetrics(capabilities);
  const isCreative = offers('build_creative', 'preview_creative', 'list_creative_formats');
  const isSignals = offers('get_signals', 'activate_signal');
  return {
    tools_count: tools.length,
    tools,
    standard_operations: {
      can_search_inventory: offers('get_products'),
      can_get_availability: offers('get_products'),
      can_reserve_inventory: offers('create_media_buy'),
      can_get_pricing: offers('get_products'),
      can_create_order: offers('create_media_buy'),
      can_list_properties:
        offers('list_authorized_properties') || readDeclaredOffer(capabilities).publisher_domains.length > 0,
    },
    ...(isCreative && {
      creative_capabilities: {
        formats_supported: [],
        supported_formats: readSupportedFormats(capabilities),
        can_generate: offers('build_creative'),
        can_validate: offers('validate_creative', 'preview_creative'),
        can_preview: offers('preview_creative'),
      },
    }),
    ...(isSignals && {
      signals_capabilities: {
        audience_types: isObject(signals) ? textsOf(signals.audience_types) : [],
        can_match: offers('get_signals'),
        can_activate: offers('activate_signal'),
        can_get_signals: offers('get_signals'),
      },
    }),
    ...(metrics.length > 0 && { measurement_capabilities: { metrics: metrics.map(shownMetric) } }),
    ...(capabilitiesFault !== undefined && { discovery_error: capabilitiesFault }),
    ...(capabilitiesFault === 'auth_required' && { oauth_required: true }),
  };
}

/** Returns the metrics that an agent publishes, as far as they can be read. */
export function readMetrics(capabilities: Readonly<Record<string, unknown>> | undefined): readonly Metric[] {
  const block = capabilities?.measurement;
  const list = isObject(block) && Array.isArray(block.metrics) ? (block.metrics as readonly unknown[]) : [];
  return list.slice(0, MAX_METRICS).flatMap((metric) => {
    if (!isObject(metric) || typeof metric.metric_id !== 'string') return [];
    const bodies = Array.isArray(metric.accreditations) ? (metric.accreditations as readonly unknown[]) : [];
    const accreditations = bodies.slice(0, MAX_ACCREDITATIONS).flatMap((one) => {
      if (!isObject(one) || typeof one.accrediting_body !== 'string') return [];
      const { accrediting_body } = one;
      return [{ accrediting_body, ...textMembers(one, ['certification_id', 'valid_until', 'evidence_url']) }];
    });
    const texts = textMembers(metric, [
      'standard_reference',
      'unit',
      'description',
      'methodology_url',
      'methodology_version',
    ]);
    return [{ metric_id: metric.metric_id, ...texts, ...(accreditations.length > 0 && { accreditations }) }];
  });
}

/** Returns the inventory that an agent declares, in its capabilities and in the products that it shows to anybody. */
export function readDeclaredOffer(
  capabilities: Readonly<Record<string, unknown>> | undefined,
  products: readonly Readonly<Record<string, unknown>>[] = [],
): DeclaredOffer {
  const block = isObject(capabilities?.media_buy) ? capabilities.media_buy : {};
  const portfolio = isObject(block.portfolio) ? block.portfolio : {};
  const isMatched = isObject(block.execution) && isObject(block.execution.trusted_match);
  const features = textsOf(capabilities?.experimental_features);
  const channels = [...textsOf(portfolio.primary_channels), ...products.flatMap(({ channels: own }) => textsOf(own))];
  const types = products.flatMap(({ delivery_type }) => (typeof delivery_type === 'string' ? [delivery_type] : []));
  return {
    publisher_domains: textsOf(portfolio.publisher_domains),
    channels: sortTexts(channels),
    markets: sortTexts(textsOf(portfolio.primary_countries).filter((market) => /^[A-Z]{2}$/.test(market))),
    categories: sortTexts(products.flatMap(({ categories }) => textsOf(categories))),
    delivery_types: sortTexts(types),
    format_ids: formatsOf(products),
    format_kinds: sortTexts([
      ...kindsOf(products),
      ...readSupportedFormats(capabilities).map(({ format_kind }) => format_kind),
    ]),
    has_tmp:
      isMatched || features.includes('trusted_match.core') || products.some((one) => isObject(one.trusted_match)),
  };
}

function formatsOf(products: readonly Readonly<Record<string, unknown>>[]): readonly unknown[] {
  const ids = new Map<string, unknown>();
  for (const { format_ids } of products) {
    for (const id of Array.isArray(format_ids) ? (format_ids as readonly unknown[]) : []) {
      if (isObject(id) && typeof id.agent_url === 'string' && typeof id.id === 'string')
        ids.set(JSON.stringify(id), id);
    }
  }
  return [...ids]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .slice(0, MAX_LIST_ITEMS)
    .map(([, id]) => id);
}

/** Returns the kinds of creative formats that products take. */
function kindsOf(products: readonly Readonly<Record<string, unknown>>[]): readonly unknown[] {
  return products.flatMap(({ format_options }) =>
    Array.isArray(format_options)
      ? (format_options as readonly unknown[]).map((one) => (isObject(one) ? one.format_kind : undefined))
      : [],
  );
}

function sortTexts(values: readonly unknown[]): readonly string[] {
  return [...new Set(values.filter((one) => typeof one === 'string'))].sort().slice(0, MAX_LIST_ITEMS);
}

/** Claims of vendors: the registry endorses none of them, under its public name and the neutral one. */
function shownMetric(metric: Metric): object {
  if (metric.accreditations === undefined) return metric;
  return {
    ...metric,
    accreditations: metric.accreditations.map((one) => ({
      ...one,
      verified_by_aao: false,
      verified_by_registry: false,
    })),
  };
}

function textMembers<K extends string>(
  object: Readonly<Record<string, unknown>>,
  keys: readonly K[],
): Readonly<Partial<Record<K, string>>> {
  const values = keys.flatMap((key) => {
    const value = object[key];
    return typeof value === 'string' ? [[key, value.slice(0, MAX_TEXT_CHARACTERS)] as const] : [];
  });
  return Object.fromEntries(values) as Partial<Record<K, string>>;
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value)
    ? (value as readonly unknown[]).filter((one) => typeof one === 'string').slice(0, MAX_LIST_ITEMS)
    : [];
}
