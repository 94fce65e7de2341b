import { isObject } from '../../../platform/kernel/json/json.js';
import { hostKind } from '../../../platform/net/address.js';
import { isUrl } from '../../../platform/net/url.js';
import { quoteValue } from '../../documents/finding.js';
import { type Check, check, faultsOf, REFERENCES } from '../check.js';
import type { ReadDocument, TaskAnswer } from '../evidence.js';
import { isRefusal } from '../evidence.js';
import { describeSightings } from '../sightings.js';
import { errorOf } from '../task-error.js';
import { textsOf } from '../texts.js';

/** Who is let in, and what a stranger is told. */
export const AUTH_CHECKS: readonly Check[] = [
  check({
    id: 'auth.own-key',
    severity: 'error',
    needs: ['arrival'],
    rule: 'A key that the agent’s seller gave out opens it.',
    reference: REFERENCES.security,
    fix: 'Ask the seller for a key that is valid at this endpoint, and run again.',
    judge: ({ arrival, hasKey }) => {
      if (!hasKey || !arrival.ok) return 'not_applicable';
      return faultsOf([isRefusal(arrival), `The key that was given is answered ${arrival.status}.`]);
    },
  }),
  check({
    id: 'auth.secrets',
    severity: 'error',
    needs: ['sightings'],
    rule: 'No answer shows a secret: the key of its caller, a private key, a token of a service, an address with a password. To a stranger it shows no stack either.',
    reference: REFERENCES.security,
    fix: 'Write answers of fields that are meant for callers, and change the secret that was shown.',
    // Holders of a key are told of stacks by errors.internals.
    judge: ({ hasKey, sightings }) => [
      ...describeSightings(sightings, 'secret'),
      ...(hasKey ? [] : describeSightings(sightings, 'trace')),
    ],
  }),
  check({
    id: 'auth.required',
    severity: 'error',
    needs: ['anonymousCall'],
    rule: 'A call for the caller’s own things without credentials is refused with 401 or 403.',
    reference: REFERENCES.security,
    fix: 'Ask for credentials before any task but get_adcp_capabilities, list_creative_formats and a limited get_products.',
    judge: ({ anonymousCall }) => letIn(anonymousCall, 'without credentials'),
  }),
  check({
    id: 'auth.wrong-key',
    severity: 'error',
    needs: ['wrongKeyCall'],
    rule: 'A credential that is not valid is refused like none.',
    reference: REFERENCES.security,
    fix: 'Compare keys with those that were given out, and refuse all others with 401.',
    judge: ({ wrongKeyCall }) => letIn(wrongKeyCall, 'with a random key'),
  }),
  check({
    id: 'auth.challenge',
    severity: 'error',
    needs: ['anonymousCall'],
    rule: 'A 401 carries WWW-Authenticate, which tells a client how to prove itself.',
    reference: REFERENCES.challenge,
    fix: 'Send WWW-Authenticate: Bearer with every 401.',
    judge: ({ anonymousCall: { exchange } }) => {
      if (!exchange.ok || exchange.status !== 401) return 'not_applicable';
      const challenge = exchange.headers['www-authenticate'];
      return faultsOf(
        [challenge === undefined, 'The 401 has no WWW-Authenticate.'],
        [
          challenge !== undefined && !/^(bearer|basic|signature)\b/i.test(challenge),
          `It says ${quoteValue(challenge)}.`,
        ],
      );
    },
  }),
  check({
    id: 'auth.metadata',
    severity: 'error',
    needs: ['resourceMetadata'],
    rule: 'The metadata that a 401 points to names this endpoint as its resource, and who issues tokens for it.',
    reference: REFERENCES.resourceMetadata,
    fix: 'Serve it as JSON with "resource", the exact URL of the endpoint, and "authorization_servers".',
    judge: ({ resourceMetadata, url }) => {
      const { json } = resourceMetadata;
      if (!isServed(resourceMetadata) || json === undefined) return [`${resourceMetadata.url} is no JSON document.`];
      return faultsOf(
        [json.resource !== url, `Its resource is ${quoteValue(json.resource)}, not ${url}.`],
        [textsOf(json.authorization_servers).length === 0, 'It names no authorization server.'],
      );
    },
  }),
  check({
    id: 'auth.unannounced',
    severity: 'warning',
    needs: ['unannouncedMetadata'],
    rule: 'An agent that takes keys alone serves no OAuth metadata; one that serves it points there in its 401.',
    reference: REFERENCES.resourceMetadata,
    fix: 'Add resource_metadata="…" to WWW-Authenticate, or serve no metadata.',
    judge: ({ unannouncedMetadata }) => {
      const isMetadata =
        isServed(unannouncedMetadata) && textsOf(unannouncedMetadata.json?.authorization_servers).length > 0;
      return faultsOf([isMetadata, `${unannouncedMetadata.url} is served, and no 401 points to it.`]);
    },
  }),
  check({
    id: 'auth.issuer',
    severity: 'error',
    needs: ['issuers'],
    rule: 'Each authorization server publishes its metadata under its own name, with where to sign in and where tokens are issued, over https, and takes PKCE with S256.',
    reference: REFERENCES.issuerMetadata,
    fix: 'Name issuers whose /.well-known/oauth-authorization-server (or openid-configuration) answers with the same "issuer", its endpoints and code_challenge_methods_supported.',
    judge: ({ isLocal, issuers, resourceMetadata }) => {
      if (issuers.length === 0) return 'not_applicable';
      const named = textsOf(resourceMetadata?.json?.authorization_servers);
      return issuers.flatMap((issuer) => issuerFaults(issuer, { named, isLocal }));
    },
  }),
];

function isServed({ exchange }: ReadDocument): boolean {
  return exchange.ok && exchange.status === 200;
}

function letIn({ exchange, isError, payload, task }: TaskAnswer, how: string): readonly string[] {
  if (!exchange.ok || isRefusal(exchange) || exchange.status === 400) return [];
  if (exchange.status >= 500) return [`${task} ${how} is answered ${exchange.status}.`];
  const code = errorOf(payload)?.code;
  const isErrorAnswer = /AUTH|UNAUTHORIZED|PERMISSION/.test(String(code)) || isObject(exchange.message?.error);
  if (isErrorAnswer) return [`${task} ${how} is refused in the answer alone: the status is ${exchange.status}.`];
  return faultsOf([!isError && payload !== undefined, `${task} is answered ${how}.`]);
}

type IssuerRules = { readonly named: readonly string[]; readonly isLocal: boolean };

/** Members of an issuer's metadata without which nobody comes to a token. */
const ENDPOINTS = ['authorization_endpoint', 'token_endpoint'];

type EndpointName = { readonly name: string; readonly url: string; readonly isLocal: boolean };

function endpointFaults(value: unknown, { isLocal, name, url }: EndpointName) {
  const isAddress = typeof value === 'string' && isUrl(value);
  const isPlain =
    isAddress && !value.startsWith('https:') && !(isLocal && hostKind(new URL(value).hostname) === 'loopback');
  return [
    [!isAddress, `${url} names no ${name}.`],
    [isPlain, `${url}: ${name} is ${quoteValue(value)}, and not https.`],
  ] as const;
}

function issuerFaults(document: ReadDocument, { isLocal, named }: IssuerRules): readonly string[] {
  const { json, url } = document;
  if (!isServed(document) || json === undefined) return [`${url} is no JSON document.`];
  const methods = textsOf(json.code_challenge_methods_supported);
  return faultsOf(
    [!named.includes(String(json.issuer)), `${url} names the issuer ${quoteValue(json.issuer)}.`],
    [!methods.includes('S256'), `${url} does not offer S256.`],
    ...ENDPOINTS.flatMap((name) => endpointFaults(json[name], { name, url, isLocal })),
  );
}
