import type { Host } from '../host/host.js';
import type { Buyer } from '../order/buyer.js';
import { type Product, priceOf, unitOf } from '../order/offer.js';
import { orderForm } from '../order/order-form.js';
import { button, el, show } from '../view/dom.js';
import { channelIcon, channelName } from '../view/icons.js';
import { badge } from '../view/parts.js';
import { money, several } from '../view/words.js';

/** Returns the card of a product: what it is, what it costs, why it is offered, and the form that buys it. */
export function productCard(host: Host, buyer: Buyer, product: Product): HTMLElement {
  const { brief_relevance: why, channels = [], delivery_type, description, format_ids = [], name } = product;
  const [option, ...others] = product.pricing_options;
  const publishers = new Set(product.publisher_properties?.flatMap((one) => one.publisher_domain ?? []));
  const order = el('div', { hidden: true });
  const buy = button('Buy', { class: 'main', 'aria-expanded': 'false', 'aria-label': `Buy ${name}` }, () => {
    const isOpen = order.hidden;
    order.hidden = !isOpen;
    buy.setAttribute('aria-expanded', String(isOpen));
    if (isOpen && order.childElementCount === 0)
      void orderForm(host, buyer, { product }).then((form) => {
        show(order, form);
        form.querySelector('input')?.focus();
      });
  });
  return el(
    'article',
    { class: 'card' },
    el(
      'header',
      {},
      el('span', { class: 'tile' }, channelIcon(channels[0])),
      el(
        'div',
        {},
        el('h2', {}, name),
        el('p', { class: 'soft' }, [...channels.map(channelName), ...publishers].join(' · ')),
      ),
    ),
    option === undefined
      ? undefined
      : el(
          'p',
          { class: 'price' },
          el('strong', {}, priceOf(option)),
          ` ${unitOf(option)}`,
          usual(option.price_guidance?.p50, option.currency),
        ),
    description === undefined ? undefined : el('p', { class: 'text' }, description),
    why === undefined ? undefined : el('p', { class: 'why' }, why),
    el(
      'footer',
      {},
      el(
        'ul',
        { class: 'marks' },
        [
          delivery_type && deliveryBadge(delivery_type),
          option?.min_spend_per_package === undefined
            ? undefined
            : badge(`from ${money(option.min_spend_per_package, option.currency)}`),
          format_ids.length === 0 ? undefined : badge(several(format_ids.length, 'format')),
          others.length === 0 ? undefined : badge(several(others.length + 1, 'price')),
        ].map((mark) => mark && el('li', {}, mark)),
      ),
      buy,
    ),
    order,
  );
}

function deliveryBadge(type: string): HTMLElement {
  return type === 'guaranteed' ? badge('Guaranteed', 'good') : badge('Not guaranteed');
}

function usual(price: number | undefined, currency: string): HTMLElement | undefined {
  return price === undefined ? undefined : el('span', { class: 'soft' }, ` · usually ${money(price, currency)}`);
}
