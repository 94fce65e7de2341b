import { Readable } from 'node:stream';
import { runCommandLine } from '../../src/commands/command-line.js';
import { createLog } from '../../src/platform/kernel/log.js';
import { resolveSettings } from '../../src/seller/config/settings.js';
import { bannerUrl, type Finished, type StartOptions } from './process.js';
import { PROJECT, temporaryFolder } from './surroundings.js';

/** A command that runs in this process, with surroundings of its own. */
export type RunningCommand = {
  /** What it has written to standard output so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Tells it to end, as SIGTERM does, and waits for it. */
  readonly stop: () => Promise<Finished>;
  readonly finished: Promise<Finished>;
};

/** Starts a command of the command line in this process: what `startNode` does with the shipped one, without the time of a process. */
export function startCommand(
  args: readonly string[],
  { cwd = temporaryFolder(), env = {} }: StartOptions = {},
): RunningCommand {
  const written = { stdout: '', stderr: '' };
  const line = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);
  let stop = (): void => undefined;
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const run = runCommandLine(args, {
    env,
    cwd,
    version: '0.0.0-test',
    hasColor: false,
    now: Date.now,
    out: (text) => {
      written.stdout += line(text);
    },
    err: (text) => {
      written.stderr += line(text);
    },
    progress: () => undefined,
    log: async () => createLog('silent'),
    settings: (flags) => resolveSettings({ flags, env, cwd, packageRoot: PROJECT }),
    ask: undefined,
    input: Readable.from([]),
    readInput: async () => '',
    untilStopped: () => stopped,
  });
  const finished = run.then((code) => ({ code, ...written }));
  return {
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    stop: () => {
      stop();
      return finished;
    },
    finished,
  };
}

/** Runs a command of the command line to its end, in this process. */
export function runCommand(args: readonly string[], options?: StartOptions): Promise<Finished> {
  return startCommand(args, options).finished;
}

/** A `serve` in this process. */
export type ServingCommand = RunningCommand & { readonly baseUrl: string; readonly dataDir: string };

/** Starts `serve` in this process on a port of the system's choice and waits for its banner. Throws with its messages when it ends instead. */
export async function startServing(
  options: StartOptions & { readonly dataDir?: string; readonly args?: readonly string[] } = {},
): Promise<ServingCommand> {
  const dataDir = options.dataDir ?? temporaryFolder();
  const command = startCommand(['serve', '--port', '0', '--data', dataDir, ...(options.args ?? [])], options);
  return { ...command, baseUrl: await bannerUrl(command), dataDir };
}
