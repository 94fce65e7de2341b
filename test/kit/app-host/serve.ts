import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { listenLocally } from '../listen.js';

const PAGE = fileURLToPath(new URL('page.ts', import.meta.url));

const DOCUMENT = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A host of apps</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>:root{color-scheme:light}body{margin:0;padding:12px;background:light-dark(#fff,#16181c)}
iframe{display:block;width:100%;height:200px;border:1px solid light-dark(#d9dde3,#33383f);border-radius:16px}</style></head>
<body><script src="host.js"></script></body></html>`;

/** Serves the page that shows apps as programs with a language model do; answers its address. */
export async function serveAppHost(): Promise<string> {
  const bundle = await rolldown({ input: PAGE, platform: 'browser', logLevel: 'silent' });
  const { output } = await bundle.generate({ format: 'iife' });
  const server = createServer(({ url }, response) => {
    const isScript = url === '/host.js';
    response.setHeader('content-type', isScript ? 'text/javascript; charset=utf-8' : 'text/html; charset=utf-8');
    response.end(isScript ? output[0].code : DOCUMENT);
  });
  const origin = await listenLocally(server);
  return `${origin}/`;
}
