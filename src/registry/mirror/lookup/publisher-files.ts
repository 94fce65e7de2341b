import { Cache } from '../../../platform/kernel/cache.js';
import type { EffectiveAdagents } from '../../adagents/discovery.js';
import { entryFromRow, placementsFromJson, propertiesFromRows } from './rows.js';
import type { SharedRows } from './shared-rows.js';

const MAX_FILES = 64;
const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** What a property or an entry takes in memory, roughly. */
const BYTES_PER_ROW = 500;

/** Publishers' files as the records tell them; few are asked about at a time, and those again and again. */
export class PublisherFiles {
  readonly #rows: SharedRows;
  readonly #files = new Cache<number, EffectiveAdagents>({
    maxEntries: MAX_FILES,
    maxBytes: MAX_FILE_BYTES,
    sizeOf: ({ file }) => BYTES_PER_ROW * (1 + file.properties.length + file.agents.length),
  });

  constructor(rows: SharedRows) {
    this.#rows = rows;
  }

  /** Forgets the files of these publishers, or all. */
  forget(publishers?: ReadonlySet<number>): void {
    if (publishers === undefined) this.#files.clear();
    else for (const publisher of publishers) this.#files.delete(publisher);
  }

  /**
   * Returns the file of a publisher, each of whose rows is an entry that names the row as its place; undefined for a publisher without a
   * file. Ids or identifiers stand for the names of properties, which are not looked up.
   */
  file(domain: string): EffectiveAdagents | undefined {
    const { reads } = this.#rows;
    const row = reads.publishers.find(domain);
    if (row === undefined || row.standing === null || row.standing === 'none') return undefined;
    const { publisher, standing } = row;
    const cached = this.#files.get(publisher);
    if (cached !== undefined) return cached;
    const rows = reads.properties.ofPublisher(publisher);
    const properties = propertiesFromRows(rows, domain);
    const byRid = new Map(properties.map((property) => [property.pointer, property]));
    const agents = reads.grants.ofPublisher(publisher).flatMap((grant) => {
      const property = byRid.get(grant.rid);
      if (grant.rid !== '' && property === undefined) return [];
      return [entryFromRow(grant, this.#rows.terms(grant.term), { url: grant.url, domain, property })];
    });
    const effective: EffectiveAdagents = {
      publisherDomain: domain,
      method: 'direct',
      url: 'the snapshot',
      file: {
        domain,
        isSuperseded: standing === 'superseded',
        isCommunity: standing === 'catalogue',
        properties: properties.filter((_, at) => rows[at]?.inline === 0),
        // Whoever wrote the records has put down the site of a publisher that lists nothing.
        unreadProperties: 1,
        collections: [],
        placements: placementsFromJson(reads.publishers.placements(publisher)),
        agents,
        revoked: standing === 'revoked' ? new Map([[domain, undefined]]) : new Map(),
        formats: [],
        signals: [],
      },
    };
    this.#files.set(publisher, effective);
    return effective;
  }
}
