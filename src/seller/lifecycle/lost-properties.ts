import { isoTime, type OwnClocks } from '../../platform/kernel/clock.js';
import { readOwner } from '../domain/tenant/principal.js';
import type { Seller } from '../domain/tenant/seller.js';
import type { Store } from '../store/store.js';
import type { LostProperties } from './impairments.js';
import type { Lifecycle } from './media-buys.js';

/** The source of the products that no publisher authorizes, as `tenant: product_id`; undefined before they were judged. */
type Rights = { readonly unauthorized: () => readonly string[] | undefined };

/** Returns the publishers that do not authorize a product, by what was judged last. */
export function createLostProperties(rights: Rights, sellers: () => ReadonlyMap<string, Seller>): LostProperties {
  return (owner) => {
    const unauthorized = rights.unauthorized();
    if (unauthorized === undefined) return undefined;
    const { tenant: path } = readOwner(owner);
    const products = sellers().get(path)?.tenant.products ?? [];
    return new Map(
      products
        .filter(({ product_id }) => unauthorized.includes(`${path}: ${product_id}`))
        .map(({ product_id, publisher_properties }) => [
          product_id,
          [...new Set(publisher_properties.map(({ publisher_domain }) => publisher_domain))],
        ]),
    );
  };
}

/** The ports of the follower of lost properties. */
type FollowerPorts = {
  readonly store: Store;
  readonly clock: OwnClocks;
  readonly lifecycle: Pick<Lifecycle, 'follow'>;
  readonly rights: Rights;
};

/** Moves the running buys of products whose publishers withdraw their authorization, or give it again. */
export class RightsFollower {
  readonly #ports: FollowerPorts;
  /** What the buys have followed; undefined before the first time. */
  #followed: readonly string[] | undefined;

  constructor(ports: FollowerPorts) {
    this.#ports = ports;
  }

  /** Follows what has changed since the last run; the first one looks at every buy that such a loss is noted of, too. */
  async run(isStopped: () => boolean = () => false): Promise<void> {
    const now = this.#ports.rights.unauthorized();
    if (now === undefined || now.join() === this.#followed?.join()) return;
    const before = this.#followed ?? [];
    const changed = [...now.filter((one) => !before.includes(one)), ...before.filter((one) => !now.includes(one))];
    for (const owner of await this.#ports.store.read.mediaBuys.owners()) {
      const prefix = `${readOwner(owner).tenant}: `;
      const ids = changed.filter((one) => one.startsWith(prefix)).map((one) => one.slice(prefix.length));
      for (const id of this.#followed === undefined ? [...ids, 'property_depublished'] : ids) {
        if (isStopped()) return;
        await this.#follow(owner, id);
      }
    }
    this.#followed = now;
  }

  async #follow(owner: string, id: string): Promise<void> {
    const { store, clock, lifecycle } = this.#ports;
    const ms = clock.nowOf(owner);
    for (const { buy } of await store.read.mediaBuys.liveNaming(owner, id))
      await store.transact(async (tx) => {
        const present = await tx.mediaBuys.find(owner, buy.media_buy_id);
        if (present !== undefined) await lifecycle.follow(tx, owner, present, { ms, iso: isoTime(ms) });
      });
  }
}
