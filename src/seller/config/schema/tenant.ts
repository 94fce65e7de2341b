import { z } from 'zod';
import { TRANSFORMER_IDS } from '../../../creative/transformers/transformers.js';
import { ACCOUNT_STATUSES } from '../../domain/account/account.js';
import { BILLING_RELATIONSHIPS, CREATIVE_BILLINGS } from '../../domain/account/billing.js';
import { ACCOUNT_SCOPES } from '../../domain/account/scope.js';
import { CREATIVE_APPROVALS } from '../../domain/creative/creative.js';
import { FULFILLMENTS } from '../../domain/media-buy/fulfillment.js';
import { POLICY_TOPICS } from '../../domain/policy/policy.js';
import { DEMO_KEY } from '../../domain/tenant/callers.js';
import { CREATIVE_AGENT_CAPABILITIES, GOVERNANCE_SETTINGS, TENANT_KINDS } from '../../domain/tenant/tenant.js';
import type { JsonSchema } from '../explain.js';
import { alertSchema } from './alerts.js';
import { approvalSchema } from './approvals.js';
import { brandSchema } from './brand.js';
import { insertionOrdersSchema } from './insertion-orders.js';
import { oauthSchema } from './oauth.js';
import { productSchema } from './products.js';
import { proposalSchema } from './proposals.js';
import { country, distinct, domainName, identifier, object, webAddress } from './shapes.js';
import { destinationsSchema, signalSchema } from './signals.js';
import { requestSigningSchema, signerSchema } from './signing.js';
import { webhookSchema } from './webhooks.js';

/** The form of the protocol's name: it becomes part of tool names, members and headers. */
export const PROTOCOL_NAME = /^[a-z][a-z0-9]{1,31}$/;

const rateLimit = object({
  per_second: z.number().min(0.01).max(1e9).describe('Calls, or bytes, a second on average.'),
  burst: z.int().min(1).max(1e9).describe('Calls, or bytes, at once beyond the average.'),
});

const policies = object({
  creative_requirement: z
    .enum(['required', 'none'])
    .optional()
    .describe('Whether a package needs a creative before it runs; "required" unless set.'),
  account_provisioning: z
    .enum(['auto', 'manual'])
    .optional()
    .describe(
      '"auto" (the default of sandbox principals) opens an account for an order of an unknown brand and operator; "manual" (the default of live ones) asks for sync_accounts first.',
    ),
  account_scope: z
    .enum(ACCOUNT_SCOPES)
    .optional()
    .describe(
      'What a request that names an account reaches: "account", that account alone, or "principal", all accounts of its principal. "account" unless set; "principal" for sandbox principals.',
    ),
  creative_approval: z
    .enum(CREATIVE_APPROVALS)
    .optional()
    .describe('"auto" (the default) lets a creative run at once; "manual" lets it wait until a person approves it.'),
  rate_limits: object({
    reads: rateLimit.optional().describe('Limit of calls that change nothing; 300 a second, burst 1500 unless set.'),
    writes: rateLimit.optional().describe('Limit of calls that change something; 60 a second, burst 300 unless set.'),
    bytes: rateLimit
      .optional()
      .describe('Limit of the bytes of request bodies; 8388608 a second, burst 83886080 unless set.'),
  })
    .optional()
    .describe('How often one principal may call.'),
});

const environmentVariable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/);

const key = object({
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional()
    .describe('SHA-256 of the API key, 64 lower-case hexadecimal digits; "keys hash" prints it.'),
  env: environmentVariable.optional().describe('Name of the environment variable that holds the API key.'),
  expires_at: z.iso
    .datetime({ offset: true })
    .optional()
    .describe('From when on it opens nothing, ISO 8601 with an offset; without it, never.'),
});

const relationship = {
  billing: z
    .enum(BILLING_RELATIONSHIPS)
    .default('agent_billable')
    .describe(
      'Who may be invoiced for its accounts: "agent_billable" (any party; unless set), or "passthrough_only" (the operator alone, for this caller has no payments of its own).',
    ),
  creative_billing: z
    .enum(CREATIVE_BILLINGS)
    .default('through_protocol')
    .describe(
      'Creative agents: how creatives are billed to it: "through_protocol" (by the prices that are shown; unless set), or "out_of_band" (by a contract: it is shown no prices, and its reports of use are answered with BILLING_OUT_OF_BAND).',
    ),
};

const kit = object({
  sandbox: z.boolean().default(true).describe('false: it is a live principal; what it does is real.'),
  ...relationship,
});

const principal = object({
  id: identifier('Unique within the tenant; what a principal owns hangs on it, so never change it.'),
  name: z.string().min(1).optional().describe('Name for people; the id unless set.'),
  sandbox: z.boolean().default(false).describe('true: nothing this principal does is ever real.'),
  key: z
    .union([key, z.array(key).min(1)])
    .optional()
    .describe('How it proves itself: {"sha256": …}, {"env": …}, or a list of those while keys are exchanged.'),
  public_token: z
    .string()
    .regex(/^[A-Za-z0-9._~-]{8,128}$/)
    .optional()
    .describe('Sandbox principals only: a bearer token that everybody may know, 8 to 128 URL-safe characters.'),
  signer: signerSchema.optional().describe('The agent whose signed calls are its own, with or without a key.'),
  oauth_subjects: distinct(z.string().min(1).max(500), 1)
    .optional()
    .describe(
      'With an OAuth issuer of your own: what its tokens call this principal, in the claim that "oauth" names.',
    ),
  policies: policies.optional().describe("What differs from the tenant's policies for this principal."),
  seats: z
    .record(domainName('Domain of a DSP.'), z.array(z.string().min(1).max(100)).min(1).max(20))
    .optional()
    .describe('Its seats in DSPs, by the domain of the DSP: private deals are made for them (wseat).'),
  ...relationship,
});

const account = object({
  account_id: identifier('Unique within the tenant; buyers send it.'),
  principal: z.string().min(1).describe('Id of the principal that owns the account.'),
  name: z.string().min(1).describe('Name that buyers see.'),
  status: z.enum(ACCOUNT_STATUSES).default('active').describe('What the account may do; "active" unless set.'),
  brand: object({
    domain: domainName('Domain of the advertised brand.'),
    brand_id: identifier('Which brand of a house of brands.').optional(),
  }).describe('The advertised brand.'),
  operator: domainName('Domain of whoever acts for the brand.'),
  billing: z.enum(['operator', 'agent', 'advertiser']).default('operator').describe('Who pays.'),
  payment_terms: z
    .enum(['net_15', 'net_30', 'net_45', 'net_60', 'net_90', 'prepay'])
    .default('net_30')
    .describe('When it is paid.'),
});

const adServer = z.looseObject({
  adapter: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Name of the adapter, "manual", or the path of a module such as "./my-adapter.js", from this file on; that of --ad-server unless set.',
    ),
  check: z
    .enum(['required', 'if_reachable'])
    .default('required')
    .describe(
      'What becomes of an order while the ad server cannot be asked whether it takes it: "required" (unless set) refuses it for now (SERVICE_UNAVAILABLE), "if_reachable" accepts it.',
    ),
});

const creativeAgent = object({
  agent_url: webAddress('Address of the agent, where list_creative_formats is called.'),
  agent_name: z.string().min(1).optional().describe('Name for people.'),
  capabilities: distinct(z.enum(CREATIVE_AGENT_CAPABILITIES), 1)
    .optional()
    .describe('What it does: "validation", "assembly", "generation", "preview", "delivery".'),
});

const llm = object({
  base_url: webAddress('Address of the API, such as "https://api.openai.com/v1"; "/chat/completions" is added.'),
  model: z.string().min(1).describe('Name of the model.'),
  api_key: object({ env: environmentVariable.describe('Name of the environment variable that holds the key.') })
    .optional()
    .describe('The key, as {"env": "NAME"}; left out for an endpoint that wants none.'),
  timeout_ms: z
    .int()
    .min(100)
    .max(60_000)
    .default(8000)
    .describe('Longest wait for one answer in milliseconds, 100 to 60000; 8000 unless set.'),
});

const speech = object({
  base_url: webAddress('Address of the API, such as "https://api.openai.com/v1"; "/audio/speech" is added.'),
  model: z.string().min(1).describe('Name of the model.'),
  voice: z.string().min(1).describe('Name of the voice.'),
  api_key: object({ env: environmentVariable.describe('Name of the environment variable that holds the key.') })
    .optional()
    .describe('The key, as {"env": "NAME"}; left out for an endpoint that wants none.'),
  timeout_ms: z
    .int()
    .min(100)
    .max(120_000)
    .default(30_000)
    .describe('Longest wait for one answer in milliseconds, 100 to 120000; 30000 unless set.'),
});

const buildPrice = object({
  pricing_option_id: identifier('Id of the price.'),
  transformers: distinct(z.enum(TRANSFORMER_IDS), 1)
    .optional()
    .describe('The transformers that it is the price of, of list_transformers; all of them unless set.'),
  unit_price: z.number().min(0).max(1e9).describe('Price of each creative in one format; 0 is free, and said so.'),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .describe('ISO 4217, such as "USD".'),
});

/** One tenant file. Strict: an unknown key is a fault, remarks live in `$comment`. */
export const tenantSchema = object({
  kinds: distinct(z.enum(TENANT_KINDS), 1).describe(
    'What the agent does: "sales", "creative", "signals", "governance", "brand".',
  ),
  name: z.string().min(1).describe('Name of the seller.'),
  description: z.string().default('').describe('One or two sentences about the seller.'),
  protocol: object({
    name: z
      .string()
      .regex(PROTOCOL_NAME)
      .optional()
      .describe("The protocol's name on the wire: 2 to 32 lower-case letters or digits."),
    preview: z
      .boolean()
      .optional()
      .describe('Whether releases that are not final are served too, to callers who ask for exactly one.'),
  })
    .optional()
    .describe('Overrides the protocol settings of the server for this tenant.'),
  publisher_domains: distinct(domainName('A publisher sold here.'))
    .default([])
    .describe('Domains of the publishers sold here.'),
  portfolio: object({
    primary_countries: distinct(country).optional().describe('Main countries; those of the products unless set.'),
    banned: distinct(z.enum(POLICY_TOPICS), 1)
      .default([])
      .describe('What is not advertised: briefs, orders and creatives that speak of it are refused.'),
    reviewed: distinct(z.enum(POLICY_TOPICS), 1)
      .default([])
      .describe('What is advertised only after a person has looked at the order.'),
    ages: z
      .partialRecord(z.enum(POLICY_TOPICS), z.int().min(13).max(99))
      .default({})
      .describe(
        'The youngest that a topic is advertised to, {"alcohol": 21}: briefs for it that name younger people are refused, orders wait for a person.',
      ),
    advertising_policies: z
      .string()
      .min(1)
      .optional()
      .describe(
        'What else is not accepted, in free text; what "banned", "reviewed" and "ages" say is published before it.',
      ),
  })
    .prefault({})
    .describe('What buyers are told about the inventory as a whole.'),
  public_tools: distinct(z.string())
    .default([])
    .describe(
      'Reading tools that answer without a credential: get_products, list_creative_formats, get_adcp_capabilities.',
    ),
  public_initialize: z
    .boolean()
    .optional()
    .describe(
      'Whether the handshake of MCP ("initialize") is answered without a credential; nothing else is opened by it. On in development mode unless set or "oauth" is, else off.',
    ),
  model_answers: z
    .boolean()
    .optional()
    .describe(
      'true: answers over MCP are for language models: pages of 10 rows and 20 KB, a failure said once, a second text in plain words. false: never. Unset: for callers who signed in by OAuth, and for requests with the header "Prefer: return=minimal".',
    ),
  public_sandbox: z
    .boolean()
    .default(false)
    .describe(
      'true: anybody on the internet may use the sandbox of this tenant, by its public tokens, test controller included. Development mode needs no such word.',
    ),
  principals: z.array(principal).default([]).describe('Who may call, and how each proves itself.'),
  kits: z
    .record(z.string().regex(DEMO_KEY).describe('The key of the kit, as "demo-acme-v1".'), kit)
    .default({})
    .describe(
      'Development mode only: what differs for the principals of public test kits, by their keys; each is a sandbox principal unless set.',
    ),
  accounts: z.array(account).default([]).describe('Accounts that exist from the start; buyers add more.'),
  products: z.array(productSchema).default([]).describe('What is sold, best first.'),
  proposals: z
    .array(proposalSchema)
    .max(100)
    .default([])
    .describe('Sales agents only: plans over the products that buyers can take as they are; more are made of briefs.'),
  insertion_orders: insertionOrdersSchema
    .optional()
    .describe('Sales agents only: proposals are finalized first, and bought by whoever accepts their insertion order.'),
  signals: z.array(signalSchema).default([]).describe('Signals agents only: segments of data that buyers target by.'),
  brand: brandSchema
    .optional()
    .describe('Brand agents only: the house, its brands, its answers to claims, and its rights.'),
  destinations: destinationsSchema
    .prefault({})
    .describe('Signals agents only: where signals can go; any agent, and no platform, unless set.'),
  creative_agents: z
    .array(creativeAgent)
    .optional()
    .describe(
      'Agents with further formats, named by list_creative_formats; a sales agent names the creative agents of this server unless set.',
    ),
  llm: llm
    .optional()
    .describe(
      'Creative and governance agents: an OpenAI-compatible text endpoint that writes the copy of built creatives (the built-in writer unless set, and whenever it fails), or judges content by policies that have no rules.',
    ),
  speech: speech
    .optional()
    .describe(
      'Creative agents only: an OpenAI-compatible endpoint that speaks the copy of audio and video spots; nobody speaks unless set.',
    ),
  build_prices: z
    .array(buildPrice)
    .max(50)
    .default([])
    .describe(
      'Creative agents only: the rate card of building, the first price of a transformer counts. Without it building is billed outside the protocol, and ceilings and estimates are refused.',
    ),
  oauth: oauthSchema
    .optional()
    .describe(
      'Lets people connect an assistant by signing in ({} is enough): the server asks them for their access key and what they allow. Off unless set; keys go on working beside it.',
    ),
  request_signing: requestSigningSchema.prefault({}).describe('What is done with calls that are signed.'),
  policies: policies.prefault({}).describe('Rules for every principal; a principal may override them.'),
  webhooks: webhookSchema.prefault({}).describe('How webhooks are registered and delivered.'),
  alerts: alertSchema
    .optional()
    .describe('Tells your people what waits for them and what goes wrong, by POST or by mail; nobody unless set.'),
  approvals: z
    .array(approvalSchema)
    .default([])
    .describe('When a person has to approve an order first; the first rule that matches counts.'),
  ad_server: adServer
    .optional()
    .describe(
      'Where live buys go. {"adapter": "manual"}: a person books each. An adapter: by its name, or the path of a file of your own; its settings stand beside it.',
    ),
  fulfillment: z
    .enum(FULFILLMENTS)
    .optional()
    .describe(
      'How live buys are carried out, where "ad_server" does not say: "manual" (the default; a person books each and enters its delivery), "adapter" (the ad server of --ad-server, or of the embedding program), or "simulated" (nothing is served, and every answer says so). Buys of sandboxes are always simulated.',
    ),
  order_reminders: object({
    after_hours: z
      .number()
      .min(0.1)
      .max(720)
      .default(4)
      .describe('How long an order waits for a person before the first reminder.'),
    every_hours: z.number().min(0.1).max(720).default(24).describe('How long until the next one.'),
  })
    .prefault({})
    .describe('When people are reminded of orders that wait for them: a line of the log, a figure, the console.'),
  governance: z
    .enum(GOVERNANCE_SETTINGS)
    .default('unlisted')
    .describe(
      'Whether buyers may appoint governance agents, which are then asked before every commitment: "unlisted" (sync_governance answers, and is not in tools/list), "listed", or "off".',
    ),
  answer_within_seconds: z
    .number()
    .min(0)
    .max(50)
    .default(25)
    .describe(
      'How long a caller waits for build_creative, sync_creatives and sync_catalogs; what takes longer is answered as a task that goes on.',
    ),
  idempotency: object({
    replay_ttl_seconds: z
      .int()
      .min(3600)
      .max(604_800)
      .default(86_400)
      .describe('How long a repeated call is answered from memory, 3600 to 604800 seconds.'),
  })
    .prefault({})
    .describe('How long repeated calls are recognized.'),
  outbound: object({
    resolve: z
      .record(domainName('Host of a callback.'), webAddress('Origin to call instead, such as "http://127.0.0.1:9000".'))
      .default({})
      .describe('From the host of a callback to the origin that is called instead.'),
  })
    .prefault({})
    .describe('Development mode only: where callbacks really go.'),
});

/** A valid tenant file with the defaults of the schema filled in. */
export type TenantFile = z.output<typeof tenantSchema>;
/** The rules a tenant or a principal sets; what is absent comes from the level above. */
export type PoliciesFile = z.output<typeof policies>;

/** Returns the published JSON Schema (draft-07, which editors understand best) of a tenant file. */
export function tenantJsonSchema(): JsonSchema & Readonly<Record<string, unknown>> {
  const { $schema, ...schema } = z.toJSONSchema(tenantSchema, { io: 'input', target: 'draft-07' });
  const title = 'Tenant of a seller agent';
  return JSON.parse(JSON.stringify({ $schema, title, ...schema }));
}
