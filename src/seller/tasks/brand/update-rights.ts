import { z } from 'zod';
import { TaskError } from '../../../protocol/errors.js';
import { licensesRights, type RightsPrice } from '../../domain/brand/brand.js';
import { describeConstraint, describeTerms, type Grant, requireActive } from '../../domain/brand/grant.js';
import type { Seller } from '../../domain/tenant/seller.js';
import { bookScope } from '../../lifecycle/inventory.js';
import { accountRef, day, envelopeFields, governanceFields, keyField } from '../pipeline/shapes.js';
import { mutation } from '../pipeline/tool.js';
import { commitsRights, rejectRival, rightsAgent } from './acquire-rights.js';
import { houseOf } from './get-brand-identity.js';
import { UNATTESTED } from './rights-wire.js';

const input = z.looseObject({
  ...keyField,
  rights_id: z.string().min(1).max(255).describe('Of acquire_rights'),
  account: accountRef.optional(),
  end_date: day.optional(),
  impression_cap: z.int().min(1).max(1e15).optional(),
  pricing_option_id: z.string().min(1).max(255).optional(),
  paused: z.boolean().optional(),
  ...governanceFields,
  ...envelopeFields,
});

type Input = z.output<typeof input>;

/** update_rights: extends, pauses or prices anew what was acquired. It counts at once. */
export const updateRights = mutation({
  name: 'update_rights',
  title: 'Change licensed rights',
  description:
    'Changes rights that were acquired: a later end_date, another impression_cap or pricing_option_id, paused or resumed. Replace the rights_constraint of your creatives by that of the answer.',
  kinds: ['brand'],
  offered: licensesRights,
  notIn: UNATTESTED,
  input,
  account: { use: 'change_buy', required: false },
  commits: commitsRights,
  run: async ({ call, args, db, scope }) => {
    const { seller, now, owner } = call;
    const before = await db.grants.find(scope, args.rights_id);
    if (before === undefined) {
      throw new TaskError('REFERENCE_NOT_FOUND', 'There is no such grant for this caller.', {
        field: 'rights_id',
        suggestion: 'Use the rights_id that acquire_rights answered.',
      });
    }
    requireActive(before);
    const grant = changeGrant(seller, before, args);
    const rival = await rejectRival(db, bookScope(owner, grant.sandbox), grant);
    if (rival !== undefined) {
      throw new TaskError('CONFLICT', rival.reason, {
        field: args.end_date === undefined ? 'pricing_option_id' : 'end_date',
        suggestion: rival.suggestions?.join(' '),
      });
    }
    db.grants.replace(grant);
    return {
      rights_id: grant.grant_id,
      terms: describeTerms(grant),
      generation_credentials: [],
      rights_constraint: describeConstraint(grant, rightsAgent(seller)),
      paused: grant.paused === before.paused ? undefined : grant.paused,
      implementation_date: now.iso,
    };
  },
});

function changeGrant(seller: Seller, grant: Grant, args: Input): Grant {
  const { end_date = grant.end_date, paused = grant.paused, pricing_option_id } = args;
  if (args.end_date !== undefined && (grant.end_date === undefined || args.end_date < grant.end_date)) {
    throw new TaskError('INVALID_REQUEST', 'A grant is extended and never shortened.', {
      field: 'end_date',
      suggestion:
        grant.end_date === undefined ? 'It has no end; leave end_date out.' : `Send ${grant.end_date} or later.`,
    });
  }
  const price = pricing_option_id === undefined ? grant.price : findPrice(seller, grant, pricing_option_id);
  const impression_cap = args.impression_cap ?? (price === grant.price ? grant.impression_cap : price.impression_cap);
  return { ...grant, end_date, paused, price, impression_cap };
}

/** Returns another price of the rights that a grant is of. Throws where it is not for the same uses, or in another currency. */
function findPrice(seller: Seller, grant: Grant, id: string): RightsPrice {
  const field = 'pricing_option_id';
  const offer = houseOf(seller).rights.find((one) => one.rights_id === grant.rights_id);
  const option = offer?.pricing_options.find((one) => one.pricing_option_id === id);
  if (option === undefined) {
    throw new TaskError('REFERENCE_NOT_FOUND', 'These rights have no such pricing option.', {
      field,
      suggestion: 'Use one that get_rights answers for them.',
    });
  }
  const fault = explainMisfit(grant, option);
  if (fault === undefined) return option;
  throw new TaskError('INVALID_REQUEST', fault, {
    field,
    suggestion: 'Choose another one, or acquire the rights anew.',
  });
}

/** Returns why a grant cannot go on at another price; undefined where it can. */
function explainMisfit(grant: Grant, price: RightsPrice): string | undefined {
  if (grant.uses.some((use) => !price.uses.includes(use))) return 'It is not for all uses of the grant.';
  if (price.currency !== grant.price.currency) return 'It is in another currency.';
  if (price.model === 'cpm' && (grant.estimated_impressions ?? 0) === 0)
    return 'The grant names no impressions to price it by.';
  return undefined;
}
