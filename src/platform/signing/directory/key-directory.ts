import { type Clock, MINUTE_MS } from '../../kernel/clock.js';
import { isObject } from '../../kernel/json/json.js';
import { hostKind } from '../../net/address.js';
import type { Outbound } from '../../net/fetch.js';
import { isSameSite, registrableDomain } from '../../net/registrable-domain.js';
import { HOST_NAME, isUrl } from '../../net/url.js';
import type { Failure, Profile } from '../verify/codes.js';
import type { KeyLookup } from '../verify/verification.js';
import { type Identity, readIdentity } from './capabilities.js';
import { DocumentCache, type Fetchable } from './document-cache.js';
import {
  createDocumentReader,
  type Document,
  type DocumentFault,
  type DocumentReader,
  FAILURE_TTL_MS,
} from './documents.js';

/** An agent that signs, and the addresses that lead to its keys as far as they are known. */
export type SigningAgent = {
  /** Absolute, exactly as its operator lists it. */
  readonly url: string;
  /** Address of its operator's brand.json, when that is known from elsewhere. */
  readonly brandJsonUrl?: string | undefined;
  /** Address of its keys, agreed on out of band; nothing else is asked then. */
  readonly jwksUri?: string | undefined;
  /** Keys that a publisher's adagents.json pins for it: no other counts. */
  readonly pins?: readonly Jwk[] | undefined;
};

/** Finds keys of agents. */
export type KeyDirectory = {
  /** Returns the key of one agent. Fetches again for a keyid that the agent does not publish, at most every 30 seconds. */
  readonly find: (agent: SigningAgent, keyid: string) => Promise<KeyLookup>;
  /** Returns the key of whichever agent publishes it; the first of the list counts. Unavailable keys of one agent hide no key of another. */
  readonly findAmong: (agents: readonly SigningAgent[], keyid: string) => Promise<KeyLookup>;
};

/** The ports and settings of a directory. */
export type KeyDirectoryOptions = {
  readonly outbound: Pick<Outbound, 'fetch'>;
  readonly clock: Clock;
  /** The protocol's names that the directory speaks. */
  readonly names: { readonly capabilitiesTool: string };
  /** Of the signatures that are verified: which of an agent's key origins has to fit. */
  readonly profile: Profile | 'governance';
  /** Lets plain http and loopback through, in development mode only. */
  readonly local: boolean;
  /** Where brand.json is looked for when nobody says: as the agent's capabilities say (the rule), or at the agent's own origin. */
  readonly brandJson?: 'capabilities' | 'well_known' | undefined;
};

type Jwk = Readonly<Record<string, unknown>>;
type JsonObject = Readonly<Record<string, unknown>>;

const MAX_JWKS_BYTES = 64 * 1024;
const MAX_BRAND_JSON_BYTES = 256 * 1024;
const JWKS_PATH = '/.well-known/jwks.json';
const BRAND_JSON_PATH = '/.well-known/brand.json';
/** What the URLs of an agent's identity take in memory, roughly. */
const BYTES_PER_IDENTITY = 4096;
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

type Location = { readonly ok: true; readonly jwksUri: string } | { readonly ok: false; readonly failure: Failure };

const failLookup = (failure: Failure): Location => ({ ok: false, failure });

/** Makes a directory that goes from the agent over its operator's brand.json and the agent's one entry there to its JWKS and the key. */
export function createKeyDirectory(options: KeyDirectoryOptions): KeyDirectory {
  const directory = new PublishedKeys(options);
  return {
    find: (agent, keyid) => directory.find(agent, keyid),
    findAmong: async (agents, keyid) =>
      chooseKey(await Promise.all(agents.map((agent) => directory.find(agent, keyid)))),
  };
}

class PublishedKeys {
  readonly #options: KeyDirectoryOptions;
  readonly #documents: DocumentReader;
  readonly #identities: DocumentCache<Identity | undefined>;

  constructor(options: KeyDirectoryOptions) {
    this.#options = options;
    this.#documents = createDocumentReader(options.outbound, options.clock);
    this.#identities = new DocumentCache<Identity | undefined>(options.clock);
  }

  async find(agent: SigningAgent, keyid: string): Promise<KeyLookup> {
    const lookup = await this.#lookUp(agent, keyid, false);
    return lookup.kind === 'unknown' ? this.#lookUp(agent, keyid, true) : lookup;
  }

  async #lookUp(agent: SigningAgent, keyid: string, refresh: boolean): Promise<KeyLookup> {
    const location = await this.#locate(agent, refresh);
    if (!location.ok) return { kind: 'refused', failure: location.failure };
    const { jwksUri } = location;
    const { local, clock } = this.#options;
    const jwks = await this.#documents.read(jwksUri, { maxBytes: MAX_JWKS_BYTES, local, refresh });
    if (!jwks.ok) return { kind: 'refused', failure: JWKS_FAULTS[jwks.fault] };
    const keys = readKeys(jwks.value);
    if (keys === undefined) return { kind: 'refused', failure: 'signature_jwks_untrusted' };
    const [jwk, twin] = keys.filter(({ kid }) => kid === keyid);
    // Two keys of one name: whichever is meant, the other would be taken for it.
    if (twin !== undefined) return { kind: 'refused', failure: 'signature_jwks_untrusted' };
    if (jwk === undefined) return { kind: 'unknown' };
    return checkPins(agent, jwk, clock.now()) ?? { kind: 'found', jwk, signer: agent.url, source: jwksUri };
  }

  async #locate(agent: SigningAgent, refresh: boolean): Promise<Location> {
    if (agent.jwksUri !== undefined) return { ok: true, jwksUri: agent.jwksUri };
    if (agent.brandJsonUrl !== undefined) return followBrand(agent, await this.#readBrand(agent.brandJsonUrl, refresh));
    if (this.#options.brandJson === 'well_known') {
      const brand = await this.#readBrand(new URL(BRAND_JSON_PATH, agent.url).href, refresh);
      const next = brand.ok ? readRedirect(brand.value) : undefined;
      return followBrand(agent, next === undefined ? brand : await this.#readBrand(next, refresh));
    }
    const identity = await this.#identities.read(agent.url, () => this.#askIdentity(agent.url), refresh);
    if (identity === undefined) return failLookup('signature_capabilities_unreachable');
    const { brandJsonUrl } = identity;
    if (brandJsonUrl === undefined || !isUrl(brandJsonUrl)) return failLookup('signature_brand_json_url_missing');
    const brand = await this.#readBrand(brandJsonUrl, refresh);
    if (brand.ok && !isBound(agent.url, brandJsonUrl, brand.value))
      return failLookup('signature_brand_origin_mismatch');
    const location = followBrand(agent, brand);
    return location.ok ? checkOrigin(identity, location.jwksUri, `${this.#options.profile}_signing`) : location;
  }

  #readBrand(url: string, refresh: boolean): Promise<Document> {
    return this.#documents.read(url, { maxBytes: MAX_BRAND_JSON_BYTES, local: this.#options.local, refresh });
  }

  async #askIdentity(agentUrl: string): Promise<Fetchable<Identity | undefined>> {
    const { outbound, names, local } = this.#options;
    const value = await readIdentity(outbound, agentUrl, names.capabilitiesTool, local);
    const isGood = value !== undefined;
    return { value, isGood, ttlMs: isGood ? IDENTITY_TTL_MS : FAILURE_TTL_MS, bytes: BYTES_PER_IDENTITY };
  }
}

/** Returns the answer that counts of several: the first key, else why there is none. */
export function chooseKey(lookups: readonly KeyLookup[]): KeyLookup {
  const order = ['found', 'refused', 'unknown'] as const;
  const [best] = order.flatMap((kind) => lookups.filter((one) => one.kind === kind));
  return best ?? { kind: 'unknown' };
}

/** Whether agent and brand.json belong together: one host, one site, or a domain that brand.json lists as an operator's. */
function isBound(agentUrl: string, brandJsonUrl: string, brand: JsonObject): boolean {
  const [agent, operator] = [new URL(agentUrl).hostname, new URL(brandJsonUrl).hostname];
  if (agent === operator) return true;
  if (hostKind(agent) !== undefined || hostKind(operator) !== undefined) return false;
  if (isSameSite(agent, operator)) return true;
  const operators = Array.isArray(brand.authorized_operators) ? brand.authorized_operators : [];
  const domain = registrableDomain(agent);
  return domain !== undefined && operators.some((one: unknown) => isObject(one) && one.domain === domain);
}

/** Compares the origin that an agent names for a purpose with that of its keys. */
function checkOrigin({ keyOrigins, signsFor }: Identity, jwksUri: string, purpose: string): Location {
  const origin = keyOrigins[purpose];
  if (origin === undefined && signsFor.includes(purpose)) return failLookup('signature_key_origin_missing');
  const isSame = origin === undefined || (typeof origin === 'string' && readHost(origin) === readHost(jwksUri));
  return isSame ? { ok: true, jwksUri } : failLookup('signature_key_origin_mismatch');
}

/** Goes from a brand.json to the keys of the one entry that is the agent. */
function followBrand(agent: SigningAgent, brand: Document): Location {
  if (!brand.ok) return failLookup(BRAND_JSON_FAULTS[brand.fault]);
  const entries = agentEntries(brand.value).filter(({ url }) => url === agent.url);
  const [entry] = entries;
  if (entry === undefined) return failLookup('signature_agent_not_in_brand_json');
  if (entries.length > 1) return failLookup('signature_brand_json_ambiguous');
  const jwksUri = typeof entry.jwks_uri === 'string' ? entry.jwks_uri : new URL(JWKS_PATH, agent.url).href;
  return { ok: true, jwksUri };
}

/** Returns the address of the brand.json that counts in place of this one; followed once, from the agent's own origin alone. */
function readRedirect({ authoritative_location: location, house }: JsonObject): string | undefined {
  if (typeof location === 'string') return location;
  return typeof house === 'string' && HOST_NAME.test(house) ? `https://${house}${BRAND_JSON_PATH}` : undefined;
}

/** Returns why pins forbid a key; undefined when there are no pins or one pins this key. */
function checkPins({ pins }: SigningAgent, jwk: Jwk, nowMs: number): KeyLookup | undefined {
  if (pins === undefined) return undefined;
  const pinnedKey = pins.find(({ kid }) => kid === jwk.kid);
  if (pinnedKey === undefined) return { kind: 'unknown' };
  // An instant that cannot be read is no reason to trust the key.
  if (pinnedKey.revoked_at !== undefined && !(Date.parse(String(pinnedKey.revoked_at)) > nowMs))
    return { kind: 'refused', failure: 'signature_key_revoked' };
  const isSame = (['kty', 'crv', 'x', 'y'] as const).every(
    (name) => pinnedKey[name] === undefined || pinnedKey[name] === jwk[name],
  );
  return isSame ? undefined : { kind: 'refused', failure: 'signature_jwks_untrusted' };
}

/** Returns the keys of a JWKS; undefined when the document is none. */
function readKeys({ keys }: JsonObject): readonly Jwk[] | undefined {
  return Array.isArray(keys) ? keys.filter(isObject) : undefined;
}

/** Returns every agent that a brand.json lists: its own, the house's and its brands'. */
export function agentEntries(brand: JsonObject): readonly JsonObject[] {
  const brands: readonly unknown[] = Array.isArray(brand.brands) ? brand.brands : [];
  const lists = [brand, brand.house, ...brands].map((holder) => (isObject(holder) ? holder.agents : undefined));
  return lists.flatMap((list) => (Array.isArray(list) ? list.filter(isObject) : []));
}

/** Returns the host of a URL, or a text in lower case that is a host already. */
function readHost(text: string): string {
  if (isUrl(text) && text.includes('://')) return new URL(text).host;
  return text.toLowerCase();
}
