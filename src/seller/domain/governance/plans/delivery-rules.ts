import type { DeliveryMetrics } from './action.js';
import { createDenial, createWarning, joinWords, type Rule, type RuleFinding, type Subject } from './rule.js';

/** A rule about what was delivered. */
type DeliveryRule = (metrics: DeliveryMetrics, subject: Subject) => readonly RuleFinding[];

/** The rules of what a seller reports while an action runs, by the category of their findings. */
export const DELIVERY_RULES: readonly (readonly [category_id: string, rule: Rule])[] = (
  [
    ['delivery_spend', spendHolds],
    ['delivery_geo', geographyHolds],
    ['delivery_channels', channelsHold],
    ['delivery_pacing', paceHolds],
  ] as const satisfies readonly (readonly [string, DeliveryRule])[]
).map(([category, rule]) => [
  category,
  (subject) => (subject.action.metrics === undefined ? [] : rule(subject.action.metrics, subject)),
]);

function spendHolds(
  { cumulative_spend: spent }: DeliveryMetrics,
  { plan: { budget }, before }: Subject,
): readonly RuleFinding[] {
  const limit = before > 0 ? before : budget.total;
  if (spent === undefined || spent <= limit) return [];
  return createDenial(
    `${spent} ${budget.currency} were spent, and ${limit} are approved. Stop the delivery, or have more approved by a check of the phase modification.`,
    { approved: limit, cumulative_spend: spent },
  );
}

function geographyHolds({ geo_distribution: shares }: DeliveryMetrics, { plan }: Subject): readonly RuleFinding[] {
  const beyond = sharesBeyond(shares, plan.countries);
  return beyond.length === 0
    ? []
    : createDenial(
        `Delivered outside the plan's countries: ${beyond.join(', ')}. Take these markets out of the delivery.`,
      );
}

function channelsHold({ channel_distribution: shares }: DeliveryMetrics, { plan }: Subject): readonly RuleFinding[] {
  const beyond = sharesBeyond(shares, plan.channels?.allowed);
  const mix = Object.entries(plan.channels?.mix_targets ?? {}).flatMap(
    ([channel, { min_pct: least, max_pct: most }]) => {
      const share = shares?.[channel] ?? 0;
      if (shares === undefined) return [];
      if (most !== undefined && share > most) return [`${channel} has ${share}%, at most ${most}% are planned`];
      return least !== undefined && share < least ? [`${channel} has ${share}%, at least ${least}% are planned`] : [];
    },
  );
  return [
    ...(beyond.length > 0
      ? createDenial(
          `Delivered on channels that the plan has not: ${beyond.join(', ')}. Move it to ${joinWords(plan.channels?.allowed)}.`,
        )
      : []),
    ...(mix.length > 0 ? createWarning(`The mix of channels has drifted: ${mix.join('; ')}. Rebalance it.`) : []),
  ];
}

function paceHolds({ pacing }: DeliveryMetrics): readonly RuleFinding[] {
  return pacing === undefined || pacing === 'on_track'
    ? []
    : [
        {
          severity: 'info',
          explanation: pacing === 'ahead' ? 'Delivery is ahead of its pace.' : 'Delivery is behind its pace.',
        },
      ];
}

function sharesBeyond(
  shares: Readonly<Record<string, number>> | undefined,
  allowed: readonly string[] | undefined,
): readonly string[] {
  if (shares === undefined || allowed === undefined) return [];
  return Object.entries(shares).flatMap(([name, share]) =>
    share > 0 && !allowed.includes(name) ? [`${name} ${share}%`] : [],
  );
}
