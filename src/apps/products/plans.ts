import type { Host } from '../host/host.js';
import type { ToolAnswer } from '../host/messages.js';
import type { Buyer } from '../order/buyer.js';
import type { InsertionOrder } from '../order/insertion-order.js';
import { orderForm } from '../order/order-form.js';
import { button, el, show } from '../view/dom.js';
import { badge, failureOf, remark } from '../view/parts.js';
import { money, plain, short } from '../view/words.js';

/** A plan over products, as get_products proposes it. */
export type Plan = {
  readonly proposal_id: string;
  readonly name: string;
  readonly description?: string;
  readonly proposal_status?: string;
  readonly allocations: readonly { readonly product_id: string; readonly allocation_percentage: number }[];
  readonly total_budget_guidance?: {
    readonly min?: number;
    readonly recommended?: number;
    readonly max?: number;
    readonly currency: string;
  };
  readonly forecast?: { readonly points?: readonly ForecastPoint[] };
  readonly insertion_order?: InsertionOrder;
};

type ForecastPoint = {
  readonly budget?: number;
  readonly metrics?: Readonly<Record<string, { readonly low?: number; readonly mid?: number; readonly high?: number }>>;
};

/** The host, the buyer and the names of products that plans are drawn with. */
type PlanContext = {
  readonly host: Host;
  readonly buyer: Buyer;
  readonly nameOf: (productId: string) => string;
};

/** Returns plans side by side, each with sliders that have the seller refine it. */
export function planCards(context: PlanContext, plans: readonly Plan[]): HTMLElement {
  return el(
    'div',
    { class: 'cards' },
    plans.map((plan) => {
      const card = el('article', { class: 'card plan' });
      drawPlan(card, context, plan);
      return card;
    }),
  );
}

function drawPlan(card: HTMLElement, context: PlanContext, plan: Plan, word = ''): void {
  const { buyer, host, nameOf } = context;
  const note = remark();
  show(note, word);
  const { currency = 'USD', recommended: budget } = plan.total_budget_guidance ?? {};
  const refine = (ask: Change): void => {
    card.setAttribute('aria-busy', 'true');
    show(note, 'Asking the seller …');
    void refinePlan(host, buyer, plan, ask)
      .then(({ note, plan: next }) => drawPlan(card, context, next ?? plan, note))
      .catch((error: Error) => drawPlan(card, context, plan, error.message))
      .finally(() => card.removeAttribute('aria-busy'));
  };
  const order = el('div', {});
  const isDraft = plan.proposal_status === 'draft';
  const isHeld = plan.proposal_status === 'committed';
  const hold = button('Hold this plan', { class: 'main', 'aria-label': `Hold this plan: ${plan.name}` }, () =>
    refine({ action: 'finalize' }),
  );
  const buy = button('Buy this plan', { class: 'main', 'aria-label': `Buy this plan: ${plan.name}` }, () => {
    buy.hidden = true;
    const wanted = { plan, budget, currency };
    void orderForm(host, buyer, wanted).then((form) => show(order, form));
  });
  show(
    card,
    el('h2', {}, plan.name),
    isDraft ? el('div', {}, badge('Draft: held before it is bought', 'wait')) : undefined,
    isHeld ? el('div', {}, badge('Held', 'good')) : undefined,
    plan.description === undefined ? undefined : el('p', { class: 'text' }, plan.description),
    forecast(plan),
    el(
      'div',
      { class: 'shares' },
      plan.allocations.map(({ allocation_percentage: share, product_id }) =>
        shareSlider({ name: nameOf(product_id), share, isFixed: isHeld || plan.allocations.length < 2 }, (next) =>
          refine({ ask: `set ${product_id} to ${next}%` }),
        ),
      ),
    ),
    budget === undefined || isHeld
      ? undefined
      : budgetSlider(plan, (next) => refine({ ask: `budget to ${next} ${currency}` })),
    el('footer', {}, isDraft ? hold : buy),
    note,
    order,
  );
}

function forecast({
  forecast: { points = [] } = {},
  total_budget_guidance: { recommended } = { currency: '' },
}: Plan): HTMLElement | undefined {
  const point = points.find(({ budget }) => budget === recommended) ?? points[0];
  const metrics = Object.entries(point?.metrics ?? {}).filter(
    ([name, { mid }]) => name !== 'spend' && mid !== undefined && mid > 0,
  );
  if (metrics.length === 0) return undefined;
  return el(
    'dl',
    { class: 'tiles' },
    metrics.slice(0, 4).map(([name, { mid }]) => el('div', {}, el('dt', {}, plain(name)), el('dd', {}, short(mid)))),
  );
}

type Share = { readonly name: string; readonly share: number; readonly isFixed: boolean };

function shareSlider({ isFixed, name, share }: Share, onChange: (next: number) => void): HTMLElement {
  const figure = el('output', {}, `${Math.round(share)}%`);
  const slider = el('input', { type: 'range', min: 1, max: 99, step: 1, value: Math.round(share), disabled: isFixed });
  slider.addEventListener('input', () => show(figure, `${slider.value}%`));
  slider.addEventListener('change', () => onChange(Number(slider.value)));
  return el('label', { class: 'share' }, el('span', {}, name), figure, slider);
}

function budgetSlider({ total_budget_guidance: guidance }: Plan, onChange: (next: number) => void): HTMLElement {
  const { currency = 'USD', max = 0, min = 0, recommended = 0 } = guidance ?? {};
  const figure = el('output', {}, money(recommended, currency));
  const upper = Math.min(max, recommended * 3);
  const step = Math.max(1, Math.round(upper / 200));
  const slider = el('input', { type: 'range', min: Math.ceil(min), max: Math.floor(upper), step, value: recommended });
  slider.addEventListener('input', () => show(figure, money(Number(slider.value), currency)));
  slider.addEventListener('change', () => onChange(Number(slider.value)));
  return el('label', { class: 'share total' }, el('span', {}, 'Total budget'), figure, slider);
}

/** A request about a plan: a change in words, or to hold it. */
type Change = { readonly ask: string } | { readonly action: 'finalize' };

type Refined = { readonly note: string; readonly plan: Plan | undefined };

/** Has the seller refine a plan; what it answers is what is shown. */
async function refinePlan(host: Host, buyer: Buyer, { proposal_id }: Plan, change: Change): Promise<Refined> {
  const answer: ToolAnswer = await host.callTool('get_products', {
    buying_mode: 'refine',
    account: buyer.account,
    brand: buyer.brand,
    refine: [{ scope: 'proposal', proposal_id, ...change }],
  });
  if (answer.isError === true) return { note: failureOf(answer), plan: undefined };
  const { proposals = [], refinement_applied: applied = [] } = (answer.structuredContent ?? {}) as RefineAnswer;
  return { note: applied[0]?.notes ?? '', plan: proposals.find((one) => one.proposal_id === proposal_id) };
}

type RefineAnswer = {
  readonly proposals?: readonly Plan[];
  readonly refinement_applied?: readonly { readonly notes?: string }[];
};
