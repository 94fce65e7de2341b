import { pickMembers } from '../../../../platform/kernel/json/json.js';
import type { Payload } from '../../../../protocol/envelope.js';
import type { ProtocolNames } from '../../../../protocol/names.js';
import type { Seller } from '../../../domain/tenant/seller.js';
import type { TenantKind } from '../../../domain/tenant/tenant.js';

/** The variables of a URI, as it names them. */
export type Variables = Readonly<Record<string, string>>;

/** Something that a client reads by its URI: the answer of a task to a question that the URI stands for, or a part of it. */
export type Resource = {
  /** `{…}` in the place of a segment is a variable. */
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The task that answers, or how it follows from the protocol's name; tenants that do not offer it do not have the resource. */
  readonly task: string | ((names: ProtocolNames) => string);
  /** The kind of the tenants that have it, where not all that offer the task do. */
  readonly kind?: TenantKind;
  /** It is read in pages, the further ones with `?cursor=`. */
  readonly isPaged?: true;
  readonly ask: (variables: Variables, seller: Seller) => Readonly<Record<string, unknown>>;
  /** Returns what is read of the answer, all of it unless set; undefined where there is no such thing. */
  readonly part?: (answer: Payload, variables: Variables) => object | undefined;
};

/** Things on one page of a resource. */
const PAGE = 10;

/** Returns the page of a list that the variables name. */
function page({ cursor }: Variables): object {
  return { max_results: PAGE, cursor };
}

/** Returns the question for one media buy: one row. */
function oneRow(mediaBuyId: string | undefined): Readonly<Record<string, unknown>> {
  return { media_buy_ids: [mediaBuyId], pagination: { max_results: 1 } };
}

/** The table of resources. `resources/list`, `resources/templates/list`, `resources/read` and the completion of variables derive from it. */
export const RESOURCES: readonly Resource[] = [
  {
    uri: 'seller://capabilities',
    name: 'capabilities',
    title: 'What this seller can do',
    description: 'Versions, protocols, features and limits.',
    task: (names) => names.capabilitiesTool,
    ask: () => ({}),
  },
  {
    uri: 'seller://products',
    name: 'products',
    title: 'Catalog',
    description: 'What can be bought, with prices, formats and channels.',
    task: 'get_products',
    isPaged: true,
    ask: (variables) => ({ buying_mode: 'wholesale', pagination: page(variables) }),
  },
  {
    uri: 'seller://products/{product_id}',
    name: 'product',
    title: 'One product',
    description: 'Prices, formats, channels and reporting of one product; seller://products has them all.',
    task: 'get_products',
    ask: ({ product_id }) => ({ buying_mode: 'refine', refine: [{ scope: 'product', product_id, action: 'include' }] }),
    part: ({ products }, { product_id }) => itemWith(products, 'product_id', product_id),
  },
  {
    uri: 'seller://formats',
    name: 'formats',
    title: 'Creative formats',
    description: 'Formats that creatives may have here, with the assets of each and sizes in pixels.',
    task: 'list_creative_formats',
    isPaged: true,
    ask: (variables) => ({ pagination: page(variables) }),
  },
  {
    uri: 'seller://formats/{format_id}',
    name: 'format',
    title: 'One creative format',
    description: 'The assets that one format of this seller needs; seller://formats has them all.',
    task: 'list_creative_formats',
    ask: ({ format_id }, { formatOwner }) => ({ format_ids: [{ agent_url: formatOwner, id: format_id }] }),
    part: ({ formats }) => first(formats),
  },
  {
    uri: 'seller://policies',
    name: 'policies',
    title: 'Policies',
    description: 'What this seller advertises and what not, who is billed, how long a key protects a repeated call.',
    task: (names) => names.capabilitiesTool,
    kind: 'sales',
    ask: () => ({ protocols: ['media_buy'] }),
    part: ({ account, idempotency, media_buy: block }) => ({
      account,
      idempotency,
      ...pickBlock(block, ['portfolio', 'creative_approval_mode', 'content_standards']),
    }),
  },
  {
    uri: 'seller://targeting',
    name: 'targeting',
    title: 'Targeting keys',
    description: 'What targeting_overlay of create_media_buy may name here; what is not in it is refused.',
    task: (names) => names.capabilitiesTool,
    kind: 'sales',
    ask: () => ({ protocols: ['media_buy'] }),
    part: ({ media_buy: block }) => pickBlock(block, ['execution', 'audience_targeting', 'frequency_capping']),
  },
  {
    uri: 'seller://media-buys',
    name: 'media-buys',
    title: 'Your running media buys',
    description: 'Your media buys that are active, newest first.',
    task: 'get_media_buys',
    isPaged: true,
    ask: (variables) => ({ pagination: page(variables) }),
  },
  {
    uri: 'seller://media-buys/{media_buy_id}',
    name: 'media-buy',
    title: 'One media buy',
    description: 'State, packages, creatives, permitted actions and totals so far of one media buy of yours.',
    task: 'get_media_buys',
    ask: ({ media_buy_id }) => ({ ...oneRow(media_buy_id), include_snapshot: true }),
    part: ({ media_buys }) => first(media_buys),
  },
  {
    uri: 'seller://media-buys/{media_buy_id}/delivery',
    name: 'delivery-report',
    title: 'Delivery of one media buy',
    description: 'Impressions, spend, clicks and completions of one media buy of yours since its start, per package.',
    task: 'get_media_buy_delivery',
    ask: ({ media_buy_id }) => oneRow(media_buy_id),
    part: (answer) => (first(answer.media_buy_deliveries) === undefined ? undefined : answer),
  },
  {
    uri: 'seller://signals',
    name: 'signals',
    title: 'Signals',
    description: 'The audiences and other signals that can be activated, with prices and coverage.',
    task: 'get_signals',
    isPaged: true,
    ask: (variables) => ({ pagination: page(variables) }),
  },
];

function pickBlock(block: unknown, names: readonly string[]): Payload {
  return typeof block === 'object' && block !== null ? pickMembers(block, names) : {};
}

function first(list: unknown): object | undefined {
  return Array.isArray(list) ? list[0] : undefined;
}

function itemWith(list: unknown, member: string, value: string | undefined): object | undefined {
  if (!Array.isArray(list)) return undefined;
  return list.find((item: Payload) => item[member] === value);
}
