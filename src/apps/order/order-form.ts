import type { Host } from '../host/host.js';
import { button, el, show } from '../view/dom.js';
import { failureOf, remark } from '../view/parts.js';
import { count, day, money } from '../view/words.js';
import type { Account, Buyer } from './buyer.js';
import { impressionsFor, type PricingOption, type Product, priceOf, unitOf } from './offer.js';
import { type Order, placeOrder } from './place-order.js';
import { receipt } from './receipt.js';

/** What is bought: a product at one of its prices, or a plan. */
export type Wanted =
  | { readonly product: Product }
  | {
      readonly plan: { readonly proposal_id: string; readonly name: string };
      readonly budget: number | undefined;
      readonly currency: string;
    };

/** Returns the form that buys something, in two steps: what and when, then the whole order to confirm. */
export async function orderForm(host: Host, buyer: Buyer, wanted: Wanted): Promise<HTMLElement> {
  const accounts = buyer.account === undefined ? await buyer.accounts() : [];
  const place = el('div', { class: 'order' });
  askFor(place, { host, buyer, wanted, accounts });
  return place;
}

type Asking = {
  readonly host: Host;
  readonly buyer: Buyer;
  readonly wanted: Wanted;
  readonly accounts: readonly Account[];
};

/** Shows the fields of an order; with what was filled in before, when somebody comes back. */
function askFor(place: HTMLElement, asking: Asking, before: Readonly<Record<string, string>> = {}): void {
  const { buyer, wanted } = asking;
  const options = 'product' in wanted ? wanted.product.pricing_options : [];
  const first = options[0];
  const currency = 'product' in wanted ? (first?.currency ?? 'USD') : wanted.currency;
  const budget = 'product' in wanted ? buyer.filters.budget_range?.max : wanted.budget;
  const least = first?.min_spend_per_package;
  const bid = first?.price_guidance?.p50 ?? first?.floor_price;
  // No form: hosts let documents send none.
  const fields = el(
    'div',
    { class: 'fields', role: 'group', 'aria-label': 'Order' },
    options.length > 1 ? priceChoice(options, before.option) : undefined,
    field(`Budget, ${currency}`, {
      name: 'budget',
      type: 'number',
      min: least ?? 1,
      step: 'any',
      value: before.budget ?? budget ?? least ?? '',
    }),
    first !== undefined && first.fixed_price === undefined
      ? field(`Bid, ${currency} ${unitOf(first)}`, {
          name: 'bid',
          type: 'number',
          step: 'any',
          value: before.bid ?? bid,
        })
      : undefined,
    field(
      'Starts',
      { name: 'start', type: 'date', value: before.start ?? buyer.filters.start_date },
      'at once if empty',
    ),
    field('Last day', { name: 'end', type: 'date', value: before.end ?? buyer.filters.end_date }),
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
      review(place, asking, Object.fromEntries(inputs.map(({ name, value }) => [name, value])));
  };
  fields.addEventListener('keydown', ({ key, target }) => {
    if (key === 'Enter' && target instanceof HTMLInputElement) go();
  });
  show(place, fields);
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
function review(place: HTMLElement, asking: Asking, filled: Readonly<Record<string, string>>): void {
  const { host, wanted } = asking;
  const order = orderOf(asking, filled);
  const note = remark();
  const confirm = button(`Buy for ${money(order.budget, order.currency)}`, { class: 'main buy' }, () => {
    confirm.disabled = true;
    back.disabled = true;
    show(note, 'Buying …');
    void placeOrder(host, order)
      .then((answer) => {
        if (answer.isError !== true) {
          show(place, receipt(host, answer));
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
  const back = button('Change', { class: 'ask' }, () => askFor(place, asking, filled));
  const impressions = order.option === undefined ? undefined : impressionsFor(order.budget, order.option);
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['What', 'product' in wanted ? wanted.product.name : wanted.plan.name],
    ['Price', order.option && `${priceOf(order.option)} ${unitOf(order.option)}`],
    ['Bid', order.bid === undefined ? undefined : money(order.bid, order.currency)],
    ['Comes to', impressions === undefined ? undefined : `about ${count(impressions)} impressions`],
    ['Runs', `${order.start === undefined ? 'at once' : day(order.start)} to ${day(order.end)}`],
    ['Brand', order.brand.domain],
    ['Account', 'account_id' in order.account ? String(order.account.account_id) : undefined],
    ['Total', money(order.budget, order.currency)],
  ];
  show(
    place,
    el('h3', {}, 'Buy this?'),
    el(
      'dl',
      { class: 'facts' },
      facts.map(([name, value]) =>
        value === undefined ? undefined : el('div', {}, el('dt', {}, name), el('dd', {}, value)),
      ),
    ),
    el('div', { class: 'row' }, confirm, back),
    note,
  );
  confirm.focus();
}

function orderOf({ buyer, wanted }: Asking, filled: Readonly<Record<string, string>>): Order {
  const options = 'product' in wanted ? wanted.product.pricing_options : [];
  const option = options.find((one) => one.pricing_option_id === filled.option) ?? options[0];
  return {
    what: 'product' in wanted ? { product_id: wanted.product.product_id } : { proposal_id: wanted.plan.proposal_id },
    option,
    currency: option?.currency ?? ('product' in wanted ? 'USD' : wanted.currency),
    budget: Number(filled.budget),
    bid: option?.fixed_price === undefined && filled.bid !== undefined ? Number(filled.bid) : undefined,
    start: filled.start === '' ? undefined : filled.start,
    end: filled.end ?? '',
    account: buyer.account ?? { account_id: filled.account },
    brand: buyer.brand ?? { domain: filled.brand },
    key: crypto.randomUUID(),
  };
}
