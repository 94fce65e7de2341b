import type { Product } from './product.js';

/** A product without what the seller keeps to itself. */
export function productWire({ inventory: _inventory, ...wire }: Product): Omit<Product, 'inventory'> {
  return wire;
}
