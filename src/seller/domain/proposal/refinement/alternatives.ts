import type { Product } from '../../product/product.js';
import { costPerThousand } from '../forecast.js';
import { choosePrice, listLines } from '../plan.js';
import type { Proposal } from '../proposal.js';
import type { ProposalRefinementContext } from './draft-lines.js';
import { changePlan } from './proposal.js';

/** Most plans that are tried to find alternatives. */
const MAX_TRIED = 25;

/** Returns other plans for the same budget: other shares of the same products, then one product fewer, then one more. `required`: ids that stay. */
export function listAlternatives(
  plan: Proposal,
  ground: ProposalRefinementContext,
  required: ReadonlySet<string>,
): readonly Proposal[] {
  const lines = listLines(plan, ground.byId);
  const present = new Set(lines.map(({ product }) => product.product_id));
  const { currency } = plan.total_budget_guidance;
  const costs = new Map(lines.map((line) => [line.product.product_id, costPerThousand(line, ground.flight)]));
  const cheapness = ({ product_id }: Product): number => 1 / Math.max(costs.get(product_id) ?? 1, Number.EPSILON);
  const vary = (how: string, changes: Partial<Parameters<typeof changePlan>[1]>): Proposal => ({
    ...changePlan(plan, { omitted: new Set(), included: [], ...changes }, ground),
    name: `${plan.name}, ${how}`.slice(0, 500),
  });
  const smallestFirst = lines.toSorted((one, other) => one.part - other.part).map(({ product }) => product);
  const others = ground.products.filter(
    (product) => !present.has(product.product_id) && choosePrice(product, currency) !== undefined,
  );
  return [
    () => vary('in equal shares', { weigh: () => 1 }),
    () => vary('the lower the price the larger the share', { weigh: cheapness }),
    ...smallestFirst
      .filter(({ product_id }) => !required.has(product_id))
      .map((product) => () => vary(`without ${product.name}`, { omitted: new Set([product.product_id]) })),
    ...others.map((product) => () => vary(`with ${product.name}`, { included: [product] })),
  ]
    .slice(0, MAX_TRIED)
    .map((make) => make());
}
