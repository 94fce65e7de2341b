import type { FormatId } from '../../creative/formats/format.js';
import { formatOwnerUrl } from '../../creative/formats/format-id.js';
import type { SpeechEndpoint } from '../../creative/media/speech.js';
import { sha256Hex } from '../../platform/kernel/canonical.js';
import { HOUR_MS } from '../../platform/kernel/clock.js';
import { endpointSigning, servedReleases } from '../../protocol/releases.js';
import { DEFAULT_FULFILLMENT, type Fulfillment } from '../domain/media-buy/fulfillment.js';
import { completeMetrics } from '../domain/optimization/goal.js';
import { reviewedTopics } from '../domain/policy/policy.js';
import type { Product } from '../domain/product/product.js';
import type { Signal } from '../domain/signal/signal.js';
import { type ApprovalRule, BOOKED_BY_HAND, reviewOf } from '../domain/task/approval.js';
import type { TenantOauth } from '../domain/tenant/grant.js';
import type { Credential, Policies } from '../domain/tenant/principal.js';
import {
  PREVIEW_SPENDING_TASKS,
  type RequestSigning,
  type Signer,
  SPENDING_TASKS,
} from '../domain/tenant/request-signing.js';
import type { Tenant, TextModel } from '../domain/tenant/tenant.js';
import { declareAdServer, goesToAdServer, reachingTargeting, readAdServerSettings } from './ad-server.js';
import { isDraft, type RuleOptions } from './draft.js';
import { ownToolName } from './rules/tenants.js';
import { buildAlerts } from './schema/alerts.js';
import type { OauthFile } from './schema/oauth.js';
import type { FormatIdFile, ProductFile } from './schema/products.js';
import type { SignalFile } from './schema/signals.js';
import type { SignerFile } from './schema/signing.js';
import type { PoliciesFile, TenantFile } from './schema/tenant.js';
import { buildWebhooks } from './schema/webhooks.js';
import type { TenantLocation } from './tenant-files.js';

/** The policies of a tenant that sets none. */
const DEFAULT_POLICIES: Policies = {
  creative_requirement: 'required',
  account_provisioning: 'manual',
  account_scope: 'account',
  creative_approval: 'auto',
  rate_limits: {
    reads: { per_second: 300, burst: 1500 },
    writes: { per_second: 60, burst: 300 },
    bytes: { per_second: 8 * 1024 * 1024, burst: 80 * 1024 * 1024 },
  },
};

/** Makes the tenant of a file that schema and rules have passed: defaults filled in, remarks taken out, keys hashed. */
export function buildTenant(location: TenantLocation, source: TenantFile, options: RuleOptions): Tenant {
  const file = withoutRemarks(source);
  const policies = overlayPolicies(DEFAULT_POLICIES, file.policies);
  const protocolName = file.protocol?.name ?? options.protocolName;
  const releases = servedReleases(file.protocol?.preview ?? options.preview);
  const { adServer, fulfillment, reaching } = buildAdServer(file, options, location.file);
  const countries = new Set(file.products.flatMap((product) => product.inventory.countries));
  return {
    path: location.path,
    file: location.file,
    kinds: file.kinds,
    name: file.name,
    description: file.description,
    protocolName,
    releases,
    publisherDomains: file.publisher_domains,
    portfolio: { primary_countries: [...countries].sort(), ...file.portfolio },
    publicSandbox: file.public_sandbox,
    hasTestController: options.development || file.public_sandbox,
    // A client signs in when its handshake is refused, and often at no later call.
    publicInitialize: file.public_initialize ?? (options.development && file.oauth === undefined),
    modelAnswers: file.model_answers,
    publicTools: [...new Set(file.public_tools.map((tool) => ownToolName(tool, protocolName)))],
    principals: file.principals.map((principal) => ({
      id: principal.id,
      name: principal.name ?? principal.id,
      sandbox: principal.sandbox,
      policies: overlayPolicies(overlayPolicies(defaultsOf(principal), file.policies), principal.policies ?? {}),
      credentials: credentialsOf(principal, options),
      signer: principal.signer === undefined ? undefined : buildSigner(principal.signer),
      subjects: principal.oauth_subjects,
      billing: principal.billing,
      creativeBilling: principal.creative_billing,
      seats: principal.seats,
    })),
    kits: options.development ? buildKits(file) : {},
    oauth: file.oauth === undefined ? undefined : buildOauth(file.oauth),
    requestSigning: buildRequestSigning(file, options, { protocolName, releases }),
    accounts: file.accounts,
    products: file.products.map((product) => buildProduct(product, formatOwnerUrl(options.baseUrl), reaching)),
    proposals: file.proposals,
    insertionOrders: file.insertion_orders,
    signals: file.signals.map((signal) => buildSignal(signal, file.name)),
    brand: file.brand,
    destinations: file.destinations,
    policies,
    alerts: file.alerts === undefined ? undefined : buildAlerts(file.alerts, options.env),
    approvals: approvalRules(file, fulfillment, options),
    fulfillment,
    adServer,
    orderReminders: {
      afterMs: file.order_reminders.after_hours * HOUR_MS,
      everyMs: file.order_reminders.every_hours * HOUR_MS,
    },
    governance: file.governance,
    webhooks: buildWebhooks(file.webhooks),
    creativeAgents: file.creative_agents,
    llm: file.llm === undefined ? undefined : buildTextModel(file.llm, options),
    speech: file.speech === undefined ? undefined : buildSpeech(file.speech, options),
    buildPrices: file.build_prices,
    answerWithinMs: file.answer_within_seconds * 1000,
    replayTtlSeconds: file.idempotency.replay_ttl_seconds,
    outboundResolve: file.outbound.resolve,
  };
}

/** Where live buys go, and the targeting that gets there; undefined where all of it does. */
type BuiltAdServer = Pick<Tenant, 'adServer' | 'fulfillment'> & {
  readonly reaching: Product['inventory']['targeting'] | undefined;
};

function buildAdServer(
  { ad_server: own, fulfillment = DEFAULT_FULFILLMENT }: TenantFile,
  options: RuleOptions,
  file: string,
): BuiltAdServer {
  const draft = { ad_server: own, fulfillment };
  const declared = declareAdServer(draft, options, file);
  const reaching =
    declared !== undefined && 'declaration' in declared ? reachingTargeting(declared.declaration) : undefined;
  if (own === undefined) return { adServer: undefined, fulfillment, reaching };
  const { adapter, check } = own;
  const adServer = { adapter, check, settings: readAdServerSettings(own, options.env).settings };
  return goesToAdServer(draft)
    ? { adServer, fulfillment: 'adapter', reaching }
    : { adServer: undefined, fulfillment: 'manual', reaching };
}

function buildKits({ kits }: TenantFile): Tenant['kits'] {
  const built = ({ creative_billing: creativeBilling, ...kit }: TenantFile['kits'][string]) => ({
    ...kit,
    creativeBilling,
  });
  return Object.fromEntries(Object.entries(kits).map(([key, kit]) => [key, built(kit)]));
}

/** Tools that buyers try things out with name brands that nobody synced, and mix accounts within one story: a sandbox lets them unless its file says otherwise. */
function defaultsOf({ sandbox }: Pick<TenantFile['principals'][number], 'sandbox'>): Policies {
  return sandbox ? { ...DEFAULT_POLICIES, account_provisioning: 'auto', account_scope: 'principal' } : DEFAULT_POLICIES;
}

function overlayPolicies(base: Policies, own: PoliciesFile): Policies {
  return {
    creative_requirement: own.creative_requirement ?? base.creative_requirement,
    account_provisioning: own.account_provisioning ?? base.account_provisioning,
    account_scope: own.account_scope ?? base.account_scope,
    creative_approval: own.creative_approval ?? base.creative_approval,
    rate_limits: {
      reads: own.rate_limits?.reads ?? base.rate_limits.reads,
      writes: own.rate_limits?.writes ?? base.rate_limits.writes,
      bytes: own.rate_limits?.bytes ?? base.rate_limits.bytes,
    },
  };
}

/** Returns the rules of the file, then those that follow from it: topics that a person looks at, and live orders that are booked by hand. */
function approvalRules(
  { approvals, portfolio, principals, kits, kinds }: TenantFile,
  fulfillment: Fulfillment,
  { development }: RuleOptions,
): readonly ApprovalRule[] {
  const callers = [...principals, ...(development ? Object.values(kits) : [])];
  const hasLive = kinds.includes('sales') && callers.some(({ sandbox }) => !sandbox);
  return [
    ...approvals,
    ...(reviewedTopics(portfolio).length === 0 ? [] : [reviewOf(reviewedTopics(portfolio))]),
    ...(fulfillment === 'manual' && hasLive ? [BOOKED_BY_HAND] : []),
  ];
}

function credentialsOf(principal: TenantFile['principals'][number], { env }: RuleOptions): readonly Credential[] {
  const keys = [principal.key ?? []].flat().map(
    (key): Credential => ({
      kind: 'sha256',
      digest: key.sha256 ?? sha256Hex(env[key.env ?? ''] ?? ''),
      env: key.env,
      expiresAt: key.expires_at,
    }),
  );
  const token = principal.public_token;
  return token === undefined ? keys : [...keys, { kind: 'public_token', token }];
}

function buildSigner({ agent_url: url, jwks_uri: jwksUri, brand_json_url: brandJsonUrl }: SignerFile): Signer {
  return {
    url,
    jwksUri,
    brandJsonUrl,
  };
}

function buildOauth({ issuer, max_daily_spend: limit, try_sandbox: trySandbox }: OauthFile): TenantOauth {
  if (issuer === undefined) return { limit, trySandbox };
  const { audience, jwks_uri: jwksUri, principal_claim: principalClaim, url } = issuer;
  return { issuer: { url, jwksUri, audience, principalClaim }, limit, trySandbox };
}

/**
 * Returns who has to sign; without signers no signatures are demanded, which nobody could make. In development mode the
 * public test keys sign.
 */
function buildRequestSigning(
  { principals, request_signing: file }: TenantFile,
  { development }: RuleOptions,
  { protocolName, releases }: Pick<Tenant, 'protocolName' | 'releases'>,
): RequestSigning {
  const own = (tasks: readonly string[]): readonly string[] => tasks.map((task) => ownToolName(task, protocolName));
  const { supported, protocol_methods_required_for, protocol_methods_warn_for, strict } = file;
  const { requestDigest } = endpointSigning(releases);
  const covers_content_digest = requestDigest === 'tenant' ? file.covers_content_digest : requestDigest;
  const warn_for = own(file.warn_for);
  const isSigned = development || principals.some(({ signer }) => signer !== undefined);
  const spending = requestDigest === 'required' ? [...SPENDING_TASKS, ...PREVIEW_SPENDING_TASKS] : SPENDING_TASKS;
  const usual = isSigned ? spending : [];
  const required_for = own(file.required_for ?? usual.filter((task) => !warn_for.includes(task)));
  return {
    supported,
    covers_content_digest,
    required_for,
    warn_for,
    protocol_methods_required_for,
    protocol_methods_warn_for,
    strict,
  };
}

function buildTextModel(llm: NonNullable<TenantFile['llm']>, { env }: RuleOptions): TextModel {
  const apiKey = env[llm.api_key?.env ?? ''];
  const { base_url: baseUrl, model, timeout_ms: timeoutMs } = llm;
  return { baseUrl, model, timeoutMs, apiKey };
}

function buildSpeech(speech: NonNullable<TenantFile['speech']>, { env }: RuleOptions): SpeechEndpoint {
  const { base_url: baseUrl, model, voice, timeout_ms: timeoutMs } = speech;
  return { baseUrl, model, voice, timeoutMs, apiKey: env[speech.api_key?.env ?? ''] };
}

function buildProduct(product: ProductFile, agentUrl: string, reaching: BuiltAdServer['reaching']): Product {
  const resolve = (id: FormatIdFile): FormatId => (typeof id === 'string' ? { agent_url: agentUrl, id } : id);
  const { placements, format_ids, reporting_capabilities: file, adapter, deal, ...rest } = product;
  const reporting_capabilities = {
    ...file,
    windowed_pull_granularities: file.windowed_pull_granularities ?? file.available_reporting_frequencies,
  };
  const { channels } = product;
  const inventory = { ...product.inventory, adapter, deal, targeting: product.inventory.targeting ?? reaching };
  const metric_optimization = completeMetrics(product.metric_optimization, inventory, channels);
  const built = {
    ...rest,
    inventory,
    metric_optimization,
    reporting_capabilities,
    format_ids: format_ids.map(resolve),
  };
  if (placements === undefined) return built;
  const placed = placements.map(({ format_ids: own, ...placement }) =>
    own === undefined ? placement : { ...placement, format_ids: own.map(resolve) },
  );
  return { ...built, placements: placed };
}

function buildSignal({ signal_id, data_provider, ...signal }: SignalFile, tenantName: string): Signal {
  return {
    ...signal,
    signal_id: signal_id ?? signal.signal_agent_segment_id,
    data_provider: data_provider ?? tenantName,
  };
}

/** Returns a file's content without `$schema` and `$comment`, however deep they are. */
export function withoutRemarks<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(withoutRemarks) as Value;
  if (!isDraft(value)) return value;
  const entries = Object.entries(value).filter(([key]) => key !== '$schema' && key !== '$comment');
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutRemarks(inner)])) as Value;
}
