import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { afterAll } from 'vitest';
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
export type StartOptions = { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> };

const children = new Set<ChildProcess>();

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** Starts Node on a script. What still runs after the test file is killed. */
export function startNode(args: readonly string[], { cwd = temporaryFolder(), env = {} }: StartOptions = {}): Running {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      written[name] += chunk;
    });
  }
  const finished = new Promise<Finished>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      children.delete(child);
      resolve({ code, ...written });
    });
  });
  return { child, stdout: () => written.stdout, stderr: () => written.stderr, finished };
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
  const baseUrl = await new Promise<string>((resolve, reject) => {
    const look = (): void => {
      const found = /^\s+health\s+(\S+)\/healthz/m.exec(running.stdout())?.[1];
      if (found !== undefined) resolve(found);
    };
    running.child.stdout?.on('data', look);
    running.finished.then(({ code, stderr }) => reject(new Error(`serve ended with ${code}: ${stderr}`)), reject);
    look();
  });
  return { ...running, baseUrl, dataDir };
}
