import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Request, type Response, Router } from 'express';
import type { PreviewModel } from '../../creative/preview/model.js';
import { FRAME_SANDBOX } from '../../creative/preview/page/frame.js';
import { messagePage, type Page, type PageFacts, previewPage } from '../../creative/preview/page/page.js';
import { sheetPage } from '../../creative/preview/page/sheet.js';
import type { MediaStore, PreviewStore, StoredPreview } from '../../creative/preview/ports.js';
import { previewFrame } from '../../creative/preview/preview.js';
import type { Clock } from '../../platform/kernel/clock.js';
import { packageFile } from '../../platform/kernel/package-files.js';
import { sendRange } from './send-range.js';

/** What the pages of previews are drawn from. */
export type PreviewRoutesOptions = {
  readonly previews: PreviewStore;
  readonly media: MediaStore;
  readonly clock: Clock;
};

/** Sent with everything below /previews. Any page may frame a preview; nothing here says where it was looked at. */
const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'cross-origin',
  'x-robots-tag': 'noindex',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'cache-control': 'no-cache',
};

/** The style and script of the pages, as they lie in the package. */
const ASSETS = [
  ['preview.css', 'text/css; charset=utf-8'],
  ['preview.js', 'text/javascript; charset=utf-8'],
] as const;
const PAGES = packageFile('pages/');

const GONE = [
  'This preview has expired',
  'Previews are kept for a limited time. Ask for it again to get a new address.',
];
const UNKNOWN = ['There is no such preview', 'Check the address, or ask for the preview again.'];

/**
 * Everything below `/previews`: pages, sheets, the sandboxed documents of creatives, copies of their media, style and script.
 * Whoever has an address may look; nobody is asked who they are. Pages are drawn when they are asked for, so a restart loses nothing.
 */
export function previewRoutes({ previews, media, clock }: PreviewRoutesOptions): Router {
  // Paths in pages are relative, so a slash at the end would lead them astray.
  const router = Router({ strict: true, caseSensitive: true });
  const assets = readAssets();
  const facts = (root: string, expiresAtMs = 0): PageFacts => ({
    nowMs: clock.now(),
    expiresAtMs,
    root,
    style: assets.names['preview.css'],
    script: assets.names['preview.js'],
  });

  async function open<K extends StoredPreview['kind']>(
    request: Request,
    response: Response,
    kind: K,
    root: string,
  ): Promise<{ kept: Extract<StoredPreview, { kind: K }>; expiresAtMs: number } | undefined> {
    const found = await previews.find(String(request.params.id), clock.now());
    if (found.state === 'live' && isKind(found.preview, kind))
      return { kept: found.preview, expiresAtMs: found.expiresAtMs };
    const isGone = found.state === 'expired';
    const [title = '', text = ''] = isGone ? GONE : UNKNOWN;
    sendPage(response.status(isGone ? 410 : 404), messagePage(title, text, facts(root)));
    return undefined;
  }

  router.use('/previews', (_request, response, next) => {
    response.set(HEADERS);
    next();
  });
  router.get('/previews/assets/:name', (request, response, next) => {
    const asset = assets.byName.get(request.params.name);
    if (asset === undefined) return next();
    response.set({ 'content-type': asset.type, 'cache-control': 'public, max-age=31536000, immutable' });
    response.send(asset.bytes);
  });
  router.get('/previews/media/:file', async (request, response, next) => {
    const file = await media.find(request.params.file);
    if (file === undefined) return next();
    // A picture opened by itself is a document: an SVG must not run what is in it.
    response.set({
      'content-type': file.mime,
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'cache-control': 'private, max-age=3600, immutable',
      etag: `"${request.params.file}"`,
    });
    sendRange(request, response, next, Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength));
  });
  router.get('/previews/sheet/:id', async (request, response) => {
    const opened = await open(request, response, 'sheet', '../');
    if (opened === undefined) return;
    const models = await modelsOf(opened.kept.sheet.items.flatMap((item) => ('preview' in item ? [item.preview] : [])));
    sendPage(
      response,
      sheetPage(opened.kept.sheet, (id) => models.get(id), facts('../', opened.expiresAtMs)),
    );
  });
  router.get('/previews/:id', async (request, response) => {
    const opened = await open(request, response, 'preview', '');
    if (opened === undefined) return;
    sendPage(response, previewPage(opened.kept.model, Number(request.query.v ?? 0), facts('', opened.expiresAtMs)));
  });
  router.get('/previews/:id/frame/:number', async (request, response, next) => {
    const opened = await open(request, response, 'preview', '../../');
    if (opened === undefined) return;
    const { number } = request.params;
    const frame = /^\d{1,4}$/.test(number) ? previewFrame(opened.kept.model, Number(number), '../../') : undefined;
    if (frame === undefined) return next();
    sendPage(response, { text: frame.text, policy: `${frame.policy}; sandbox ${FRAME_SANDBOX}; frame-ancestors *` });
  });
  router.use('/previews', (request: Request, response: Response) => {
    const depth = request.path.split('/').length - 2;
    const [title = '', text = ''] = UNKNOWN;
    sendPage(response.status(404), messagePage(title, text, facts('../'.repeat(Math.max(0, depth)))));
  });
  return router;

  async function modelsOf(ids: readonly string[]): Promise<ReadonlyMap<string, PreviewModel>> {
    const found = await Promise.all([...new Set(ids)].map((id) => previews.find(id, clock.now())));
    const models = found.flatMap((one) =>
      one.state === 'live' && one.preview.kind === 'preview' ? [one.preview.model] : [],
    );
    return new Map(models.map((model) => [model.id, model]));
  }
}

function isKind<K extends StoredPreview['kind']>(
  kept: StoredPreview,
  kind: K,
): kept is Extract<StoredPreview, { kind: K }> {
  return kept.kind === kind;
}

function sendPage(response: Response, { text, policy }: Page): void {
  response.set({ 'content-security-policy': policy, 'content-type': 'text/html; charset=utf-8' }).send(text);
}

type AssetName = (typeof ASSETS)[number][0];
type Asset = { readonly bytes: Buffer; readonly type: string };

/** Reads style and script once; their names carry the hash of their content, so that browsers may keep them for good. */
function readAssets(): { names: Readonly<Record<AssetName, string>>; byName: ReadonlyMap<string, Asset> } {
  const read = ASSETS.map(([file, type]) => {
    const bytes = readFileSync(new URL(file, PAGES));
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
    return { file, name: file.replace('.', `-${hash}.`), bytes, type };
  });
  return {
    names: Object.fromEntries(read.map(({ file, name }) => [file, name])) as Record<AssetName, string>,
    byName: new Map(read.map(({ name, bytes, type }) => [name, { bytes, type }])),
  };
}
