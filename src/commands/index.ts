import { type Command, command, SETTINGS_OPTIONS, TENANTS_OPTION } from './command.js';
import { REGISTRY_COMMANDS } from './registry/index.js';
import { SIGNING_KEY_COMMANDS } from './signing-key-commands.js';
import { WEBHOOK_COMMANDS } from './webhooks/index.js';

/** The groups of commands with one first word (or two), as the help describes them. */
export const GROUPS: Readonly<Record<string, string>> = {
  keys: 'API keys of the principals',
  'keys signing': 'keys that webhooks and requests are signed with',
  clock: 'the time of sandboxes, which can be moved ahead',
  webhooks: 'webhooks: what was sent, and receiving them as a buyer',
  registry: 'who may sell what: publish it, check it, mirror it, serve it',
  'registry org': 'organizations and their members',
  'registry key': 'API keys of organizations',
  'registry agent': 'agents of the catalog',
  'registry badge': 'verified badges',
  'registry review': 'submissions that wait for a moderator',
};

const PRINCIPAL_HELP = 'whose sandbox (default: the first sandbox principal)';

/** Every command of the command line, in the order of the help. A command loads what it runs when it runs. */
export const COMMANDS: readonly Command[] = [
  command<{ registry?: true }>({
    usage: 'serve',
    isDefault: true,
    description: 'serve the tenants (the default command)',
    options: [['--registry', 'serve a registry beside them, at /api'], ...SETTINGS_OPTIONS],
    run: async (context, { flags }) => (await import('./serve.js')).serve(context, flags),
  }),
  command({
    usage: 'init [dir]',
    description: 'write a working set of tenant files with fresh keys',
    run: async (_context, { args: [directory = '.'] }) => {
      const [{ init }, { systemIds }] = await Promise.all([import('./init.js'), import('../platform/kernel/ids.js')]);
      return (await init({ directory, randomKey: systemIds.secret })).text;
    },
  }),
  command({
    usage: 'check',
    description: 'list every problem of the tenant files and format folders, with file, line and fix',
    options: SETTINGS_OPTIONS,
    run: async ({ env, now, settings }, { flags }) =>
      (await import('./check.js')).check(await settings(flags), env, now()),
  }),
  command({
    usage: 'keys list',
    isDefault: true,
    description: 'who may call, and how each proves itself; never a secret',
    options: [TENANTS_OPTION],
    run: async ({ env, settings }, { flags }) => (await import('./keys.js')).listKeys(await settings(flags), env),
  }),
  command<{ sandbox?: boolean }>({
    usage: 'keys new <tenant> <principal>',
    description: 'add a fresh key to a principal, by the tenant’s path such as sales; a new principal is added',
    options: [['--sandbox', 'make a new principal a sandbox one'], TENANTS_OPTION],
    run: async ({ settings }, { args: [tenantPath = '', principalId = ''], flags }) => {
      const [{ newKey }, { systemIds }] = await Promise.all([import('./keys.js'), import('../platform/kernel/ids.js')]);
      const { sandbox } = flags;
      return newKey(await settings(flags), { tenantPath, principalId, sandbox, randomKey: systemIds.secret });
    },
  }),
  command({
    usage: 'keys hash [key]',
    description: 'the hash of a key, as a tenant file holds it; left out, the key is read from standard input',
    run: async ({ readInput }, { args: [key] }) => {
      const { hashKey } = await import('./keys.js');
      return hashKey(key ?? (await readInput()));
    },
  }),
  ...SIGNING_KEY_COMMANDS,
  command<{ principal?: string }>({
    usage: 'call <tenant> <task> [arguments]',
    description: 'call a task as the operator, with or without a running server; arguments are JSON',
    options: [['--principal <id>', 'in whose name (default: the first sandbox principal)'], ...SETTINGS_OPTIONS],
    run: async ({ env, settings }, { args: [tenant = '', tool = '', json = '{}'], flags }) => {
      const { callAsOperator } = await import('./call.js');
      const call = { tenant, tool, arguments: JSON.parse(json), principal: flags.principal };
      const answer = await callAsOperator(await settings(flags), env, call);
      return { ok: !('errors' in answer && 'code' in answer), text: JSON.stringify(answer, null, 2) };
    },
  }),
  command({
    usage: 'approvals',
    description: 'list what waits for a person: orders and creatives, each with a link to decide',
    options: SETTINGS_OPTIONS,
    run: async ({ env, settings }, { flags }) =>
      (await import('./approvals.js')).listApprovals(await settings(flags), env),
  }),
  command({
    usage: 'approve <id>',
    description: 'approve what waits under an id of the list of approvals',
    options: SETTINGS_OPTIONS,
    run: async ({ env, settings }, { args: [id = ''], flags }) =>
      (await import('./approvals.js')).decideApproval(await settings(flags), env, id, { decision: 'approve' }),
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
    usage: 'clock show',
    isDefault: true,
    description: 'the sandboxes whose time is ahead',
    options: SETTINGS_OPTIONS,
    run: async ({ env, settings }, { flags }) =>
      (await import('./clock.js')).listSandboxClocks(await settings(flags), env),
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
  ...WEBHOOK_COMMANDS,
  ...REGISTRY_COMMANDS,
];
