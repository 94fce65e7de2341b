import { expect, test, vi } from 'vitest';
import { DAY_MS, isoTime } from '../../../src/platform/kernel/clock.js';
import { JSON_HEADERS, readAnswer, toolCall } from '../../kit/boot.js';
import { createRequest, succeeded } from '../../kit/buyer.js';
import { runCommand, startServing } from '../../kit/command-line.js';
import { send } from '../../kit/http.js';
import type { Finished } from '../../kit/process.js';
import { type ReceivedPost, startReceiver } from '../../kit/receiver.js';
import { temporaryFolder } from '../../kit/surroundings.js';

/** For a machine with other work. */
const PATIENT = { timeout: 60_000, interval: 50 };
const keyOf = (post: ReceivedPost | undefined): string => String(post?.json.idempotency_key);

test('webhooks list, replay and test work through the running server and without one, on the same store', async () => {
  const receiver = await startReceiver();
  const dataDir = temporaryFolder();
  const serving = await startServing({ dataDir });
  const run = (...args: string[]): Promise<Finished> => runCommand(['webhooks', ...args, '--data', dataDir]);
  expect(await run('list')).toEqual({ code: 0, stdout: '0 waiting; 0 given up.\n', stderr: '' });

  const secret = '4f'.repeat(16);
  const url = `${receiver.url}/hooks/${secret}?key=of-the-buyer`;
  const request = createRequest({
    start_time: isoTime(Date.now() + DAY_MS),
    end_time: isoTime(Date.now() + 30 * DAY_MS),
    push_notification_config: { url, operation_id: 'op:1', token: 'token-of-the-buyer' },
  });
  const body = JSON.stringify(toolCall('create_media_buy', request));
  const answer = await send(`${serving.baseUrl}/sales/mcp`, { method: 'POST', headers: JSON_HEADERS, body });
  const { media_buy_id: id } = succeeded(readAnswer(answer));
  await receiver.received(1);
  const first = keyOf(receiver.posts[0]);

  const listed = await run('list', '--media-buy', id);
  expect(listed).toMatchObject({ code: 0, stderr: '' });
  expect(listed.stdout).toMatch(new RegExp(`^${first} {2}(pending|delivered) {2}task {2}${id}$`, 'm'));
  expect(listed.stdout).toContain(`  /sales/mcp to ${receiver.url}/hooks/***, 2`);
  for (const hidden of [secret, 'of-the-buyer']) expect(listed.stdout).not.toContain(hidden);
  expect((await run('list', '--principal', 'sandbox', '--endpoint', receiver.url)).stdout).toContain(first);
  for (const narrowed of [
    ['--principal', 'nobody'],
    ['--endpoint', 'https://buyer.example/hooks'],
  ])
    expect((await run('list', ...narrowed)).stdout).toMatch(/^No event is as asked for\. Of all events:\n\d waiting/);
  expect((await run('list', '--media-buy', 'mb_nobody')).stdout).not.toContain(first);

  const tested = await run('test', id);
  expect(tested).toMatchObject({ code: 0, stderr: '' });
  await receiver.received(2);
  const second = keyOf(receiver.posts[1]);
  expect(tested.stdout).toBe(`${second} waits to be sent; \`webhooks list\` shows what becomes of it.\n`);
  expect(receiver.posts[1]?.json).toMatchObject({ status: 'working', operation_id: 'op:1', task_id: id });

  const table = [
    [['test', 'mb_nobody'], /There is no media buy of this id with a webhook\. Name a media buy that registered/],
    [['replay', 'a-key-of-nobody'], /no event/],
    [['recover', '--since', 'yesterday'], /The time cannot be read\. Name an instant such as/],
    [['list', '--state', 'lost'], /Unknown webhook state\. Use pending, delivered, dead/],
    [['replay'], /missing required argument/],
  ] as const;
  for (const [args, message] of table) {
    const refused = await run(...args);
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(message) });
    expect(refused.stderr).not.toMatch(/\bat .*\.js/);
  }

  await serving.stop();
  const rest = await run('list', '--state', 'delivered');
  expect(rest.stdout.match(/^\S+(?= {2}delivered {2}task)/gm)).toEqual([second, first]);
  expect(rest.stdout).toMatch(/, 1 attempt$/m);
  expect(rest.stdout).toMatch(/^0 waiting; 0 given up\.$/m);
  for (const [args, message] of table.slice(0, 4))
    expect(await run(...args)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(message) });

  expect((await run('replay', first)).stdout).toBe(
    `${first} waits to be sent; \`webhooks list\` shows what becomes of it.\n`,
  );
  expect((await run('test', id)).code).toBe(0);
  const waiting = (await run('list', '--tenant', 'sales')).stdout;
  expect(waiting).toMatch(new RegExp(`^${first} {2}pending`, 'm'));
  expect(waiting).toMatch(/^2 waiting, the oldest since \d{4}-\S+; 0 given up\.$/m);
  expect(receiver.posts).toHaveLength(2);

  const again = await startServing({ dataDir });
  await receiver.received(4);
  const replayed = receiver.posts.slice(2).find((post) => keyOf(post) === first);
  expect(replayed?.body.equals(receiver.posts[0]?.body ?? Buffer.alloc(0))).toBe(true);
  expect(replayed?.headers.signature).not.toBe(receiver.posts[0]?.headers.signature);
  await again.stop();
  expect((await run('list')).stdout).toMatch(/^0 waiting; 0 given up\.$/m);
});

test('webhooks recover sends again what was given up since', async () => {
  const receiver = await startReceiver();
  receiver.always(410);
  const dataDir = temporaryFolder();
  const serving = await startServing({ dataDir });
  const run = (...args: string[]): Promise<Finished> => runCommand(['webhooks', ...args, '--data', dataDir]);
  const url = `${receiver.url}/hooks`;
  const request = createRequest({ push_notification_config: { url, operation_id: 'op:1' } });
  const body = JSON.stringify(toolCall('create_media_buy', request));
  const answer = await send(`${serving.baseUrl}/sales/mcp`, { method: 'POST', headers: JSON_HEADERS, body });
  const [key = ''] = (await run('test', succeeded(readAnswer(answer)).media_buy_id)).stdout.split(' ');
  await vi.waitUntil(async () => (await run('list', '--state', 'dead')).stdout.includes(key), PATIENT);
  const tries = (): number => receiver.posts.filter((post) => keyOf(post) === key).length;
  expect(tries()).toBe(1);
  receiver.always(200);
  expect((await run('recover', '--since', '1h', '--principal', 'nobody')).stdout).toBe(
    'No event was given up since then.\n',
  );
  const recovered = await run('recover', '--since', '1h', '--endpoint', url, '--principal', 'sandbox');
  expect(recovered.stdout).toMatch(/^1 of the events that were given up wait to be sent again[.;]/);
  await vi.waitUntil(() => tries() === 2, PATIENT);
  await serving.stop();
});
