import { isoTime, parseDateTime, SECOND_MS } from '../../../platform/kernel/clock.js';
import { isObject } from '../../../platform/kernel/json/json.js';
import { hostKind } from '../../../platform/net/address.js';
import { isUrl } from '../../../platform/net/url.js';
import type { AdagentsDiscovery } from '../../adagents/discovery.js';
import type { AuthorizedAgent } from '../../adagents/types.js';
import { coveredBy, openCase } from '../../authorization/coverage.js';
import { FileFacts } from '../../authorization/file-facts.js';
import { matchSides, Operator } from '../../authorization/operator.js';
import { allBrandAgents } from '../../brand/brand-json.js';
import { isValid, quoteValue } from '../../documents/finding.js';
import { canonicalAgentUrl } from '../../model/agent-url.js';
import { isInEffect } from '../../model/grants.js';
import { type Check, check, faultsOf, REFERENCES } from '../check.js';
import type { JsonObject } from '../evidence.js';
import { textsOf } from '../texts.js';

/** Members of a JWK that only its owner may have. */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/** The protocol that an agent of a type speaks. */
const PROTOCOLS_OF_TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    sales: 'media_buy',
    creative: 'creative',
    signals: 'signals',
    governance: 'governance',
    brand: 'brand',
  }),
);

/** The files by which others believe the agent. */
export const FILE_CHECKS: readonly Check[] = [
  check({
    id: 'brand.served',
    severity: 'error',
    needs: ['brand'],
    rule: 'The operator of an agent that signs publishes a brand.json that names it: on the agent’s host, or where identity.brand_json_url says.',
    reference: REFERENCES.brand,
    fix: 'Serve /.well-known/brand.json, or name its address in the capabilities.',
    judge: ({ brand: { content, findings, isServed, url }, declared }) => {
      if (!isServed)
        return declared === undefined || !isNeeded(declared) ? 'not_applicable' : [`There is none at ${url}.`];
      const errors = findings
        .filter(({ severity }) => severity === 'error')
        .map(({ message, pointer }) => `${pointer || url}: ${message}.`);
      return content === undefined && errors.length === 0 ? [`${url} is no JSON object.`] : errors;
    },
  }),
  check({
    id: 'brand.missing',
    severity: 'note',
    needs: ['brand', 'declared'],
    rule: 'An agent that signs nothing needs no brand.json; with one, registries show who operates it.',
    reference: REFERENCES.brand,
    fix: 'Serve /.well-known/brand.json with the agent among its agents.',
    judge: ({ brand: { isServed, url }, declared }) =>
      isNeeded(declared) ? 'not_applicable' : faultsOf([!isServed, `There is none at ${url}.`]),
  }),
  check({
    id: 'brand.lists-agent',
    severity: 'error',
    needs: ['brand'],
    rule: 'brand.json lists the agent among its agents, under the URL that callers use and the type of what it does.',
    reference: REFERENCES.brand,
    fix: 'Add {"type", "id", "url", "jwks_uri"} to agents.',
    judge: ({ brand: { content, url: at }, declared, url }) => {
      if (content === undefined || !('agents' in content)) return 'not_applicable';
      const own = canonicalAgentUrl(url);
      const entry = allBrandAgents(content).find(({ canonicalUrl }) => canonicalUrl === own);
      const protocols = textsOf(declared?.supported_protocols);
      const meant = PROTOCOLS_OF_TYPES.get(entry?.type ?? '');
      const isOther = meant !== undefined && protocols.length > 0 && !protocols.includes(meant);
      return faultsOf(
        [entry === undefined, `${at} does not list ${url}.`],
        [isOther, `${at} lists it as ${quoteValue(entry?.type)}, and it declares ${protocols.join(', ')}.`],
      );
    },
  }),
  check({
    id: 'keys.served',
    severity: 'error',
    needs: ['jwks', 'declared'],
    rule: 'An agent that signs publishes its public keys, where brand.json says or at /.well-known/jwks.json.',
    reference: REFERENCES.security,
    fix: 'Serve {"keys": […]} as JSON.',
    judge: ({ declared, jwks }) => {
      if (!isSigning(declared)) return 'not_applicable';
      return faultsOf([keysOf(jwks.json).length === 0, `There are no keys at ${jwks.url}.`]);
    },
  }),
  check({
    id: 'keys.shape',
    severity: 'error',
    needs: ['jwks'],
    rule: 'Each key has a kty, a kid of its own, and nothing that only its owner may have.',
    reference: REFERENCES.jwk,
    fix: 'Publish the public half alone, each key under a kid that no other has. A key whose private half was published is lost: replace it.',
    judge: ({ jwks }) => {
      const keys = keysOf(jwks.json);
      if (keys.length === 0) return 'not_applicable';
      const kids = keys.map(({ kid }) => kid);
      return keys.flatMap((key, index) =>
        faultsOf(
          [typeof key.kty !== 'string' || typeof key.kid !== 'string', `keys[${index}] lacks kty or kid.`],
          [kids.indexOf(key.kid) !== index, `${quoteValue(key.kid)} is the kid of two keys.`],
          [PRIVATE_MEMBERS.some((member) => member in key), `${quoteValue(key.kid)} shows its private half.`],
        ),
      );
    },
  }),
  check({
    id: 'keys.purpose',
    severity: 'error',
    needs: ['jwks', 'declared'],
    rule: 'A key says in adcp_use what it signs; webhooks are signed with request-signing or the older webhook-signing.',
    reference: REFERENCES.security,
    fix: 'Add "adcp_use": "request-signing" to the key that signs.',
    judge: ({ declared, jwks, names }) => {
      const keys = keysOf(jwks.json);
      if (!isSigning(declared) || keys.length === 0) return 'not_applicable';
      const isFit = keys.some((key) =>
        names.keyUses.some((use) => key[use] === 'request-signing' || key[use] === 'webhook-signing'),
      );
      return faultsOf([!isFit, `None of the ${keys.length} keys is for signing requests or webhooks.`]);
    },
  }),
  check({
    id: 'keys.usable',
    severity: 'error',
    needs: ['jwks', 'declared'],
    rule: 'A key that signs is published with use "sig", key_ops ["verify"], one purpose as a text, and the alg of its curve; a verifier refuses it otherwise.',
    reference: REFERENCES.jwk,
    fix: 'Publish {"kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "use": "sig", "key_ops": ["verify"], "adcp_use": "request-signing"} or the same of P-256 and ES256, and take keys that are over out.',
    judge: ({ declared, jwks, names, nowMs }) => {
      const keys = keysOf(jwks.json);
      if (!isSigning(declared) || keys.length === 0) return 'not_applicable';
      return keys
        .filter((key) => names.keyUses.some((use) => SIGNING_USES.has([key[use]].flat()[0])))
        .flatMap((key) => keyFaults(key, { keyUses: names.keyUses, nowMs }));
    },
  }),
  check({
    id: 'keys.origin',
    severity: 'error',
    needs: ['jwks', 'declared'],
    rule: 'The keys are at the host that identity.key_origins names for them.',
    reference: REFERENCES.security,
    fix: 'Name in key_origins the origin of the JWKS, or have brand.json name a jwks_uri there.',
    judge: ({ declared, jwks }) => {
      const identity = isObject(declared.identity) ? declared.identity : {};
      const origins = isObject(identity.key_origins) ? Object.entries(identity.key_origins) : [];
      const own = origins.filter(([name]) => name === 'request_signing' || name === 'webhook_signing');
      if (own.length === 0 || keysOf(jwks.json).length === 0) return 'not_applicable';
      const { host } = new URL(jwks.url);
      return own
        .filter(([, origin]) => typeof origin !== 'string' || !isUrl(origin) || new URL(origin).host !== host)
        .map(([name, origin]) => `${name} is ${quoteValue(origin)}, and the keys are at ${jwks.url}.`);
    },
  }),
  check({
    id: 'adagents.authorizes',
    severity: 'error',
    needs: ['publishers'],
    rule: 'Each publisher in the portfolio names the agent in its adagents.json.',
    reference: REFERENCES.adagents,
    fix: 'Have the publisher add the agent’s URL to authorized_agents, or leave its domain out of the portfolio.',
    judge: ({ nowMs, publishers, url }) => {
      if (hostKind(new URL(url).hostname) === 'loopback') return 'not_applicable';
      return publishers.flatMap((publisher) => publisherFaults(publisher, { nowMs, url }));
    },
  }),
  check({
    id: 'adagents.countries',
    severity: 'note',
    needs: ['publishers', 'declared'],
    rule: 'An entry with countries authorizes the agent in those alone; media_buy.portfolio.primary_countries are those where it mostly sells.',
    reference: REFERENCES.adagents,
    fix: 'Ask the publisher for an entry with the countries where its inventory is sold, unless it is sold in the named ones alone.',
    judge: ({ declared, nowMs, publishers, url }) => {
      const mediaBuy = isObject(declared.media_buy) ? declared.media_buy : {};
      const portfolio = isObject(mediaBuy.portfolio) ? mediaBuy.portfolio : {};
      const primary = textsOf(portfolio.primary_countries);
      if (primary.length === 0) return 'not_applicable';
      return publishers.flatMap((publisher) => {
        const present = entriesOf(publisher, url).filter((entry) => isInEffect(entry, nowMs));
        const limit = countriesOf(present);
        const isElsewhere = limit !== undefined && !primary.some((country) => limit.has(country));
        return faultsOf([
          isElsewhere,
          `${publisher.publisherDomain} names it for ${[...(limit ?? [])].join(', ')} alone, and it sells in ${primary.join(', ')}.`,
        ]);
      });
    },
  }),
  check({
    id: 'adagents.keys',
    severity: 'error',
    needs: ['publishers', 'jwks'],
    rule: 'Where a publisher pins signing keys of the agent, no other key counts: one that is not revoked is among the keys that the agent publishes.',
    reference: REFERENCES.adagents,
    fix: 'Have the publisher pin the present key and the next one, and tell it before keys change.',
    judge: ({ jwks, publishers, url }) => {
      const pinned = publishers.flatMap((publisher) => {
        const keys = entriesOf(publisher, url).flatMap(({ signing_keys }) => signing_keys);
        return keys.length === 0 ? [] : [{ publisher, keys }];
      });
      const published = keysOf(jwks.json);
      if (pinned.length === 0 || published.length === 0) return 'not_applicable';
      return pinned.flatMap(({ keys, publisher: { publisherDomain } }) => {
        const valid = keys.filter(({ revoked_at }) => revoked_at === undefined);
        const isMet = valid.some((pin) => published.some(({ kid, x }) => kid === pin.kid && x === pin.x));
        return faultsOf(
          [valid.length === 0, `${publisherDomain} pins revoked keys alone.`],
          [
            valid.length > 0 && !isMet,
            `${publisherDomain} pins ${valid.map(({ kid }) => quoteValue(kid)).join(', ')}, none of which is at ${jwks.url}.`,
          ],
        );
      });
    },
  }),
  check({
    id: 'adagents.both-ways',
    severity: 'error',
    needs: ['publishers', 'brand'],
    rule: 'Where the operator declares its properties, what it declares of a publisher’s confirms the delegation_type that the publisher names.',
    reference: REFERENCES.adagents,
    fix: 'Declare the site in a brand’s properties with the relationship that the publisher means, or have the publisher correct delegation_type.',
    judge: ({ brand: { content }, publishers, url }) => {
      if (content === undefined || !('brands' in content)) return 'not_applicable';
      if (!content.brands.some(({ properties }) => properties.length > 0)) return 'not_applicable';
      const operator = new Operator(content);
      return publishers.flatMap((publisher) => findContradictions(publisher, operator, url));
    },
  }),
  check({
    id: 'adagents.valid',
    severity: 'warning',
    needs: ['publishers'],
    rule: 'What stands in an adagents.json with a fault counts for nothing.',
    reference: REFERENCES.adagents,
    fix: 'Check the file with "seller-agent registry validate <domain>", and correct what it lists.',
    judge: ({ publishers }) =>
      publishers.flatMap(({ effective, findings, publisherDomain }) =>
        faultsOf([
          effective !== undefined && !isValid(findings),
          `${publisherDomain}: ${findings.filter(({ severity }) => severity === 'error').length} faults, the first: ${findings[0]?.message}.`,
        ]),
      ),
  }),
];

function keysOf(json: JsonObject | undefined): readonly JsonObject[] {
  const keys: readonly unknown[] = Array.isArray(json?.keys) ? json.keys : [];
  return keys.filter(isObject);
}

/** Whether others have to find out who operates the agent: it signs, reads signatures, or says where its brand.json is. */
function isNeeded(declared: JsonObject): boolean {
  const { identity, request_signing: requests } = declared;
  const isVerifying = isObject(requests) && requests.supported === true;
  return isSigning(declared) || isVerifying || (isObject(identity) && identity.brand_json_url !== undefined);
}

function isSigning(declared: JsonObject): boolean {
  return isObject(declared.webhook_signing) && declared.webhook_signing.supported === true;
}

function findContradictions({ effective }: AdagentsDiscovery, operator: Operator, url: string): readonly string[] {
  const own = canonicalAgentUrl(url);
  const host = effective?.publisherDomain;
  const entry = effective?.file.agents.find(({ canonicalUrl }) => canonicalUrl === own);
  if (host === undefined || entry?.delegation_type === undefined) return [];
  const declared = operator.declared(undefined, { host });
  const match = matchSides(
    entry.delegation_type,
    { lists_agent: operator.lists(url), declared: declared.length > 0 },
    declared,
  );
  const relationships = declared.map(({ relationship }) => relationship).join(', ');
  return faultsOf(
    [match === 'orphaned', `${host} says ${entry.delegation_type}, and brand.json does not declare it.`],
    [match === 'mismatch', `${host} says ${entry.delegation_type}, and brand.json says ${relationships}.`],
  );
}

function publisherFaults(
  discovery: AdagentsDiscovery,
  { nowMs, url }: { readonly nowMs: number; readonly url: string },
): readonly string[] {
  const { effective, message, publisherDomain } = discovery;
  if (effective === undefined) return [`${message.replace(/\.$/, '')}.`];
  const { isSuperseded, revoked } = effective.file;
  const entries = entriesOf(discovery, url);
  const isPresent = entries.some((entry) => isInEffect(entry, nowMs));
  const revokedAt = revoked.get(publisherDomain);
  const isRevoked = revoked.has(publisherDomain) && (revokedAt === undefined || revokedAt <= nowMs);
  return faultsOf(
    [isSuperseded, `${effective.url} was superseded, and authorizes nobody.`],
    [isRevoked, `${effective.url} no longer speaks for ${publisherDomain}.`],
    [entries.length === 0, `${effective.url} does not name ${url}.`],
    [
      entries.length > 0 && !isPresent,
      `${effective.url} names it, but not for today: ${entries.map(timeOf).join('; ')}.`,
    ],
    [
      isPresent && entries.every((entry) => coversNothing(entry, discovery, nowMs)),
      `${effective.url} names it for no property of ${publisherDomain} that can be read there.`,
    ],
  );
}

/** Returns what a publisher says of the agent. */
function entriesOf({ effective }: AdagentsDiscovery, url: string): readonly AuthorizedAgent[] {
  const own = canonicalAgentUrl(url);
  return effective?.file.agents.filter(({ canonicalUrl }) => canonicalUrl === own) ?? [];
}

function timeOf({ effectiveFrom, effectiveUntil }: AuthorizedAgent): string {
  const [from, until] = [effectiveFrom, effectiveUntil].map((ms) => (ms === undefined ? 'ever' : isoTime(ms)));
  return `from ${from} until ${until}`;
}

/** Whether an entry selects none of the publisher's properties, whatever else limits it. */
function coversNothing(
  entry: AuthorizedAgent,
  { effective, publisherDomain }: AdagentsDiscovery,
  nowMs: number,
): boolean {
  const { canonicalUrl: canonicalAgent, url: agent } = entry;
  const asked = { agent, canonicalAgent, at: nowMs, subject: publisherDomain, matches: () => true };
  const [facts] = new FileFacts(effective).factsFor(asked);
  return !('missing' in facts) && coveredBy(entry, openCase(asked, facts)).length === 0;
}

/** Returns the countries that the entries of an agent are limited to together; undefined where one of them is not limited. */
function countriesOf(entries: readonly AuthorizedAgent[]): ReadonlySet<string> | undefined {
  const limits = entries.flatMap(({ countries }) => countries ?? []);
  return limits.length < entries.length || limits.length === 0
    ? undefined
    : new Set(limits.flatMap((countries) => [...countries]));
}

/** Members of a key by its algorithm, and how many bytes its coordinates have. */
const KEY_KINDS = [
  { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', coordinates: ['x'] },
  { kty: 'EC', crv: 'P-256', alg: 'ES256', coordinates: ['x', 'y'] },
] as const;
const COORDINATE_BYTES = 32;
const SIGNING_USES: ReadonlySet<unknown> = new Set(['request-signing', 'webhook-signing']);

function keyFaults(
  key: JsonObject,
  { keyUses, nowMs }: { readonly keyUses: readonly string[]; readonly nowMs: number },
): readonly string[] {
  const kid = quoteValue(key.kid);
  const kind = KEY_KINDS.find(({ crv, kty }) => key.kty === kty && key.crv === crv);
  const short = kind?.coordinates.filter((name) => !isCoordinate(key[name])) ?? [];
  const ends = typeof key.exp === 'number' ? key.exp * SECOND_MS : undefined;
  const revoked = typeof key.revoked_at === 'string' ? parseDateTime(key.revoked_at) : undefined;
  const listed = keyUses.filter((use) => Array.isArray(key[use]));
  return faultsOf(
    [
      kind === undefined,
      `${kid} is of ${quoteValue(key.kty)} and ${quoteValue(key.crv)}; signatures are of Ed25519 or P-256.`,
    ],
    [
      kind !== undefined && key.alg !== kind.alg,
      `${kid} has the alg ${quoteValue(key.alg)}, and ${kind?.crv} is ${kind?.alg}.`,
    ],
    [short.length > 0, `${kid}: ${short.join(', ')} is not ${COORDINATE_BYTES} bytes of base64url.`],
    [key.use !== 'sig', `${kid} has the use ${quoteValue(key.use)}.`],
    [
      !Array.isArray(key.key_ops) || !key.key_ops.includes('verify'),
      `${kid} has the key_ops ${quoteValue(key.key_ops)}.`,
    ],
    [listed.length > 0, `${kid}: ${listed.join(', ')} is a list, and has to be one text.`],
    [ends !== undefined && ends < nowMs, `${kid} has expired.`],
    [revoked !== undefined && revoked <= nowMs, `${kid} was revoked, and is published still.`],
  );
}

function isCoordinate(value: unknown): boolean {
  return typeof value === 'string' && Buffer.from(value, 'base64url').length === COORDINATE_BYTES;
}
