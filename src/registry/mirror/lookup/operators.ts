import { Cache } from '../../../platform/kernel/cache.js';
import { isUrl } from '../../../platform/net/url.js';
import { Operator } from '../../authorization/operator.js';
import { readBrandContent } from '../../brand/brand-json.js';
import { brandJsonUrl } from '../../brand/discovery.js';
import type { BrandContent } from '../../brand/types.js';
import { domainName, registrableDomain } from '../../model/domains.js';
import type { RegistryStore } from '../../store/registry-store.js';

/** A brand.json that was not read of its text yet, and where its content goes. */
export type UnreadOperator = {
  readonly domain: string;
  readonly text: string;
  readonly cache: (content: BrandContent | undefined) => void;
};

/** An operator's brand.json as it was read: another object each time that it is read. */
export type OperatorDocument = { readonly operator: Operator | undefined; readonly bytes: number };

const MAX_AGENTS = 10_000;
const MAX_AGENT_BYTES = 4 * 1024 * 1024;
const MAX_DOCUMENTS = 10_000;
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;
const BYTES_OF_NONE = 100;

/** The documents of those who serve agents, read of the registry's brands; forgotten when the brand changes. */
export class Operators {
  readonly #read: RegistryStore['lookups']['read'];
  readonly #domains = new Cache<string, string>({
    maxEntries: MAX_AGENTS,
    maxBytes: MAX_AGENT_BYTES,
    sizeOf: (domain, agentUrl) => 2 * (agentUrl.length + domain.length),
  });
  readonly #documents = new Cache<string, OperatorDocument>({
    maxEntries: MAX_DOCUMENTS,
    maxBytes: MAX_DOCUMENT_BYTES,
    sizeOf: ({ bytes }) => bytes,
  });
  readonly #endFollowing: () => void;

  constructor(store: Pick<RegistryStore, 'follow' | 'lookups'>) {
    this.#read = store.lookups.read;
    this.#endFollowing = store.follow(({ noun, id }) => {
      if (noun === 'brand') this.#documents.delete(id);
    });
  }

  /** Returns the document of whoever has the domain that an agent is served at; undefined where the registry has none. */
  operatorOf(agentUrl: string): Operator | undefined {
    const domain = this.#domainOf(agentUrl);
    const cached = this.#documents.get(domain);
    if (cached !== undefined) return cached.operator;
    const text = this.#read.publishers.brand(domain);
    const content = text === undefined ? undefined : readBrandContent(text, { file: brandJsonUrl(domain) });
    return this.#remember(domain, content, text);
  }

  /** Returns what was read of the document of an agent's operator, while it is current and at hand. */
  peek(agentUrl: string): OperatorDocument | undefined {
    return this.#documents.get(this.#domainOf(agentUrl));
  }

  /** Returns the document of an agent's operator while it is unread: large ones are read beside the event loop. */
  unread(agentUrl: string): UnreadOperator | undefined {
    const domain = this.#domainOf(agentUrl);
    if (this.#documents.get(domain) !== undefined) return undefined;
    const text = this.#read.publishers.brand(domain);
    if (text === undefined) return undefined;
    return {
      domain,
      text,
      cache: (content) => {
        // Another text may have taken its place while it was read.
        if (this.#read.publishers.brand(domain) === text) this.#remember(domain, content, text);
      },
    };
  }

  /** Stops following the brands. */
  close(): void {
    this.#endFollowing();
  }

  #remember(domain: string, content: BrandContent | undefined, text: string | undefined): Operator | undefined {
    const operator = content && new Operator(content);
    this.#documents.set(domain, { operator, bytes: text?.length ?? BYTES_OF_NONE });
    return operator;
  }

  #domainOf(agentUrl: string): string {
    const cached = this.#domains.get(agentUrl);
    if (cached !== undefined) return cached;
    const host = isUrl(agentUrl) ? domainName(new URL(agentUrl).hostname) : undefined;
    const domain = host === undefined ? agentUrl : (registrableDomain(host) ?? host);
    this.#domains.set(agentUrl, domain);
    return domain;
  }
}
