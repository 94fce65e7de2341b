import { z } from 'zod';
import { bindList, pageArray, readPage } from '../../../platform/kernel/cursor.js';
import { licensesRights, RIGHT_TYPES, RIGHT_USES } from '../../domain/brand/brand.js';
import { findBrand } from '../../domain/brand/identity.js';
import { describeMatch, searchRights } from '../../domain/brand/search.js';
import { bookScope } from '../../lifecycle/inventory.js';
import { brandRef, envelopeFields, pagination } from '../pipeline/shapes.js';
import { query } from '../pipeline/tool.js';
import { houseOf } from './get-brand-identity.js';

const countries = z.array(z.string().regex(/^[A-Z]{2}$/)).max(250);

const input = z.looseObject({
  query: z.string().max(2000).describe('What you are looking for, in words'),
  uses: z.array(z.enum(RIGHT_USES)).min(1).max(50),
  buyer_brand: brandRef.optional(),
  countries: countries.optional(),
  brand_id: z.string().min(1).max(128).optional(),
  right_type: z.enum(RIGHT_TYPES).optional(),
  include_excluded: z.boolean().optional(),
  pagination: pagination.optional(),
  ...envelopeFields,
});

/** Most grants of an offer that are looked at for what an answer says of exclusivity. */
const MAX_SHOWN_GRANTS = 50;

/** get_rights: the rights that are licensed for these uses, with prices, and whether anybody has them alone. */
export const getRights = query({
  name: 'get_rights',
  title: 'Rights and their prices',
  description:
    'Rights that can be licensed for these uses: talent, music, characters. Say what you look for in query; filter by countries and brand_id. Next: acquire_rights with rights_id and pricing_option_id.',
  kinds: ['brand'],
  rows: 'rights',
  offered: licensesRights,
  input,
  run: async ({ call, args, db }) => {
    const house = houseOf(call.seller);
    if (args.brand_id !== undefined) findBrand(house, args.brand_id);
    const question = {
      query: args.query,
      uses: args.uses,
      buyerDomain: args.buyer_brand?.domain,
      countries: args.countries,
      brandId: args.brand_id,
      rightType: args.right_type,
    };
    const { matches, excluded } = searchRights(house, question);
    const list = bindList('get_rights', question);
    const { rows, info } = pageArray(list, matches, readPage(list, args.pagination));
    const scope = bookScope(call.owner, call.principal?.sandbox === true);
    const rights = await Promise.all(
      rows.map(async (match) => {
        const books = { scope, rightsId: match.offer.rights_id };
        const grants = await db.grants.inForce(books, call.now.ms, MAX_SHOWN_GRANTS);
        return describeMatch(match, args.uses, grants);
      }),
    );
    return { rights, excluded: args.include_excluded === true ? excluded : undefined, pagination: info };
  },
});
