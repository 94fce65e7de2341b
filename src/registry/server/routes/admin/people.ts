import { z } from 'zod';
import { MEMBERSHIP_TIERS, ROLES } from '../../auth/caller.js';
import {
  createKey,
  createOrganization,
  enrolAgent,
  findOrganization,
  listKeys,
  listOrganizations,
  putMember,
  removeAgent,
  revokeKey,
} from '../../auth/members.js';
import { ok, type Route } from '../../http/route.js';
import { agentInput, readEnrollment, shownAgent } from '../members.js';
import { adminList, adminRoute } from './admin-route.js';

/** Days until a key ends by itself, at most. */
const MAX_KEY_DAYS = 3650;

const organization = z.string().min(1).max(128).describe('Id or slug of an organization.');
const name = z.string().trim().min(1).max(255);

/** Organizations, with their keys, users and agents. */
export const ADMIN_PEOPLE_ROUTES: readonly Route[] = [
  adminList({
    path: 'organizations',
    operation_id: 'adminListOrganizations',
    summary: 'Every organization.',
    run: async ({ registry }) => ok({ organizations: await listOrganizations(registry) }),
  }),
  adminRoute({
    path: 'organizations',
    operation_id: 'adminCreateOrganization',
    summary: 'Make an organization.',
    body: z.object({ slug: z.string().max(64), name, tier: z.enum(MEMBERSHIP_TIERS).optional() }),
    run: async ({ registry, body }) => ok(await createOrganization(registry, { ...body, tier: body.tier ?? 'api' })),
  }),
  adminList({
    path: 'keys',
    operation_id: 'adminListKeys',
    summary: 'Every API key, without its secret.',
    run: async ({ registry }) => ok({ keys: await listKeys(registry) }),
  }),
  adminRoute({
    path: 'keys',
    operation_id: 'adminCreateKey',
    summary: 'Make an API key; it is shown this once.',
    body: z.object({
      organization,
      name: name.optional(),
      role: z.enum(ROLES).optional(),
      expires_in_days: z
        .int()
        .min(1)
        .max(MAX_KEY_DAYS)
        .optional()
        .describe('It holds until it is revoked unless given.'),
    }),
    run: async ({ registry, body }) =>
      ok(
        await createKey(registry, {
          organization: body.organization,
          name: body.name ?? 'API key',
          role: body.role ?? 'member',
          days: body.expires_in_days,
        }),
        { 'cache-control': 'no-store' },
      ),
  }),
  adminRoute({
    path: 'keys/revoke',
    operation_id: 'adminRevokeKey',
    summary: 'End an API key.',
    body: z.object({ key_id: z.string().max(128) }),
    run: async ({ registry, body }) => ok(await revokeKey(registry, body.key_id)),
  }),
  adminRoute({
    path: 'members',
    operation_id: 'adminPutMember',
    summary: 'Make a user of the identity provider a member of an organization, or change the role.',
    body: z.object({
      organization,
      subject: z.string().min(1).max(255),
      name: name.optional(),
      role: z.enum(ROLES).optional(),
    }),
    run: async ({ registry, body }) =>
      ok(await putMember(registry, { ...body, name: body.name ?? body.subject, role: body.role ?? 'member' })),
  }),
  adminRoute({
    path: 'agents',
    operation_id: 'adminEnrolAgent',
    summary: 'Enrol an agent for an organization.',
    body: agentInput.extend({ organization }),
    run: async ({ registry, body: { organization: of, ...fields } }) => {
      const { org_id } = await findOrganization(registry, of);
      const { agent } = await enrolAgent(registry, org_id, readEnrollment(fields));
      return ok({ agent: shownAgent(agent) });
    },
  }),
  adminRoute({
    path: 'agents/remove',
    operation_id: 'adminRemoveAgent',
    summary: 'Take an agent out of the catalog.',
    body: z.object({ url: z.string().max(2048) }),
    run: async ({ registry, body }) => {
      await removeAgent(registry, { url: body.url, field: '/url' });
      return ok({ removed: body.url });
    },
  }),
];
