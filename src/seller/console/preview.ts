import { isoTime } from '../../platform/kernel/clock.js';
import { isObject } from '../../platform/kernel/json/json.js';
import { type Html, html } from '../../platform/web/html.js';
import { catchTaskError, TaskError } from '../../protocol/errors.js';
import type { App, Call, Caller } from '../context.js';
import { findPrincipal } from '../domain/tenant/callers.js';
import { readOwner } from '../domain/tenant/principal.js';
import { preview } from '../tasks/creative/preview/preview.js';
import { addresseeOf } from '../tasks/pipeline/receive.js';
import type { ConsolePage } from './visit.js';

/** Returns what shows a creative in place: a frame once it is loaded, and until then, or without scripts, a link. `href` is its page. */
export function previewSlot(href: string, name: string): Html {
  return html`<div class="preview" hx-get="${href}" hx-trigger="load" hx-select=".shown" hx-swap="innerHTML"><a href="${href}">Show ${name}</a></div>`;
}

/** What a frame may do whose page has another origin than the one around it. */
const BESIDE = 'allow-scripts allow-same-origin allow-popups';
/** What a frame may do whose page would have the same origin as the one around it. */
export const ISOLATED = 'allow-scripts allow-popups';

/** A creative that is shown, and what its frame may do. */
type ShownManifest = { readonly manifest: object; readonly name: string; readonly sandbox?: string };

/** Returns the page that shows a creative of a buyer in a frame, as its preview does, with what is wrong with it. */
export async function previewPage(
  app: App,
  owner: string,
  { manifest, name, sandbox = BESIDE }: ShownManifest,
): Promise<ConsolePage> {
  const shown = await catchTaskError(() => previewAddress(app, owner, manifest));
  const body =
    shown instanceof TaskError
      ? html`<div class="shown"><p class="notice problem">It cannot be shown: ${shown.message}</p></div>`
      : html`<div class="shown"><iframe src="${shown}" title="Preview of ${name}" sandbox="${sandbox}" referrerpolicy="no-referrer"></iframe><p class="hint"><a href="${shown}" target="_blank" rel="noopener noreferrer">Open the preview by itself</a></p></div>`;
  return { title: `Preview of ${name}`, body };
}

/** Draws a preview and returns its address. Throws a TaskError that says why there is none. */
async function previewAddress(app: App, owner: string, manifest: object): Promise<string> {
  const call = callOf(app, owner);
  const args = { request_type: 'single' as const, creative_manifest: { ...manifest } };
  const { plain } = await preview({ app, call, args });
  const answer: unknown = JSON.parse(plain);
  if (isObject(answer) && typeof answer.interactive_url === 'string') return answer.interactive_url;
  throw new TaskError('SERVICE_UNAVAILABLE', 'The preview has no address.');
}

/**
 * Returns a call in the name of a buyer whose creatives are looked at. Throws REFERENCE_NOT_FOUND where the tenant has no such buyer any
 * more.
 */
function callOf(app: App, owner: string): Call {
  const { principal: id, tenant } = readOwner(owner);
  const seller = app.sellers().get(tenant);
  const principal = seller && findPrincipal(seller, id, app.development);
  if (seller === undefined || principal === undefined) {
    throw new TaskError('REFERENCE_NOT_FOUND', 'The tenant has no such buyer any more.', {
      suggestion: 'Bring the principal back into the tenant file.',
    });
  }
  const caller: Caller = { seller, principal };
  const ms = app.clock.nowOf(owner);
  return { ...caller, owner, to: addresseeOf(caller, {}), now: { ms, iso: isoTime(ms) } };
}
