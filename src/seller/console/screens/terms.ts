import { isObject } from '../../../platform/kernel/json/json.js';
import { type Html, html } from '../../../platform/web/html.js';
import { describeTargeting } from '../../domain/booking/targeting-words.js';
import type { PricingOption } from '../../domain/product/product.js';
import { moneyText } from '../../domain/task/approval.js';

/** Returns a price as people write it: `12 USD CPM`, or what is bid and the floor below it. */
export function priceText(option: PricingOption, bid: unknown): string {
  const { currency, fixed_price, floor_price, pricing_model } = option;
  if (fixed_price !== undefined) return `${moneyText(fixed_price, currency)} ${modelText(pricing_model)}`;
  const offered = typeof bid === 'number' ? `${moneyText(bid, currency)} bid` : 'auction';
  const floor = floor_price === undefined ? '' : `, floor ${moneyText(floor_price, currency)}`;
  return `${offered} ${modelText(pricing_model)}${floor}`;
}

/** Returns a pricing model as the trade writes it: `CPM`, `flat rate`. */
export function modelText(model: string): string {
  return /^v?cp/.test(model) ? model.toUpperCase() : model.replaceAll('_', ' ');
}

/** Of what is said of one dimension. */
const MAX_SHOWN_CHARS = 300;

/** Returns what a package targets, one dimension a line. */
export function showTargeting(overlay: unknown): Html {
  if (!isObject(overlay) || Object.keys(overlay).length === 0) return html`everybody`;
  return html`<ul class="plain">${describeTargeting(overlay).map((sentence) => html`<li>${shorten(sentence)}</li>`)}</ul>`;
}

function shorten(sentence: string): string {
  return sentence.length > MAX_SHOWN_CHARS ? `${sentence.slice(0, MAX_SHOWN_CHARS)}…` : sentence;
}
