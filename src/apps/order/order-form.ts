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

/** Shows the fields of an order; with what was filled in before, when somebody comes back. */
function askFor(section: HTMLElement, asking: Asking, before: Readonly<Record<string, string>> = {}): void {
  const { buyer, wanted } = asking;
  const options = 'product' in wanted ? wanted.product.pricing_options : [];
  const first = options[0];
  const currency = 'product' in wanted ? (first?.currency ?? 'USD') : wanted.currency;
  const budget = 'product' in wanted ? buyer.filters.budget_range?.max : wanted.budget;
  const least = first?.min_spend_per_package;
  const bid = first?.price_guidance?.p50 ?? first?.floor_price;
  // What an insertion order says of money and days is not to be changed.
  const isOpen = termsOf(wanted) === undefined;
  // No form: hosts let documents send none.
  const fields = el(
    'div',
    { class: 'fields', role: 'group', 'aria-label': 'Order' },
    options.length > 1 ? priceChoice(options, before.option) : undefined,
    isOpen
      ? field(`Budget, ${currency}`, {
          name: 'budget',
          type: 'number',
          min: least ?? 1,
          step: 'any',
          value: before.budget ?? budget ?? least ?? '',
        })
      : undefined,
    first !== undefined && first.fixed_price === undefined
      ? field(`Bid, ${currency} ${unitOf(first)}`, {
          name: 'bid',
          type: 'number',
          step: 'any',
          value: before.bid ?? bid,
        })
      : undefined,
    isOpen
      ? field(
          'Starts',
          { name: 'start', type: 'date', value: before.start ?? buyer.filters.start_date },
          'at once if empty',
        )
      : undefined,
    isOpen ? field('Last day', { name: 'end', type: 'date', value: before.end ?? buyer.filters.end_date }) : undefined,
    buyer.account === undefined ? accountChoice(asking.accounts, before.account) : undefined,
    buyer.brand === undefined
      ? field('Brand’s domain', {
          name: 'brand',
          type: 'text',
          placeholder: 'brand.example',
          value: before.brand ?? asking.accounts[0]?.brand?.domain,
        })
      : undefined,
    button('Review the order', { class: 'main' }, () => go()),
  );
  const go = (): void => {
    const inputs = [...fields.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input, select')];
    if (inputs.every((input) => input.reportValidity()))
      review(section, asking, Object.fromEntries(inputs.map(({ name, value }) => [name, value])));
  };
  fields.addEventListener('keydown', ({ key, target }) => {
    if (key === 'Enter' && target instanceof HTMLInputElement) go();
  });
  show(section, fields);
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
function review(section: HTMLElement, asking: Asking, filled: Readonly<Record<string, string>>): void {
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
  const impressions = order.option === undefined ? undefined : impressionsFor(order.budget, order.option);
  const facts = factList([
    ['What', 'product' in wanted ? wanted.product.name : wanted.plan.name],
    ['Price', order.option && `${priceOf(order.option)} ${unitOf(order.option)}`],
    ['Bid', order.bid === undefined ? undefined : money(order.bid, order.currency)],
    ['Comes to', impressions === undefined ? undefined : `about ${count(impressions)} impressions`],
    ['Runs', `${order.start === 'asap' ? 'at once' : day(order.start)} to ${day(order.end)}`],
    ['Brand', order.brand.domain],
    ['Account', 'account_id' in order.account ? String(order.account.account_id) : undefined],
    ['Total', money(order.budget, order.currency)],
  ]);
  show(
    section,
    el('h3', {}, 'Buy this?'),
    facts,
    acceptance?.element,
    el('div', { class: 'row' }, confirm, back),
    note,
  );
  (acceptance?.element.querySelector('input') ?? confirm).focus();
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

function orderOf({ buyer, wanted }: Asking, filled: Readonly<Record<string, string>>): Order {
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
