import { readFile } from 'node:fs/promises';
import { packageFile } from '../../../../platform/kernel/files/package-files.js';
import { APP_MEDIA_TYPE } from '../../../../platform/mcp/apps.js';
import { McpRefusal } from '../../../../platform/mcp/refusal.js';
import { html, htmlText, raw } from '../../../../platform/web/html.js';
import { pageStyle } from '../../../../platform/web/page-style.js';
import type { App, Caller } from '../../../context.js';
import { canCall } from '../may-call.js';
import { APPS, type AppEntry } from './table.js';

/** How an app is shown: without any network, and with a frame around it. */
const UI_META = { ui: { csp: {}, prefersBorder: true } };

/** Returns what `tools/list` says of a task's app; undefined for a task without one. */
export function appOfTask(task: string): object | undefined {
  const app = APPS.find((one) => one.task === task);
  return app && { ui: { resourceUri: app.uri } };
}

/** Returns the apps of a caller as `resources/list` shows them: those of the tasks that it may call. */
export function listApps(caller: Caller): readonly object[] {
  return APPS.filter(({ task }) => canCall(caller, task)).map(({ task: _task, ...shown }) => ({
    ...shown,
    mimeType: APP_MEDIA_TYPE,
    _meta: UI_META,
  }));
}

/** Returns the app of a URI. */
export function findApp(uri: string): AppEntry | undefined {
  return APPS.find((one) => one.uri === uri);
}

/** What the URI of a file begins with that the creatives of a preview show. */
const MEDIA = 'ui://seller-agent/media/';

/** Largest file that is read so, a spot of half a minute as a rule; a larger one is looked at on the preview's page. */
const MAX_MEDIA_BYTES = 2 * 1024 * 1024;

/** Returns a file of a preview as `resources/read` answers it, since an app has no network; undefined where there is no such file. */
export async function readMedia(app: App, uri: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  if (!uri.startsWith(MEDIA)) return undefined;
  const file = await app.renderer().media.find(uri.slice(MEDIA.length));
  if (file === undefined || file.bytes.length > MAX_MEDIA_BYTES) return undefined;
  return { contents: [{ uri, mimeType: file.mime, blob: Buffer.from(file.bytes).toString('base64') }] };
}

const STYLE = pageStyle('apps');

/** Returns an app as `resources/read` answers it: one document, with style and script in it. */
export async function readApp({ name, title, uri }: AppEntry): Promise<Readonly<Record<string, unknown>>> {
  const script = await readFile(packageFile(`dist/apps/${name}.js`), 'utf8').catch(() => {
    throw new McpRefusal(500, -32603, 'The apps are not built here. Run npm run build.');
  });
  const text = htmlText(html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<style>${raw(STYLE)}</style></head>
<body><main id="app"></main><script type="module">${raw(script)}</script></body></html>
`);
  return { contents: [{ uri, mimeType: APP_MEDIA_TYPE, text, _meta: UI_META }] };
}
