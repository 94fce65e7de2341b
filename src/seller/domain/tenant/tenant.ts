import type { SpeechEndpoint } from '../../../creative/media/speech.js';
import type { Release } from '../../../protocol/releases.js';
import type { Account } from '../account/account.js';
import type { AlertSettings } from '../alert/alert.js';
import type { ReminderSettings } from '../booking/reminder.js';
import type { BrandHouse } from '../brand/brand.js';
import type { BuildPrice } from '../creative/build-price.js';
import type { Fulfillment } from '../media-buy/fulfillment.js';
import type { AdvertisingPolicy } from '../policy/policy.js';
import type { Product } from '../product/product.js';
import type { InsertionOrderSettings } from '../proposal/insertion-order.js';
import type { ConfiguredProposal } from '../proposal/proposal.js';
import type { Destinations } from '../signal/deployment.js';
import type { Signal } from '../signal/signal.js';
import type { ApprovalRule } from '../task/approval.js';
import type { TenantOauth } from './grant.js';
import type { Credential, Policies, Principal, TestKit } from './principal.js';
import type { RequestSigning, Signer } from './request-signing.js';

/** The kinds of agents; each brings its own tools. */
export const TENANT_KINDS = ['sales', 'creative', 'signals', 'governance', 'brand'] as const;
export type TenantKind = (typeof TENANT_KINDS)[number];

/** An account from the tenant file; more come by sync_accounts. Sandbox follows its principal. */
type ConfiguredAccount = Omit<Account, 'sandbox'> & {
  /** `Principal.id` of its owner. */
  readonly principal: string;
};

/** The capabilities that `creative_agents[].capabilities` may list of another creative agent. */
export const CREATIVE_AGENT_CAPABILITIES = ['validation', 'assembly', 'generation', 'preview', 'delivery'] as const;

/** A creative agent that has further formats, under its wire names. */
export type CreativeAgent = {
  readonly agent_url: string;
  readonly agent_name?: string;
  readonly capabilities?: readonly (typeof CREATIVE_AGENT_CAPABILITIES)[number][];
};

/** An OpenAI-compatible text endpoint that writes the copy of built creatives, or judges content by standards. The key is a secret: it goes to that endpoint alone. */
export type TextModel = {
  /** Ends before `/chat/completions`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: string;
  /** Longest wait for one answer. */
  readonly timeoutMs: number;
};

/** A tenant's settings for registrations of webhooks and for the delivery of events. */
export type WebhookSettings = {
  readonly registration: {
    /** Whether HMAC and bearer tokens are taken at all; both leave the protocol with 4.0. */
    readonly legacyWebhooks: boolean;
    /** Whether a bearer token, which protects no bytes, is enough for a task that changes something. */
    readonly bearerForChanges: boolean;
    readonly requireOperationId: boolean;
  };
  /** After a 401 that names a signature code. */
  readonly signatureReject: 'retry' | 'bounded' | 'stop';
  /** After a 410. */
  readonly onGone: 'stop' | 'pause';
  /** For how long changes close to each other are gathered, by kind, where it differs from the default. */
  readonly windowsMs: Readonly<Partial<Record<'impairment' | 'urgent_impairment' | 'media_buy', number>>>;
};

/**
 * Whether buyers may have governance agents decide before every commitment. Who appoints them is a program that sets accounts up and
 * not a model that buys: the task answers it unlisted too.
 */
export const GOVERNANCE_SETTINGS = ['unlisted', 'listed', 'off'] as const;

/** The ad server of a tenant: the name or the file of its adapter, and what that is opened with. */
type TenantAdServer = {
  readonly adapter: string | undefined;
  /** Whether an order is refused while the ad server cannot be asked about it. */
  readonly check: 'required' | 'if_reachable';
  readonly settings: Readonly<Record<string, unknown>>;
};

/** One agent: what one file under `tenants/` says, with every default filled in. Immutable; an edit makes a new one. */
export type Tenant = {
  /** `sales` for `tenants/sales.json`, `acme/sales` for `tenants/acme/sales.json`: served at `/{path}/mcp`. */
  readonly path: string;
  readonly file: string;
  readonly kinds: readonly TenantKind[];
  readonly name: string;
  readonly description: string;
  /** The protocol's name on the wire for this tenant. */
  readonly protocolName: string;
  /** The releases that it serves, oldest first. */
  readonly releases: readonly Release[];
  readonly publisherDomains: readonly string[];
  /** ISO 3166-1 alpha-2 countries and free text for the capabilities' portfolio block. */
  readonly portfolio: AdvertisingPolicy & {
    readonly primary_countries: readonly string[];
    readonly advertising_policies?: string;
  };
  /** Anybody may use its sandbox, by the public tokens in its file. */
  readonly publicSandbox: boolean;
  /** Whether its sandbox principals find the test controller: in a public sandbox, and in development mode. */
  readonly hasTestController: boolean;
  /** Whether the handshake of MCP is answered without a credential; it opens nothing else. */
  readonly publicInitialize: boolean;
  /** Whether answers over MCP are those for language models; where it is open, those to whoever signed in by OAuth or prefers them. */
  readonly modelAnswers: boolean | undefined;
  /** Tools that answer without a credential. */
  readonly publicTools: readonly string[];
  readonly principals: readonly (Principal & {
    readonly credentials: readonly Credential[];
    /** The agent that signs in its name. */
    readonly signer?: Signer;
    /** What an issuer of the operator's own calls it. */
    readonly subjects?: readonly string[];
  })[];
  /** What differs for the principals of public test kits, by their keys; they call in development mode alone. */
  readonly kits: Readonly<Record<string, TestKit>>;
  readonly requestSigning: RequestSigning;
  /** How clients of people with a language model get tokens; undefined: keys and signatures alone count. */
  readonly oauth?: TenantOauth | undefined;
  readonly accounts: readonly ConfiguredAccount[];
  readonly products: readonly Product[];
  /** The proposals that are offered whatever the brief. */
  readonly proposals: readonly ConfiguredProposal[];
  /** The insertion orders that are accepted before a proposal is bought; undefined where none are. */
  readonly insertionOrders?: InsertionOrderSettings | undefined;
  readonly signals: readonly Signal[];
  /** What a brand agent knows; undefined of any other. */
  readonly brand?: BrandHouse;
  /** The destinations that the signals can go to. */
  readonly destinations: Destinations;
  readonly policies: Policies;
  /** When a person has to decide about an order; the first rule that matches counts. */
  readonly approvals: readonly ApprovalRule[];
  /** What its people are told of without being asked; undefined where nobody is. It holds secrets. */
  readonly alerts?: AlertSettings | undefined;
  /** How live buys are carried out. */
  readonly fulfillment: Fulfillment;
  /** The ad server that they go to; undefined where they go to none, or to the one that was brought. Its settings hold secrets. */
  readonly adServer?: TenantAdServer | undefined;
  readonly orderReminders: ReminderSettings;
  readonly governance: (typeof GOVERNANCE_SETTINGS)[number];
  readonly webhooks: WebhookSettings;
  /** Agents with further formats; undefined leaves it to the server, an empty list names none. */
  readonly creativeAgents?: readonly CreativeAgent[];
  /** The text endpoint that writes the copy of built creatives, or judges content; the built-in writer and judge alone unless set. */
  readonly llm?: TextModel;
  /** The endpoint that speaks the copy of spots; nobody speaks unless set. The key is a secret, as that of `llm`. */
  readonly speech?: SpeechEndpoint;
  /** The rate card of building creatives; empty where that is not billed through the protocol. */
  readonly buildPrices: readonly BuildPrice[];
  /** For how long a caller waits for an answer, ms; what takes longer goes on as a task. */
  readonly answerWithinMs: number;
  /** For how long a replay is answered, 3600 to 604800 seconds. */
  readonly replayTtlSeconds: number;
  /** Development mode only: where a host of a callback really lives. */
  readonly outboundResolve: Readonly<Record<string, string>>;
};
