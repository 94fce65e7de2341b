import { z } from 'zod';
import { bindList, pageArray, readPage } from '../../../platform/kernel/cursor.js';
import { describeBrand, searchBrands } from '../../domain/brand/search-brands.js';
import { brandRef, envelopeFields, pagination } from '../pipeline/shapes.js';
import { query } from '../pipeline/tool.js';
import { houseOf } from './get-brand-identity.js';

const input = z.looseObject({
  query: z.string().max(2000).describe('Which brands, in words'),
  industries: z.array(z.string().min(1).max(100)).min(1).max(50).optional(),
  countries: z
    .array(z.string().regex(/^[A-Z]{2}$/))
    .min(1)
    .max(250)
    .optional(),
  buyer_brand: brandRef.optional(),
  pagination: pagination.optional(),
  ...envelopeFields,
});

/** search_brands: the brands of the house, best match first, with what everybody may know of them. */
export const searchBrandsTask = query({
  name: 'search_brands',
  title: 'Find brands',
  description:
    'Brands of this house by words, industries and the countries of their rights. Next: get_brand_identity or get_rights with brand_id.',
  kinds: ['brand'],
  rows: 'brands',
  input,
  run: async ({ call, args }) => {
    const house = houseOf(call.seller);
    const question = {
      query: args.query,
      industries: args.industries,
      countries: args.countries,
      buyerDomain: args.buyer_brand?.domain,
    };
    const list = bindList('search_brands', question);
    const { rows, info } = pageArray(list, searchBrands(house, question), readPage(list, args.pagination));
    return { brands: rows.map((brand) => describeBrand(house, brand)), pagination: info };
  },
});
