import { z } from 'zod';
import { bindList, pageArray, readPage } from '../../../platform/kernel/cursor.js';
import { CANONICAL_FIELDS, canonicalProduct } from '../../domain/product/canonical.js';
import { query } from '../pipeline/tool.js';
import { findOffers, versionOffers } from './offers.js';
import { COMPACT_RELEASE, compactFields, discoveryFields } from './shapes.js';

const input = z.looseObject({
  ...discoveryFields,
  fields: z
    .array(z.enum(CANONICAL_FIELDS))
    .min(1)
    .max(64)
    .optional()
    .meta({ type: 'array', brief: true })
    .describe('Product fields to show'),
  cursor: z.string().min(1).max(512).optional(),
  max_results: z.int().min(1).max(100).optional(),
  if_feed_version: z.string().max(255).optional(),
  ...compactFields,
});

const DEFAULT_RESULTS = 25;

/** list_products: the published offers, narrowed by criteria, with the versions that they are bought under. */
export const listProducts = query({
  name: 'list_products',
  since: COMPACT_RELEASE,
  root: ['outcome', 'products', 'next_cursor', 'feed_version', 'cache_scope', 'context', 'ext'],
  title: 'List products',
  description:
    'Lists what can be bought as published, narrowed by criteria. Ask for more with fields (format_options, placements, …). Next: buy_products with its feed_version, or request_proposals.',
  kinds: ['sales'],
  input,
  account: { use: 'read_catalog', required: false },
  run: async ({ call, args }) => {
    const { seller } = call;
    const feed_version = versionOffers(call);
    const cache_scope = args.account === undefined ? 'public' : 'account';
    if (args.if_feed_version === feed_version) return { outcome: 'unchanged', feed_version, cache_scope };
    const offers = findOffers(call, args.criteria ?? {});
    const list = bindList('list_products', seller.url, args.criteria, feed_version);
    const page = pageArray(
      list,
      offers,
      readPage(list, { cursor: args.cursor, max_results: args.max_results ?? DEFAULT_RESULTS }),
    );
    return {
      outcome: 'listed',
      products: page.rows.map((product) => canonicalProduct(product, seller.formatOptions, args.fields)),
      next_cursor: page.info.cursor,
      feed_version,
      cache_scope,
    };
  },
});
