import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type NextFunction, type Request, type Response, Router } from 'express';
import type { PreviewModel } from '../../creative/preview/model.js';
import { FRAME_SANDBOX } from '../../creative/preview/page/frame.js';
import { type Page, type PageFacts, renderMessagePage, renderPreviewPage } from '../../creative/preview/page/page.js';
import { renderSheetPage, type SheetModel } from '../../creative/preview/page/sheet.js';
import type { MediaStore, PreviewStore, StoredPreview } from '../../creative/preview/ports.js';
import { previewFrame, sharePath, shareSubject } from '../../creative/preview/preview.js';
import type { Clock } from '../../platform/kernel/clock.js';
import { packageFile } from '../../platform/kernel/files/package-files.js';
import type { SignedLinks } from '../../platform/web/signed-link.js';

/** The stores that the pages of previews are drawn from. */
type PreviewRoutesOptions = {
  readonly previews: PreviewStore;
  readonly media: MediaStore;
  readonly clock: Clock;
  readonly shareLinks: SignedLinks;
  /** Hosts that creatives made of scripts may reach; none unless given. */
  readonly previewHosts?: readonly string[];
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

type Message = { readonly title: string; readonly text: string };
const GONE: Message = {
  title: 'This preview has expired',
  text: 'Previews are kept for a limited time. Ask for it again to get a new address.',
};
const UNSHARED: Message = {
  title: 'This link has expired',
  text: 'Links to previews hold for a limited time. Ask whoever sent it for a new one.',
};
const UNKNOWN: Message = {
  title: 'There is no such preview',
  text: 'Check the address, or ask for the preview again.',
};

/**
 * Returns the routes below `/previews`, open to whoever has an address: pages, sheets, the sandboxed documents of creatives, copies of
 * their media, style and script. Pages are drawn when they are asked for, so that a restart loses nothing.
 */
export function previewRoutes(options: PreviewRoutesOptions): Router {
  // Paths in pages are relative, so a slash at the end would lead them astray.
  const router = Router({ strict: true, caseSensitive: true });
  const pages = new PreviewPages(options);
  router.use('/previews', (_request, response, next) => {
    response.set(HEADERS);
    next();
  });
  router.get('/previews/assets/:name', (request, response, next) => pages.sendAsset(request, response, next));
  router.get('/previews/media/:file', (request, response, next) => pages.sendMedia(request, response, next));
  router.get('/previews/sheet/:id', (request, response) => pages.sendSheet(request, response));
  router.get('/previews/shared/sheet/:token', (request, response) => pages.sendSharedSheet(request, response));
  router.get('/previews/shared/:token', (request, response) => pages.sendSharedPreview(request, response));
  router.get('/previews/shared/:token/frame/:number', (request, response, next) =>
    pages.sendSharedFrame(request, response, next),
  );
  router.get('/previews/:id', (request, response) => pages.sendPreview(request, response));
  router.get('/previews/:id/frame/:number', (request, response, next) => pages.sendFrame(request, response, next));
  router.use('/previews', (request, response) => pages.sendUnknown(request, response));
  return router;
}

/** Draws the pages of stored previews. */
class PreviewPages {
  readonly #previews: PreviewStore;
  readonly #media: MediaStore;
  readonly #clock: Clock;
  readonly #hosts: readonly string[];
  readonly #shareLinks: SignedLinks;
  readonly #assets = readAssets();

  constructor({ previews, media, clock, shareLinks, previewHosts = [] }: PreviewRoutesOptions) {
    this.#previews = previews;
    this.#media = media;
    this.#clock = clock;
    this.#hosts = previewHosts;
    this.#shareLinks = shareLinks;
  }

  sendAsset(request: Request, response: Response, next: NextFunction): void {
    const asset = this.#assets.byName.get(String(request.params.name));
    if (asset === undefined) {
      next();
      return;
    }
    response.set({ 'content-type': asset.type, 'cache-control': 'public, max-age=31536000, immutable' });
    response.send(asset.bytes);
  }

  async sendMedia(request: Request, response: Response, next: NextFunction): Promise<void> {
    const digest = String(request.params.file);
    const file = await this.#media.find(digest);
    if (file === undefined) return next();
    // A picture opened by itself is a document: an SVG must not run what is in it.
    response.set({
      'content-type': file.mime,
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'cache-control': 'private, max-age=3600, immutable',
      etag: `"${digest}"`,
    });
    const { buffer, byteOffset, byteLength } = file.bytes;
    sendRange(request, response, next, Buffer.from(buffer, byteOffset, byteLength));
  }

  async sendSheet(request: Request, response: Response): Promise<void> {
    const opened = await this.#open(response, 'sheet', { id: String(request.params.id), root: '../' });
    if (opened !== undefined) await this.#drawSheet(response, opened.stored.sheet, this.#facts('../', opened));
  }

  async sendPreview(request: Request, response: Response): Promise<void> {
    const opened = await this.#open(response, 'preview', { id: String(request.params.id), root: '' });
    if (opened !== undefined) drawPreview(request, response, opened.stored.model, this.#facts('', opened));
  }

  async sendFrame(request: Request, response: Response, next: NextFunction): Promise<void> {
    const opened = await this.#open(response, 'preview', { id: String(request.params.id), root: '../../' });
    if (opened !== undefined) this.#drawFrame(request, response, next, { model: opened.stored.model, root: '../../' });
  }

  async sendSharedSheet(request: Request, response: Response): Promise<void> {
    const shared = await this.#openShared(request, response, 'sheet', '../../');
    if (shared !== undefined) await this.#drawSheet(response, shared.stored.sheet, this.#sharedFacts('../../', shared));
  }

  async sendSharedPreview(request: Request, response: Response): Promise<void> {
    const shared = await this.#openShared(request, response, 'preview', '../');
    if (shared !== undefined) drawPreview(request, response, shared.stored.model, this.#sharedFacts('../', shared));
  }

  async sendSharedFrame(request: Request, response: Response, next: NextFunction): Promise<void> {
    const root = '../../../';
    const shared = await this.#openShared(request, response, 'preview', root);
    if (shared !== undefined) this.#drawFrame(request, response, next, { model: shared.stored.model, root });
  }

  async #drawSheet(response: Response, sheet: SheetModel, facts: PageFacts): Promise<void> {
    const models = await this.#findModels(sheet.items.flatMap((item) => ('preview' in item ? [item.preview] : [])));
    sendPage(
      response,
      renderSheetPage(sheet, (id) => models.get(id), facts),
    );
  }

  #drawFrame(
    request: Request,
    response: Response,
    next: NextFunction,
    { model, root }: { readonly model: PreviewModel; readonly root: string },
  ): void {
    const number = String(request.params.number);
    const hosting = { root, hosts: this.#hosts };
    const frame = /^\d{1,4}$/.test(number) ? previewFrame(model, Number(number), hosting) : undefined;
    if (frame === undefined) next();
    // Any page may frame it, also one without an origin, which `frame-ancestors *` leaves out: the portal shows previews so.
    else sendPage(response, { text: frame.text, policy: `${frame.policy}; sandbox ${FRAME_SANDBOX}` });
  }

  sendUnknown(request: Request, response: Response): void {
    const depth = request.path.split('/').length - 2;
    this.#sendMessage(response, 404, UNKNOWN, '../'.repeat(Math.max(0, depth)));
  }

  /** Returns what is stored under an id; undefined where there is none, and the page that says so is sent. */
  async #open<Kind extends StoredPreview['kind']>(
    response: Response,
    kind: Kind,
    { id, root }: { readonly id: string; readonly root: string },
  ): Promise<Opened<Kind> | undefined> {
    const lookup = await this.#previews.find(id, this.#clock.now());
    if (lookup.state === 'live' && isKind(lookup.preview, kind))
      return { id, stored: lookup.preview, expiresAtMs: lookup.expiresAtMs };
    if (lookup.state === 'expired') this.#sendMessage(response, 410, GONE, root);
    else this.#sendMessage(response, 404, UNKNOWN, root);
    return undefined;
  }

  /** Returns what the token of a request shares; undefined where it shares nothing any more, and the page that says so is sent. */
  async #openShared<Kind extends StoredPreview['kind']>(
    request: Request,
    response: Response,
    kind: Kind,
    root: string,
  ): Promise<Opened<Kind> | undefined> {
    const reading = this.#shareLinks.read(String(request.params.token), this.#clock.now());
    const prefix = shareSubject('', kind);
    if (reading?.subject.startsWith(prefix) !== true) this.#sendMessage(response, 404, UNKNOWN, root);
    else if (reading.isExpired) this.#sendMessage(response, 410, UNSHARED, root);
    else return this.#open(response, kind, { id: reading.subject.slice(prefix.length), root });
    return undefined;
  }

  #sendMessage(response: Response, status: number, { title, text }: Message, root: string): void {
    sendPage(response.status(status), renderMessagePage(title, text, this.#facts(root)));
  }

  /** Returns the facts of a page for those who work on a creative; the link to share it lasts as long as it does. */
  #facts(root: string, opened?: AnyOpened): PageFacts {
    const { names } = this.#assets;
    const expiresAtMs = opened?.expiresAtMs ?? 0;
    return {
      nowMs: this.#clock.now(),
      expiresAtMs,
      root,
      style: names['preview.css'],
      script: names['preview.js'],
      pagePath: (id) => id,
      sharePath: opened && this.#sharePath(opened.id, opened.stored.kind, expiresAtMs),
    };
  }

  /** Returns the facts of a page for somebody whom it was shared with: it leads to shared pages alone. */
  #sharedFacts(root: string, opened: AnyOpened): PageFacts {
    const pagePath = (id: string): string => this.#sharePath(id, 'preview', opened.expiresAtMs);
    return { ...this.#facts(root, opened), pagePath, sharePath: undefined };
  }

  #sharePath(id: string, kind: StoredPreview['kind'], expiresAtMs: number): string {
    return sharePath(this.#shareLinks.write(shareSubject(id, kind), expiresAtMs), kind);
  }

  async #findModels(ids: readonly string[]): Promise<ReadonlyMap<string, PreviewModel>> {
    const lookups = await Promise.all([...new Set(ids)].map((id) => this.#previews.find(id, this.#clock.now())));
    const models = lookups.flatMap((one) =>
      one.state === 'live' && one.preview.kind === 'preview' ? [one.preview.model] : [],
    );
    return new Map(models.map((model) => [model.id, model]));
  }
}

/** An opened page of any kind. */
type AnyOpened = Opened<'preview'> | Opened<'sheet'>;

type Opened<Kind extends StoredPreview['kind']> = {
  readonly id: string;
  readonly stored: Extract<StoredPreview, { kind: Kind }>;
  readonly expiresAtMs: number;
};

function isKind<Kind extends StoredPreview['kind']>(
  stored: StoredPreview,
  kind: Kind,
): stored is Extract<StoredPreview, { kind: Kind }> {
  return stored.kind === kind;
}

function drawPreview(request: Request, response: Response, model: PreviewModel, facts: PageFacts): void {
  sendPage(response, renderPreviewPage(model, Number(request.query.v ?? 0), facts));
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

/**
 * Sends bytes, or the one range of them that is asked for: players of video ask for parts. Passes on to `next` where there is no such
 * range; the type and the etag are set before.
 */
function sendRange(request: Request, response: Response, next: NextFunction, bytes: Buffer): void {
  response.set('accept-ranges', 'bytes');
  const ifRange = request.get('if-range');
  const isCurrent = ifRange === undefined || ifRange === response.get('etag');
  const ranges = isCurrent ? request.range(bytes.length, { combine: true }) : undefined;
  if (ranges === -1) {
    next();
    return;
  }
  const [range, ...others] = Array.isArray(ranges) && ranges.type === 'bytes' ? ranges : [];
  if (range === undefined || others.length > 0) {
    response.send(bytes);
    return;
  }
  response.status(206).set('content-range', `bytes ${range.start}-${range.end}/${bytes.length}`);
  response.send(bytes.subarray(range.start, range.end + 1));
}
