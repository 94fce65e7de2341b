import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from './http.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The commands of the `console` blocks of a document, in order. */
function commandsIn(text: string): readonly string[] {
  return [...text.matchAll(/```console\n([\s\S]*?)```/g)]
    .flatMap((block) => (block[1] ?? '').split('\n'))
    .filter((line) => line.startsWith('$ '))
    .map((line) => line.slice(2));
}

/** Commands that the check from a clean clone runs itself, so that they are not run inside their own test, and how it says them. */
const RUN_BY_CI: Readonly<Record<string, readonly string[]>> = {
  'npm ci && npm test': ['npm ci', 'scripts/test-all.mjs'],
  'npm run lint': ['npm run --silent lint'],
  'npm run types': ['npm run --silent types'],
  'npm run conformance': ['npm run --silent conformance'],
};

/** Commands that stay, and what they say when they are ready. */
const STAYS: readonly (readonly [command: RegExp, ready: RegExp])[] = [
  [/npm start$/, /\/sales\/mcp/],
  [/webhooks listen/, /Register this URL/],
  [/registry serve/, /serving a registry/],
  [/ cluster /, /End one of the processes/],
];

/** What a command must say; every other one must end with 0 and say something. */
const SAYS: readonly (readonly [command: RegExp, text: RegExp])[] = [
  [/^npm pack/, /seller-agent-\d+\.\d+\.\d+\.tgz/],
  [/--version$/, /^\d+\.\d+\.\d+/],
  [/get_products/, /product_id/],
  [/agent-card\.json$/, /"skills":\[/],
  [/force_create_media_buy_arm/, /"forced":/],
  [/"pushNotificationConfig"/, /"state":"submitted"/],
  [/force_task_completion/, /"current_state":"completed"/],
  [/"tasks\/get"/, /"media_buy_id":"mb_over_a2a"/],
  // Silent where all is well.
  [/^(sed -i|printf .* > )/, /^$/],
  // An order that a person books by hand has no id of a buy yet.
  [/call sales create_media_buy .*order-by-hand/, /"task_id": "/],
  [/create_media_buy/, /"?media_buy_id"?: ?"mb_/],
  [/webhooks list$/, /update|task/],
  [/get_signals/, /signal_agent_segment_id/],
  [/approvals$/, /Nothing waits/],
  [/keys signing list$/, /active/],
  [/get_media_buy_delivery .*"spend": 120/, /"spend": 120/],
  [/get_media_buy_delivery/, /media_buy_deliveries/],
  [/build_creative .*"mode":"estimate"/, /"leaves_total": 3/],
  [/build_creative/, /"interactive_url"/],
  [/render-samples/, /300x250/],
  [/call sales get_media_buys/, /"status": "active"/],
  [/deal-adapter/, /example-deals: 10 of 10 scenarios hold/],
  [/adapter test/, /example: 154 of 154 scenarios hold, 13 do not concern it/],
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
  // As it was built of these very files: a copy need not build it again.
  cpSync(path.join(root, 'dist'), path.join(folder, 'dist'), { recursive: true });
  return folder;
}

/** Runs the commands of a document of the project in order, each as a test, in a copy of the project that is the document's own. */
export function runCommandsOf(name: string): void {
  const commands = commandsIn(readFileSync(path.join(root, name), 'utf8'));
  if (commands.length > 0) describe(`the commands of ${name}`, () => runCommands(commands));
}

function runCommands(commands: readonly string[]): void {
  const folder = copyOfProject();
  const running: ChildProcess[] = [];
  const ports = new Map<string, number>();

  beforeAll(async () => {
    for (const written of ['3000', '4000', '3100', '3200']) ports.set(written, await freePort());
  });
  afterAll(async () => {
    for (const child of running) {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      process.kill(-(child.pid ?? 0), 'SIGTERM');
      await gone;
    }
    rmSync(folder, { recursive: true, force: true });
  });

  const env = () => ({ ...process.env, SELLER_AGENT_PORT: String(ports.get('3000')) });

  it.each(commands.map((command) => [command]))('%s', { timeout: 180_000 }, async (command) => {
    const parts = RUN_BY_CI[command];
    if (parts !== undefined) {
      const ci = readFileSync(path.join(root, '.ci/run'), 'utf8');
      expect(parts.filter((part) => !ci.includes(part))).toEqual([]);
      return;
    }
    const here = command
      // CI installs; the copies of this test share what is installed.
      .replace(/^npm ci && /, '')
      .replaceAll(/(:|--port )(3000|4000|3100|3200)/g, (_all, before, written) => `${before}${ports.get(written)}`);
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
    const said = SAYS.find(([pattern]) => pattern.test(command))?.[1] ?? /\S/;
    const run = async (): Promise<string> =>
      (await promisify(execFile)('bash', ['-c', here], { cwd: folder, env: env(), maxBuffer: 1e8 })).stdout;
    // What the commands before it caused may take a moment.
    if (command.endsWith('webhooks list')) await expect.poll(run, { timeout: 30_000, interval: 500 }).toMatch(said);
    else expect(await run()).toMatch(said);
  });
}
