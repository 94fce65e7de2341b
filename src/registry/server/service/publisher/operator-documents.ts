import { Cache } from '../../../../platform/kernel/cache.js';
import { yieldToEventLoop } from '../../../../platform/kernel/event-loop.js';
import { allBrandAgents } from '../../../brand/brand-json.js';
import type { BrandAgent, BrandContent, BrandProperty } from '../../../brand/types.js';
import type { RegistryIndex } from '../../../mirror/lookup/registry-index.js';
import type { BrandRecord } from '../../../model/records.js';
import type { FileReader } from '../../crawl/files/file-reader.js';

/** The agents that a brand.json says its house operates, and the properties that it declares. */
export type BrandOffer = { readonly agents: readonly BrandAgent[]; readonly properties: readonly BrandProperty[] };

const NO_OFFER: BrandOffer = { agents: [], properties: [] };

type CachedDocument = { readonly text: string; readonly content: Promise<BrandContent | undefined> };

const MAX_DOCUMENTS = 10_000;
const MAX_BYTES = 8 * 1024 * 1024;

/** The brand.json files of operators, each read where it does not hold the event loop, and cached for as long as its brand has it. */
export class OperatorDocuments {
  readonly #files: Pick<FileReader, 'run'>;
  readonly #documents = new Cache<string, CachedDocument>({
    maxEntries: MAX_DOCUMENTS,
    maxBytes: MAX_BYTES,
    sizeOf: ({ text }) => text.length,
  });

  constructor(files: Pick<FileReader, 'run'>) {
    this.#files = files;
  }

  /** Returns the agents and properties of a brand's document; none where there is none. Throws unavailable when it cannot be read here. */
  async readOffer(record: BrandRecord | undefined): Promise<BrandOffer> {
    if (record?.brand_json === undefined) return NO_OFFER;
    const content = await this.read(record.domain, JSON.stringify(record.brand_json));
    if (content === undefined) return NO_OFFER;
    return { agents: allBrandAgents(content), properties: content.brands.flatMap(({ properties }) => properties) };
  }

  /** Returns the content of a domain's document. Throws unavailable when it cannot be read here. */
  async read(domain: string, text: string): Promise<BrandContent | undefined> {
    const cached = this.#documents.get(domain);
    if (cached?.text === text) return cached.content;
    const job = { kind: 'operator', domain, nowMs: 0, local: false, text } as const;
    const document: CachedDocument = { text, content: this.#files.run(job) };
    this.#documents.set(domain, document);
    try {
      return await document.content;
    } catch (error) {
      // Whatever was in the way may be gone the next time.
      if (this.#documents.get(domain) === document) this.#documents.delete(domain);
      throw error;
    }
  }
}

/** Reads the brand.json of an agent's operator, so that questions about the agent need not. Throws unavailable when it cannot be read here. */
export async function readOperator(
  { index, operatorDocuments }: { readonly index: RegistryIndex; readonly operatorDocuments: OperatorDocuments },
  agentUrl: string,
): Promise<void> {
  const unread = index.unreadOperator(agentUrl);
  if (unread === undefined) return;
  const content = await operatorDocuments.read(unread.domain, unread.text);
  // A large document arrives in one run of the event loop, and the first question sorts it in another (bench row `holds`).
  await yieldToEventLoop();
  unread.cache(content);
}
