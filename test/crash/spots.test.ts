import { once } from 'node:events';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { JSON_HEADERS, readAnswer, toolCall } from '../kit/boot.js';
import { FFMPEG, NEEDS_FFMPEG, probeWithFfprobe } from '../kit/ffmpeg.js';
import { send } from '../kit/http.js';
import { type Serving, startServe } from '../kit/process.js';
import { temporaryFolder } from '../kit/surroundings.js';
import { tenantsFolder } from '../kit/tenants.js';
import type { Payload } from '../kit/wire.js';

/** How long a spot may take on a machine with other work. */
const SOON = { timeout: 200_000, interval: 100 };

type Manifest = {
  readonly assets: Readonly<Record<string, { readonly asset_type: string; readonly url: string }>>;
};

const dataDir = temporaryFolder('seller-agent-kill-');
const jobs = path.join(dataDir, 'media-jobs');
let server: Serving;

async function call(tool: string, args: object): Promise<Payload> {
  const headers = { ...JSON_HEADERS, authorization: 'Bearer sandbox-token' };
  const body = JSON.stringify(toolCall(tool, args));
  return readAnswer(await send(`${server.baseUrl}/creative/mcp`, { method: 'POST', headers, body })).payload;
}

const ask = (task_id: unknown): Promise<Payload> => call('get_task_status', { task_id, include_result: true });

/** The processes that work in the folder of a job, by Linux's list of processes. */
function listEncoders(): readonly number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return readlinkSync(`/proc/${name}/cwd`).startsWith(jobs) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

const listJobs = (): readonly string[] => (existsSync(jobs) ? readdirSync(jobs) : []);

describe.skipIf(FFMPEG === undefined || process.platform !== 'linux')(`${NEEDS_FFMPEG}a spot`, () => {
  it('that a kill -9 cuts off is made by the next process, and nothing is left behind', {
    timeout: 420_000,
  }, async () => {
    const tenants = tenantsFolder((tenant) => Object.assign(tenant, { answer_within_seconds: 0.05 }), 'creative');
    const start = async (port: string) => {
      server = await startServe({
        dataDir,
        args: ['--tenants', tenants, '--port', port],
        // A task counts as left behind after this and ten seconds; 30 unless set.
        env: { SELLER_AGENT_LEASE_SECONDS: '1' },
      });
    };
    await start('0');
    // The formats of the order have the address of the server in them.
    const { port } = new URL(server.baseUrl);
    const format_id = { agent_url: `${server.baseUrl}/creative/mcp`, id: 'video_dimensions' };
    const answer = await call('build_creative', {
      message: 'Spring sale: 20% off trail running shoes',
      brand: { domain: 'acme.example', name: 'Acme' },
      target_format_id: { ...format_id, width: 1280, height: 720, duration_ms: 6000 },
    });
    expect(answer).toMatchObject({ status: 'submitted', task_id: expect.any(String) });
    await vi.waitFor(() => expect(listEncoders()).not.toEqual([]), SOON);
    const [left] = listJobs();
    const gone = once(server.child, 'exit');
    server.child.kill('SIGKILL');
    await gone;
    // Nobody reads its progress any more, which ends it.
    await vi.waitFor(() => expect(listEncoders()).toEqual([]), SOON);
    expect(listJobs()).toEqual([left]);

    await start(port);
    expect(listJobs()).not.toContain(left);
    await vi.waitFor(async () => expect((await ask(answer.task_id)).status).not.toBe('working'), SOON);
    const over = await ask(answer.task_id);
    expect(over, JSON.stringify(over)).toMatchObject({ status: 'completed', result: { creative_manifest: {} } });
    const manifest = over.result?.creative_manifest as Manifest | undefined;
    const video = Object.values(manifest?.assets ?? {}).find(({ asset_type }) => asset_type === 'video');
    const file = await fetch(
      `${server.baseUrl}${new URL(video?.url ?? '').pathname}${new URL(video?.url ?? '').search}`,
    );
    expect(file.status).toBe(200);
    const { streams } = await probeWithFfprobe(Buffer.from(await file.arrayBuffer()));
    expect(streams[0]).toMatchObject({ width: 1280, height: 720, nb_read_packets: '180' });
    expect(listJobs()).toEqual([]);
  });
});
