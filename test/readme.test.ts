import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from './kit/http.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
const commands = [...readme.matchAll(/```console\n([\s\S]*?)```/g)]
  .flatMap((block) => (block[1] ?? '').split('\n'))
  .filter((line) => line.startsWith('$ '))
  .map((line) => line.slice(2));

/** Commands that the check from a clean clone runs itself, so that they are not run inside their own test. */
const RUN_BY_CI = ['npm ci', 'npm test', 'npm run lint', 'npm run types', 'npm run conformance'];

/** Commands that stay, and what they say when they are ready. */
const STAYS: readonly (readonly [command: RegExp, ready: RegExp])[] = [
  [/^npm start$/, /\/sales\/mcp/],
  [/webhooks listen/, /Register this URL/],
  [/registry serve/, /serving a registry/],
];

/** What a command must say; every other one must end with 0 and say something. */
const SAYS: readonly (readonly [command: RegExp, text: RegExp])[] = [
  [/^npm pack/, /seller-agent-\d+\.\d+\.\d+\.tgz/],
  [/--version$/, /^\d+\.\d+\.\d+/],
  [/get_products/, /product_id/],
  [/create_media_buy/, /"?media_buy_id"?: ?"mb_/],
  [/webhooks list$/, /create|task/],
  [/get_signals/, /signal_agent_segment_id/],
  [/approvals$/, /Nothing waits/],
  [/keys signing list$/, /active/],
  [/get_media_buy_delivery/, /media_buy_deliveries/],
  [/build_creative/, /"interactive_url"/],
  [/render-samples/, /300x250/],
  [/call sales get_media_buys/, /"status": "active"/],
  [/ init /, /shown this once/],
  [/ check /, /no problems/],
  [/registry publish/, /files written/],
  [/registry validate/, /adagents\.json: valid, as the file of northlight\.example/],
  [/healthz/, /"ok"/],
  [/readyz/, /"ready"/],
  [/registry org new/, /org_/],
  [/registry key new/, /token +sk_/],
  [/:3100\/api$/, /resolveBrand/],
  [/keys list/, /sandbox/],
  [/keys new/, /new-buyer/],
];

/** The checked-in files in a folder of their own, so that a command may write what it likes. */
function copyOfProject(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'readme-'));
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of files.split('\n').filter((name) => name !== '')) {
    cpSync(path.join(root, file), path.join(folder, file), { errorOnExist: false });
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  return folder;
}

describe('README', () => {
  const folder = copyOfProject();
  const running: ChildProcess[] = [];
  let port = 0;
  let listening = 0;
  let registry = 0;

  beforeAll(async () => {
    port = await freePort();
    listening = await freePort();
    registry = await freePort();
  });
  afterAll(async () => {
    for (const child of running) {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      process.kill(-(child.pid ?? 0), 'SIGTERM');
      await gone;
    }
    rmSync(folder, { recursive: true, force: true });
  });

  const env = () => ({ ...process.env, SELLER_AGENT_PORT: String(port) });

  it('has commands to run', () => expect(commands.length).toBeGreaterThan(10));

  it.each(commands.map((command) => [command]))('%s', { timeout: 180_000 }, async (command) => {
    if (RUN_BY_CI.includes(command)) {
      expect(readFileSync(path.join(root, '.ci/run'), 'utf8').replaceAll('--silent ', '')).toContain(command);
      return;
    }
    const here = command
      .replaceAll(':3000', `:${port}`)
      .replaceAll(/(:|--port )4000/g, `$1${listening}`)
      .replaceAll(/(:|--port )3100/g, `$1${registry}`);
    const ready = STAYS.find(([pattern]) => pattern.test(command))?.[1];
    if (ready !== undefined) {
      const child = spawn('bash', ['-c', here], { cwd: folder, env: env(), detached: true });
      running.push(child);
      await new Promise<void>((resolve, reject) => {
        child.stdout.on('data', (chunk: Buffer) => ready.test(chunk.toString()) && resolve());
        child.once('exit', (code) => reject(new Error(`${command} ended with ${code}`)));
      });
      return;
    }
    const { stdout } = await promisify(execFile)('bash', ['-c', here], { cwd: folder, env: env(), maxBuffer: 1e8 });
    expect(stdout).toMatch(SAYS.find(([pattern]) => pattern.test(command))?.[1] ?? /\S/);
  });
});
