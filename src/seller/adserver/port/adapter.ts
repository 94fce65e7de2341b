import type { Log } from '../../../platform/kernel/log.js';
import type { Outbound } from '../../../platform/net/fetch.js';
import type { ForeignIds } from '../../domain/booking/foreign-ids.js';
import type { LiveOrder } from '../../domain/booking/live-order.js';
import type {
  Availability,
  AvailabilityRequest,
  BookContext,
  CheckContext,
  CheckVerdict,
  ImportedProduct,
  InspectedOrder,
  Ping,
  ProductMapping,
} from './answers.js';
import type { AdServerDeclaration } from './declaration.js';
import type { BookedOrder, DeliveryAnswer, DeliveryContext, DeliveryRequest } from './delivery.js';

/** The context of a call of an adapter. `signal` is aborted once nobody waits any more. */
export type CallContext = { readonly signal: AbortSignal };

/**
 * The port to whatever really delivers ads, as docs/extending.md tells it. Any method may throw OrderRefusedError (`book` alone), RetryLaterError
 * or UnknownOutcomeError; any other error counts as an unknown outcome.
 */
export type AdServerAdapter = {
  /** In the log, in metrics and in `orders`. */
  readonly name: string;
  readonly declaration: AdServerDeclaration;
  /**
   * Judges an order before it is accepted, and a change of one; reads only, and answers within 10 seconds. Without it, what the
   * declaration allows is accepted.
   */
  readonly check?: (order: LiveOrder, context: CheckContext) => Promise<CheckVerdict>;
  /**
   * Brings the ad server to the order as it is: creates what is not there, changes what differs, ends what is canceled; answers all ids that it
   * has there. It may be called again for a revision and may skip revisions, so it goes by what is there, not by what it did.
   */
  readonly book: (order: LiveOrder, context: BookContext) => Promise<ForeignIds | undefined>;
  /**
   * Returns the ids of what the ad server has of an order, looked up by our ids, undefined where that is nothing; asked before `book`
   * whenever the outcome of an earlier call is unknown. Without it, `book` itself has to be idempotent by `media_buy_id`.
   */
  readonly find?: (order: LiveOrder, context: CallContext) => Promise<ForeignIds | undefined>;
  /** Returns what orders delivered on days, or the handle of a report that is being made. Asked on a schedule, never by a buyer. */
  readonly delivery: (request: DeliveryRequest, context: DeliveryContext) => Promise<DeliveryAnswer>;
  /** Returns what of products can still be booked. Where there is no `check`, goals of guaranteed packages are held against it. */
  readonly availability?: (request: AvailabilityRequest, context: CallContext) => Promise<readonly Availability[]>;
  /** Returns what could be sold, as drafts of products. */
  readonly products?: (context: CallContext) => Promise<readonly ImportedProduct[]>;
  /** Returns what the ad server has of orders, so that what people changed there is seen. Reads only. */
  readonly inspect?: (orders: readonly BookedOrder[], context: CallContext) => Promise<readonly InspectedOrder[]>;
  /** Tries the connection, and whether what the products name is there. Reads only. Throws RetryLaterError where nobody answers. */
  readonly ping?: (products: readonly ProductMapping[], context: CallContext) => Promise<Ping>;
  /** Ends what the adapter holds open. */
  readonly close?: () => Promise<void>;
};

/** The settings and the services that an adapter is opened with. */
export type AdServerOptions = {
  /** The tenant's `ad_server` object; `{"env": "NAME"}`, wherever it stands in it, is the value of that variable by now. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The guarded fetch; for addresses of the settings with `trusted: true`. `RestClient` goes through it. */
  readonly outbound: Pick<Outbound, 'fetch'>;
  /**
   * Resolves when the next call of a network may go out, so that all tenants together make at most `perSecond` calls of it a second. `network`
   * names the network and its ad server, such as `kevel:1234`.
   */
  readonly pace: (network: string, perSecond: number) => Promise<void>;
  readonly clock: { readonly now: () => number };
  readonly log: Log;
};

/**
 * The default export of an adapter's module. `declare` says what the ad server can do under settings, without asking
 * it, and throws AdServerSettingsError for settings that cannot be; `open` connects when something is first asked.
 */
export type AdServerModule = {
  readonly name: string;
  readonly declare: (settings: AdServerOptions['settings']) => AdServerDeclaration;
  /** Returns what is wrong with the `adapter` object of a product; none where it is as it should be. */
  readonly judgeProduct?: (product: ProductMapping) => readonly SettingsFault[];
  readonly open: (options: AdServerOptions) => AdServerAdapter;
};

/** A member of settings that cannot be as it is: its name, with a dot for what is within, and what to write. */
export type SettingsFault = { readonly field: string; readonly message: string; readonly fix: string };
