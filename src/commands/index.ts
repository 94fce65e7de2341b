import path from 'node:path';
import type { CallFlags } from './call.js';
import { type Command, command, type Option, SETTINGS_OPTIONS, TENANTS_OPTION } from './command.js';
import type { DoctorFlags } from './doctor/agent.js';
import type { InitFlags } from './init/choices.js';
import { MASTER_KEY_COMMANDS, PRINCIPAL_KEY_COMMANDS, SIGNING_KEY_COMMANDS } from './keys/key-commands.js';
import { MCP_COMMANDS } from './mcp/index.js';
import { CONSOLE_COMMANDS, GRANT_COMMANDS, PORTAL_COMMANDS } from './people/index.js';
import { REGISTRY_COMMANDS } from './registry/index.js';
import { WEBHOOK_COMMANDS } from './webhooks/index.js';
import { holdYoungGeneration } from './young-generation.js';

/** The groups of commands with one first word (or two), as the help describes them. */
export const GROUPS: Readonly<Record<string, string>> = {
  keys: 'API keys of the principals',
  'keys signing': 'keys that webhooks and requests are signed with',
  backup: 'a copy of the data folder, made while the server runs',
  'keys grants': 'what programs may do that people let in by OAuth',
  'keys master': 'the key that secrets of others are sealed with in the database',
  clock: 'the machine’s time, and the time of sandboxes, which can be moved ahead',
  console: 'who may use the console, where people run the seller',
  'console user': 'people with a name and a password for the console',
  portal: 'links by which buyers look at their own things',
  rights: 'rights that brand agents granted',
  adapter: 'adapters of ad servers',
  orders: 'orders that a person books in the ad server',
  delivery: 'what orders delivered that a person carries out',
  store: 'where the durable state is',
  webhooks: 'webhooks: what was sent, and receiving them as a buyer',
  registry: 'who may sell what: publish it, check it, mirror it, serve it',
  'registry org': 'organizations and their members',
  'registry key': 'API keys of organizations',
  'registry agent': 'agents of the catalog',
  'registry badge': 'verified badges',
  'registry crawl': 'publishers that cannot be read',
  'registry hold': 'records under a legal hold, which nothing removes',
  'registry block': 'what is kept out of the registry',
  'registry review': 'submissions that wait for a moderator',
};

const PRINCIPAL_HELP = 'whose sandbox (default: the first sandbox principal)';

const AD_SERVER_OPTION: Option = [
  '--ad-server <file>',
  'module of your own that live buys go to, where the tenant file names no other',
];

/** Every command of the command line, in the order of the help. A command loads what it runs when it runs. */
export const COMMANDS: readonly Command[] = [
  command<{ registry?: true; adServer?: string }>({
    usage: 'serve',
    isDefault: true,
    description: 'serve the tenants (the default command)',
    options: [['--registry', 'serve a registry beside them, at /api'], AD_SERVER_OPTION, ...SETTINGS_OPTIONS],
    run: async (context, { flags }) => {
      const release = holdYoungGeneration();
      const { serve } = await import('./serve.js');
      return serve(context, flags, release);
    },
  }),
  command<InitFlags>({
    usage: 'init [dir]',
    description: 'write a working set of tenant files with fresh keys; on a terminal it asks what no flag says',
    options: [
      ['--kinds <kinds>', 'agents to write: some of sales,creative,signals (default: all three)'],
      ['--name <name>', 'name of who sells (default: Example Publisher)'],
      ['--domain <domain>', 'domain of who sells (default: publisher.example)'],
      ['--from <file>', 'products from a CSV file, in the place of three examples'],
      ['--oauth', 'let people connect an assistant by signing in, beside the keys'],
    ],
    run: async ({ ask, cwd }, { args: [directory = '.'], flags }) => {
      const [{ init }, { systemIds }, { readInitChoices }] = await Promise.all([
        import('./init/init.js'),
        import('../platform/kernel/ids.js'),
        import('./init/choices.js'),
      ]);
      const choices = await readInitChoices(flags, { ask, cwd });
      const folder = path.resolve(cwd, directory);
      return (await init({ ...choices, directory: folder, cwd, randomKey: systemIds.secret })).text;
    },
  }),
  command<{ adServer?: string; env?: boolean; online?: true }>({
    usage: 'check',
    description: 'list every problem of the tenant files and format folders, with file, line, column and fix',
    options: [
      ['--no-env', 'take keys of the environment for set, as on a machine that has none of them'],
      [
        '--online',
        'ask the ad servers whether they answer and have what the products name, and whether alerts can go out; nothing is changed or sent there',
      ],
      AD_SERVER_OPTION,
      ...SETTINGS_OPTIONS,
    ],
    run: async ({ cwd, env, now, settings }, { flags: { adServer, env: usesEnv, online, ...flags } }) => {
      const { check, pretendSet } = await import('./check/check.js');
      const file = adServer === undefined ? undefined : path.resolve(cwd, adServer);
      const asked = { adServer: file, isOnline: online === true };
      return check(await settings(flags), usesEnv === false ? pretendSet(env) : env, now(), asked);
    },
  }),
  command<DoctorFlags>({
    usage: 'doctor [url]',
    description:
      'look at your own server: files, keys, clock, disk, TLS from outside, well-known files, webhooks; with the URL of an MCP endpoint, at that agent, anyone’s',
    options: [
      ['--json', 'the findings as JSON'],
      ['--html <file>', 'of an agent, the findings as a page that can be sent on, too'],
      ['--key <key>', 'of an agent, a key for it (SELLER_AGENT_KEY); - reads standard input'],
      [
        '--sandbox <account>',
        'of an agent, a sandbox account in which a change may be tried: its id, or brand.example,operator.example',
      ],
      ['--webhook-url <url>', 'with --sandbox, an address that the agent can reach, to which it sends a webhook'],
      ['--webhook-port <number>', 'the port of this machine that the address leads to (default: its own)'],
      [
        '--suite',
        'of an agent, also by the public suite (@adcp/sdk) that is installed in this folder; runs what only reads',
      ],
      ...SETTINGS_OPTIONS,
    ],
    run: async (context, { args: [url], flags }) => {
      const settings = await context.settings(flags);
      if (url !== undefined) return (await import('./doctor/agent.js')).examineAgent(context, settings, url, flags);
      const [{ runDoctor }, { openCheckedServer }] = await Promise.all([
        import('./doctor/doctor.js'),
        import('./doctor/checked-server.js'),
      ]);
      const { close, server } = await openCheckedServer(context, settings);
      try {
        return await runDoctor(server, flags);
      } finally {
        await close();
      }
    },
  }),
  command({
    usage: 'keys list',
    isDefault: true,
    description: 'who may call, and how each proves itself; never a secret',
    options: [TENANTS_OPTION],
    run: async ({ env, settings }, { flags }) => (await import('./keys.js')).listKeys(await settings(flags), env),
  }),
  ...PRINCIPAL_KEY_COMMANDS,
  command({
    usage: 'keys hash [key]',
    description: 'the hash of a key, as a tenant file holds it; left out, the key is read from standard input',
    run: async ({ readInput }, { args: [key] }) => {
      const { hashKey } = await import('./keys.js');
      return hashKey(key ?? (await readInput()));
    },
  }),
  ...SIGNING_KEY_COMMANDS,
  ...MASTER_KEY_COMMANDS,
  ...GRANT_COMMANDS,
  command<CallFlags>({
    usage: 'call <tenant> <task> [arguments]',
    description: 'call a task as the operator, with or without a running server; arguments are JSON',
    options: [
      ['--principal <id>', 'in whose name (default: the first sandbox principal)'],
      [
        '--protocol <name>',
        'a2a: call the running server as that principal, and follow a task that goes on (default: mcp)',
      ],
      ['--key <key>', 'over A2A, the principal’s key where its file holds a hash alone; - reads standard input'],
      ...SETTINGS_OPTIONS,
    ],
    run: async ({ settings, ...context }, { args: [tenant = '', tool = '', json = '{}'], flags }) => {
      const { callTask } = await import('./call.js');
      const call = { tenant, tool, arguments: JSON.parse(json), principal: flags.principal };
      return callTask({ ...context, settings: await settings(flags) }, call, flags);
    },
  }),
  command({
    usage: 'approvals',
    description: 'list what waits for a person: orders and creatives, each with a link to decide',
    options: SETTINGS_OPTIONS,
    run: async ({ env, settings }, { flags }) =>
      (await import('./approvals.js')).listApprovals(await settings(flags), env),
  }),
  command<{ bookLater?: true; orderId?: string }>({
    usage: 'approve <id>',
    description: 'approve what waits under an id of the list of approvals, or the task_id that the buyer has',
    options: [
      ['--order-id <id>', 'the order’s id in your ad server, where orders are booked by hand'],
      ['--book-later', 'where orders are booked by hand: put it in the list of orders, it runs once it is booked'],
      ...SETTINGS_OPTIONS,
    ],
    run: async ({ env, settings }, { args: [id = ''], flags }) => {
      const { decideApproval } = await import('./approvals.js');
      return decideApproval(await settings(flags), env, id, {
        decision: 'approve',
        order_id: flags.orderId,
        book_later: flags.bookLater,
      });
    },
  }),
  command<{ question: string }>({
    usage: 'ask <id>',
    description: 'ask the buyer about an order that waits; the buyer answers by sending it again',
    required: [['--question <text>', 'what you need to know; the buyer reads it']],
    options: SETTINGS_OPTIONS,
    run: async ({ env, settings }, { args: [id = ''], flags }) => {
      const { decideApproval } = await import('./approvals.js');
      return decideApproval(await settings(flags), env, id, { decision: 'ask', question: flags.question });
    },
  }),
  command<{ reason: string }>({
    usage: 'reject <id>',
    description: 'reject what waits; under the id it had, also what was approved',
    required: [['--reason <text>', 'what is wrong; the buyer reads it']],
    options: SETTINGS_OPTIONS,
    run: async ({ env, settings }, { args: [id = ''], flags }) => {
      const { decideApproval } = await import('./approvals.js');
      return decideApproval(await settings(flags), env, id, { decision: 'reject', reason: flags.reason });
    },
  }),
  command({
    usage: 'orders list',
    isDefault: true,
    description: 'list the orders that a person has to book, or to book again since they changed',
    options: SETTINGS_OPTIONS,
    run: async ({ env, settings }, { flags }) =>
      (await import('./orders/orders.js')).listOrders(await settings(flags), env),
  }),
  command<{ json?: true }>({
    usage: 'orders sheet [media-buy]',
    description: 'write the trafficking sheet of an order, or those of all that wait, as CSV',
    options: [['--json', 'as JSON, with the creatives whole'], ...SETTINGS_OPTIONS],
    run: async ({ settings, ...context }, { args: [id], flags }) =>
      (await import('./orders/orders.js')).writeSheets(await settings(flags), context, id, flags),
  }),
  command<{ deals?: string; lines?: string }>({
    usage: 'orders ids <media-buy>',
    description:
      'say which ids the packages of an order, and their deals, have in the ad server; without options, show them',
    options: [
      ['--lines <ids>', 'by our ids, such as "pkg_1=4711,pkg_2=4712"; nothing after = takes one away'],
      ['--deals <ids>', 'of private deals by package and DSP, such as "pkg_1@dsp.example=D-17"'],
      ...SETTINGS_OPTIONS,
    ],
    run: async ({ env, settings }, { args: [id = ''], flags }) =>
      (await import('./orders/orders.js')).enterIds(await settings(flags), env, id, flags),
  }),
  command<{ lines?: string; orderId?: string; revision?: string }>({
    usage: 'orders booked <media-buy>',
    description: 'say that an order is booked in the ad server as it is now',
    options: [
      ['--order-id <id>', 'its id there, where it has another one by now'],
      ['--lines <ids>', 'ids of its packages there, such as "pkg_1=4711,pkg_2=4712"'],
      ['--revision <number>', 'the revision that was booked; refused where the order has changed since'],
      ...SETTINGS_OPTIONS,
    ],
    run: async ({ env, settings }, { args: [id = ''], flags }) =>
      (await import('./orders/orders.js')).bookOrder(await settings(flags), env, id, flags),
  }),
  ...CONSOLE_COMMANDS,
  ...PORTAL_COMMANDS,
  ...MCP_COMMANDS,
  command<{ adServer?: string; only?: string }>({
    usage: 'adapter test <file>',
    description: 'try an adapter against its contract, with an ad server on which requests go wrong; nothing is stored',
    options: [
      ['--ad-server <file>', 'module that starts a fake of its ad server (default: the example ad server)'],
      ['--only <text>', 'scenarios alone whose name has this text in it'],
    ],
    run: async (context, { args: [file = ''], flags }) =>
      (await import('./adapter/test-adapter.js')).testAdapter(context, file, flags),
  }),
  command<{ adServer?: string; out?: string }>({
    usage: 'adapter products <tenant>',
    description:
      'list what the ad server of a tenant could sell, as drafts of products for its file; nothing is changed',
    options: [
      ['--out <file>', 'new file that the drafts are written into (default: they are shown)'],
      AD_SERVER_OPTION,
      ...SETTINGS_OPTIONS,
    ],
    run: async (context, { args: [tenant = ''], flags }) =>
      (await import('./adapter/list-products.js')).listProducts(await context.settings(flags), context, tenant, flags),
  }),
  command({
    usage: 'rights list',
    isDefault: true,
    description: 'list the rights that were granted last, and to whom',
    options: SETTINGS_OPTIONS,
    run: async ({ env, settings }, { flags }) =>
      (await import('./rights/rights.js')).listGrants(await settings(flags), env),
  }),
  command<{ reason: string; effectiveAt?: string; uses?: string }>({
    usage: 'rights revoke <grant>',
    description: 'take rights back; their buyer is told by webhook and has to stop by then',
    required: [['--reason <text>', 'why; the buyer reads it']],
    options: [
      ['--effective-at <time>', 'from when, with an offset (default: now)'],
      ['--uses <uses>', 'some uses alone, such as likeness,voice (default: all)'],
      ...SETTINGS_OPTIONS,
    ],
    run: async ({ env, settings }, { args: [id = ''], flags }) =>
      (await import('./rights/rights.js')).revokeRights(await settings(flags), env, id, flags),
  }),
  command<{ dates?: string; quiet?: true; dryRun?: true; map?: string }>({
    usage: 'delivery import <file>',
    description: 'enter what orders delivered from a CSV file; rows that are there already change nothing',
    options: [
      ['--map <columns>', 'what the columns of the file are, such as "Line item ID=line_id,Imps=impressions"'],
      ['--dates <form>', 'how the file writes dates: y-m-d (unless given), m/d/y, d/m/y or d.m.y'],
      ['--dry-run', 'say what would become of each row, and enter none'],
      ['--quiet', 'show refused rows alone'],
      ...SETTINGS_OPTIONS,
    ],
    run: async ({ env, out, settings }, { args: [file = ''], flags }) => {
      const { importDelivery } = await import('./orders/delivery.js');
      const { dates, dryRun: isDryRun = false, map, quiet: isQuiet = false } = flags;
      return importDelivery(await settings(flags), env, { file, out, isQuiet, isDryRun, map, dates });
    },
  }),
  command({
    usage: 'clock show',
    isDefault: true,
    description: 'the sandboxes whose time is ahead',
    options: SETTINGS_OPTIONS,
    run: async ({ env, settings }, { flags }) =>
      (await import('./clock.js')).listSandboxClocks(await settings(flags), env),
  }),
  command({
    usage: 'clock accept',
    description: 'follow the machine’s clock after a jump that was held',
    options: SETTINGS_OPTIONS,
    run: async ({ env, settings }, { flags }) =>
      (await import('./clock.js')).acceptClockJump(await settings(flags), env),
  }),
  command<{ tenant?: string; principal?: string }>({
    usage: 'clock advance <span>',
    description: 'move a sandbox’s clock ahead (3d, 12h, 90m): buys move, reports follow, webhooks go out',
    options: [
      ['--tenant <path>', 'of one tenant (default: of every one)'],
      ['--principal <id>', PRINCIPAL_HELP],
      ...SETTINGS_OPTIONS,
    ],
    run: async ({ env, settings }, { args: [span = ''], flags }) =>
      (await import('./clock.js')).advanceClock(await settings(flags), env, span, flags),
  }),
  command<{ withoutKeys?: true }>({
    usage: 'backup create <dir>',
    isDefault: true,
    description: 'write a backup of the data folder into a new folder; the server may run',
    options: [['--without-keys', 'leave the keys folder out'], ...SETTINGS_OPTIONS],
    run: async (context, { args: [folder = ''], flags }) => {
      const settings = await context.settings(flags);
      return (await import('./backup.js')).writeBackup(context, { settings, folder }, flags.withoutKeys === true);
    },
  }),
  command({
    usage: 'backup verify <dir>',
    description: 'read every byte of a backup: that it is whole and can be restored',
    run: async (_context, { args: [folder = ''] }) => (await import('./backup.js')).checkBackup(folder),
  }),
  command({
    usage: 'restore <dir>',
    description: 'put a backup into the data folder, which has to be empty; no server may run on it',
    options: SETTINGS_OPTIONS,
    run: async ({ settings }, { args: [folder = ''], flags }) =>
      (await import('./backup.js')).readBackup({ settings: await settings(flags), folder }),
  }),
  command<{ from: string; to: string; registry?: boolean }>({
    usage: 'store copy',
    description: 'copy everything into an empty store of the other engine, and compare them; no server may run',
    required: [
      ['--from <store>', 'sqlite (the file of the data folder), sqlite:PATH, or postgres://…'],
      ['--to <store>', 'the same'],
    ],
    options: [['--registry', 'the store of a registry, in place of the seller’s'], ...SETTINGS_OPTIONS],
    run: async (context, { flags: { from, registry, to, ...flags } }) =>
      (await import('./store/store-copy.js')).runStoreCopy(context, await context.settings(flags), {
        from,
        to,
        registry,
      }),
  }),
  ...WEBHOOK_COMMANDS,
  ...REGISTRY_COMMANDS,
];
