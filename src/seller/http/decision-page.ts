import { createHash } from 'node:crypto';
import { type Html, html, pageText, raw } from '../../platform/web/html.js';
import { pageStyle } from '../../platform/web/page-style.js';

/** A page and the Content-Security-Policy to send it with. */
export type Page = { readonly text: string; readonly policy: string };

/** Sent with every such page: nobody else keeps it, frames it, finds it, or learns its address. */
export const DECISION_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
  // A form that is sent without one comes from nowhere, and is turned away.
  'referrer-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
};

const STYLE = pageStyle('approval');
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Returns a page on which a person decides something. `formTargets` are where its forms may lead beside here, as CSP writes it. */
export function decisionPage(title: string, content: Html, formTargets: readonly string[] = []): Page {
  return {
    policy: [
      "default-src 'none'",
      `style-src 'sha256-${STYLE_HASH}'`,
      "base-uri 'none'",
      ["form-action 'self'", ...formTargets].join(' '),
      "frame-ancestors 'none'",
    ].join('; '),
    text: pageText(html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="robots" content="noindex, nofollow">
<style>${raw(STYLE)}</style></head>
<body><main>
${content}
</main></body></html>
`),
  };
}

/** Returns a page that only says something, such as that a link has expired. */
export function noticePage(title: string, text: string): Page {
  return decisionPage(title, html`<header><h1>${title}</h1><p class="lead">${text}</p></header>`);
}
