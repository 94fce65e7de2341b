import { z } from 'zod';
import { FORMAT_TYPES, filterFormats, parseFormatId, resolveFormatId } from '../domain/format.js';
import { pageOfArray, readPage } from '../kernel/cursor.js';
import { query } from './define.js';
import { envelopeFields, formatId, pagination } from './shapes.js';

const pixels = z.int().min(1).max(100_000).optional();

const input = z.looseObject({
  format_ids: z.array(formatId).min(1).max(200).optional(),
  type: z.enum(FORMAT_TYPES).optional(),
  asset_types: z.array(z.string()).min(1).optional().describe('Formats that take any of these'),
  max_width: pixels,
  max_height: pixels,
  min_width: pixels,
  min_height: pixels,
  is_responsive: z.boolean().optional(),
  name_search: z.string().max(200).optional(),
  publisher_domain: z.string().optional(),
  pagination: pagination.optional(),
  ...envelopeFields,
});

/** list_creative_formats (spec 2, facts C.2): the formats that the tenant's products take. */
export const listCreativeFormats = query({
  name: 'list_creative_formats',
  title: 'Creative formats',
  description:
    'The formats that creatives for this seller may have, with the assets each needs and its sizes in pixels. Use format_id as it stands in sync_creatives.',
  kinds: ['sales'],
  input,
  fromCatalogue: true,
  empty: { formats: [] },
  run: async ({ call, args }) => {
    const { seller } = call;
    const format_ids = args.format_ids?.map((value, index) =>
      resolveFormatId(parseFormatId(value, `format_ids[${index}]`), seller.formatOwner),
    );
    const foreign =
      args.publisher_domain !== undefined && !seller.tenant.publisherDomains.includes(args.publisher_domain);
    const matching = new Set(
      foreign
        ? []
        : filterFormats(
            seller.formats.map((entry) => entry.format),
            { ...args, format_ids },
          ),
    );
    const found = seller.formats.filter((entry) => matching.has(entry.format));
    const page = pageOfArray('formats', found, readPage('formats', args.pagination));
    const for30 = call.to.release === '3.0';
    return { formats: page.rows.map((entry) => (for30 ? entry.wire30 : entry.wire)), pagination: page.info };
  },
});
