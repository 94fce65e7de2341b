import { TimeZone } from '../../domain/time-zone.js';
import type { AdServerAdapter, AdServerModule, AdServerOptions } from '../port/adapter.js';
import type { AdServerDeclaration } from '../port/declaration.js';
import { RestClient } from '../rest/rest-client.js';
import { ServiceAccountTokens } from './auth.js';
import { bookOrder, findBooked } from './book/book.js';
import { checkOrder, readAvailability } from './check.js';
import { OrderInspector } from './inspect.js';
import { targetedMembers } from './mapping/targeting.js';
import { GAM_PRICING_MODELS } from './mapping/terms.js';
import type { GamNetwork } from './network.js';
import { pingNetwork } from './ping.js';
import { listProducts } from './products.js';
import { judgeProduct, readSettings } from './read-settings.js';
import { readDelivery } from './report.js';
import { GamRest } from './rest.js';
import type { GamSettings } from './settings.js';
import { SoapClient } from './soap/client.js';
import { GamSoap } from './soap/services.js';

/** https://developers.google.com/ad-manager/api/beta and https://developers.google.com/ad-manager/api/start */
const REST_URL = 'https://admanager.googleapis.com';
const SOAP_URL = 'https://ads.google.com';
const NAME = 'gam';
const APPLICATION = 'seller-agent';
/** What a network that is not of the larger kind may be asked: docs/ad-servers.md */
const REQUESTS_PER_SECOND = 2;
const KEY_HELP =
  'Give the service account a role in the network that may do this, and turn the Ad Manager API on, in its project and in the network.';

/** Google Ad Manager: orders, line items and reports by its REST API, creatives, parts of days and forecasts by its SOAP API. */
export const gamModule: AdServerModule = {
  name: NAME,
  declare: (settings) => declareUnder(readSettings(settings)),
  judgeProduct,
  open: (options) => openGam(readSettings(options.settings), options),
};

function declareUnder(settings: GamSettings): AdServerDeclaration {
  return {
    targeting: targetedMembers(settings),
    formats: ['*'],
    pricing_models: GAM_PRICING_MODELS,
    delivery_types: ['guaranteed', 'non_guaranteed'],
    pacings: ['even', 'asap', 'front_loaded'],
    metrics: ['clicks', 'completed_views'],
    has_creative_delivery: true,
    currency: settings.currency,
    time_zone: settings.time_zone,
    inspected_at_once: 500,
    // Numbers come about four hours late, and are corrected for some days.
    reports: { every_minutes: 60, corrected_days: 7 },
  };
}

function openGam(settings: GamSettings, options: AdServerOptions): AdServerAdapter {
  const network = connect(settings, options);
  const inspector = new OrderInspector(network);
  return {
    name: NAME,
    declaration: declareUnder(settings),
    check: (order, context) => checkOrder(network, order, context),
    book: (order, context) => bookOrder(network, order, context),
    find: (order, context) => findBooked(network, order, context),
    delivery: (request, context) => readDelivery(network, request, context),
    availability: (request, context) => readAvailability(network, request, context),
    inspect: (orders, context) => inspector.inspect(orders, context),
    products: (context) => listProducts(network, context),
    ping: (products, context) => pingNetwork(network, products, context),
  };
}

function connect(settings: GamSettings, { clock, outbound, pace }: AdServerOptions): GamNetwork {
  const { network_code: networkCode, service_account: account, soap_version: version } = settings;
  const { requests_per_second: perSecond = REQUESTS_PER_SECOND } = settings;
  const { fetch } = outbound;
  const tokens = new ServiceAccountTokens(account, { fetch, clock });
  const clientOf = (baseUrl: string) =>
    new RestClient({
      name: 'Google Ad Manager',
      baseUrl,
      fetch,
      clock,
      pace: () => pace(`${NAME}:${networkCode}`, perSecond),
      authorize: (isRefused) => tokens.authorize(isRefused),
      secrets: () => tokens.secrets(),
      keyHelp: KEY_HELP,
    });
  const soap = new SoapClient(clientOf(SOAP_URL), { version, networkCode, applicationName: APPLICATION });
  return {
    settings,
    zone: new TimeZone(settings.time_zone),
    // What starts in the future does so by the clock of the network.
    clock: { now: () => clock.now() + tokens.skewMs },
    rest: new GamRest(clientOf(REST_URL), networkCode),
    soap: new GamSoap(soap),
  };
}
