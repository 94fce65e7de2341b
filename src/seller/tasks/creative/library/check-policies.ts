import { isSameFormat } from '../../../../creative/formats/format-id.js';
import { asTaskError } from '../../../../protocol/errors.js';
import type { Call } from '../../../context.js';
import type { Account } from '../../../domain/account/account.js';
import type { Creative } from '../../../domain/creative/creative.js';
import { type CreativePolicy, checkProvenance } from '../../../domain/creative/provenance.js';
import { readMediaBuyId } from '../../../domain/media-buy/order.js';
import type { Writer } from '../../../store/store.js';
import { scopeOf } from '../../pipeline/resolve-account.js';

/** Who brings a creative, and what else the call does with it. */
type Intake = {
  readonly call: Call;
  readonly db: Writer;
  readonly account: Account;
  readonly assignments?: readonly { readonly creative_id: string; readonly package_id: string }[];
};

/**
 * Refuses a creative that does not keep to the policies of what it is for: of every package that it is assigned to, and, for any, of all
 * products that take its format. Throws the codes of `checkProvenance` at `field`.
 */
export async function checkPolicies(intake: Intake, creative: Creative, field: string): Promise<void> {
  const shown = { provenance: creative.echoed.provenance, assets: creative.assets };
  for (const { creative_id, package_id } of intake.assignments ?? []) {
    const policy = creative_id === creative.creative_id ? await policyOfPackage(intake, package_id) : undefined;
    if (policy !== undefined) checkProvenance(policy, shown, field);
  }
  const { products, formatOwner } = intake.call.seller;
  const takers = [...products.values()].filter(({ format_ids }) =>
    format_ids.some((own) => isSameFormat(own, creative.format_id, formatOwner)),
  );
  const refusals = takers.map(({ creative_policy: policy }) => policy && refusalBy(policy, shown, field));
  const [first] = refusals;
  // What one product takes is not refused for what others require.
  if (first !== undefined && !refusals.includes(undefined)) throw first;
}

function refusalBy(...[policy, shown, field]: Parameters<typeof checkProvenance>): Error | undefined {
  try {
    checkProvenance(policy, shown, field);
    return undefined;
  } catch (thrown) {
    const error = asTaskError(thrown);
    if (error === undefined) throw thrown;
    return error;
  }
}

async function policyOfPackage({ call, db, account }: Intake, packageId: string): Promise<CreativePolicy | undefined> {
  const id = readMediaBuyId(packageId);
  const buy = id === undefined ? undefined : await db.mediaBuys.find(scopeOf(call, account.account_id), id);
  return buy?.packages.find(({ package_id }) => package_id === packageId)?.sold.creative_policy;
}
