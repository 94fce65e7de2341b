import type { GovernedAction } from './action.js';
import { isSameAgent } from './agent-url.js';
import { DELIVERY_RULES } from './delivery-rules.js';
import type { Delegation } from './plan.js';
import {
  createDenial,
  createWarning,
  findOutside,
  joinWords,
  type Rule,
  type RuleFinding,
  type Subject,
} from './rule.js';
import { sumUsage } from './usage.js';

/** The rules of a plan, by the category of their findings, in the order in which they are told. */
export const RULES: readonly (readonly [category_id: string, rule: Rule])[] = [
  ['budget_authority', budgetCoversIt],
  ['budget_authority', allocationCoversIt],
  ['budget_authority', sellerShareHolds],
  ['budget_currency', currencyIsThePlans],
  ['reallocation', changeNeedsNoPerson],
  ['human_review', planNeedsNoPerson],
  ['flight', flightHolds],
  ['channels', channelsAreAllowed],
  ['channels', channelMixHolds],
  ['geo', marketsAreAllowed],
  ['seller_verification', sellerIsApproved],
  ['delegation', agentIsDelegated],
  ['audience', audienceIsAllowed],
  ...DELIVERY_RULES,
];

function budgetCoversIt({ plan: { budget }, action, others }: Subject): readonly RuleFinding[] {
  const { total, phase } = action;
  const used = sumUsage(others);
  const left = Math.max(0, budget.total - used);
  if (total === undefined) return phase === 'delivery' ? [] : [leftOf(left, budget.currency)];
  if (total <= left) return [];
  return createDenial(
    `${total} ${action.currency ?? budget.currency} is more than the ${left} ${budget.currency} that are left of the plan's ${budget.total}. Lower the budget to ${left}, or raise budget.total with sync_plans.`,
    { authorized: budget.total, used, remaining: left, requested: total, currency: budget.currency },
  );
}

/** Returns a finding that tells who asks about no amount what is left. */
function leftOf(left: number, currency: string): RuleFinding {
  return { severity: 'info', explanation: `${left} ${currency} of the plan are left.`, details: { remaining: left } };
}

function allocationCoversIt({ plan: { budget }, action, others }: Subject): readonly RuleFinding[] {
  const { allocations } = budget;
  const { total, purchase_type: type } = action;
  if (allocations === undefined || total === undefined) return [];
  const own = allocations[type];
  if (own === undefined) {
    return createDenial(
      `The plan has no budget for ${type}. Add budget.allocations.${type} with sync_plans, or buy one of: ${Object.keys(allocations).join(', ')}.`,
    );
  }
  const limits = [own.amount, own.max_pct === undefined ? undefined : (budget.total * own.max_pct) / 100];
  const limit = Math.min(...limits.flatMap((one) => one ?? []));
  const left = Math.max(0, limit - sumUsage(others, (row) => row.purchase_type === type));
  if (total <= left) return [];
  return createDenial(
    `${total} is more than the ${left} ${budget.currency} that are left for ${type}. Lower the budget to ${left}, or raise budget.allocations.${type} with sync_plans.`,
    { purchase_type: type, authorized: limit, remaining: left, requested: total },
  );
}

function sellerShareHolds({ plan: { budget }, action, others }: Subject): readonly RuleFinding[] {
  const { per_seller_max_pct: share } = budget;
  const { total, caller, check } = action;
  if (share === undefined || total === undefined || check !== 'execution') return [];
  const limit = (budget.total * share) / 100;
  const left = Math.max(0, limit - sumUsage(others, ({ seller }) => isSameAgent(seller, caller)));
  if (total <= left) return [];
  return createDenial(
    `${total} is more than the ${left} ${budget.currency} that are left for this seller, ${share}% of the plan. Lower the budget to ${left}, or buy the rest from another seller.`,
    { per_seller_max_pct: share, remaining: left, requested: total },
  );
}

function currencyIsThePlans({ plan: { budget }, action: { currency } }: Subject): readonly RuleFinding[] {
  if (currency === undefined || currency === budget.currency) return [];
  return createDenial(
    `This is in ${currency}, and the plan is in ${budget.currency}. Buy at a price in ${budget.currency}, or sync a plan in ${currency}.`,
  );
}

function changeNeedsNoPerson({ plan: { budget }, action, before }: Subject): readonly RuleFinding[] {
  const { reallocation_threshold: threshold } = budget;
  const { total, phase } = action;
  if (phase !== 'modification' || threshold === undefined || total === undefined) return [];
  const change = Math.abs(total - before);
  if (change <= threshold) return [];
  return createDenial(
    `This moves ${change} ${budget.currency} at once, and more than ${threshold} needs a person. Move at most ${threshold}, or have the plan's owner raise budget.reallocation_threshold with sync_plans.`,
    { change, reallocation_threshold: threshold },
  );
}

function planNeedsNoPerson({ plan, action: { phase } }: Subject): readonly RuleFinding[] {
  const demanding = (plan.custom_policies ?? []).find((policy) => policy.requires_human_review === true);
  if (phase === 'delivery' || (plan.human_review_required !== true && demanding === undefined)) return [];
  return [
    {
      severity: 'critical',
      policy_id: demanding?.policy_id,
      explanation:
        'Every action on this plan needs the decision of a person, and nobody reviews here: have a person decide, then let them sync the plan without human_review_required.',
    },
  ];
}

function flightHolds({ plan: { flight }, action: { start, end } }: Subject): readonly RuleFinding[] {
  return [
    ...(isBefore(start, flight.start)
      ? createDenial(
          `It starts at ${start}, before the plan's flight, which starts at ${flight.start}. Start then or later, or move flight.start with sync_plans.`,
        )
      : []),
    ...(isBefore(flight.end, end)
      ? createDenial(
          `It ends at ${end}, after the plan's flight, which ends at ${flight.end}. End then or earlier, or move flight.end with sync_plans.`,
        )
      : []),
  ];
}

function isBefore(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && Date.parse(one) < Date.parse(other);
}

function channelsAreAllowed({ plan: { channels }, action }: Subject): readonly RuleFinding[] {
  const beyond = findOutside(channels?.allowed, action.channels);
  if (beyond.length === 0) return [];
  return createDenial(
    `The plan has no channels ${beyond.join(', ')}; it has ${joinWords(channels?.allowed)}. Buy on those alone, or add to channels.allowed with sync_plans.`,
    { channels: beyond },
  );
}

function channelMixHolds({ plan, action, others }: Subject): readonly RuleFinding[] {
  const [channel, another] = action.channels ?? [];
  const { total } = action;
  if (channel === undefined || another !== undefined || total === undefined) return [];
  const max = plan.channels?.mix_targets?.[channel]?.max_pct;
  if (max === undefined) return [];
  const limit = (plan.budget.total * max) / 100;
  const left = Math.max(0, limit - sumUsage(others, (row) => row.channel === channel));
  if (total <= left) return [];
  return createDenial(
    `${total} on ${channel} is more than the ${left} ${plan.budget.currency} that its ${max}% of the plan leave. Lower it to ${left}, or raise channels.mix_targets.${channel}.max_pct with sync_plans.`,
    { channel, max_pct: max, remaining: left, requested: total },
  );
}

function marketsAreAllowed({ plan, action }: Subject): readonly RuleFinding[] {
  const { regions } = action;
  // A plan of regions covers their countries only as far as those regions go.
  const countries = findOutside(plan.countries ?? countriesOf(plan.regions), action.countries);
  const beyond = [...countries, ...findOutside(plan.regions, regions)];
  if (beyond.length > 0) {
    return createDenial(
      `The plan has no markets ${beyond.join(', ')}; it has ${joinWords([...(plan.countries ?? []), ...(plan.regions ?? [])])}. Target those alone, or add to countries or regions with sync_plans.`,
      { markets: beyond },
    );
  }
  const isWhole = plan.regions !== undefined && action.countries !== undefined && regions === undefined;
  return isWhole
    ? createDenial(
        `The plan is for ${joinWords(plan.regions)} alone, and this names whole countries. Target those regions.`,
        {
          regions: plan.regions,
        },
      )
    : [];
}

function countriesOf(regions: readonly string[] | undefined): readonly string[] | undefined {
  return regions && [...new Set(regions.map((region) => region.slice(0, 2)))];
}

function sellerIsApproved({ plan, action: { check, caller } }: Subject): readonly RuleFinding[] {
  const { approved_sellers: sellers } = plan;
  if (check !== 'execution' || sellers === undefined || sellers === null) return [];
  if (sellers.some((seller) => isSameAgent(seller, caller))) return [];
  return createDenial(
    `The plan does not approve the seller ${caller}. Buy from one of ${joinWords(sellers)}, or add it to approved_sellers with sync_plans.`,
  );
}

function agentIsDelegated({ plan, action, nowMs }: Subject): readonly RuleFinding[] {
  const { delegations } = plan;
  if (delegations === undefined || delegations.length === 0 || action.check !== 'intent') return [];
  const own = delegations.find((one) => isSameAgent(one.agent_url, action.caller));
  if (own === undefined)
    return createDenial(`The plan is not delegated to ${action.caller}. Add it to delegations with sync_plans.`);
  return delegationFindings(own, action, nowMs);
}

function delegationFindings(own: Delegation, action: GovernedAction, nowMs: number): readonly RuleFinding[] {
  const { authority, budget_limit: limit, markets, expires_at: end } = own;
  const { total, phase, countries = [], regions = [] } = action;
  const beyond = markets === undefined ? [] : [...countries, ...regions].filter((one) => !isWithin(markets, one));
  return [
    ...(end !== undefined && Date.parse(end) <= nowMs
      ? createDenial(`The delegation to ${action.caller} ended at ${end}. Renew it with sync_plans.`)
      : []),
    ...(limit !== undefined && total !== undefined && total > limit.amount
      ? createDenial(
          `${total} is over the ${limit.amount} ${limit.currency} that ${action.caller} may commit. Lower the budget to ${limit.amount}.`,
        )
      : []),
    ...(beyond.length > 0
      ? createDenial(`${action.caller} may not buy in ${beyond.join(', ')}. Target ${joinWords(markets)} alone.`)
      : []),
    ...(authority === 'propose_only' || (authority === 'execute_only' && phase === 'purchase')
      ? createDenial(
          `${action.caller} has the authority ${authority}, which does not cover this. Let an agent with the authority full ask.`,
        )
      : []),
  ];
}

function isWithin(markets: readonly string[], market: string): boolean {
  return markets.includes(market) || markets.includes(market.slice(0, 2));
}

/** Signals and words are compared as they are: what they mean, or how many people they reach, is not known here. */
function audienceIsAllowed({ plan, action: { audience } }: Subject): readonly RuleFinding[] {
  if (audience === undefined) return [];
  const { exclude = [] } = plan.audience ?? {};
  const hit = audience.find((one) => exclude.some((other) => selectorKey(one) === selectorKey(other)));
  if (hit !== undefined)
    return createDenial('It targets an audience that the plan excludes. Take that audience out of the targeting.', {
      audience: hit,
    });
  const open = [
    ...(exclude.length > 0 ? ['excluded audiences'] : []),
    ...(plan.restricted_attributes ?? []),
    ...(plan.restricted_attributes_custom ?? []),
    ...(plan.min_audience_size === undefined ? [] : [`a minimum of ${plan.min_audience_size} people`]),
  ];
  if (open.length === 0) return [];
  return createWarning(`Whether the targeted audiences keep to the plan could not be seen: ${open.join(', ')}.`, {
    confidence: 0.5,
    uncertainty_reason: 'Neither the size of these audiences nor the attributes they are made of are known here.',
  });
}

function selectorKey(selector: Readonly<Record<string, unknown>>): string {
  const { signal_ref: ref, signal_id: id, description } = selector;
  return typeof description === 'string' ? description.trim().toLowerCase() : JSON.stringify(ref ?? id);
}
