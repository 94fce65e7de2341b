import { Host } from './host/host.js';
import type { ToolAnswer } from './host/messages.js';
import { Buyer } from './order/buyer.js';
import type { Product } from './order/offer.js';
import { productCard } from './products/card.js';
import { moreProducts, type Pagination } from './products/more.js';
import { type Plan, planCards } from './products/plans.js';
import { el, show } from './view/dom.js';
import { failureOf, notice, stage } from './view/parts.js';
import { several } from './view/words.js';

/** An answer of get_products, as far as it is shown. */
type ProductsAnswer = {
  readonly products?: readonly Product[];
  readonly proposals?: readonly Plan[];
  readonly message?: string;
  readonly sandbox?: boolean;
  readonly pagination?: Pagination;
};

const host = await Host.connect('Products', {
  onInput: (args) => buyer.learn(args),
  onResult: (answer) => show(stage(), page(answer)),
  onCanceled: () => show(stage(), notice('The search was canceled.')),
});
const buyer = new Buyer(host);

function page(answer: ToolAnswer): HTMLElement {
  if (answer.isError === true) return notice('Nothing was found', failureOf(answer));
  const {
    message,
    pagination,
    products = [],
    proposals = [],
    sandbox,
  } = (answer.structuredContent ?? {}) as ProductsAnswer;
  if (products.length === 0) return notice('No products', message ?? 'Ask for something else.');
  const names = new Map(products.map(({ name, product_id }) => [product_id, name]));
  const plans = planCards({ host, buyer, nameOf: (id) => names.get(id) ?? id }, proposals);
  const title = several(pagination?.total_count ?? products.length, 'product');
  const cards = el(
    'div',
    { class: 'cards' },
    products.map((product) => productCard(host, buyer, product)),
  );
  return el(
    'div',
    {},
    el(
      'header',
      { class: 'top' },
      el('h1', {}, proposals.length === 0 ? title : `${several(proposals.length, 'plan')} and ${title}`),
      el('p', { class: 'lead' }, message, sandbox === true ? ' This is the sandbox: nothing is charged.' : undefined),
    ),
    proposals.length === 0 ? undefined : plans,
    cards,
    moreProducts({ host, buyer, cards }, pagination),
  );
}
