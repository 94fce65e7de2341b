import { z } from 'zod';
import type { Call } from '../../context.js';
import { checkPlan, nextRevision } from '../../domain/governance/plans/check-plan.js';
import type { Plan, StoredPlan } from '../../domain/governance/plans/plan.js';
import { RULES } from '../../domain/governance/plans/rules.js';
import type { Writer } from '../../store/store.js';
import { envelopeFields, keyField } from '../pipeline/shapes.js';
import { MAX_VALUES_OF_MANY, mutation } from '../pipeline/tool.js';
import { planShape, RESHAPED } from './plan-shapes.js';

const input = z.looseObject({
  ...keyField,
  plans: z
    .array(planShape)
    .min(1)
    .max(100)
    .meta({ brief: true, description: '[{plan_id, brand, objectives, budget, flight, channels, countries, …}]' }),
  ...envelopeFields,
});

/** sync_plans: what may be bought for a campaign; a plan that is there becomes its next revision. */
export const syncPlans = mutation({
  name: 'sync_plans',
  title: 'Set campaign plans',
  description:
    'Says what may be bought for a campaign: budget, flight, channels, countries, sellers and policies. Sync a plan again to change it. Next: check_governance before each purchase.',
  kinds: ['governance'],
  notIn: RESHAPED,
  input,
  maxValues: MAX_VALUES_OF_MANY,
  run: async ({ app, call, args, db }) => {
    const plans: object[] = [];
    for (const [index, plan] of args.plans.entries()) {
      checkPlan(plan, `plans[${index}]`);
      const stored = await savePlan(call, db, plan, () => app.ids.next('rev'));
      plans.push(planWire(stored));
    }
    return { plans };
  },
});

async function savePlan(call: Call, db: Writer, plan: Plan, nextId: () => string): Promise<StoredPlan> {
  const before = await db.plans.find(call.owner, plan.plan_id);
  const stored = nextRevision(plan, before?.stored);
  const { seq } = await db.plans.save(call.owner, stored);
  const { version } = stored;
  await db.plans.addEntry(call.owner, {
    planSeq: seq,
    actionId: '',
    entry: { type: 'revision', id: nextId(), timestamp: call.now.iso, version, plan },
    isEscalated: false,
  });
  return stored;
}

function planWire({ plan, version }: StoredPlan): object {
  const categories = [...new Set(RULES.map(([category]) => category)), 'policy'];
  const policies = plan.custom_policies ?? [];
  return {
    plan_id: plan.plan_id,
    status: 'active',
    version,
    categories: categories.map((category_id) => ({ category_id, status: 'active' })),
    resolved_policies:
      policies.length === 0
        ? undefined
        : policies.map(({ policy_id, enforcement }) => ({ policy_id, source: 'explicit', enforcement })),
  };
}
