import type { Route } from '../../http/route.js';
import { ADMIN_AGENT_ROUTES } from './agents.js';
import { MODERATION_ROUTES } from './moderation.js';
import { ADMIN_PEOPLE_ROUTES } from './people.js';
import { ADMIN_PUBLISHER_ROUTES } from './publishers.js';

/** Operation of a registry: what the commands do, for admins over the API too. */
export const ADMIN_ROUTES: readonly Route[] = [
  ...ADMIN_PEOPLE_ROUTES,
  ...ADMIN_AGENT_ROUTES,
  ...ADMIN_PUBLISHER_ROUTES,
  ...MODERATION_ROUTES,
];
