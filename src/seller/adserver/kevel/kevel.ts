import type { ForeignIds } from '../../domain/booking/foreign-ids.js';
import type { LiveOrder } from '../../domain/booking/live-order.js';
import type { AdServerAdapter, AdServerModule, AdServerOptions, CallContext } from '../port/adapter.js';
import type {
  BookContext,
  CheckVerdict,
  ImportedProduct,
  InspectedOrder,
  Ping,
  ProductMapping,
} from '../port/answers.js';
import type { AdServerDeclaration } from '../port/declaration.js';
import type { BookedOrder, DeliveryAnswer, DeliveryContext, DeliveryRequest } from '../port/delivery.js';
import type { RestClient } from '../rest/rest-client.js';
import { Advertisers } from './advertisers.js';
import { KevelApi, openClient } from './api.js';
import { mapLines, OrderBringer } from './bring.js';
import { portError } from './failures.js';
import { Identities } from './identities.js';
import { OrderInspector } from './inspection/orders.js';
import { judgeReferences } from './inspection/references.js';
import { FORMATS } from './mapping/creative.js';
import { PRICING } from './mapping/flight.js';
import { TARGETING } from './mapping/targeting.js';
import { listProducts } from './products.js';
import { MappingRefusal } from './refusal.js';
import { readDelivery } from './report.js';
import { judgeProduct, type KevelSettings, readSettings } from './settings.js';

/** Live orders go to Kevel, as docs/kevel.md tells it. */
export const kevelModule: AdServerModule = {
  name: 'kevel',
  declare: (settings) => declarationOf(readSettings(settings)),
  judgeProduct,
  open: (options) => new KevelAdapter(readSettings(options.settings), options),
};

function declarationOf({ currency }: KevelSettings): AdServerDeclaration {
  return {
    targeting: TARGETING,
    formats: FORMATS,
    pricing_models: PRICING,
    delivery_types: ['guaranteed', 'non_guaranteed'],
    pacings: ['even'],
    metrics: ['clicks'],
    has_creative_delivery: true,
    currency,
    // Reports are of days in UTC.
    time_zone: 'UTC',
    orders_at_once: 4,
    inspected_at_once: 500,
    reports: { every_minutes: 60, corrected_days: 3 },
  };
}

class KevelAdapter implements AdServerAdapter {
  readonly name = 'kevel';
  readonly declaration: AdServerDeclaration;
  readonly #settings: KevelSettings;
  readonly #client: RestClient;
  readonly #clock: AdServerOptions['clock'];
  readonly #advertisers: Advertisers;
  readonly #inspector = new OrderInspector();

  constructor(settings: KevelSettings, options: AdServerOptions) {
    this.declaration = declarationOf(settings);
    this.#settings = settings;
    this.#client = openClient(settings, options);
    this.#clock = options.clock;
    this.#advertisers = new Advertisers(settings);
  }

  async check(order: LiveOrder): Promise<CheckVerdict> {
    try {
      mapLines(order);
      return { verdict: 'accepted' };
    } catch (error) {
      if (error instanceof MappingRefusal) return { verdict: 'refused', ...error.objection };
      throw portError(error, undefined);
    }
  }

  async book(order: LiveOrder, { foreign, saveIds, signal }: BookContext): Promise<ForeignIds | undefined> {
    const ids = new Identities(foreign, saveIds);
    try {
      await this.#bringer(ids, signal).bring(order);
    } catch (error) {
      this.#advertisers.forget(order);
      throw portError(error, ids.all);
    }
    return ids.all;
  }

  async find(order: LiveOrder, { signal }: CallContext): Promise<ForeignIds | undefined> {
    const ids = new Identities(undefined);
    return (await this.#bringer(ids, signal).find(order)) ? ids.all : undefined;
  }

  async delivery(request: DeliveryRequest, { job, signal }: DeliveryContext): Promise<DeliveryAnswer> {
    return readDelivery(this.#api(signal), request, { job, nowMs: this.#clock.now() });
  }

  async inspect(orders: readonly BookedOrder[], { signal }: CallContext): Promise<readonly InspectedOrder[]> {
    return this.#inspector.inspect(this.#api(signal), orders);
  }

  async ping(products: readonly ProductMapping[], { signal }: CallContext): Promise<Ping> {
    const problems = await judgeReferences(this.#api(signal), products);
    return { network: `network ${this.#settings.network_id}`, problems };
  }

  async products({ signal }: CallContext): Promise<readonly ImportedProduct[]> {
    return listProducts(this.#api(signal));
  }

  #bringer(ids: Identities, signal: AbortSignal): OrderBringer {
    return new OrderBringer({ api: this.#api(signal), ids, advertisers: this.#advertisers });
  }

  #api(signal: AbortSignal): KevelApi {
    return new KevelApi(this.#client, signal);
  }
}
