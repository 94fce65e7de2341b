import type { Request } from 'express';
import { sha256Hex } from '../../../platform/kernel/canonical.js';
import type { App } from '../../context.js';
import type { PortalLink } from '../../domain/console/portal-link.js';
import { readOwner } from '../../domain/tenant/principal.js';
import type { Seller } from '../../domain/tenant/seller.js';
import { findOpenLink, PORTAL_PATH } from '../../tasks/people/portal-links.js';
import { Fields } from '../visit.js';

/** One request of a buyer who has an open link: what it may see is what its owner has, and nothing else. */
export type PortalVisit = {
  readonly app: App;
  readonly link: PortalLink;
  readonly owner: string;
  readonly seller: Seller;
  readonly buyer: string;
  /** The address of its portal, without a trailing slash. */
  readonly home: string;
  /** What its forms bring; nobody makes one without the link. */
  readonly csrf: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Fields;
  readonly form: Fields;
  /** The time as its owner lives it. */
  readonly nowMs: number;
};

/** Returns the visit of a request whose address holds; undefined where the link is forged, over or revoked, or its buyer is gone. */
export async function enterPortal(app: App, request: Request): Promise<PortalVisit | undefined> {
  const token = String(request.params.token ?? '');
  const link = await findOpenLink(app, token);
  if (link === undefined) return undefined;
  const { principal, tenant } = readOwner(link.owner);
  const seller = app.sellers().get(tenant);
  const caller = seller?.callers.find(({ id }) => id === principal);
  if (seller === undefined || caller === undefined) return undefined;
  const at = request.originalUrl.indexOf('?');
  return {
    app,
    link,
    owner: link.owner,
    seller,
    buyer: caller.name,
    home: `${PORTAL_PATH}/${token}`,
    csrf: sha256Hex(`form of ${token}`),
    params: Object.fromEntries(Object.entries(request.params).map(([name, value]) => [name, String(value)])),
    query: new Fields(new URLSearchParams(at < 0 ? '' : request.originalUrl.slice(at))),
    form: new Fields(new URLSearchParams(typeof request.body === 'string' ? request.body : '')),
    nowMs: app.clock.nowOf(link.owner),
  };
}
