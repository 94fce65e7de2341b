import { OAUTH_ROUTES } from '../auth/oauth.js';
import type { Route } from '../http/route.js';
import { REPLICATION_ADMIN_ROUTES, REPLICATION_ROUTES } from '../replication/routes.js';
import { aboutRoutes } from './about.js';
import { ADMIN_ROUTES } from './admin/routes.js';
import { DOCTOR_ROUTES } from './agent/doctor.js';
import { MONITORING_ROUTES } from './agent/monitoring.js';
import { PROBING_ROUTES } from './agent/probing.js';
import { AGENT_PUBLISHER_ROUTES } from './agent/publishers.js';
import { STANDING_ROUTES } from './agent/standing.js';
import { AGENT_ROUTES } from './agents.js';
import { BRAND_ROUTES } from './brands.js';
import { CRAWL_ROUTES } from './crawls.js';
import { FEED_ROUTES } from './feed.js';
import { LOOKUP_ROUTES } from './lookups.js';
import { MEMBER_ROUTES } from './members.js';
import { OWNERSHIP_ROUTES } from './ownership.js';
import { PROPERTY_ROUTES } from './properties.js';
import { PROPERTY_CHECK_ROUTES } from './property-checks.js';
import { SEARCH_ROUTES } from './search.js';
import { VALIDATION_ROUTES } from './validation.js';

/** Every route of the registry: the listener, the API description, its page and `/mcp` all follow from this table. */
export const REGISTRY_ROUTES: readonly Route[] = [
  ...BRAND_ROUTES,
  ...PROPERTY_ROUTES,
  ...PROPERTY_CHECK_ROUTES,
  ...AGENT_ROUTES,
  ...CRAWL_ROUTES,
  ...FEED_ROUTES,
  ...REPLICATION_ROUTES,
  ...LOOKUP_ROUTES,
  ...AGENT_PUBLISHER_ROUTES,
  ...STANDING_ROUTES,
  ...MONITORING_ROUTES,
  ...VALIDATION_ROUTES,
  ...SEARCH_ROUTES,
  ...PROBING_ROUTES,
  ...DOCTOR_ROUTES,
  ...OWNERSHIP_ROUTES,
  ...MEMBER_ROUTES,
  ...ADMIN_ROUTES,
  ...REPLICATION_ADMIN_ROUTES,
  ...OAUTH_ROUTES,
  ...aboutRoutes(() => REGISTRY_ROUTES),
];
