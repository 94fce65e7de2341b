#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { text as readStream } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { resolveSettings, type Settings, type SettingsFlags } from './config/settings.js';
import { ConfigError } from './kernel/errors.js';

const packageRoot = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const { env } = process;

const out = (text: string): void => void process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);

/** Commands import what they run when they run, so that each starts with no more than it needs. */
const program = new Command('seller-agent')
  .description('One command stands up an advertising seller for buyers’ agents.')
  .version(version)
  .showHelpAfterError();

const withSettings = (command: Command): Command =>
  command
    .option('--tenants <dir>', 'folder of tenant files (default: ./tenants, else the shipped ones)')
    .option('--data <dir>', 'data folder (default: ./data)')
    .option('--store <url>', 'store of the durable state (default: a SQLite file in the data folder)')
    .option('--port <number>', 'port (default: 3000)')
    .option('--host <address>', 'address to bind (default: 127.0.0.1)')
    .option('--base-url <url>', 'address that callers use (default: from host and port)')
    .option('--protocol-name <name>', 'the protocol’s name on the wire (default: adcp)');

const settingsOf = (flags: SettingsFlags): Promise<Settings> =>
  resolveSettings({ flags, env, cwd: process.cwd(), packageRoot });

withSettings(
  program.command('serve', { isDefault: true }).description('serve the tenants (the default command)'),
).action(async (flags: SettingsFlags) => {
  const [{ createServer }, { serve }, { createLog }] = await Promise.all([
    import('./server.js'),
    import('./commands/serve.js'),
    import('./kernel/log.js'),
  ]);
  const settings = await settingsOf(flags);
  const server = await createServer({ settings, env, version, log: createLog(env.SELLER_AGENT_LOG ?? 'warn') });
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
  await serve(server, { version, settings, color: process.stdout.isTTY === true }, out, stopped);
});

program
  .command('init')
  .argument('[dir]', 'folder to write into', '.')
  .description('write a working set of tenant files with fresh keys')
  .action(async (directory: string) => {
    const [{ init }, { systemIds }] = await Promise.all([import('./commands/init.js'), import('./kernel/ids.js')]);
    out((await init({ directory, randomKey: systemIds.secret })).text);
  });

withSettings(
  program.command('check').description('list every problem of the tenant files, with file, line and fix'),
).action(async (flags: SettingsFlags) => {
  const [{ check }, { HOUSE_FORMAT_IDS }] = await Promise.all([
    import('./commands/check.js'),
    import('./domain/format.js'),
  ]);
  const { ok, text } = await check(await settingsOf(flags), env, HOUSE_FORMAT_IDS, Date.now());
  out(text);
  if (!ok) process.exitCode = 1;
});

const keys = program.command('keys').description('API keys of the principals');
keys
  .command('list', { isDefault: true })
  .option('--tenants <dir>', 'folder of tenant files')
  .description('who may call, and how each proves itself; never a secret')
  .action(async (flags: SettingsFlags) => {
    const { listKeys } = await import('./commands/keys.js');
    out(await listKeys(await settingsOf(flags), env));
  });
keys
  .command('new')
  .argument('<tenant>', 'path of the tenant, such as sales')
  .argument('<principal>', 'id of the principal; a new one is added')
  .option('--sandbox', 'make a new principal a sandbox one')
  .option('--tenants <dir>', 'folder of tenant files')
  .description('add a fresh key to a principal and print it once')
  .action(async (tenantPath: string, principalId: string, flags: SettingsFlags & { sandbox?: boolean }) => {
    const [{ newKey }, { systemIds }] = await Promise.all([import('./commands/keys.js'), import('./kernel/ids.js')]);
    const { sandbox } = flags;
    out(
      await newKey(await settingsOf(flags), {
        tenantPath,
        principalId,
        randomKey: systemIds.secret,
        ...(sandbox === undefined ? {} : { sandbox }),
      }),
    );
  });
keys
  .command('hash')
  .argument('[key]', 'the key; left out, it is read from standard input')
  .description('the hash of a key, as a tenant file holds it')
  .action(async (key: string | undefined) => {
    const { hashKey } = await import('./commands/keys.js');
    out(hashKey(key ?? (await readStream(process.stdin)).trim()));
  });

withSettings(
  program
    .command('call')
    .argument('<tenant>', 'path of the tenant, such as sales')
    .argument('<tool>', 'task, such as get_products')
    .argument('[arguments]', 'arguments as JSON', '{}')
    .option('--principal <id>', 'in whose name (default: the first sandbox principal)')
    .description('call a task as the operator, with or without a running server'),
).action(async (tenant: string, tool: string, json: string, flags: SettingsFlags & { principal?: string }) => {
  const { callAsOperator } = await import('./commands/call.js');
  const answer = await callAsOperator(await settingsOf(flags), env, {
    tenant,
    tool,
    arguments: JSON.parse(json),
    principal: flags.principal,
  });
  out(JSON.stringify(answer, null, 2));
  if ('errors' in answer && 'code' in answer) process.exitCode = 1;
});

await program.parseAsync().catch((error: unknown) => {
  const message = error instanceof ConfigError || error instanceof Error ? error.message : String(error);
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
});
