import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { expect, vi } from 'vitest';
import { afterFile } from './after-use.js';
import { PROJECT, temporaryFolder } from './surroundings.js';

/** The command line as it is shipped; `npm test` builds it first. */
export const CLI = path.join(PROJECT, 'dist', 'cli.js');

/** A process that ended. */
export type Finished = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** A process that runs. */
export type Running = {
  readonly child: ChildProcess;
  /** What it has written to standard output so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly finished: Promise<Finished>;
};

/** How a process is started. */
export type StartOptions = {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** All of standard input; none unless given. */
  readonly input?: string;
};

/** Starts Node on a script. What still runs after the test file is killed. */
export function startNode(args: readonly string[], options: StartOptions = {}): Running {
  const { cwd = temporaryFolder(), env = {}, input } = options;
  const child = spawn(process.execPath, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  child.stdin?.end(input);
  afterFile(() => child.kill('SIGKILL'));
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
      written[name] += chunk;
    });
  }
  const finished = new Promise<Finished>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      resolve({ code, ...written });
    });
  });
  return { child, stdout: () => written.stdout, stderr: () => written.stderr, finished };
}

/** Waits until what was printed is as `holds` says. Fails with the messages of what ended before. */
export async function untilPrinted(
  { finished }: { readonly finished: Promise<Finished> },
  holds: () => boolean,
): Promise<void> {
  let ended: Finished | undefined;
  finished.then(
    (result) => {
      ended = result;
    },
    () => undefined,
  );
  await vi.waitUntil(() => holds() || ended !== undefined, { timeout: 50_000, interval: 10 });
  if (!holds()) expect.fail(`it ended with ${ended?.code}: ${ended?.stderr}`);
}

/** Runs the shipped command line to its end. */
export function runCli(args: readonly string[], options?: StartOptions): Promise<Finished> {
  return startNode([CLI, ...args], options).finished;
}

/** A `serve` of the shipped command line. */
export type Serving = Running & { readonly baseUrl: string; readonly dataDir: string };

/** Starts `serve` on a port of the system's choice and waits for its banner. Throws with its messages when it ends instead. */
export async function startServe(
  options: StartOptions & { readonly dataDir?: string; readonly args?: readonly string[] } = {},
): Promise<Serving> {
  const dataDir = options.dataDir ?? temporaryFolder();
  const running = startNode([CLI, 'serve', '--port', '0', '--data', dataDir, ...(options.args ?? [])], options);
  return { ...running, baseUrl: await bannerUrl(running), dataDir };
}

/** Waits for the banner of a `serve` and returns its base URL. Fails with its messages when it ends instead. */
export async function bannerUrl(serving: Pick<Running, 'stdout' | 'finished'>): Promise<string> {
  const url = (): string | undefined => /^\s+health\s+(\S+)\/healthz/m.exec(serving.stdout())?.[1];
  await untilPrinted(serving, () => url() !== undefined);
  return url() ?? '';
}
