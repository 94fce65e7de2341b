import { type Written, writeOnce } from '../../../platform/kernel/json/json.js';
import type { Product } from './product.js';

/** Returns a product without what the seller keeps to itself. */
export function productWire({ inventory: _inventory, ...wire }: Product): Omit<Product, 'inventory'> {
  return wire;
}

/** The written wire form of a product catalog's products; each is written when it is first sent (bench: get_products). */
export class ProductWires {
  readonly #products: ReadonlyMap<string, Product>;
  readonly #written = new Map<Product, Written>();

  constructor(products: ReadonlyMap<string, Product>) {
    this.#products = products;
  }

  /** Returns a product as it goes on the wire; one that is not the catalog's own, such as one without some prices, is written anew. */
  write(product: Product): Written {
    const cached = this.#written.get(product);
    if (cached !== undefined) return cached;
    const wire = writeOnce(productWire(product));
    if (this.#products.get(product.product_id) === product) this.#written.set(product, wire);
    return wire;
  }
}
