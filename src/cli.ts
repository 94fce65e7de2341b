#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { text as readStream } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import type { ClockFlags } from './commands/clock.js';
import { addRegistryCommands } from './commands/registry/cli.js';
import type { ListenFlags } from './commands/webhooks/listen.js';
import type { WebhookFlags } from './commands/webhooks/webhooks.js';
import { TaskError } from './platform/kernel/errors.js';
import { packageFile } from './platform/kernel/package-files.js';
import { resolveSettings, type Settings, type SettingsFlags } from './seller/config/settings.js';

const packageRoot = fileURLToPath(packageFile());
const { version } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as {
  version: string;
};
const { env } = process;

const out = (text: string): void => void process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);

/** Long runs show where they are, on a terminal alone. */
const progress = (text: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${text.slice(0, (process.stderr.columns || 80) - 1)}`);
};

/** Resolves at the first signal to end. */
const untilStopped = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });

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
  program
    .command('serve', { isDefault: true })
    .option('--registry', 'serve a registry beside them, at /api')
    .description('serve the tenants (the default command)'),
).action(async ({ registry, ...flags }: SettingsFlags & { registry?: true }) => {
  const [{ createServer }, { serve }, { createLog }] = await Promise.all([
    import('./seller/server.js'),
    import('./commands/serve.js'),
    import('./platform/kernel/log.js'),
  ]);
  const settings = await settingsOf(flags);
  const log = createLog(env.SELLER_AGENT_LOG ?? 'warn');
  const server = await createServer({ settings, env, version, log, registry: registry === true });
  await serve(server, { version, settings, color: process.stdout.isTTY === true }, out, untilStopped());
});

program
  .command('init')
  .argument('[dir]', 'folder to write into', '.')
  .description('write a working set of tenant files with fresh keys')
  .action(async (directory: string) => {
    const [{ init }, { systemIds }] = await Promise.all([
      import('./commands/init.js'),
      import('./platform/kernel/ids.js'),
    ]);
    out((await init({ directory, randomKey: systemIds.secret })).text);
  });

withSettings(
  program
    .command('check')
    .description('list every problem of the tenant files and format folders, with file, line and fix'),
).action(async (flags: SettingsFlags) => {
  const { check } = await import('./commands/check.js');
  const { ok, text } = await check(await settingsOf(flags), env, Date.now());
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
    const [{ newKey }, { systemIds }] = await Promise.all([
      import('./commands/keys.js'),
      import('./platform/kernel/ids.js'),
    ]);
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

const signing = keys.command('signing').description('keys that webhooks and requests are signed with');
type SigningFlags = SettingsFlags & { purpose?: string; alg?: string; seed?: boolean; now?: boolean };
const operateSigning = async (operation: string, flags: SigningFlags, kid?: string): Promise<void> => {
  const { operateSigningKeys } = await import('./commands/signing-keys.js');
  const { purpose, alg, now } = flags;
  const seed = flags.seed === true ? (await readStream(process.stdin)).trim() : undefined;
  const wish = { operation, purpose, alg, seed, kid, now };
  const { ok, text } = await operateSigningKeys(await settingsOf(flags), env, wish);
  out(text);
  if (!ok) process.exitCode = 1;
};
const withNewKey = (command: Command): Command =>
  withSettings(command)
    .option('--purpose <name>', 'request-signing (the default) or webhook-signing')
    .option('--alg <name>', 'ed25519 (the default) or ecdsa-p256-sha256')
    .option('--seed', 'read the ed25519 seed, 32 bytes as base64url, from standard input');

withSettings(signing.command('list', { isDefault: true }).description('every key and what it does')).action(
  (flags: SigningFlags) => operateSigning('list', flags),
);
withNewKey(signing.command('generate').description('make the first key of a purpose')).action((flags: SigningFlags) =>
  operateSigning('generate', flags),
);
withNewKey(signing.command('rotate').description('publish a key that takes over in an hour'))
  .option('--now', 'emergency: take over at once and revoke the key before it')
  .action((flags: SigningFlags) => operateSigning('rotate', flags));
withSettings(signing.command('retire').argument('<kid>').description('take a key back that waits or retires'))
  .option('--now', 'also before its last signatures have expired')
  .action((kid: string, flags: SigningFlags) => operateSigning('retire', flags, kid));
withSettings(signing.command('verify').description('check the published keys with a second implementation')).action(
  (flags: SigningFlags) => operateSigning('verify', flags),
);

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

withSettings(
  program
    .command('approvals')
    .description('list what waits for a person: orders and creatives, each with a link to decide'),
).action(async (flags: SettingsFlags) => {
  const { listApprovals } = await import('./commands/approvals.js');
  out(await listApprovals(await settingsOf(flags), env));
});

withSettings(
  program.command('approve').argument('<id>', 'id from the list of approvals').description('approve what waits'),
).action(async (id: string, flags: SettingsFlags) => {
  const { decideApproval } = await import('./commands/approvals.js');
  out(await decideApproval(await settingsOf(flags), env, id, { decision: 'approve' }));
});

withSettings(
  program
    .command('reject')
    .argument('<id>', 'id from the list of approvals')
    .requiredOption('--reason <text>', 'what is wrong; the buyer reads it')
    .description('reject what waits; under the id it had, also what was approved'),
).action(async (id: string, flags: SettingsFlags & { reason: string }) => {
  const { decideApproval } = await import('./commands/approvals.js');
  out(await decideApproval(await settingsOf(flags), env, id, { decision: 'reject', reason: flags.reason }));
});

const clock = program.command('clock').description('the time of sandboxes, which can be turned ahead');
withSettings(clock.command('show', { isDefault: true }).description('the sandboxes whose time is ahead')).action(
  async (flags: SettingsFlags) => {
    const { listSandboxClocks } = await import('./commands/clock.js');
    out(await listSandboxClocks(await settingsOf(flags), env));
  },
);
withSettings(
  clock
    .command('advance')
    .argument('<span>', 'how far, such as 3d, 12h or 90m')
    .option('--tenant <path>', 'of one tenant (default: of every one)')
    .option('--principal <id>', 'whose sandbox (default: the first sandbox principal)')
    .description('turn a sandbox’s clock on: buys move, delivery and reports follow, webhooks go out'),
).action(async (span: string, flags: SettingsFlags & ClockFlags) => {
  const { advanceClock } = await import('./commands/clock.js');
  out(await advanceClock(await settingsOf(flags), env, span, flags));
});

const webhooks = program.command('webhooks').description('webhooks: what was sent, and receiving them as a buyer');
withSettings(
  webhooks
    .command('list')
    .option('--tenant <path>', 'of one tenant')
    .option('--state <name>', 'pending, delivered or dead')
    .option('--media-buy <id>', 'about one media buy')
    .description('the newest events and what became of them'),
).action(async (flags: SettingsFlags & WebhookFlags) => {
  const { listWebhooks } = await import('./commands/webhooks/webhooks.js');
  out(await listWebhooks(await settingsOf(flags), env, flags));
});
withSettings(
  webhooks.command('replay').argument('<key>', 'idempotency_key from the list').description('send an event again'),
).action(async (key: string, flags: SettingsFlags) => {
  const { actOnWebhooks } = await import('./commands/webhooks/webhooks.js');
  out(await actOnWebhooks(await settingsOf(flags), env, { do: 'replay', idempotency_key: key }));
});
withSettings(
  webhooks
    .command('test')
    .argument('<media_buy_id>', 'a media buy with a webhook')
    .description('send an event that says nothing but that the webhook works'),
).action(async (id: string, flags: SettingsFlags) => {
  const { actOnWebhooks } = await import('./commands/webhooks/webhooks.js');
  out(await actOnWebhooks(await settingsOf(flags), env, { do: 'test', media_buy_id: id }));
});
webhooks
  .command('listen')
  .option('--agent <url>', 'the seller’s agent; its operator’s brand.json leads to its keys')
  .option('--brand-json <url>', 'where that brand.json is; alone, every agent that it lists is believed')
  .option('--jwks <url>', 'where the keys are (default: a seller-agent on this machine, port 3000)')
  .option('--publisher <domain>', 'believe only the keys that this publisher’s adagents.json pins for the agent')
  .option('--secret <text>', 'the shared secret of a registration with HMAC-SHA256')
  .option('--port <number>', 'port (default: 4000)')
  .option('--host <address>', 'address to bind (default: 127.0.0.1)')
  .option('--url <url>', 'address that senders call, where a proxy or tunnel leads here')
  .option('--data <dir>', 'folder of what was received (default: ./webhooks-data)')
  .option('--fail <number>', 'answer 503 so often first, to see retries')
  .option('--protocol-name <name>', 'the protocol’s name on the wire (default: adcp)')
  .option('--json', 'one JSON object per line')
  .description('receive webhooks as a buyer: verified, once each, on disk before they are acknowledged')
  .action(async (flags: ListenFlags) => {
    const [{ listenForWebhooks }, { createLog }] = await Promise.all([
      import('./commands/webhooks/listen.js'),
      import('./platform/kernel/log.js'),
    ]);
    const log = createLog(env.SELLER_AGENT_LOG ?? 'warn');
    await listenForWebhooks(flags, { cwd: process.cwd(), write: out, log, stopped: untilStopped() });
  });

addRegistryCommands(program, {
  env,
  cwd: process.cwd(),
  version,
  now: Date.now,
  out,
  progress,
  fail: () => {
    process.exitCode = 1;
  },
  withSettings,
  settingsOf,
  untilStopped,
});

await program.parseAsync().catch((error: unknown) => {
  const suggestion = error instanceof TaskError ? (error.extras.suggestion ?? '') : '';
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${message} ${suggestion}`.trim().concat('\n'));
  process.exitCode = 1;
});
