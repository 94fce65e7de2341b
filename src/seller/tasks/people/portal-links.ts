import { DAY_MS, isoTime } from '../../../platform/kernel/clock.js';
import { isObject } from '../../../platform/kernel/json/json.js';
import { quoteNames } from '../../../platform/kernel/nearest.js';
import { TaskError } from '../../../protocol/errors.js';
import type { App } from '../../context.js';
import { isOpenLink, type PortalLink } from '../../domain/console/portal-link.js';
import { ownerKey, readOwner } from '../../domain/tenant/principal.js';

/** Where the portal's pages are, on the public address. */
export const PORTAL_PATH = '/portal';

/** A link as a list shows it: what it opens, for how long, and never the address. */
type ShownLink = {
  readonly id: string;
  readonly tenant: string;
  readonly principal: string;
  readonly state: 'open' | 'expired' | 'revoked';
  readonly created_by: string;
  readonly created_at: string;
  readonly expires_at: string;
};

/** An operation on the links of the portal. */
export type PortalOperation =
  | { readonly operation: 'list' }
  | { readonly operation: 'new'; readonly tenant: string; readonly principal: string; readonly days?: number }
  | { readonly operation: 'revoke'; readonly id: string };

/** The result of an operation on links; the address of a new link is there this once. */
type OperatedLinks = { readonly links: readonly ShownLink[]; readonly url?: string | undefined };

const DEFAULT_DAYS = 7;
const MAX_DAYS = 90;
/** Links of every buyer that are listed, and that may be open at a time. */
const MAX_LINKS = 500;

/** Lists, makes or revokes links by which buyers look at their own things, in somebody's name. Throws a TaskError that says why not. */
export async function operatePortalLinks(app: App, actor: string, asked: unknown): Promise<OperatedLinks> {
  const { days, id, operation, principal, tenant } = isObject(asked) ? asked : {};
  if (operation === 'list') return { links: await listLinks(app) };
  if (operation === 'new')
    return makeLink(app, actor, { owner: readBuyer(app, tenant, principal), days: readDays(days) });
  if (operation === 'revoke') return revokeLink(app, id);
  throw new TaskError('INVALID_REQUEST', 'Unknown operation.', {
    suggestion: 'Send {"operation": "list" | "new" | "revoke"}.',
  });
}

/** Returns the link that a token of the portal's address stands for; undefined where it is forged, over or revoked. */
export async function findOpenLink(app: App, token: string): Promise<PortalLink | undefined> {
  const nowMs = app.clock.now();
  const reading = app.portalLinks.read(token, nowMs);
  if (reading === undefined || reading.isExpired) return undefined;
  const link = await app.store.read.portalLinks.find(reading.subject);
  return link !== undefined && isOpenLink(link, nowMs) ? link : undefined;
}

async function listLinks(app: App): Promise<readonly ShownLink[]> {
  const nowMs = app.clock.now();
  return (await app.store.read.portalLinks.list(MAX_LINKS)).map((link) => ({
    id: link.link_id,
    ...readOwner(link.owner),
    state: stateOf(link, nowMs),
    created_by: link.created_by,
    created_at: isoTime(link.created_at),
    expires_at: isoTime(link.expires_at),
  }));
}

function stateOf(link: PortalLink, nowMs: number): ShownLink['state'] {
  if (link.revoked_at !== null) return 'revoked';
  return isOpenLink(link, nowMs) ? 'open' : 'expired';
}

async function makeLink(
  app: App,
  created_by: string,
  { days, owner }: { readonly days: number; readonly owner: string },
): Promise<OperatedLinks> {
  const now = app.clock.now();
  const expires_at = now + days * DAY_MS;
  const link = { link_id: app.ids.uuid(), owner, created_by, created_at: now, expires_at, revoked_at: null };
  await app.store.transact(async (tx) => {
    const open = (await tx.portalLinks.list(MAX_LINKS)).filter((one) => isOpenLink(one, now));
    if (open.length >= MAX_LINKS) throw tooMany();
    await tx.portalLinks.add(link);
  });
  const url = `${app.renderer().baseUrl}${PORTAL_PATH}/${app.portalLinks.write(link.link_id, expires_at)}`;
  return { links: await listLinks(app), url };
}

async function revokeLink(app: App, id: unknown): Promise<OperatedLinks> {
  await app.store.transact(async (tx) => {
    const link = typeof id === 'string' ? await tx.portalLinks.find(id) : undefined;
    if (link === undefined) throw unknownLink();
    if (link.revoked_at === null) await tx.portalLinks.revoke(link.link_id, app.clock.now());
  });
  return { links: await listLinks(app) };
}

function readBuyer({ sellers }: App, tenant: unknown, principal: unknown): string {
  const seller = typeof tenant === 'string' ? sellers().get(tenant) : undefined;
  if (seller === undefined)
    throw new TaskError('REFERENCE_NOT_FOUND', 'There is no such tenant.', {
      field: 'tenant',
      suggestion: `Use ${quoteNames([...sellers().keys()])}.`,
    });
  const caller = seller.callers.find(({ id }) => id === principal);
  if (caller === undefined)
    throw new TaskError('REFERENCE_NOT_FOUND', 'The tenant has no such buyer.', {
      field: 'principal',
      suggestion: `Use ${quoteNames(seller.callers.map(({ id }) => id))}.`,
    });
  return ownerKey(seller.tenant.path, caller.id);
}

function readDays(days: unknown): number {
  if (days === undefined) return DEFAULT_DAYS;
  if (typeof days === 'number' && Number.isInteger(days) && days >= 1 && days <= MAX_DAYS) return days;
  throw new TaskError('INVALID_REQUEST', `A link holds for 1 to ${MAX_DAYS} days.`, {
    field: 'days',
    suggestion: `Name a whole number of days, or leave it out for ${DEFAULT_DAYS}.`,
  });
}

function unknownLink(): TaskError {
  return new TaskError('REFERENCE_NOT_FOUND', 'There is no such link.', {
    field: 'id',
    suggestion: 'Use an id of "portal list".',
  });
}

function tooMany(): TaskError {
  return new TaskError('INVALID_STATE', `There are ${MAX_LINKS} open links already.`, {
    suggestion: 'Revoke some of "portal list" first.',
  });
}
