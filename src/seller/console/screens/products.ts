import { isObject } from '../../../platform/kernel/json/json.js';
import { type Html, html } from '../../../platform/web/html.js';
import { catchTaskError, TaskError } from '../../../protocol/errors.js';
import type { Product } from '../../domain/product/product.js';
import { listUnmetDemands } from '../../domain/product/search.js';
import type { Seller } from '../../domain/tenant/seller.js';
import { isOnSale } from '../../tasks/product/on-sale.js';
import { callInName } from '../call.js';
import { CONSOLE_PATH } from '../page/assets.js';
import { type Choice, select } from '../page/forms.js';
import { badge, card, count, table } from '../page/pieces.js';
import type { ConsolePage, Screen, Visit } from '../visit.js';
import { EDIT_PRODUCT, editPath, showProduct } from './edit-product.js';
import { priceText } from './terms.js';

const PATH = `${CONSOLE_PATH}/products`;
const MAX_BRIEF_CHARS = 2000;

/** What each tenant sells, and why a brief does or does not find it. */
export const PRODUCTS: Screen = {
  path: PATH,
  title: 'Products',
  views: [
    { path: PATH, run: listProducts },
    { path: `${PATH}/:tenant/:id`, run: showProduct },
  ],
  acts: [EDIT_PRODUCT],
};

async function listProducts(visit: Visit): Promise<ConsolePage> {
  const { app, query } = visit;
  const selling = [...app.sellers().values()].filter(({ products }) => products.size > 0);
  const seller = selling.find(({ tenant }) => tenant.path === query.text('tenant')) ?? selling[0];
  const brief = query.text('brief')?.slice(0, MAX_BRIEF_CHARS);
  const tenants = selling.map(({ tenant }): Choice => [tenant.path, tenant.name]);
  const form = html`<form method="get" action="${PATH}" class="card" aria-label="Try a brief">${tenants.length > 1 && select('tenant', 'Tenant', tenants, seller?.tenant.path)}<label class="field"><span>A brief, as a buyer would send it</span><textarea name="brief" rows="2" maxlength="${MAX_BRIEF_CHARS}">${brief ?? ''}</textarea></label><button class="primary">What does it find?</button></form>`;
  return {
    title: 'Products',
    lead:
      seller === undefined ? 'No tenant sells products.' : `${count(seller.products.size)} at ${seller.tenant.name}.`,
    body: html`${form}${seller !== undefined && brief !== undefined && (await explainBrief(visit, seller, brief))}${seller !== undefined && card({ id: 'catalog', title: 'Catalog', body: showCatalog(seller) })}`,
  };
}

/** Shows what a brief finds as a buyer is answered, and of each product why, or that it is left out. */
async function explainBrief(visit: Visit, seller: Seller, brief: string): Promise<Html> {
  const call = { tenant: seller.tenant.path, tool: 'get_products', arguments: { buying_mode: 'brief', brief } };
  const answer = await catchTaskError(() => callInName(visit, call));
  if (answer instanceof TaskError) return html`<p class="notice problem" role="alert">${answer.message}</p>`;
  const { message, products } = answer;
  const matches = Array.isArray(products) ? products.filter(isObject) : [];
  const reasons = new Map(
    matches.map((product) => [String(product.product_id), String(product.brief_relevance ?? '')]),
  );
  const remark = typeof message === 'string' ? message : undefined;
  const unmet = listUnmetDemands(seller.index, brief);
  const whyNot = (product: Product): string => {
    if (!isOnSale(product, visit.nowMs)) return 'It is not on sale any more.';
    const demands = unmet.get(product);
    if (demands !== undefined) return `It does not meet what the brief demands: ${demands.join('; ')}.`;
    return `No word of the brief is about it, or others are more so. Its keywords: ${product.inventory.keywords.join(', ') || 'none'}.`;
  };
  const order = [...reasons.keys()];
  const rows = [...seller.products.values()].toSorted((one, other) => rankOf(order, one) - rankOf(order, other));
  const body = html`${remark !== undefined && html`<p class="lead">${remark}</p>`}${table({
    caption: 'Products and why the brief finds them',
    empty: 'There is no product.',
    rows,
    columns: [
      { title: 'Product', cell: ({ name, product_id }) => html`${name}<small>${product_id}</small>` },
      {
        title: 'Found',
        cell: ({ product_id }) => (reasons.has(product_id) ? badge('found', 'good') : badge('left out')),
      },
      {
        title: 'Why',
        cell: (product) => reasons.get(product.product_id) ?? whyNot(product),
      },
    ],
  })}`;
  return card({ id: 'found', title: `${count(matches.length)} found`, body });
}

function rankOf(order: readonly string[], { product_id }: Product): number {
  const at = order.indexOf(product_id);
  return at < 0 ? order.length : at;
}

function showCatalog({ products, tenant }: Seller): Html {
  return table({
    caption: 'Products for sale',
    empty: 'There is no product.',
    rows: [...products.values()],
    columns: [
      {
        title: 'Product',
        cell: ({ name, product_id }) =>
          html`<a href="${editPath(tenant.path, product_id)}">${name}</a><small>${product_id}</small>`,
      },
      { title: 'Channels', cell: ({ channels }) => channels.join(', ') },
      { title: 'Delivery', cell: ({ delivery_type }) => badge(delivery_type.replace('non_', 'not ')) },
      {
        title: 'Prices',
        cell: ({ pricing_options }) =>
          html`<ul class="plain">${pricing_options.map((option) => html`<li>${priceText(option, undefined)}</li>`)}</ul>`,
      },
      { title: 'Impressions a day', isNumber: true, cell: ({ inventory }) => count(inventory.daily_impressions) },
    ],
  });
}
