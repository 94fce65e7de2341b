import { type Clock, HOUR_MS, MINUTE_MS } from '../../platform/kernel/clock.js';
import type { RegistryClient } from '../client/client.js';
import { RegistryError } from '../client/error.js';
import type { BrandRecord } from '../model/records.js';

/** A lookup of a brand by its domain; undefined when only the brand itself can tell. */
export type BrandLookup = (domain: string) => Promise<Readonly<Record<string, unknown>> | undefined>;

/** As much of a brand as is looked at, of the mirror or of the registry's answer. */
type Answer = Partial<Pick<BrandRecord, 'brand_json' | 'brand_manifest' | 'brand_name'>> & { readonly source: string };

/** How long an answer is good, and a failure is remembered. */
const GOOD_MS = HOUR_MS;
const FAILED_MS = MINUTE_MS;
const MAX_CACHED = 1000;
/** What a stranger has sent in is not taken for the brand's own word: its own file is read first. */
const UNPROVEN: ReadonlySet<string> = new Set(['community', 'stub']);

/** Looks a brand up in the mirror, then at the registry; never throws, and asks for a domain once an hour. */
export function createBrandLookup(
  mirrored: (domain: string) => Promise<Answer | undefined>,
  client: Pick<RegistryClient, 'resolveBrand'>,
  clock: Clock,
): BrandLookup {
  const cached = new Map<string, { readonly brand: Awaited<ReturnType<BrandLookup>>; readonly untilMs: number }>();

  async function ask(domain: string): Promise<{ readonly answer: Answer | undefined; readonly isGood: boolean }> {
    const answer = await mirrored(domain);
    if (answer !== undefined) return { answer, isGood: true };
    try {
      return { answer: await client.resolveBrand({ domain }), isGood: true };
    } catch (error) {
      if (!(error instanceof RegistryError)) throw error;
      return { answer: undefined, isGood: error.status === 404 };
    }
  }

  return async (domain) => {
    const before = cached.get(domain);
    if (before !== undefined && clock.now() < before.untilMs) return before.brand;
    const { isGood, answer } = await ask(domain);
    const brand = contentOf(answer);
    cached.delete(domain);
    cached.set(domain, { brand, untilMs: clock.now() + (isGood ? GOOD_MS : FAILED_MS) });
    const oldest = cached.keys().next();
    if (cached.size > MAX_CACHED && oldest.done !== true) cached.delete(oldest.value);
    return brand;
  };
}

function contentOf(answer: Answer | undefined): Readonly<Record<string, unknown>> | undefined {
  if (answer === undefined || UNPROVEN.has(answer.source)) return undefined;
  const { brand_json, brand_manifest, brand_name } = answer;
  if (brand_json !== undefined) return brand_json;
  return brand_manifest === undefined ? undefined : { ...(brand_name && { name: brand_name }), ...brand_manifest };
}
