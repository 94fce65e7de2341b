import { z } from 'zod';
import type { Format, FormatId } from '../../../creative/formats/format.js';
import { readFormatId } from '../../../creative/formats/format-agents.js';
import { listOffered, type Transformer } from '../../../creative/transformers/transformers.js';
import { bindList, pageArray, readPage } from '../../../platform/kernel/cursor.js';
import { TaskError } from '../../../protocol/errors.js';
import type { Call } from '../../context.js';
import { findBuildPrice, priceWire } from '../../domain/creative/build-price.js';
import { buildPricesFor } from '../../domain/tenant/callers.js';
import { meansOf } from '../../domain/tenant/seller.js';
import { formatsOf } from '../pipeline/order-context.js';
import { accountRef, envelopeFields, formatId, pagination } from '../pipeline/shapes.js';
import { query } from '../pipeline/tool.js';

const formatIds = z.array(formatId).min(1).max(200).optional();

const input = z.looseObject({
  transformer_ids: z.array(z.string().max(255)).min(1).max(100).optional(),
  input_format_ids: formatIds,
  output_format_ids: formatIds,
  name_search: z.string().max(200).optional(),
  brief: z.string().max(10_000).optional(),
  expand_params: z.array(z.string().max(255)).min(1).max(100).optional(),
  include_pricing: z.boolean().optional(),
  account: accountRef.optional(),
  pagination: pagination.optional(),
  ...envelopeFields,
});
type Input = z.output<typeof input>;

/** list_transformers: the ways in which build_creative makes creatives, with their parameters and prices. */
export const listTransformers = query({
  name: 'list_transformers',
  title: 'Ways of building creatives',
  description:
    'The transformers of build_creative: what each makes of what, its parameters for config, and with include_pricing and an account its price.',
  kinds: ['creative'],
  rows: 'transformers',
  input,
  creative: true,
  fromCatalog: true,
  account: { use: 'read_catalog', required: false },
  empty: { transformers: [] },
  run: async ({ call, args }) => {
    if (args.include_pricing === true && args.account === undefined) {
      throw new TaskError('INVALID_REQUEST', 'Prices are those of an account.', {
        field: 'account',
        suggestion: 'Add the account, or leave include_pricing out.',
      });
    }
    const rows = rankByBrief(filterTransformers(call, args), args.brief);
    const { pagination: _page, context: _context, ext: _ext, account: _account, ...asked } = args;
    const list = bindList('transformers', call.seller.url, asked);
    const page = pageArray(list, rows, readPage(list, args.pagination));
    return {
      transformers: page.rows.map((transformer) => transformerWire(call, transformer, args.include_pricing === true)),
      pagination: page.info,
    };
  },
});

function filterTransformers(call: Call, args: Input): readonly Transformer[] {
  const references = formatsOf(call);
  const named = (field: 'input_format_ids' | 'output_format_ids'): readonly Format[] | undefined =>
    args[field]?.flatMap((value, index) => {
      const { id } = readFormatId(value, `${field}[${index}]`, references);
      return call.seller.formats.find(({ format_id }) => format_id.id === id) ?? [];
    });
  const [inputs, outputs] = [named('input_format_ids'), named('output_format_ids')];
  const words = args.name_search?.toLowerCase() ?? '';
  return listOffered(meansOf(call.seller)).filter(
    ({ transformer_id, name, takes, makes }) =>
      args.transformer_ids?.includes(transformer_id) !== false &&
      name.toLowerCase().includes(words) &&
      inputs?.some((format) => takes?.(format) === true) !== false &&
      outputs?.some(makes) !== false,
  );
}

/** Puts those that share most words with a brief first; those that share none are left out where others do. */
function rankByBrief(transformers: readonly Transformer[], brief = ''): readonly Transformer[] {
  const words = new Set(brief.toLowerCase().match(/\p{L}{4,}/gu));
  const ranked = transformers.map((transformer) => {
    const own = new Set(`${transformer.name} ${transformer.description}`.toLowerCase().match(/\p{L}{4,}/gu));
    return { transformer, shared: [...own].filter((word) => words.has(word)).length };
  });
  const fitting = ranked.filter(({ shared }) => shared > 0).sort((a, b) => b.shared - a.shared);
  return (fitting.length === 0 ? ranked : fitting).map(({ transformer }) => transformer);
}

function transformerWire({ seller, principal }: Call, transformer: Transformer, isPriced: boolean): object {
  const { transformer_id, name, description, takes, makes, params } = transformer;
  const idsOf = (test: (format: Format) => boolean): readonly FormatId[] =>
    seller.formats.filter(test).map(({ format_id }) => format_id);
  const price = isPriced ? findBuildPrice(buildPricesFor(seller.tenant, principal), transformer_id) : undefined;
  return {
    transformer_id,
    name,
    description,
    input_format_ids: takes && idsOf(takes),
    output_format_ids: idsOf(makes),
    params,
    pricing_options: price && [priceWire(price)],
  };
}
