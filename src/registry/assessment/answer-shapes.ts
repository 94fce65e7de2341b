import type { Shape } from './shape.js';

/** A read whose answer is judged: what it is asked with, the shape of its answer, and where its pages list what. */
export type JudgedRead = {
  readonly task: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly shape: Shape;
  /** The list of a page, and the member by which its items differ; absent where the answer has no pages. */
  readonly page?: { readonly list: string; readonly id: string };
};

const LINK: Shape = { must: { agent_url: 'text', id: 'text' } };
/** The states of a task, as answers and webhooks name them. */
export const STATUS: Shape = {
  words: [
    'submitted',
    'working',
    'input-required',
    'completed',
    'canceled',
    'failed',
    'rejected',
    'auth-required',
    'unknown',
  ],
};

/** The models of a price. */
export const PRICING_MODELS = ['cpm', 'vcpm', 'cpc', 'cpcv', 'cpv', 'cpp', 'cpa', 'revenue_share', 'flat_rate', 'time'];

const PRICING: Shape = {
  must: {
    pricing_option_id: 'text',
    pricing_model: { words: PRICING_MODELS },
    currency: 'currency',
  },
  may: { fixed_price: 'amount', floor_price: 'amount', min_spend_per_package: 'amount' },
};

const PRODUCT: Shape = {
  must: {
    product_id: 'text',
    name: 'text',
    description: 'text',
    publisher_properties: {
      items: { must: { selection_type: { words: ['all', 'by_id', 'by_tag'] } }, may: { publisher_domain: 'text' } },
      min: 1,
    },
    delivery_type: { words: ['guaranteed', 'non_guaranteed'] },
    pricing_options: { items: PRICING, min: 1 },
    reporting_capabilities: 'object',
  },
  may: { format_ids: { items: LINK }, expires_at: 'instant' },
};

const BUY: Shape = {
  must: {
    media_buy_id: 'text',
    status: { words: ['pending_creatives', 'pending_start', 'active', 'paused', 'completed', 'rejected', 'canceled'] },
    currency: 'currency',
    packages: { items: { must: { package_id: 'text' } } },
  },
  may: { total_budget: 'amount' },
};

const DELIVERY: Shape = {
  must: { media_buy_id: 'text', status: 'text', totals: 'object', by_package: { items: 'object' } },
};

const SIGNAL: Shape = {
  must: {
    signal_agent_segment_id: 'text',
    name: 'text',
    description: 'text',
    signal_type: { words: ['marketplace', 'custom', 'owned'] },
    deployments: { items: 'object' },
  },
};

/** Returns the shape of an answer: the members of its task, and those that every answer may have. */
function answerShape(must: Readonly<Record<string, Shape>>): Shape {
  return { must, may: { status: STATUS, timestamp: 'instant', replayed: 'flag', sandbox: 'flag' } };
}

/**
 * The reads that change nothing and need nothing, with what 3.0 and 3.1 both demand of their answers. An agent is asked for those that it
 * lists.
 */
export const JUDGED_READS: readonly JudgedRead[] = [
  {
    task: 'get_products',
    args: { buying_mode: 'brief', brief: 'video for an outdoor brand' },
    shape: answerShape({ products: { items: PRODUCT } }),
  },
  {
    task: 'list_creative_formats',
    args: {},
    shape: answerShape({ formats: { items: { must: { format_id: LINK, name: 'text' } } } }),
    page: { list: 'formats', id: 'format_id' },
  },
  {
    task: 'list_accounts',
    args: {},
    shape: answerShape({
      accounts: {
        items: {
          must: {
            account_id: 'text',
            name: 'text',
            status: { words: ['active', 'pending_approval', 'rejected', 'payment_required', 'suspended', 'closed'] },
          },
        },
      },
    }),
    page: { list: 'accounts', id: 'account_id' },
  },
  {
    task: 'get_media_buys',
    args: {},
    shape: answerShape({ media_buys: { items: BUY } }),
    page: { list: 'media_buys', id: 'media_buy_id' },
  },
  {
    task: 'get_media_buy_delivery',
    args: {},
    shape: answerShape({
      reporting_period: { must: { start: 'instant', end: 'instant' } },
      currency: 'currency',
      media_buy_deliveries: { items: DELIVERY },
    }),
  },
  {
    task: 'list_creatives',
    args: {},
    shape: answerShape({
      query_summary: 'object',
      pagination: 'object',
      creatives: { items: { must: { creative_id: 'text', name: 'text', status: 'text' } } },
    }),
    page: { list: 'creatives', id: 'creative_id' },
  },
  {
    task: 'get_signals',
    args: { signal_spec: 'people who hike' },
    shape: answerShape({ signals: { items: SIGNAL } }),
    page: { list: 'signals', id: 'signal_agent_segment_id' },
  },
  {
    task: 'list_property_lists',
    args: {},
    shape: answerShape({ lists: { items: { must: { list_id: 'text', name: 'text' } } } }),
    page: { list: 'lists', id: 'list_id' },
  },
  {
    task: 'list_collection_lists',
    args: {},
    shape: answerShape({ lists: { items: { must: { list_id: 'text', name: 'text' } } } }),
    page: { list: 'lists', id: 'list_id' },
  },
  { task: 'list_content_standards', args: {}, shape: answerShape({ standards: { items: 'object' } }) },
];
