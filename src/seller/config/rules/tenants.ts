import { sha256Hex } from '../../../platform/kernel/canonical.js';
import { findNearest, quoteNames } from '../../../platform/kernel/nearest.js';
import { hostKind } from '../../../platform/net/address.js';
import { HEADER_TOKEN, isUrl } from '../../../platform/net/url.js';
import {
  type Draft,
  draftAt,
  draftsAt,
  isDraft,
  keysOf,
  type Located,
  MIN_KEY_LENGTH,
  type Report,
  type Rule,
  type RuleOptions,
  reportDuplicates,
  stringsAt,
  textAt,
} from '../draft.js';
import type { JsonPath } from '../json-file.js';

/** Checks several fields together: a tenant, its principals and its accounts. */
export const TENANT_RULES: readonly Rule[] = [
  salesHasProducts,
  principalsAreDistinct,
  keysAreUsable,
  principalsHaveCredentials,
  publicTokensAreForSandboxes,
  publicSandboxesAreMeant,
  credentialsAreDistinct,
  accountsHaveOwners,
  publicToolsOnlyRead,
  outboundIsForDevelopment,
  creativeAgentsAreDistinct,
  llmHasAUse,
  speechIsOfCreativeAgents,
  endpointKeysAreSafe,
  buildPricesAreOfCreativeAgents,
];

/** Returns the reading tools that a tenant may open to everybody, under the protocol's name. */
function publicToolNames(protocolName: string): readonly string[] {
  return ['get_products', 'list_creative_formats', `get_${protocolName}_capabilities`];
}

const CAPABILITIES = /^get_[a-z][a-z0-9]{1,31}_capabilities$/;

/** Returns a tool's name; a capabilities tool under any protocol name becomes the tenant's own. */
export function ownToolName(tool: string, protocolName: string): string {
  return CAPABILITIES.test(tool) ? `get_${protocolName}_capabilities` : tool;
}

function salesHasProducts(draft: Draft, report: Report): void {
  const isSales = stringsAt(draft, 'kinds').some(({ value }) => value === 'sales');
  const products = draft.products ?? [];
  if (isSales && Array.isArray(products) && products.length === 0) {
    report(
      ['products'],
      'a sales agent without products has nothing to sell',
      'Add at least one product to "products".',
    );
  }
}

function principalsAreDistinct(draft: Draft, report: Report): void {
  reportDuplicates(draftsAt(draft, 'principals'), 'id', report);
}

function keysAreUsable(draft: Draft, report: Report, { env }: RuleOptions): void {
  for (const { path, draft: key } of draftsAt(draft, 'principals').flatMap(keysOf)) {
    if ((key.sha256 === undefined) === (key.env === undefined)) {
      report(
        path,
        'a key names either "sha256" or "env"',
        'Write {"sha256": "…"} or {"env": "NAME"}; several go into a list.',
      );
    }
    const name = textAt(key, 'env');
    if (name === undefined) continue;
    const value = env[name] ?? '';
    if (value === '') {
      report(
        [...path, 'env'],
        `the environment variable ${name} is not set`,
        `Set ${name} to the API key before starting the server.`,
      );
    } else if (value.length < MIN_KEY_LENGTH) {
      report(
        [...path, 'env'],
        `the key in ${name} has ${value.length} characters, too few to be safe`,
        `Put at least ${MIN_KEY_LENGTH} random characters into ${name}; "keys new" makes a good key.`,
      );
    }
  }
}

function principalsHaveCredentials(draft: Draft, report: Report): void {
  for (const { path, draft: principal } of draftsAt(draft, 'principals')) {
    if (['key', 'public_token', 'signer'].every((proof) => principal[proof] === undefined)) {
      const id = textAt(principal, 'id') ?? 'this principal';
      report(
        path,
        `${id} has no credential, so nobody can call as it`,
        'Add "key", for example with "keys new", or remove the principal.',
      );
    }
  }
}

function publicTokensAreForSandboxes(draft: Draft, report: Report): void {
  for (const { path, draft: principal } of draftsAt(draft, 'principals')) {
    if (principal.public_token !== undefined && principal.sandbox !== true) {
      report(
        [...path, 'public_token'],
        'a public token would let everybody spend money as this principal',
        'Set "sandbox": true, or use "key" instead of "public_token".',
      );
    }
  }
}

function publicSandboxesAreMeant(draft: Draft, report: Report, { development }: RuleOptions): void {
  if (development || draft.public_sandbox === true) return;
  for (const { path, draft: principal } of draftsAt(draft, 'principals')) {
    if (principal.public_token === undefined) continue;
    report(
      [...path, 'public_token'],
      'outside development mode a public token opens this sandbox to everybody on the internet',
      'Write "public_sandbox": true into the tenant file if that is meant, or use "key" instead of "public_token".',
    );
  }
}

function credentialsAreDistinct(draft: Draft, report: Report, { env }: RuleOptions): void {
  const owners = new Map<string, number>();
  for (const [index, principal] of draftsAt(draft, 'principals').entries()) {
    for (const [path, digest] of digestsOf(principal, env)) {
      const owner = owners.get(digest);
      if (owner !== undefined) {
        const whose = owner === index ? 'twice by this principal' : 'by another principal too';
        report(
          path,
          `this credential is used ${whose}`,
          'Give every principal a key of its own; "keys new" makes one.',
        );
      }
      owners.set(digest, index);
    }
  }
}

function* digestsOf(
  principal: Located,
  env: Readonly<Record<string, string | undefined>>,
): Generator<[JsonPath, string]> {
  for (const { path, draft: key } of keysOf(principal)) {
    const digest = textAt(key, 'sha256');
    if (digest !== undefined) yield [[...path, 'sha256'], digest];
    const value = env[textAt(key, 'env') ?? ''];
    if (value) yield [[...path, 'env'], sha256Hex(value)];
  }
  const token = textAt(principal.draft, 'public_token');
  if (token !== undefined) yield [[...principal.path, 'public_token'], sha256Hex(token)];
}

function accountsHaveOwners(draft: Draft, report: Report): void {
  const accounts = draftsAt(draft, 'accounts');
  reportDuplicates(accounts, 'account_id', report);
  const principals = draftsAt(draft, 'principals').flatMap(({ draft: { id } }) => (typeof id === 'string' ? [id] : []));
  for (const { path, draft: account } of accounts) {
    const owner = textAt(account, 'principal');
    if (owner === undefined || principals.includes(owner)) continue;
    const meant = findNearest(owner, principals);
    const fix =
      meant === undefined ? `Use one of: ${quoteNames(principals)}, or add the principal.` : `Did you mean "${meant}"?`;
    report([...path, 'principal'], `there is no principal "${owner}"`, fix);
  }
}

function publicToolsOnlyRead(draft: Draft, report: Report, { protocolName }: RuleOptions): void {
  const own = textAt(draftAt(draft, 'protocol'), 'name') ?? protocolName;
  const allowed = publicToolNames(own);
  for (const { index, value } of stringsAt(draft, 'public_tools')) {
    if (allowed.includes(ownToolName(value, own))) continue;
    report(
      ['public_tools', index],
      `"${value}" cannot be called without a credential`,
      `Remove it; only these may be public: ${quoteNames(allowed)}.`,
    );
  }
}

function outboundIsForDevelopment(draft: Draft, report: Report, { development }: RuleOptions): void {
  const resolve = draftAt(draft, 'outbound').resolve;
  if (development || !isDraft(resolve) || Object.keys(resolve).length === 0) return;
  report(
    ['outbound', 'resolve'],
    'callbacks may be redirected in development mode only',
    'Remove "resolve", or bind to 127.0.0.1 with a base URL on 127.0.0.1.',
  );
}

function creativeAgentsAreDistinct(draft: Draft, report: Report): void {
  reportDuplicates(draftsAt(draft, 'creative_agents'), 'agent_url', report);
}

/** The kinds of tenants that ask a language model. */
const LLM_KINDS: ReadonlySet<string> = new Set(['creative', 'governance']);

function speechIsOfCreativeAgents(draft: Draft, report: Report): void {
  if (draft.speech === undefined || stringsAt(draft, 'kinds').some(({ value }) => value === 'creative')) return;
  report(
    ['speech'],
    'only a creative agent makes spots, so nothing would be spoken',
    'Move "speech" to the file of a creative agent, or add "creative" to "kinds".',
  );
}

function llmHasAUse(draft: Draft, report: Report): void {
  if (draft.llm === undefined || stringsAt(draft, 'kinds').some(({ value }) => LLM_KINDS.has(value))) return;
  report(
    ['llm'],
    'only a creative agent writes copy, and only a governance agent judges content, so nothing would be asked',
    'Move "llm" to the file of such an agent, or add "creative" or "governance" to "kinds".',
  );
}

function buildPricesAreOfCreativeAgents(draft: Draft, report: Report): void {
  reportDuplicates(draftsAt(draft, 'build_prices'), 'pricing_option_id', report);
  const prices = draft.build_prices;
  const isCreative = stringsAt(draft, 'kinds').some(({ value }) => value === 'creative');
  if (isCreative || !Array.isArray(prices) || prices.length === 0) return;
  report(
    ['build_prices'],
    'only a creative agent builds creatives, so nothing would be billed',
    'Move "build_prices" to the file of a creative agent, or add "creative" to "kinds".',
  );
}

/** Hosts to which plain http stays on the machine or in its network. */
const NEAR: ReadonlySet<string> = new Set(['loopback', 'private']);

/** The members of a tenant file that name an endpoint and its key. */
const ENDPOINTS = ['llm', 'speech'] as const;

function endpointKeysAreSafe(draft: Draft, report: Report, options: RuleOptions): void {
  for (const member of ENDPOINTS) checkEndpointKey(member, draft, report, options);
}

function checkEndpointKey(
  member: (typeof ENDPOINTS)[number],
  draft: Draft,
  report: Report,
  { env }: RuleOptions,
): void {
  const endpoint = draftAt(draft, member);
  const name = textAt(draftAt(endpoint, 'api_key'), 'env');
  if (name === undefined) return;
  const at = [member, 'api_key', 'env'];
  const value = env[name] ?? '';
  if (value === '') {
    const fix = `Set ${name} to the key of the endpoint before starting the server, or leave "api_key" out.`;
    report(at, `the environment variable ${name} is not set`, fix);
  } else if (!HEADER_TOKEN.test(value)) {
    const fix = `Put the key alone into ${name}, without spaces or line ends.`;
    report(at, `the key in ${name} has characters that no header can carry`, fix);
  }
  const base = textAt(endpoint, 'base_url') ?? '';
  const url = isUrl(base) ? new URL(base) : undefined;
  if (url?.protocol !== 'http:' || NEAR.has(hostKind(url.hostname) ?? 'public')) return;
  const fix = 'Use https, or leave "api_key" out.';
  report([member, 'base_url'], 'the key would be sent over plain http, where others can read it', fix);
}
