import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import express from 'express';
import {
  buildPreview,
  type MediaRef,
  type PreviewModel,
  type PreviewRequest,
} from '../../src/creative/preview/model.js';
import { buildSheet, type SheetModel } from '../../src/creative/preview/page/sheet.js';
import type { MediaFile } from '../../src/creative/preview/ports.js';
import { HOUR_MS } from '../../src/platform/kernel/clock.js';
import { createSignedLinks } from '../../src/platform/web/signed-link.js';
import { previewRoutes } from '../../src/seller/http/previews.js';
import { SellerPreviews } from '../../src/seller/store/previews/preview-store.js';
import { openStore } from '../../src/seller/store/store.js';
import { afterUse } from './after-use.js';
import { temporaryFolder } from './surroundings.js';

/** The routes of previews on a server of their own, over a real store. */
export type PreviewPages = {
  readonly base: string;
  /** Stores a preview; returns its model. */
  readonly add: (request: Omit<PreviewRequest, 'idKey'>) => Promise<PreviewModel>;
  /** Stores a creative of one asset in a slot of 300x250. */
  readonly addMarkup: (type: 'html' | 'javascript', content: string) => Promise<PreviewModel>;
  readonly addMedia: (file: MediaFile) => Promise<MediaRef>;
  readonly addSheet: (models: readonly PreviewModel[], title?: string) => Promise<SheetModel>;
};

/** Serves previews from `base`; closed after its use. */
export async function servePreviews(
  options: { readonly previewHosts?: readonly string[] } = {},
): Promise<PreviewPages> {
  const store = openStore(path.join(temporaryFolder(), 'store.db'));
  const { previews, media } = new SellerPreviews(store, { secret: () => 'secret' });
  const times = { nowMs: 0, lifetimeMs: HOUR_MS };
  const app = express();
  app.use(
    previewRoutes({
      previews,
      media,
      shareLinks: createSignedLinks('preview', () => 'secret'),
      clock: { now: () => 0 },
      ...options,
    }),
  );
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterUse(async () => {
    server.close();
    server.closeAllConnections();
    await store.close();
  });
  const add: PreviewPages['add'] = async (request) => {
    const model = buildPreview({ idKey: 'key', ...request });
    await previews.save('owner', [{ kind: 'preview', model }], times);
    return model;
  };
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add,
    addMarkup: (type, content) =>
      add({
        format: {
          format_id: { agent_url: 'https://s.example', id: `${type}_300x250` },
          name: `A tag of 300x250`,
          type: 'display',
          renders: [{ role: 'primary', dimensions: { width: 300, height: 250 } }],
          assets: [],
        },
        manifest: { assets: { tag: { asset_type: type, content } } },
      }),
    addMedia: async (file) => {
      const [ref] = await media.save('owner', [file], times);
      if (ref === undefined) throw new Error('the file was not kept');
      return ref;
    },
    addSheet: async (models, title) => {
      const sheet = buildSheet(
        'key',
        models.map(({ id }) => ({ preview: id })),
        title,
      );
      await previews.save('owner', [{ kind: 'sheet', sheet }], times);
      return sheet;
    },
  };
}
