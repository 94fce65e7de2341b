import type { ResolvedCreative } from '../../domain/booking/creatives.js';
import { type ForeignIds, joinForeignIds } from '../../domain/booking/foreign-ids.js';

/** The ids of an order in Kevel, as they become known. Each is stored before the next call goes out. */
export class Identities {
  readonly #save: (ids: ForeignIds) => Promise<void>;
  #ids: ForeignIds | undefined;

  constructor(ids: ForeignIds | undefined, save: (ids: ForeignIds) => Promise<void> = async () => undefined) {
    this.#ids = ids;
    this.#save = save;
  }

  get all(): ForeignIds | undefined {
    return this.#ids;
  }

  get campaign(): string | undefined {
    return this.#ids?.order;
  }

  get advertiser(): string | undefined {
    return this.#ids?.others?.advertiser;
  }

  flight(packageId: string): string | undefined {
    return this.#ids?.packages?.[packageId];
  }

  /** Notes ids that are there; stores those that are news. */
  async note(ids: ForeignIds): Promise<void> {
    const before = JSON.stringify(this.#ids);
    this.#ids = joinForeignIds(this.#ids, ids);
    if (JSON.stringify(this.#ids) !== before) await this.#save(ids);
  }

  /** Notes the creative of an ad, so that reports are read by it. */
  noteCreative({ package_id, creative_id }: ResolvedCreative, creativeId: number): Promise<void> {
    return this.note({
      creatives: { [creative_id]: `${creativeId}` },
      others: { [`creative:${creativeId}`]: JSON.stringify([package_id, creative_id]) },
    });
  }
}

/** Returns what of ours Kevel's creatives are, by their ids there: package and creative. */
export function readCreatives(
  foreign: ForeignIds,
): ReadonlyMap<string, readonly [packageId: string, creativeId: string]> {
  const read = new Map<string, readonly [string, string]>();
  for (const [key, text] of Object.entries(foreign.others ?? {})) {
    if (!key.startsWith('creative:')) continue;
    const [packageId, creativeId] = JSON.parse(text) as readonly unknown[];
    if (typeof packageId === 'string' && typeof creativeId === 'string') {
      read.set(key.slice('creative:'.length), [packageId, creativeId]);
    }
  }
  return read;
}
