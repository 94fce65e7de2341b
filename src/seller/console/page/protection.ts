import type { NextFunction, Request, Response } from 'express';
import { isUrl } from '../../../platform/net/url.js';
import type { App } from '../../context.js';
import { findAsset } from './assets.js';

/** Sent with every page: nobody else keeps it, frames it or learns its address. */
export const PAGE_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
};

/** Returns the policy of pages: styles and scripts are our files, and frames show previews alone, so that nothing that a buyer sends runs here. */
export function contentPolicy(app: App): string {
  const previews = new URL(app.renderer().baseUrl).origin;
  return [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    `frame-src ${previews}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Answers with a file that pages load. */
export function sendAsset(request: Request, response: Response, next: NextFunction): void {
  const asset = findAsset(String(request.params.name));
  if (asset === undefined) next();
  else
    response
      .set({ 'content-type': asset.type, 'cache-control': 'private, max-age=31536000, immutable' })
      .send(asset.bytes);
}

/** Whether a form comes from one of our pages: browsers say so; what says nothing is no browser, and has no cookie but its own. */
export function isFromOurPage({ headers }: Request): boolean {
  const { host, origin } = headers;
  const site = headers['sec-fetch-site'];
  return (
    (origin === undefined || (isUrl(origin) && new URL(origin).host === host)) &&
    (site === undefined || site === 'same-origin')
  );
}
