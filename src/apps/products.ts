import { Host } from './host/host.js';
import type { ToolAnswer } from './host/messages.js';
import { Buyer } from './order/buyer.js';
import type { Product } from './order/offer.js';
import { productCard } from './products/card.js';
import { el, show } from './view/dom.js';
import { failureOf, notice, stage } from './view/parts.js';
import { several } from './view/words.js';

/** What get_products answers, as far as it is shown. */
type Found = { readonly products?: readonly Product[]; readonly message?: string; readonly sandbox?: boolean };

const host = await Host.connect('Products', {
  onInput: (args) => buyer.learn(args),
  onResult: (answer) => show(stage(), page(answer)),
  onCanceled: () => show(stage(), notice('The search was canceled.')),
});
const buyer = new Buyer(host);

function page(answer: ToolAnswer): HTMLElement {
  if (answer.isError === true) return notice('Nothing was found', failureOf(answer));
  const { message, products = [], sandbox } = (answer.structuredContent ?? {}) as Found;
  if (products.length === 0) return notice('No products', message ?? 'Ask for something else.');
  return el(
    'div',
    {},
    el(
      'header',
      { class: 'top' },
      el('h1', {}, several(products.length, 'product')),
      el('p', { class: 'lead' }, message, sandbox === true ? ' This is the sandbox: nothing is charged.' : undefined),
    ),
    el(
      'div',
      { class: 'cards' },
      products.map((product) => productCard(host, buyer, product)),
    ),
  );
}
