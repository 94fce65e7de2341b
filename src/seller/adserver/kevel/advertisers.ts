import type { LiveOrder } from '../../domain/booking/live-order.js';
import type { KevelApi } from './api.js';
import type { Identities } from './identities.js';
import { LookUp } from './look-up.js';
import type { KevelSettings } from './settings.js';

type Branded = Pick<LiveOrder, 'brand'>;

/** So many are remembered; the first of them goes first. */
const MAX_ADVERTISERS = 1000;

/** The advertisers of a network by the domains of their brands. Orders of one brand that come at once make one advertiser. */
export class Advertisers {
  readonly #given: KevelSettings['advertisers'];
  readonly #idsByDomain = new Map<string, number>();
  /** Settles when nobody looks for or makes the advertiser of a domain any more. */
  readonly #making = new Map<string, Promise<unknown>>();

  constructor({ advertisers }: Pick<KevelSettings, 'advertisers'>) {
    this.#given = advertisers;
  }

  /** Returns the id of a brand's advertiser; undefined where there is none. */
  async find({ brand }: Branded, api: KevelApi, ids: Identities): Promise<number | undefined> {
    const domain = brand.domain.toLowerCase();
    const id = this.#given[domain] ?? this.#idsByDomain.get(domain);
    if (id !== undefined) return id;
    const advertiser = await new LookUp(api, ids).advertiser(domain);
    if (advertiser !== undefined) this.#remember(domain, advertiser.Id);
    return advertiser?.Id;
  }

  /** Returns the id of a brand's advertiser, which is made where there is none. */
  async bring(order: Branded, api: KevelApi, ids: Identities): Promise<number> {
    const domain = order.brand.domain.toLowerCase();
    const before = this.#making.get(domain);
    const brought = (before ?? Promise.resolve()).then(() => this.#bring(order, domain, { api, ids }));
    const settled = brought
      .catch(() => undefined)
      .then(() => {
        if (this.#making.get(domain) === settled) this.#making.delete(domain);
      });
    this.#making.set(domain, settled);
    return brought;
  }

  /** Has the advertiser of a brand looked for again: somebody may have deleted it. */
  forget({ brand }: Branded): void {
    this.#idsByDomain.delete(brand.domain.toLowerCase());
  }

  async #bring(order: Branded, domain: string, { api, ids }: Asking): Promise<number> {
    const id = (await this.find(order, api, ids)) ?? (await this.#create(domain, api));
    if (this.#given[domain] === undefined) await ids.note({ others: { advertiser: `${id}` } });
    return id;
  }

  async #create(domain: string, api: KevelApi): Promise<number> {
    const { Id } = await api.create('/advertiser', { Title: domain, IsActive: true, ExternalId: domain });
    this.#remember(domain, Id);
    return Id;
  }

  #remember(domain: string, id: number): void {
    const [first] = this.#idsByDomain.keys();
    if (this.#idsByDomain.size >= MAX_ADVERTISERS && first !== undefined) this.#idsByDomain.delete(first);
    this.#idsByDomain.set(domain, id);
  }
}

/** Who asks, and what is known of the order. */
type Asking = { readonly api: KevelApi; readonly ids: Identities };
