import { isObject } from '../../../platform/kernel/json/json.js';
import { hostKind } from '../../../platform/net/address.js';
import type { AdagentsDiscovery } from '../../adagents/discovery.js';
import { matchSides, Operator } from '../../authorization/operator.js';
import { allBrandAgents } from '../../brand/brand-json.js';
import { isValid, quoted } from '../../documents/finding.js';
import { canonicalAgentUrl } from '../../model/agent-url.js';
import { type Check, check, faultsOf, REFERENCES } from '../check.js';
import type { JsonObject } from '../evidence.js';

/** Members of a JWK that only its owner may have. */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/** The files by which others believe the agent. */
export const FILE_CHECKS: readonly Check[] = [
  check({
    id: 'brand.served',
    severity: 'error',
    needs: ['brand'],
    rule: 'The operator of an agent publishes a brand.json that names it: on the agent’s host, or where identity.brand_json_url says.',
    reference: REFERENCES.brand,
    fix: 'Serve /.well-known/brand.json, or name its address in the capabilities.',
    judge: ({ brand: { content, findings, isServed, url } }) => {
      if (!isServed) return [`There is none at ${url}.`];
      const errors = findings
        .filter(({ severity }) => severity === 'error')
        .map(({ message, pointer }) => `${pointer || url}: ${message}.`);
      return content === undefined && errors.length === 0 ? [`${url} is no JSON object.`] : errors;
    },
  }),
  check({
    id: 'brand.lists-agent',
    severity: 'error',
    needs: ['brand'],
    rule: 'brand.json lists the agent among its agents, under the URL that callers use.',
    reference: REFERENCES.brand,
    fix: 'Add {"type", "id", "url", "jwks_uri"} to agents.',
    judge: ({ brand: { content, url: at }, url }) => {
      if (content === undefined || !('agents' in content)) return 'not_applicable';
      const agents = allBrandAgents(content);
      const own = canonicalAgentUrl(url);
      return faultsOf([!agents.some(({ canonicalUrl }) => canonicalUrl === own), `${at} does not list ${url}.`]);
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
          [kids.indexOf(key.kid) !== index, `${quoted(key.kid)} is the kid of two keys.`],
          [PRIVATE_MEMBERS.some((member) => member in key), `${quoted(key.kid)} shows its private half.`],
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
    id: 'adagents.authorizes',
    severity: 'error',
    needs: ['publishers'],
    rule: 'Each publisher in the portfolio names the agent in its adagents.json.',
    reference: REFERENCES.adagents,
    fix: 'Have the publisher add the agent’s URL to authorized_agents, or leave its domain out of the portfolio.',
    judge: ({ publishers, url }) => {
      if (hostKind(new URL(url).hostname) === 'loopback') return 'not_applicable';
      return publishers.flatMap((publisher) => publisherFaults(publisher, url));
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
      return publishers.flatMap((publisher) => contradictions(publisher, operator, url));
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

function isSigning(declared: JsonObject): boolean {
  return isObject(declared.webhook_signing) && declared.webhook_signing.supported === true;
}

function contradictions({ effective }: AdagentsDiscovery, operator: Operator, url: string): readonly string[] {
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

function publisherFaults({ effective, message }: AdagentsDiscovery, url: string): readonly string[] {
  if (effective === undefined) return [`${message}.`];
  const own = canonicalAgentUrl(url);
  const { agents, isSuperseded } = effective.file;
  return faultsOf(
    [isSuperseded, `${effective.url} was superseded, and authorizes nobody.`],
    [!agents.some(({ canonicalUrl }) => canonicalUrl === own), `${effective.url} does not name ${url}.`],
  );
}
