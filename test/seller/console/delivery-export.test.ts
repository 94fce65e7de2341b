import { EventEmitter, once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { writePieces } from '../../../src/platform/web/pieces.js';
import { exportDelivery } from '../../../src/seller/console/screens/delivery/export.js';
import { type ExportBound, Fields } from '../../../src/seller/console/visit.js';
import { boot } from '../../kit/boot.js';
import { createRequest, succeeded } from '../../kit/buyer.js';

const server = await boot({ ids: 'system' });
const { app } = server.server();
for (let day = 10; day < 16; day += 1)
  succeeded(await server.call('create_media_buy', createRequest({ end_time: `2030-02-${day}T00:00:00Z` })));
server.clock.advance(3 * 86_400_000);
await server.server().tick();

/** Serves one file of the running buys; `gone` is when its reader has left, `over` when the work on it is. */
async function serveExport(exportBound: ExportBound, query = '') {
  const story = new EventEmitter();
  const [gone, over] = [once(story, 'gone'), once(story, 'over')];
  const listener = createServer(async (_request, response) => {
    response.once('close', () => story.emit('gone'));
    const asked = { app, exportBound, query: new Fields(new URLSearchParams(query)), nowMs: app.clock.now() };
    const { text } = await exportDelivery(asked);
    if (typeof text !== 'string') await writePieces(response, text);
    story.emit('over');
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(() => void listener.close());
  const { port } = listener.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, gone, over };
}

async function readExport(exportBound: ExportBound, query = ''): Promise<readonly string[]> {
  const { url } = await serveExport(exportBound, query);
  return (await (await fetch(url)).text()).split('\r\n');
}

const CUT = /^Cut after the 4 running media buys that end first: choose a buyer or a product/;

test('A file of delivery takes the buys that end first, and says after them that it was cut', async () => {
  const lines = await readExport({ maxBuys: 4, pieceBuys: 2 });
  const buys = new Set(lines.slice(1, -2).map((line) => line.split(',')[2]));
  expect(buys.size).toBe(4);
  expect(lines.at(-2)).toMatch(CUT);
  const inFile = await Promise.all([...buys].map((id) => app.store.read.mediaBuys.findAnywhere(String(id))));
  expect(inFile.map((found) => found?.buy.end_time.slice(0, 10)).toSorted()).toEqual([
    '2030-02-10',
    '2030-02-11',
    '2030-02-12',
    '2030-02-13',
  ]);
});

test('A file of totals counts the same buys, and says after them that it was cut', async () => {
  const [head, line, cut] = await readExport({ maxBuys: 4, pieceBuys: 2 }, 'by=product');
  expect(head).toBe('product,currency,media_buys,impressions,spend,planned_so_far');
  expect(line).toMatch(/^test-product,USD,4,/);
  expect(cut).toMatch(CUT);
});

test('A file that all running buys fit into is not cut', async () => {
  for (const maxBuys of [6, 20]) expect((await readExport({ maxBuys, pieceBuys: 3 })).join('\n')).not.toContain('Cut');
});

test('A reader who leaves midway ends the reading of buys', async () => {
  const { mediaBuys } = app.store.read;
  const story = new EventEmitter();
  const readOn = once(story, 'read on');
  const running = mediaBuys.running.bind(mediaBuys);
  const spy = vi.spyOn(mediaBuys, 'running').mockImplementation(async (...asked) => {
    if (spy.mock.calls.length > 1) await readOn;
    return running(...asked);
  });
  onTestFinished(() => spy.mockRestore());
  const { gone, over, url } = await serveExport({ maxBuys: 20, pieceBuys: 1 });
  const response = await new Promise<IncomingMessage>((resolve) => get(url, resolve));
  await once(response, 'data');
  response.destroy();
  await gone;
  await expect.poll(() => spy.mock.calls.length).toBe(2);
  story.emit('read on');
  await over;
  expect(spy.mock.calls.length).toBe(2);
});
