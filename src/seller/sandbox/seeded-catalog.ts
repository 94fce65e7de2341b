import type { Format } from '../../creative/formats/format.js';
import type { Product } from '../domain/product/product.js';
import { type Seller, withProducts, withSignals } from '../domain/tenant/seller.js';
import type { SandboxItem, SandboxKind } from '../store/sandboxes.js';
import {
  completeFormat,
  completePrice,
  completeProduct,
  completeSignal,
  type FormatFixture,
  formatsFor,
  type PriceFixture,
  type ProductFixture,
  type SignalFixture,
  withPrices,
} from './fixtures.js';

/** A seeded price, and the product that it belongs to. */
type SeededPrice = PriceFixture & { readonly product_id: string; readonly pricing_option_id: string };

/** A seller as the owner of fixtures sees it. */
export type SandboxView = {
  /** The catalog with the fixtures in it; one of the same id takes the place of the catalog's own. */
  readonly whole: Seller;
  /** The fixtures in place of the catalog. */
  readonly alone: Seller;
};

/** Returns a seller with the fixtures of one owner. */
export function openView(seller: Seller, items: readonly SandboxItem[]): SandboxView {
  const of = (kind: SandboxKind) => items.filter((item) => item.kind === kind);
  const prices = of('pricing_option').map(({ doc }) => doc as SeededPrice);
  const seededPrices = (productId: string) =>
    prices
      .filter(({ product_id }) => product_id === productId)
      .map(({ product_id: _product, pricing_option_id, ...price }) => completePrice(pricing_option_id, price));
  const seeded = of('product').map(({ key, doc }) =>
    completeProduct(key, doc as ProductFixture, seededPrices(key), seller),
  );
  const seededIds = new Set(seeded.map((product) => product.product_id));
  const own = seller.tenant.products
    .filter((product) => !seededIds.has(product.product_id))
    .map((product) => repriced(product, seededPrices(product.product_id)));
  const formats = of('creative_format').map(({ key, doc }) => completeFormat(key, doc as FormatFixture, seller));
  const signals = of('signal').map(({ key, doc }) => completeSignal(key, doc as SignalFixture, seller));
  const whole = selling(seller, [...own, ...seeded], [...seller.formats, ...formats]);
  const alone = selling(seller, seeded, formats);
  if (signals.length === 0) return { whole, alone };
  return { whole: withSignals(whole, replaceSignals(seller, signals)), alone: withSignals(alone, signals) };
}

function replaceSignals({ tenant }: Seller, seeded: Seller['tenant']['signals']): Seller['tenant']['signals'] {
  const seededIds = new Set(seeded.map((signal) => signal.signal_agent_segment_id));
  return [...tenant.signals.filter((signal) => !seededIds.has(signal.signal_agent_segment_id)), ...seeded];
}

function repriced(product: Product, more: Product['pricing_options']): Product {
  return more.length === 0 ? product : { ...product, pricing_options: withPrices(product.pricing_options, more) };
}

function selling(seller: Seller, products: readonly Product[], formats: readonly Format[]): Seller {
  const byId = new Map(formats.map((format) => [format.format_id.id, format]));
  const offered = { ...seller, formats: [...byId.values()] };
  const all = [...offered.formats, ...formatsFor(products, offered)];
  return {
    ...withProducts({ ...seller, formatOptions: seller.formatOptions.with(all) }, products),
    formats: all,
    formatIds: new Set([...seller.formatIds, ...all.map((format) => format.format_id.id)]),
  };
}
