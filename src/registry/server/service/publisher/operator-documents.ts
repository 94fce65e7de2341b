import { allBrandAgents } from '../../../brand/brand-json.js';
import type { BrandAgent, BrandContent, BrandProperty } from '../../../brand/types.js';
import type { BrandRecord } from '../../../model/records.js';
import type { Registry } from '../registry.js';

/** What a brand.json says that its house operates, and which properties it declares, brand by brand. */
export type BrandOffer = { readonly agents: readonly BrandAgent[]; readonly properties: readonly BrandProperty[] };

const NO_OFFER: BrandOffer = { agents: [], properties: [] };

type Kept = { readonly text: string; readonly content: Promise<BrandContent | undefined> };

/** Most characters of documents that are remembered. */
const MOST = 8 * 1024 * 1024;
const remembered = new WeakMap<Registry['store'], Map<string, Kept>>();

/** What the brand.json says that a brand was read of; nothing where there is none. Throws unavailable when it cannot be read here. */
export async function offerOf(registry: Registry, record: BrandRecord | undefined): Promise<BrandOffer> {
  if (record?.brand_json === undefined) return NO_OFFER;
  const content = await contentOf(registry, record.domain, JSON.stringify(record.brand_json));
  if (content === undefined) return NO_OFFER;
  return { agents: allBrandAgents(content), properties: content.brands.flatMap(({ properties }) => properties) };
}

/** Has the brand.json of an agent's operator read, so that questions about the agent need not. Throws like `offerOf`. */
export async function readOperator(registry: Registry, agentUrl: string): Promise<void> {
  const unread = registry.index.unreadOperator(agentUrl);
  unread?.keep(await contentOf(registry, unread.domain, unread.text));
}

/** A document, read where it holds nobody up, and remembered for as long as the brand has it. */
async function contentOf({ files, store }: Registry, domain: string, text: string): Promise<BrandContent | undefined> {
  const kept = remembered.get(store) ?? new Map<string, Kept>();
  remembered.set(store, kept);
  const known = kept.get(domain);
  if (known?.text === text) return known.content;
  kept.delete(domain);
  const one: Kept = { text, content: files.run({ kind: 'operator', domain, nowMs: 0, local: false, text }) };
  kept.set(domain, one);
  let characters = [...kept.values()].reduce((sum, other) => sum + other.text.length, 0);
  for (const [oldest, other] of kept) {
    if (characters <= MOST) break;
    characters -= other.text.length;
    kept.delete(oldest);
  }
  try {
    return await one.content;
  } catch (error) {
    // Whatever was in the way may be gone the next time.
    if (kept.get(domain) === one) kept.delete(domain);
    throw error;
  }
}
