#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { text as readStream } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Command as Parser } from 'commander';
import type { Command, CommandContext } from './commands/command.js';
import { COMMANDS, GROUPS } from './commands/index.js';
import { AppError } from './platform/kernel/errors.js';
import { packageFile } from './platform/kernel/package-files.js';
import { resolveSettings } from './seller/config/settings.js';

const { env, stderr, stdin, stdout } = process;
const { version } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string };
const packageRoot = fileURLToPath(packageFile());

const context: CommandContext = {
  env,
  cwd: process.cwd(),
  version,
  hasColor: stdout.isTTY === true,
  now: Date.now,
  out: (text) => void stdout.write(text.endsWith('\n') ? text : `${text}\n`),
  progress: (text) => {
    if (stderr.isTTY) stderr.write(`\r\x1b[2K${text.slice(0, (stderr.columns || 80) - 1)}`);
  },
  log: async () => (await import('./platform/kernel/log.js')).createLog(env.SELLER_AGENT_LOG ?? 'warn'),
  settings: (flags) => resolveSettings({ flags, env, cwd: process.cwd(), packageRoot }),
  readInput: async () => (await readStream(stdin)).trim(),
  untilStopped: () =>
    new Promise((resolve) => {
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
    }),
};

const program = new Parser('seller-agent')
  .description('One command stands up an advertising seller for buyers’ agents.')
  .version(version)
  .showHelpAfterError();

/** The parser of each group of commands, by the words that lead to it. */
const groups = new Map([['', program]]);
for (const row of COMMANDS) addCommand(row);

await program.parseAsync().catch((error: unknown) => {
  const suggestion = error instanceof AppError ? (error.extras.suggestion ?? '') : '';
  const message = error instanceof Error ? error.message : String(error);
  stderr.write(`${message} ${suggestion}`.trim().concat('\n'));
  process.exitCode = 1;
});

function addCommand({ description, isDefault, options = [], required = [], run, usage }: Command): void {
  const [, words = '', args = ''] = /^([a-z -]*[a-z])((?: [<[].*)?)$/.exec(usage) ?? [];
  const cut = words.lastIndexOf(' ');
  const parser = groupParser(cut < 0 ? '' : words.slice(0, cut))
    .command(`${words.slice(cut + 1)}${args}`, { isDefault: isDefault === true })
    .description(description);
  for (const option of required) parser.requiredOption(...option);
  for (const option of options) parser.option(...option);
  parser.action(async () => {
    const result = await run(context, { args: parser.args, flags: parser.opts() });
    if (result === undefined) return;
    const { ok, text } = typeof result === 'string' ? { ok: true, text: result } : result;
    context.out(text);
    if (!ok) process.exitCode = 1;
  });
}

function groupParser(words: string): Parser {
  const known = groups.get(words);
  if (known !== undefined) return known;
  const cut = words.lastIndexOf(' ');
  const group = groupParser(cut < 0 ? '' : words.slice(0, cut))
    .command(words.slice(cut + 1))
    .description(GROUPS[words] ?? '');
  groups.set(words, group);
  return group;
}
