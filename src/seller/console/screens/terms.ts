import { isObject } from '../../../platform/kernel/json/json.js';
import { type Html, html } from '../../../platform/web/html.js';
import type { PricingOption } from '../../domain/product/product.js';
import { moneyText } from '../../domain/task/approval.js';

/** Returns a price as people write it: `12 USD cpm`, or what is bid and the floor below it. */
export function priceText(option: PricingOption, bid: unknown): string {
  const { currency, fixed_price, floor_price, pricing_model } = option;
  if (fixed_price !== undefined) return `${moneyText(fixed_price, currency)} ${pricing_model}`;
  const offered = typeof bid === 'number' ? `${moneyText(bid, currency)} bid` : 'auction';
  const floor = floor_price === undefined ? '' : `, floor ${moneyText(floor_price, currency)}`;
  return `${offered} ${pricing_model}${floor}`;
}

/** Values of one dimension that are shown. */
const MAX_VALUES = 12;

/** Returns what a package targets, one dimension a line. */
export function describeTargeting(overlay: unknown): Html {
  if (!isObject(overlay) || Object.keys(overlay).length === 0) return html`everybody`;
  return html`<ul class="plain">${Object.entries(overlay).map(
    ([dimension, value]) => html`<li><b>${dimension.replaceAll('_', ' ')}</b> ${valueText(value)}</li>`,
  )}</ul>`;
}

function valueText(value: unknown): string {
  if (!Array.isArray(value)) return isObject(value) ? JSON.stringify(value) : String(value);
  const shown = value.slice(0, MAX_VALUES).map((one: unknown) => (isObject(one) ? JSON.stringify(one) : String(one)));
  const more = value.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}
