import { once } from 'node:events';
import { expect, it } from 'vitest';
import { JSON_HEADERS, readAnswer, toolCall } from '../kit/boot.js';
import { succeeded } from '../kit/buyer.js';
import { send } from '../kit/http.js';
import { type Serving, startServe } from '../kit/process.js';
import type { RendererPayload } from '../kit/renderer.js';
import { killRounds } from '../kit/rounds.js';
import { temporaryFolder } from '../kit/surroundings.js';

/** How often the server is killed. */
const ROUNDS = killRounds('previews');
const CALLERS = 8;
const MAX_AT_ONCE = 50;

const dataDir = temporaryFolder('seller-agent-kill-');
let server: Serving;

async function call(tool: string, args: object): Promise<RendererPayload> {
  const body = JSON.stringify(toolCall(tool, args));
  return succeeded(
    readAnswer(await send(`${server.baseUrl}/creative/mcp`, { method: 'POST', headers: JSON_HEADERS, body })),
  ) as RendererPayload;
}

const format = (id: string): object => ({ agent_url: `${server.baseUrl}/creative/mcp`, id });

/** Two previews and their sheet; answers where they are. */
async function preview(name: string): Promise<readonly string[]> {
  const requests = ['a', 'b'].map((one) => ({
    creative_manifest: {
      format_id: format('display_300x250_html'),
      assets: { html_creative: { asset_type: 'html', content: `<h1>${name} ${one}</h1>` } },
    },
  }));
  const batch = { request_type: 'batch', output_format: 'url', requests };
  const { previews, sheet_url } = await call('preview_creative', batch);
  return [sheet_url, ...previews.map(({ preview_url }) => preview_url)];
}

/** A picture; answers where it is. */
async function build(name: string): Promise<readonly string[]> {
  const { creative_manifest } = await call('build_creative', {
    message: `Spring sale ${name}`,
    creative_manifest: {
      assets: { promoted_offerings: { brand_manifest: { name: 'Acme Outdoor' }, inline_offerings: [] } },
    },
    target_format_id: format('display_300x250_image'),
  });
  return Object.values(creative_manifest.assets).flatMap(({ asset_type, url }) =>
    asset_type === 'image' ? [url] : [],
  );
}

/** A call may end because the server does; anything else that ends it is a fault. */
function onlyDisconnected(error: NodeJS.ErrnoException): readonly string[] {
  if (['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(error.code ?? '')) return [];
  throw error;
}

const picturesOf = (paths: Iterable<string>): readonly string[] =>
  [...paths].filter((path) => path.includes('/media/'));

it('every preview and every picture that was answered is there after a kill -9', async () => {
  const acknowledged = new Set<string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    server = await startServe({ dataDir });
    const gone = once(server.child, 'exit');
    const before = acknowledged.size;
    const pictures = picturesOf(acknowledged).length;
    const caller = async (make: typeof preview, id: string): Promise<void> => {
      for (let turn = 0; server.child.exitCode === null && server.child.signalCode === null; turn += 1) {
        const urls = await make(`${round}-${id}-${turn}`).catch(onlyDisconnected);
        for (const url of urls) acknowledged.add(new URL(url).pathname + new URL(url).search);
        const enough = acknowledged.size > before + 60 + round && picturesOf(acknowledged).length > pictures;
        if (enough) server.child.kill('SIGKILL');
      }
    };
    const callers = Array.from({ length: CALLERS }, (_, at) => caller(at % 4 === 0 ? build : preview, `${at}`));
    await Promise.all([gone, ...callers]);
  }
  server = await startServe({ dataDir });
  const paths = [...acknowledged];
  const missing: string[] = [];
  // No more at once than one address may have connections.
  for (let at = 0; at < paths.length; at += MAX_AT_ONCE) {
    const asked = paths.slice(at, at + MAX_AT_ONCE);
    const answers = await Promise.all(asked.map((path) => send(`${server.baseUrl}${path}`)));
    missing.push(...asked.filter((_, index) => answers[index]?.status !== 200));
  }
  expect(missing).toEqual([]);
  expect(picturesOf(acknowledged).length).toBeGreaterThanOrEqual(ROUNDS);
});
