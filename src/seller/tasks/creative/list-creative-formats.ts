import { z } from 'zod';
import { canonicalMember } from '../../../creative/formats/canonical/declaration.js';
import { filterFormats, isMeantBy } from '../../../creative/formats/filters.js';
import { FORMAT_TYPES, type Format } from '../../../creative/formats/format.js';
import { readFormatId } from '../../../creative/formats/format-agents.js';
import { ASSET_TYPES } from '../../../creative/formats/manifest.js';
import { isMakeable } from '../../../creative/transformers/means.js';
import { bindList, pageArray, readPage } from '../../../platform/kernel/cursor.js';
import { projectMembers } from '../../../protocol/members.js';
import { meansOf, type Seller } from '../../domain/tenant/seller.js';
import { formatsOf } from '../pipeline/order-context.js';
import { accountRef, envelopeFields, formatId, pagination } from '../pipeline/shapes.js';
import { query } from '../pipeline/tool.js';
import { describeMissing } from '../pipeline/unknown-ids.js';

const pixels = z.int().min(1).max(100_000).optional();
const DISCLOSURE_POSITIONS = [
  'prominent',
  'footer',
  'audio',
  'subtitle',
  'overlay',
  'end_card',
  'pre_roll',
  'companion',
] as const;
const formatIds = z.array(formatId).min(1).max(200).optional();

const input = z.looseObject({
  format_ids: formatIds,
  type: z.enum(FORMAT_TYPES).optional(),
  asset_types: z.array(z.enum(ASSET_TYPES)).min(1).optional().meta({ unlisted: true }),
  max_width: pixels,
  max_height: pixels,
  min_width: pixels,
  min_height: pixels,
  is_responsive: z.boolean().optional(),
  name_search: z.string().max(200).optional(),
  wcag_level: z.enum(['A', 'AA', 'AAA']).optional().meta({ unlisted: true }),
  disclosure_positions: z.array(z.enum(DISCLOSURE_POSITIONS)).min(1).optional().meta({ unlisted: true }),
  disclosure_persistence: z
    .array(z.enum(['continuous', 'initial', 'flexible']))
    .min(1)
    .optional()
    .meta({ unlisted: true }),
  output_format_ids: formatIds.meta({ unlisted: true }),
  input_format_ids: formatIds.meta({ unlisted: true }),
  publisher_domain: z.string().optional(),
  account: accountRef.optional(),
  pagination: pagination.optional(),
  ...envelopeFields,
});

/** list_creative_formats: the formats that the tenant's products take, and where there are more. */
export const listCreativeFormats = query({
  name: 'list_creative_formats',
  title: 'Creative formats',
  description:
    'Formats of creatives, with the assets each needs and sizes in pixels. Use format_id as it stands in sync_creatives.',
  kinds: ['sales', 'creative'],
  rows: 'formats',
  creative: true,
  input,
  fromCatalog: true,
  account: { use: 'read_catalog', required: false },
  empty: { formats: [] },
  run: async ({ call, args }) => {
    const { seller } = call;
    const references = formatsOf(call);
    const meant = (field: 'format_ids' | 'output_format_ids' | 'input_format_ids') =>
      args[field]?.map((value, index) => readFormatId(value, `${field}[${index}]`, references));
    const filters = {
      ...args,
      format_ids: meant('format_ids'),
      output_format_ids: meant('output_format_ids'),
      input_format_ids: meant('input_format_ids'),
    };
    const isForeign =
      args.publisher_domain !== undefined && !seller.tenant.publisherDomains.includes(args.publisher_domain);
    const matching = isForeign ? [] : filterFormats(listUsable(seller), filters);
    const missing = (filters.format_ids ?? []).flatMap((id, index) =>
      matching.some((format) => isMeantBy(id, format)) ? [] : [`format_ids[${index}]`],
    );
    const { pagination: _page, context: _context, ext: _ext, account: _account, ...asked } = args;
    const list = bindList('formats', seller.url, asked);
    const page = pageArray(list, matching, readPage(list, args.pagination));
    return {
      message: describeMissing(missing),
      formats: page.rows.map((format) =>
        projectMembers('format', { ...format, canonical: canonicalMember(format) }, call.to.release),
      ),
      creative_agents: seller.creativeAgents.length === 0 ? undefined : seller.creativeAgents,
      pagination: page.info,
    };
  },
});

/** Returns the formats that creatives may have; of generative ones those alone that something is made of here. */
export function listUsable(seller: Seller): readonly Format[] {
  const means = meansOf(seller);
  return seller.formats.filter(
    (format) => format.output_format_ids === undefined || isMakeable(format, 'words', means),
  );
}
