import { describe, expect, it } from 'vitest';
import { serveAssets } from '../../kit/asset-server.js';
import { type RunningCommand, runCommand, startCommand } from '../../kit/command-line.js';
import { send } from '../../kit/http.js';
import { CLI, type Running, startNode, untilPrinted } from '../../kit/process.js';
import { temporaryFolder } from '../../kit/surroundings.js';
import { KEY, SECRET, SELLER, sendHmac, signedRequest, taskEvent } from '../../receiver/context.js';

type Line = Readonly<Record<string, unknown>> & { readonly event: string };

/** A listener that runs, and the address that it printed. */
type Listening = {
  readonly running: Pick<Running, 'stdout' | 'finished'>;
  readonly url: string;
  readonly folder: string;
};
type Stoppable = Listening & { readonly running: RunningCommand };

const listenArgs = (folder: string) => ['webhooks', 'listen', '--port', '0', '--data', folder];

async function listen(args: readonly string[], folder = temporaryFolder('listen-')): Promise<Stoppable> {
  const running = startCommand([...listenArgs(folder), ...args]);
  return { running, url: await printedUrl(running), folder };
}

async function printedUrl(running: Listening['running']): Promise<string> {
  const url = (): string | undefined => /https?:\/\/[^/\s]+\/webhooks/.exec(running.stdout())?.[0];
  await untilPrinted(running, () => url() !== undefined);
  return url() ?? '';
}

function lines({ running }: Listening): readonly Line[] {
  const texts = running.stdout().split('\n').slice(0, -1);
  return texts.map((text) => JSON.parse(text) as Line);
}

async function stop({ running }: Stoppable): Promise<number | null> {
  return (await running.stop()).code;
}

const publish = () => serveAssets({ '/jwks.json': JSON.stringify({ keys: [KEY.publicJwk] }) });
const now = (): number => Math.floor(Date.now() / 1000);
const post = (url: string, event: object) =>
  send(url, signedRequest(JSON.stringify(event), { url, nowSeconds: now() }));

describe('webhooks listen', () => {
  it('tells machines of every event, once each, and keeps them over a kill', async () => {
    const published = await publish();
    const believed = ['--jwks', published.url('/jwks.json'), '--agent', SELLER, '--json'];
    const folder = temporaryFolder('listen-');
    const process = startNode([CLI, ...listenArgs(folder), ...believed, '--fail', '2']);
    const first: Listening = { running: process, url: await printedUrl(process), folder };
    const event = taskEvent({
      notification_id: 'imp_1',
      result: { media_buy_id: 'mb_7', notification_type: 'impairment' },
    });
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 4; attempt += 1) statuses.push((await post(first.url, event)).status);
    expect(statuses).toEqual([503, 503, 200, 200]);
    await untilPrinted(first.running, () => lines(first).length >= 5);
    const [started, ...shown] = lines(first);
    expect(started).toMatchObject({ event: 'listening', url: first.url, mode: 'rfc9421', believes: [SELLER] });
    const verified = { sender: SELLER, mode: 'rfc9421', keyid: KEY.kid };
    expect(shown.toSorted((one, other) => String(one.event).localeCompare(String(other.event)))).toMatchObject([
      { event: 'duplicate', http_status: 200, verified, idempotency_key: event.idempotency_key },
      { event: 'failed', http_status: 503, left: 1 },
      { event: 'failed', http_status: 503, left: 0 },
      {
        event: 'received',
        verified,
        idempotency_key: event.idempotency_key,
        notification_id: 'imp_1',
        reemission_of: null,
        status: 'completed',
        task_type: 'create_media_buy',
        notification_type: 'impairment',
        media_buy_id: 'mb_7',
        operation_id: 'op_1',
        payload: event,
      },
    ]);
    // Once another event is answered for, the store knows that the one before it was handled. This one may be shown again.
    const last = taskEvent();
    expect((await post(first.url, last)).status).toBe(200);
    process.child.kill('SIGKILL');
    await process.finished;

    const second = await listen(believed, folder);
    const again = taskEvent({ notification_id: 'imp_1' });
    for (const one of [event, again]) expect((await post(second.url, one)).status).toBe(200);
    await untilPrinted(second.running, () =>
      lines(second).some((line) => line.idempotency_key === again.idempotency_key),
    );
    const known = lines(second).filter(
      ({ event: what, idempotency_key: key }) => what !== 'listening' && key !== last.idempotency_key,
    );
    expect(known).toMatchObject([
      { event: 'duplicate', idempotency_key: event.idempotency_key },
      { event: 'received', idempotency_key: again.idempotency_key, reemission_of: event.idempotency_key },
    ]);
    expect(await stop(second)).toBe(0);
  });

  it('tells a person in one line per event, in which nothing of the sender steers the terminal', async () => {
    const published = await publish();
    const listening = await listen(['--jwks', published.url('/jwks.json')]);
    const event = taskEvent({ operation_id: `\u001b[2J${'x'.repeat(500)}` });
    await post(listening.url, event);
    await post(listening.url, event);
    await send(listening.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
    await untilPrinted(listening.running, () => listening.running.stdout().includes('refused'));
    const text = listening.running.stdout();
    expect(text).toContain(`Register this URL: ${listening.url}`);
    expect(text).toMatch(
      /"push_notification_config": \{"url":"http:\/\/127\.0\.0\.1:\d+\/webhooks","operation_id":"<a UUID per call>"\}/,
    );
    const key = event.idempotency_key;
    const line = (word: string) =>
      new RegExp(
        `^\\d\\d:\\d\\d:\\d\\d  ${word} *  completed  create_media_buy  mb_1  operation=\\?\\[2Jx+  key=${key}  verified by ${KEY.kid} of `,
        'm',
      );
    expect(text).toMatch(line('received'));
    expect(text).toMatch(line('duplicate'));
    expect(text).toMatch(/^\d\d:\d\d:\d\d {2}refused {4}401 {2}webhook_signature_header_malformed$/m);
    expect(text).not.toContain('\u001b');
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(500);
    expect(await stop(listening)).toBe(0);
  });

  it('believes a shared secret, and shows no more of it than its name', async () => {
    const listening = await listen(['--secret', SECRET, '--json']);
    const event = taskEvent();
    expect((await sendHmac(listening.url, JSON.stringify(event), Date.now())).status).toBe(200);
    await untilPrinted(listening.running, () => lines(listening).length === 2);
    expect(lines(listening)[1]).toMatchObject({ event: 'received', verified: { mode: 'hmac-sha256', keyid: null } });
    expect(listening.running.stdout()).not.toContain(SECRET);
    await stop(listening);
  });

  it('believes an agent by what its operator publishes', async () => {
    const files: Record<string, string> = { '/.well-known/jwks.json': JSON.stringify({ keys: [KEY.publicJwk] }) };
    const published = await serveAssets(files);
    const agent = published.url('/sales/mcp');
    files['/.well-known/brand.json'] = JSON.stringify({ agents: [{ id: 'sales', type: 'sales', url: agent }] });
    const listening = await listen(['--agent', agent, '--json']);
    expect((await post(listening.url, taskEvent())).status).toBe(200);
    await untilPrinted(listening.running, () => lines(listening).length === 2);
    expect(lines(listening)[1]).toMatchObject({ event: 'received', verified: { sender: agent, keyid: KEY.kid } });
    await stop(listening);
  });

  it('believes every agent that a brand.json lists', async () => {
    const files: Record<string, string> = { '/jwks.json': JSON.stringify({ keys: [KEY.publicJwk] }) };
    const published = await serveAssets(files);
    const agents = ['sales', 'creative'].map((id) => ({
      id,
      type: id,
      url: published.url(`/${id}/mcp`),
      jwks_uri: published.url('/jwks.json'),
    }));
    files['/brand.json'] = JSON.stringify({ agents });
    const listening = await listen(['--brand-json', published.url('/brand.json'), '--json']);
    expect(lines(listening)[0]).toMatchObject({ believes: agents.map(({ url }) => url) });
    expect((await post(listening.url, taskEvent())).status).toBe(200);
    await stop(listening);
  });

  it.each([
    ['a port that is none', ['--port', '65536'], /--port is no number from 0 to 65535\. Send/],
    ['a count that is none', ['--fail', 'often'], /--fail is no number/],
    [
      'keys over plain http from elsewhere',
      ['--jwks', 'http://seller.example/jwks.json'],
      /--jwks is no https URL\. Name/,
    ],
    ['an agent that is no URL', ['--agent', 'seller.example'], /--agent is no https URL/],
    ['a short secret', ['--secret', 'short'], /shorter than 32 bytes/],
    ['a secret and keys', ['--secret', SECRET, '--jwks', 'https://seller.example/jwks.json'], /one mode/],
    ['a publisher without an agent', ['--publisher', 'news.example'], /pins keys of an agent, by its domain\. Name/],
    ['an address that is none', ['--url', '/hooks'], /--url is no absolute URL/],
    ['a brand.json that is not there', ['--brand-json', 'http://127.0.0.1:1/brand.json'], /brand\.json is unreachable/],
  ])('refuses %s and says what to do', async (_what, args, message) => {
    const { code, stdout, stderr } = await runCommand(['webhooks', 'listen', ...args]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(message);
  });

  it('keeps its folder to itself', async () => {
    const listening = await listen(['--secret', SECRET]);
    const { code, stderr } = await runCommand([
      'webhooks',
      'listen',
      '--port',
      '0',
      '--secret',
      SECRET,
      '--data',
      listening.folder,
    ]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/another receiver is running on this folder/)]);
    await stop(listening);
  });

  it('verifies against the address that senders call, where a proxy leads here', async () => {
    const published = await publish();
    const url = 'https://buyer.example/webhooks';
    const listening = await listen(['--json', '--jwks', published.url('/jwks.json'), '--url', url]);
    const [started] = lines(listening);
    expect(started).toMatchObject({ url });
    const request = signedRequest(JSON.stringify(taskEvent()), { url, nowSeconds: now() });
    const headers = { ...request.headers, host: 'buyer.example' };
    expect((await send(`${started?.bound}/webhooks`, { ...request, headers })).status).toBe(200);
    await stop(listening);
  });
});
