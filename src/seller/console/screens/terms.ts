import { isObject } from '../../../platform/kernel/json/json.js';
import { type Html, html } from '../../../platform/web/html.js';
import { describeTargeting } from '../../domain/booking/targeting-words.js';
import { modelText } from '../../domain/product/pricing-words.js';
import type { PricingOption } from '../../domain/product/product.js';
import { moneyText } from '../../domain/task/approval.js';

/** Prices of a click or a view are parts of a cent. */
const PRICE_DECIMALS = 6;

/** Returns a price as people write it: `12 USD CPM`, or what is bid and the floor below it. */
export function priceText(option: PricingOption, bid: unknown): string {
  const { currency, fixed_price, floor_price, pricing_model } = option;
  if (fixed_price !== undefined)
    return `${moneyText(fixed_price, currency, PRICE_DECIMALS)} ${modelText(pricing_model)}`;
  const offered = typeof bid === 'number' ? `${moneyText(bid, currency, PRICE_DECIMALS)} bid` : 'auction';
  const floor = floor_price === undefined ? '' : `, floor ${moneyText(floor_price, currency, PRICE_DECIMALS)}`;
  return `${offered} ${modelText(pricing_model)}${floor}`;
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
