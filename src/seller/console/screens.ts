import { APPROVALS } from './screens/approvals.js';
import { AUDIT } from './screens/audit.js';
import { BUYERS } from './screens/buyers.js';
import { BUYS } from './screens/buys/buys.js';
import { CREATIVES } from './screens/creatives.js';
import { DELIVERY } from './screens/delivery/delivery.js';
import { PRODUCTS } from './screens/products.js';
import { REGISTRY } from './screens/registry/registry.js';
import { REQUESTS } from './screens/requests.js';
import { TODAY } from './screens/today.js';
import { WEBHOOKS } from './screens/webhooks.js';
import type { Screen } from './visit.js';

/** Every screen, in the order of the navigation. */
export const SCREENS: readonly Screen[] = [
  TODAY,
  APPROVALS,
  BUYS,
  DELIVERY,
  CREATIVES,
  PRODUCTS,
  WEBHOOKS,
  BUYERS,
  REGISTRY,
  REQUESTS,
  AUDIT,
];
