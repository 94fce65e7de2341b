import type { Host } from '../host/host.js';
import type { ToolAnswer } from '../host/messages.js';
import type { Buyer } from '../order/buyer.js';
import type { Product } from '../order/offer.js';
import { button, el, show } from '../view/dom.js';
import { failureOf, remark } from '../view/parts.js';
import { productCard } from './card.js';

/** Where a list goes on, as the seller's answers have it. */
export type Pagination = { readonly cursor?: string; readonly has_more?: boolean; readonly total_count?: number };

type ProductList = { readonly host: Host; readonly buyer: Buyer; readonly cards: HTMLElement };

/** Returns the button that puts the next page behind the cards that are shown; undefined where that was the last one. */
export function moreProducts(list: ProductList, pagination: Pagination | undefined): HTMLElement | undefined {
  let next = cursorOf(pagination);
  if (next === undefined) return undefined;
  const note = remark();
  const more = button('More products', { class: 'ask' }, () => {
    more.disabled = true;
    show(note, 'Asking the seller …');
    void nextPage(list, next)
      .then((answer) => {
        show(note, answer.isError === true ? failureOf(answer) : '');
        if (answer.isError === true) return;
        const { pagination: following, products = [] } = (answer.structuredContent ?? {}) as Page;
        const added = products.map((product) => productCard(list.host, list.buyer, product));
        list.cards.append(...added);
        next = cursorOf(following);
        more.hidden = next === undefined;
        added[0]?.querySelector('button')?.focus();
      })
      .catch((error: Error) => show(note, error.message))
      .finally(() => {
        more.disabled = false;
      });
  });
  return el('div', { class: 'row after' }, more, note);
}

type Page = { readonly products?: readonly Product[]; readonly pagination?: Pagination };

function cursorOf(pagination: Pagination | undefined): string | undefined {
  return pagination?.has_more === false ? undefined : pagination?.cursor;
}

/** Asks what the model asked, from where the page before ended. */
function nextPage({ buyer, host }: ProductList, cursor: string | undefined): Promise<ToolAnswer> {
  const { pagination } = buyer.asked as { pagination?: object };
  return host.callTool('get_products', { ...buyer.asked, pagination: { ...pagination, cursor } });
}
