import type { ResolvedCreative } from '../domain/booking/creatives.js';
import { type LiveBuy, type LiveOrder, makeOrder } from '../domain/booking/live-order.js';
import type { Product } from '../domain/product/product.js';
import type { AdServerAdapter } from './port/adapter.js';
import type { ProductMapping } from './port/answers.js';

/** The facts of a product that a connection needs. */
type SoldProduct = Pick<Product, 'product_id' | 'name' | 'inventory'>;

/** The ad server of a tenant, and where it has the tenant's products. */
export class Connection {
  readonly adapter: AdServerAdapter;
  readonly #products: ReadonlyMap<string, SoldProduct>;

  constructor(adapter: AdServerAdapter, products: readonly SoldProduct[]) {
    this.adapter = adapter;
    this.#products = new Map(products.map((product) => [product.product_id, product]));
  }

  /** Returns the tenant's products, with their settings for this ad server. */
  get mappings(): readonly ProductMapping[] {
    return [...this.#products.values()].map(({ product_id, inventory }) => ({
      product_id,
      adapter: inventory.adapter ?? {},
    }));
  }

  /** Returns the order that the ad server has to carry out for a buy. */
  makeOrder(buy: LiveBuy, creatives: readonly ResolvedCreative[]): LiveOrder {
    return makeOrder(buy, {
      creatives,
      adapterOf: (id) => this.#products.get(id)?.inventory.adapter,
      nameOf: (id) => this.#products.get(id)?.name,
    });
  }
}

/** Finds the ad server of whoever sold to an owner; undefined where there is none. */
export type FindConnection = (owner: string) => Connection | undefined;
