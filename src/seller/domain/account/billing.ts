import { TaskError } from '../../../protocol/errors.js';
import { BILLING, type Billing } from './account.js';

/** The commercial relationships of principals: one without payments of its own passes bills on to its operators. */
export const BILLING_RELATIONSHIPS = ['agent_billable', 'passthrough_only'] as const;
export type BillingRelationship = (typeof BILLING_RELATIONSHIPS)[number];

/** The channels by which creatives are billed to a principal: the protocol's prices and reports, or something outside of it. */
export const CREATIVE_BILLINGS = ['through_protocol', 'out_of_band'] as const;
export type CreativeBilling = (typeof CREATIVE_BILLINGS)[number];

/** The party that is invoiced for the principals without payments of their own. */
const PASSED_ON: Billing = 'operator';

const PERMITTED: Record<BillingRelationship, readonly Billing[]> = {
  agent_billable: BILLING,
  passthrough_only: [PASSED_ON],
};

/**
 * Returns the party that a request wants to be invoiced. Throws BILLING_NOT_SUPPORTED for one that no principal can have, and
 * BILLING_NOT_PERMITTED_FOR_AGENT for one that this principal's relationship does not cover.
 */
export function readBilling(wanted: string, relationship: BillingRelationship, field: string): Billing {
  const billing = BILLING.find((offered) => offered === wanted);
  if (billing === undefined) {
    throw new TaskError('BILLING_NOT_SUPPORTED', 'This seller does not invoice such a party.', {
      field,
      suggestion: `Choose one of ${BILLING.join(', ')}.`,
      details: { scope: 'capability', supported_billing: BILLING },
    });
  }
  if (PERMITTED[relationship].includes(billing)) return billing;
  // The details are closed: any further member would tell of the relationship.
  throw new TaskError('BILLING_NOT_PERMITTED_FOR_AGENT', `This caller cannot have accounts billed to the ${billing}.`, {
    field,
    suggestion: `Send billing: "${PASSED_ON}", or agree with the seller on payments first.`,
    details: { rejected_billing: billing, suggested_billing: PASSED_ON },
  });
}
