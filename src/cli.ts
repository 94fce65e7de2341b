#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { text as readStream } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { CommandContext } from './commands/command.js';
import { runCommandLine } from './commands/command-line.js';
import { packageFile } from './platform/kernel/files/package-files.js';
import { resolveSettings } from './seller/config/settings.js';

const { env, stderr, stdin, stdout } = process;
const version = readVersion();
const packageRoot = fileURLToPath(packageFile());

/** Returns the version with what it was built of, as in `0.1.0+4be1a20c9d`: two builds of one version are told apart. */
function readVersion(): string {
  const { version: released } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string };
  try {
    return `${released}+${readFileSync(packageFile('dist/.built-from'), 'utf8').slice(0, 10)}`;
  } catch {
    return released;
  }
}

async function askPerson(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: stdin, output: stdout });
  try {
    return (await terminal.question(question)).trim();
  } finally {
    terminal.close();
  }
}

const context: CommandContext = {
  env,
  cwd: process.cwd(),
  version,
  hasColor: stdout.isTTY === true,
  now: Date.now,
  out: (text) => void stdout.write(text.endsWith('\n') ? text : `${text}\n`),
  err: (text) => void stderr.write(text.endsWith('\n') ? text : `${text}\n`),
  progress: (text) => {
    if (stderr.isTTY) stderr.write(`\r\x1b[2K${text.slice(0, (stderr.columns || 80) - 1)}`);
  },
  log: async (usual) => {
    const { LOG_VARIABLE, openLog, readLogLevel } = await import('./platform/kernel/log.js');
    const level = readLogLevel(env[LOG_VARIABLE], usual);
    const { flush, log } = openLog(level, { isPlain: stderr.isTTY, isGathering: true });
    process.once('exit', flush);
    return log;
  },
  settings: (flags) => resolveSettings({ flags, env, cwd: process.cwd(), packageRoot }),
  ask: stdin.isTTY && stdout.isTTY ? askPerson : undefined,
  input: stdin,
  readInput: async () => (await readStream(stdin)).trim(),
  untilStopped: (onHangup) =>
    new Promise((resolve) => {
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
      // A terminal that is closed ends what runs in it.
      if (onHangup !== undefined) process.on('SIGHUP', stdout.isTTY ? () => resolve() : onHangup);
    }),
};

let brokenOutput: NodeJS.ErrnoException | undefined;
// Whoever reads it may stop (| head), and its disk may be full: a server goes on, and a command whose result is cut fails.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') brokenOutput = error;
});
stderr.on('error', () => undefined);
process.once('exit', () => {
  if (brokenOutput === undefined) return;
  context.err(`The output could not be written (${brokenOutput.code}): see that its disk has room, and run it again.`);
  process.exitCode = 1;
});

process.exitCode = await runCommandLine(process.argv.slice(2), context);
