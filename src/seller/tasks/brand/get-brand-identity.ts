import { z } from 'zod';
import type { Call } from '../../context.js';
import { type BrandHouse, LINKED_SECTIONS, PUBLIC_SECTIONS } from '../../domain/brand/brand.js';
import { describeIdentity } from '../../domain/brand/identity.js';
import type { Seller } from '../../domain/tenant/seller.js';
import type { Reader } from '../../store/store.js';
import { envelopeFields } from '../pipeline/shapes.js';
import { query } from '../pipeline/tool.js';

const input = z.looseObject({
  brand_id: z.string().min(1).max(128),
  fields: z
    .array(z.enum([...PUBLIC_SECTIONS, ...LINKED_SECTIONS]))
    .min(1)
    .max(50)
    .optional(),
  use_case: z.string().max(1000).optional(),
  ...envelopeFields,
});

/** get_brand_identity: who a brand is; with an account also how it speaks and what it has. */
export const getBrandIdentity = query({
  name: 'get_brand_identity',
  title: 'Brand identity',
  description:
    'Names, logos, colors and fonts of a brand; with an account (sync_accounts) also its tone, voice, assets and rights. available_fields names what an account would add. Next: get_rights.',
  kinds: ['brand'],
  input,
  run: async ({ call, args, db }) =>
    describeIdentity(houseOf(call.seller), args.brand_id, {
      isLinked: await hasAccount(call, db),
      fields: args.fields,
    }),
});

/** Whether a caller has an account that it may use. */
async function hasAccount({ owner, principal }: Call, db: Reader): Promise<boolean> {
  if (principal === undefined) return false;
  const rows = await db.accounts.list(owner, { limit: 1, after: undefined }, { status: 'active', declared: true });
  return rows.length > 0;
}

/** Returns what a brand agent knows. */
export function houseOf({ tenant }: Seller): BrandHouse {
  if (tenant.brand === undefined) throw new Error('a brand agent has a house');
  return tenant.brand;
}
