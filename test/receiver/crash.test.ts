import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { serveAssets } from '../kit/asset-server.js';
import { send } from '../kit/http.js';
import { type Running, startNode } from '../kit/process.js';
import { killRounds } from '../kit/rounds.js';
import { temporaryFolder } from '../kit/surroundings.js';
import { KEY, signedRequest, taskEvent } from './context.js';

const SCRIPT = fileURLToPath(new URL('process.mjs', import.meta.url));
/** How often the receiver is killed. */
const ROUNDS = killRounds('receiver');

type OutputLine = {
  readonly url?: string;
  readonly began?: string;
  readonly ended?: string;
  readonly attempt?: number;
};

/** Everything that a process has said so far, in whole lines. */
function outputOf(running: Running): readonly OutputLine[] {
  const lines = running.stdout().split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as OutputLine);
}

/** The first thing said that fits; throws with its messages when the process ends before. */
async function saying(running: Running, fits: (line: OutputLine) => boolean): Promise<OutputLine> {
  for (;;) {
    const found = outputOf(running).find(fits);
    if (found !== undefined) return found;
    const ended = running.finished.then(({ code, stderr }) =>
      expect.fail(`the receiver ended with ${code}: ${stderr}`),
    );
    await Promise.race([once(running.child.stdout ?? expect.fail(), 'data'), ended]);
  }
}

async function end(running: Running, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const gone = once(running.child, 'exit');
  running.child.kill(signal);
  await gone;
}

describe('a receiver that is killed', () => {
  it('between its answer and the end of the handler hands over, after every start, what it answered for', async () => {
    const published = await serveAssets({ '/jwks.json': JSON.stringify({ keys: [KEY.publicJwk] }) });
    const folder = temporaryFolder('receiver-');
    const start = (handling: string): Running => startNode([SCRIPT, folder, published.url('/jwks.json'), handling]);
    const acknowledged: string[] = [];

    for (let round = 0; round < ROUNDS; round += 1) {
      const running = start('never ends');
      const { url = '' } = await saying(running, (line) => line.url !== undefined);
      for (let count = 0; count < 3; count += 1) {
        const event = taskEvent();
        const body = JSON.stringify(event);
        const sign = () => signedRequest(body, { url, nowSeconds: Math.floor(Date.now() / 1000) });
        expect((await send(url, sign())).text).toBe('{"status":"accepted"}');
        acknowledged.push(event.idempotency_key);
        expect((await send(url, sign())).text).toBe('{"status":"duplicate"}');
      }
      // Killed with handlers at work, and with all that was taken before still waiting.
      await saying(running, (line) => line.began !== undefined);
      await end(running, 'SIGKILL');
    }

    const last = start('ends');
    for (const key of acknowledged) await saying(last, (line) => line.ended === key);
    const ended = outputOf(last).flatMap((line) => line.ended ?? []);
    expect(ended.toSorted()).toEqual(acknowledged.toSorted());
    // A try that a crash cut off is none: the handler is told the truth about how often it failed.
    expect(outputOf(last).flatMap((line) => line.attempt ?? [])).toEqual(acknowledged.map(() => 1));
    // What ended is written down before the process ends in order; a kill may let the last few come again.
    await end(last, 'SIGTERM');

    const after = start('ends');
    const { url = '' } = await saying(after, (line) => line.url !== undefined);
    const fresh = taskEvent();
    const nowSeconds = Math.floor(Date.now() / 1000);
    for (const event of [taskEvent({ idempotency_key: acknowledged[0] }), fresh])
      expect((await send(url, signedRequest(JSON.stringify(event), { url, nowSeconds }))).status).toBe(200);
    await saying(after, (line) => line.ended === fresh.idempotency_key);
    expect(outputOf(after).flatMap((line) => line.ended ?? [])).toEqual([fresh.idempotency_key]);
    await end(after, 'SIGKILL');
  });
});
