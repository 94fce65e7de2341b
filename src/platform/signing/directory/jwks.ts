import type { ProtocolNames } from '../../../protocol/names.js';
import { type Clock, MINUTE_MS } from '../../kernel/clock.js';
import { isObject } from '../../kernel/json/json.js';
import { hostKind } from '../../net/address.js';
import type { Outbound } from '../../net/fetch.js';
import { isSameSite, registrableDomain } from '../../net/registrable-domain.js';
import { HOST_NAME, isUrl } from '../../net/url.js';
import type { FoundKey } from '../verify/attempt.js';
import type { Failure, Profile } from '../verify/codes.js';
import { type Identity, readIdentity } from './capabilities.js';
import { createDocumentCache, type Fetchable } from './document-cache.js';
import { createDocuments, type Document, type DocumentFault, FAILURE_TTL_MS } from './documents.js';

/** An agent that we do business with, and what we know of where its keys are. */
export type KnownAgent = {
  /** Absolute, exactly as its operator lists it. */
  readonly url: string;
  /** Where its operator's brand.json is, when that is known from elsewhere. */
  readonly brandJsonUrl?: string;
  /** Where its keys are, agreed on out of band; nothing else is asked then. */
  readonly jwksUri?: string;
  /** Keys that a publisher's adagents.json pins for it: no other counts (facts 2.4). */
  readonly pins?: readonly Readonly<Record<string, unknown>>[];
};

/** What finds keys of agents. */
export type KeyDirectory = {
  /** The key of one agent. Fetches again for a keyid that is not there, at most every 30 seconds. */
  readonly find: (agent: KnownAgent, keyid: string) => Promise<FoundKey>;
  /** The key of whichever agent publishes it; the first of the list counts. Unavailable keys of one hide no key of another. */
  readonly findAmong: (agents: readonly KnownAgent[], keyid: string) => Promise<FoundKey>;
};

/** What a directory is made of. */
export type KeyDirectoryOptions = {
  readonly outbound: Pick<Outbound, 'fetch'>;
  readonly clock: Clock;
  readonly names: ProtocolNames;
  /** Of what is verified: which of an agent's key origins has to fit. */
  readonly profile: Profile;
  /** Lets plain http and loopback through, in development mode only. */
  readonly local: boolean;
  /** Where brand.json is looked for when nobody says: as the agent says (the rule), or at the agent's own origin. */
  readonly brandJson?: 'capabilities' | 'well_known';
};

const JWKS_MAX_BYTES = 64 * 1024;
const BRAND_JSON_MAX_BYTES = 256 * 1024;
const JWKS_PATH = '/.well-known/jwks.json';
const BRAND_JSON_PATH = '/.well-known/brand.json';
const IDENTITY_TTL_MS = 15 * MINUTE_MS;

const BRAND_JSON_FAULTS: Readonly<Record<DocumentFault, Failure>> = {
  unreachable: 'signature_brand_json_unreachable',
  untrusted: 'signature_brand_json_unreachable',
  malformed: 'signature_brand_json_malformed',
};
const JWKS_FAULTS: Readonly<Record<DocumentFault, Failure>> = {
  unreachable: 'signature_jwks_unavailable',
  untrusted: 'signature_jwks_untrusted',
  malformed: 'signature_jwks_untrusted',
};

type Located = { readonly ok: true; readonly jwksUri: string } | { readonly ok: false; readonly failure: Failure };

const failed = (failure: Failure): Located => ({ ok: false, failure });

/** A directory: agent, its operator's brand.json, the one entry of agents[], its jwks_uri, the key (facts 2.4). */
export function createKeyDirectory(options: KeyDirectoryOptions): KeyDirectory {
  const { clock, local, names, outbound, profile } = options;
  const documents = createDocuments(outbound, clock);
  const identities = createDocumentCache<Identity | undefined>(clock);
  const purpose = `${profile}_signing`;

  function readBrand(url: string, again: boolean): Promise<Document> {
    return documents.read(url, { maxBytes: BRAND_JSON_MAX_BYTES, local, again });
  }

  async function askIdentity(agentUrl: string): Promise<Fetchable<Identity | undefined>> {
    const value = await readIdentity(outbound, agentUrl, names, local);
    const isGood = value !== undefined;
    return { value, isGood, ttlMs: isGood ? IDENTITY_TTL_MS : FAILURE_TTL_MS };
  }

  async function locate(agent: KnownAgent, again: boolean): Promise<Located> {
    if (agent.jwksUri !== undefined) return { ok: true, jwksUri: agent.jwksUri };
    if (agent.brandJsonUrl !== undefined) return follow(agent, await readBrand(agent.brandJsonUrl, again));
    if (options.brandJson === 'well_known') {
      const brand = await readBrand(new URL(BRAND_JSON_PATH, agent.url).href, again);
      const next = brand.ok ? redirectOf(brand.value) : undefined;
      return follow(agent, next === undefined ? brand : await readBrand(next, again));
    }
    const identity = await identities.read(agent.url, () => askIdentity(agent.url), again);
    if (identity === undefined) return failed('signature_capabilities_unreachable');
    const { brandJsonUrl } = identity;
    if (brandJsonUrl === undefined || !isUrl(brandJsonUrl)) return failed('signature_brand_json_url_missing');
    const brand = await readBrand(brandJsonUrl, again);
    if (brand.ok && !isBound(agent.url, brandJsonUrl, brand.value)) return failed('signature_brand_origin_mismatch');
    const located = follow(agent, brand);
    return located.ok ? checkOrigin(identity, located.jwksUri) : located;
  }

  function isBound(agentUrl: string, brandJsonUrl: string, brand: Readonly<Record<string, unknown>>): boolean {
    const [agent, operator] = [new URL(agentUrl).hostname, new URL(brandJsonUrl).hostname];
    if (agent === operator) return true;
    if (hostKind(agent) !== undefined || hostKind(operator) !== undefined) return false;
    if (isSameSite(agent, operator)) return true;
    const operators = Array.isArray(brand.authorized_operators) ? brand.authorized_operators : [];
    const domain = registrableDomain(agent);
    return domain !== undefined && operators.some((one: unknown) => isObject(one) && one.domain === domain);
  }

  function checkOrigin({ keyOrigins, signsFor }: Identity, jwksUri: string): Located {
    const origin = keyOrigins[purpose];
    if (origin === undefined && signsFor.includes(purpose)) return failed('signature_key_origin_missing');
    const isSame = origin === undefined || (typeof origin === 'string' && hostOf(origin) === hostOf(jwksUri));
    return isSame ? { ok: true, jwksUri } : failed('signature_key_origin_mismatch');
  }

  async function look(agent: KnownAgent, keyid: string, again: boolean): Promise<FoundKey> {
    const located = await locate(agent, again);
    if (!located.ok) return { kind: 'refused', failure: located.failure };
    const { jwksUri } = located;
    const jwks = await documents.read(jwksUri, { maxBytes: JWKS_MAX_BYTES, local, again });
    if (!jwks.ok) return { kind: 'refused', failure: JWKS_FAULTS[jwks.fault] };
    const keys = keysOf(jwks);
    if (keys === undefined) return { kind: 'refused', failure: 'signature_jwks_untrusted' };
    const [jwk, twin] = keys.filter(({ kid }) => kid === keyid);
    // Two keys of one name: whichever is meant, the other would be taken for it.
    if (twin !== undefined) return { kind: 'refused', failure: 'signature_jwks_untrusted' };
    if (jwk === undefined) return { kind: 'unknown' };
    return pinned(agent, jwk, clock.now()) ?? { kind: 'found', jwk, signer: agent.url, source: jwksUri };
  }

  async function find(agent: KnownAgent, keyid: string): Promise<FoundKey> {
    const first = await look(agent, keyid, false);
    return first.kind === 'unknown' ? look(agent, keyid, true) : first;
  }

  return {
    find,
    findAmong: async (agents, keyid) => {
      return bestAnswer(await Promise.all(agents.map((agent) => find(agent, keyid))));
    },
  };
}

/** What counts of several answers: the first key, else why there is none. */
export function bestAnswer(answers: readonly FoundKey[]): FoundKey {
  const order = ['found', 'refused', 'unknown'] as const;
  const [best] = order.flatMap((kind) => answers.filter((one) => one.kind === kind));
  return best ?? { kind: 'unknown' };
}

/** From a brand.json to the keys of the one entry that is the agent. */
function follow(agent: KnownAgent, brand: Document): Located {
  if (!brand.ok) return failed(BRAND_JSON_FAULTS[brand.fault]);
  const entries = agentEntries(brand.value).filter(({ url }) => url === agent.url);
  const [entry] = entries;
  if (entry === undefined) return failed('signature_agent_not_in_brand_json');
  if (entries.length > 1) return failed('signature_brand_json_ambiguous');
  const jwksUri = typeof entry.jwks_uri === 'string' ? entry.jwks_uri : new URL(JWKS_PATH, agent.url).href;
  return { ok: true, jwksUri };
}

/** Where a brand.json says that another one counts; followed once, from the agent's own origin alone (facts 2.4). */
function redirectOf({
  authoritative_location: location,
  house,
}: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof location === 'string') return location;
  return typeof house === 'string' && HOST_NAME.test(house) ? `https://${house}${BRAND_JSON_PATH}` : undefined;
}

/** What a pin has against a key; nothing when there are no pins or one is this key's. */
function pinned({ pins }: KnownAgent, jwk: Readonly<Record<string, unknown>>, nowMs: number): FoundKey | undefined {
  if (pins === undefined) return undefined;
  const pin = pins.find(({ kid }) => kid === jwk.kid);
  if (pin === undefined) return { kind: 'unknown' };
  // An instant that cannot be read is no reason to trust the key.
  if (pin.revoked_at !== undefined && !(Date.parse(String(pin.revoked_at)) > nowMs))
    return { kind: 'refused', failure: 'signature_key_revoked' };
  const isSame = (['kty', 'crv', 'x', 'y'] as const).every(
    (name) => pin[name] === undefined || pin[name] === jwk[name],
  );
  return isSame ? undefined : { kind: 'refused', failure: 'signature_jwks_untrusted' };
}

/** The keys of a JWKS; undefined when it is none. */
function keysOf(jwks: Extract<Document, { ok: true }>): readonly Readonly<Record<string, unknown>>[] | undefined {
  const { keys } = jwks.value;
  return Array.isArray(keys) ? keys.filter(isObject) : undefined;
}

/** Every agent that a brand.json lists: its own, the house's and its brands'. */
export function agentEntries(brand: Readonly<Record<string, unknown>>): readonly Readonly<Record<string, unknown>>[] {
  const brands: readonly unknown[] = Array.isArray(brand.brands) ? brand.brands : [];
  const lists = [brand, brand.house, ...brands].map((holder) => (isObject(holder) ? holder.agents : undefined));
  return lists.flatMap((list) => (Array.isArray(list) ? list.filter(isObject) : []));
}

function hostOf(text: string): string {
  if (isUrl(text) && text.includes('://')) return new URL(text).host;
  return text.toLowerCase();
}
