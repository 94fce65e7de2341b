import type { Host } from '../host/host.js';
import { button, el, show } from '../view/dom.js';
import { factList, failureOf, remark } from '../view/parts.js';
import { count, day, money } from '../view/words.js';
import type { Account, Buyer } from './buyer.js';
import { acceptanceForm, type InsertionOrder } from './insertion-order.js';
import { impressionsFor, type PricingOption, type Product, priceOf, unitOf } from './offer.js';
import { type Order, placeOrder } from './place-order.js';
import { receipt } from './receipt.js';

/** The thing that is bought: a product at one of its prices, or a plan. */
export type Wanted =
  | { readonly product: Product }
  | {
      readonly plan: {
        readonly proposal_id: string;
        readonly name: string;
        readonly insertion_order?: InsertionOrder;
      };
      readonly budget: number | undefined;
      readonly currency: string;
    };

/** Returns the form that buys something, in two steps: what and when, then the whole order to confirm. */
export async function orderForm(host: Host, buyer: Buyer, wanted: Wanted): Promise<HTMLElement> {
  const accounts = buyer.account === undefined ? await buyer.accounts() : [];
  const section = el('div', { class: 'order' });
  askFor(section, { host, buyer, wanted, accounts });
  return section;
}

type Asking = {
  readonly host: Host;
  readonly buyer: Buyer;
  readonly wanted: Wanted;
  readonly accounts: readonly Account[];
};

type Filled = Readonly<Record<string, string>>;

/** Shows the fields of an order; with what was filled in before, when somebody comes back. */
function askFor(section: HTMLElement, asking: Asking, before: Filled = {}): void {
  // No form: hosts let documents send none.
  const fields = el(
    'div',
    { class: 'fields', role: 'group', 'aria-label': 'Order' },
    ...moneyFields(asking, before),
    ...flightFields(asking, before),
    ...buyerFields(asking, before),
    button('Review the order', { class: 'main' }, () => go()),
  );
  const go = (): void => {
    const inputs = [...fields.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input, select')];
    if (inputs.every((input) => input.reportValidity()))
      showReview(section, asking, Object.fromEntries(inputs.map(({ name, value }) => [name, value])));
  };
  fields.addEventListener('keydown', ({ key, target }) => {
    if (key === 'Enter' && target instanceof HTMLInputElement) go();
  });
  show(section, fields);
}

function moneyFields({ buyer, wanted }: Asking, before: Filled): readonly HTMLElement[] {
  const options = 'product' in wanted ? wanted.product.pricing_options : [];
  const first = options[0];
  const currency = 'product' in wanted ? (first?.currency ?? 'USD') : wanted.currency;
  const budget = 'product' in wanted ? buyer.filters.budget_range?.max : wanted.budget;
  const least = first?.min_spend_per_package;
  const fields: HTMLElement[] = [];
  if (options.length > 1) fields.push(priceChoice(options, before.option));
  if (isOpen(wanted)) {
    const value = before.budget ?? budget ?? least ?? '';
    fields.push(field(`Budget, ${currency}`, { name: 'budget', type: 'number', min: least ?? 1, step: 'any', value }));
  }
  if (first !== undefined && first.fixed_price === undefined) {
    const value = before.bid ?? first.price_guidance?.p50 ?? first.floor_price;
    fields.push(field(`Bid, ${currency} ${unitOf(first)}`, { name: 'bid', type: 'number', step: 'any', value }));
  }
  return fields;
}

function flightFields({ buyer, wanted }: Asking, before: Filled): readonly HTMLElement[] {
  if (!isOpen(wanted)) return [];
  const { end_date, start_date } = buyer.filters;
  return [
    field('Starts', { name: 'start', type: 'date', value: before.start ?? start_date }, 'at once if empty'),
    field('Last day', { name: 'end', type: 'date', value: before.end ?? end_date }),
  ];
}

function buyerFields({ accounts, buyer }: Asking, before: Filled): readonly HTMLElement[] {
  const fields: HTMLElement[] = [];
  if (buyer.account === undefined) fields.push(accountChoice(accounts, before.account));
  if (buyer.brand === undefined) {
    const value = before.brand ?? accounts[0]?.brand?.domain;
    fields.push(field('Brand’s domain', { name: 'brand', type: 'text', placeholder: 'brand.example', value }));
  }
  return fields;
}

function field(label: string, attributes: Parameters<typeof el>[1], hint?: string): HTMLElement {
  const isOptional = hint !== undefined;
  return el(
    'label',
    {},
    el('span', {}, label, hint === undefined ? undefined : el('small', {}, hint)),
    el('input', { required: !isOptional, ...attributes }),
  );
}

function priceChoice(options: readonly PricingOption[], chosen: string | undefined): HTMLElement {
  return el(
    'label',
    {},
    el('span', {}, 'Price'),
    el(
      'select',
      { name: 'option' },
      options.map((option) =>
        el(
          'option',
          { value: option.pricing_option_id, selected: option.pricing_option_id === chosen },
          `${priceOf(option)} ${unitOf(option)}`,
        ),
      ),
    ),
  );
}

function accountChoice(accounts: readonly Account[], chosen: string | undefined): HTMLElement {
  if (accounts.length === 0) return field('Account', { name: 'account', type: 'text', value: chosen });
  return el(
    'label',
    {},
    el('span', {}, 'Account'),
    el(
      'select',
      { name: 'account' },
      accounts.map(({ account_id, name }) =>
        el('option', { value: account_id, selected: account_id === chosen }, name ?? account_id),
      ),
    ),
  );
}

/** Shows the whole order. It is booked once, however often the button is pressed: the key is the order's. */
function showReview(section: HTMLElement, asking: Asking, filled: Filled): void {
  const { host, wanted } = asking;
  const order = orderOf(asking, filled);
  const toAccept = 'plan' in wanted ? wanted.plan.insertion_order : undefined;
  const acceptance = toAccept && acceptanceForm(host, toAccept);
  const note = remark();
  const confirm = button(`Buy for ${money(order.budget, order.currency)}`, { class: 'main buy' }, () => {
    const accepted = acceptance?.read();
    if (acceptance !== undefined && accepted === undefined) return;
    confirm.disabled = true;
    back.disabled = true;
    show(note, 'Buying …');
    void placeOrder(host, order, accepted)
      .then((answer) => {
        if (answer.isError !== true) {
          show(section, receipt(host, answer));
          return;
        }
        show(note, failureOf(answer));
        back.disabled = false;
      })
      .catch((error: Error) => {
        show(note, `${error.message} Press again: the same order is never booked twice.`);
        confirm.disabled = false;
      });
  });
  const back = button('Change', { class: 'ask' }, () => askFor(section, asking, filled));
  show(
    section,
    el('h3', {}, 'Buy this?'),
    orderFacts(order, wanted),
    acceptance?.element,
    el('div', { class: 'row' }, confirm, back),
    note,
  );
  (acceptance?.element.querySelector('input') ?? confirm).focus();
}

function orderFacts(order: Order, wanted: Wanted): HTMLElement {
  const { account, bid, brand, budget, currency, end, option, start } = order;
  const impressions = option && impressionsFor(budget, option);
  return factList([
    ['What', 'product' in wanted ? wanted.product.name : wanted.plan.name],
    ['Price', option && `${priceOf(option)} ${unitOf(option)}`],
    ['Bid', bid === undefined ? undefined : money(bid, currency)],
    ['Comes to', impressions === undefined ? undefined : `about ${count(impressions)} impressions`],
    ['Runs', `${start === 'asap' ? 'at once' : day(start)} to ${day(end)}`],
    ['Brand', brand.domain],
    ['Account', 'account_id' in account ? String(account.account_id) : undefined],
    ['Total', money(budget, currency)],
  ]);
}

/** Whether the buyer chooses money and days, which an insertion order fixes. */
function isOpen(wanted: Wanted): boolean {
  return termsOf(wanted) === undefined;
}

/** Returns what an insertion order fixes of what is bought; undefined where there is none. */
function termsOf(wanted: Wanted): Flight | undefined {
  const terms = 'plan' in wanted ? wanted.plan.insertion_order?.terms : undefined;
  if (terms?.total_budget === undefined || terms.flight_end === undefined) return undefined;
  const { flight_end: end, flight_start: start, total_budget } = terms;
  // A flight that has begun by now begins with the order.
  const hasBegun = start === undefined || Date.parse(start) <= Date.now();
  return { budget: total_budget.amount, currency: total_budget.currency, start: hasBegun ? 'asap' : start, end };
}

type Flight = Pick<Order, 'budget' | 'currency' | 'start' | 'end'>;

function orderOf({ buyer, wanted }: Asking, filled: Filled): Order {
  const options = 'product' in wanted ? wanted.product.pricing_options : [];
  const option = options.find((one) => one.pricing_option_id === filled.option) ?? options[0];
  return {
    what: 'product' in wanted ? { product_id: wanted.product.product_id } : { proposal_id: wanted.plan.proposal_id },
    option,
    currency: option?.currency ?? ('product' in wanted ? 'USD' : wanted.currency),
    budget: Number(filled.budget),
    start: filled.start === '' ? 'asap' : `${filled.start}T00:00:00Z`,
    end: `${filled.end}T23:59:59Z`,
    ...termsOf(wanted),
    bid: option?.fixed_price === undefined && filled.bid !== undefined ? Number(filled.bid) : undefined,
    account: buyer.account ?? { account_id: filled.account },
    brand: buyer.brand ?? { domain: filled.brand },
    key: crypto.randomUUID(),
  };
}
