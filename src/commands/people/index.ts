import { type Command, command, SETTINGS_OPTIONS } from '../command.js';

/** The commands of `portal`. */
export const PORTAL_COMMANDS: readonly Command[] = [
  command<{ days?: string }>({
    usage: 'portal new <tenant> <principal>',
    description: 'make a link by which a buyer looks at its own buys, creatives and webhooks; it is shown once',
    options: [['--days <days>', 'how long it holds, 1 to 90 (default: 7)'], ...SETTINGS_OPTIONS],
    run: async ({ env, settings }, { args: [tenant = '', principal = ''], flags }) => {
      const { operatePortal } = await import('./people.js');
      const days = flags.days === undefined ? undefined : Number(flags.days);
      return operatePortal(await settings(flags), env, { operation: 'new', tenant, principal, days });
    },
  }),
  command({
    usage: 'portal list',
    isDefault: true,
    description: 'the links that buyers have, and until when they hold',
    options: SETTINGS_OPTIONS,
    run: async ({ env, settings }, { flags }) =>
      (await import('./people.js')).operatePortal(await settings(flags), env, { operation: 'list' }),
  }),
  command({
    usage: 'portal revoke <id>',
    description: 'let a link open nothing any more',
    options: SETTINGS_OPTIONS,
    run: async ({ env, settings }, { args: [id = ''], flags }) =>
      (await import('./people.js')).operatePortal(await settings(flags), env, { operation: 'revoke', id }),
  }),
];

/** The commands of `keys grants`. */
export const GRANT_COMMANDS: readonly Command[] = [
  command({
    usage: 'keys grants list',
    isDefault: true,
    description: 'what programs are let do by OAuth, by whom, and until when; never a token',
    options: SETTINGS_OPTIONS,
    run: async ({ env, settings }, { flags }) =>
      (await import('./people.js')).operateOauthGrants(await settings(flags), env, { operation: 'list' }),
  }),
  command({
    usage: 'keys grants revoke <id>',
    description: 'let a program do nothing any more, at once',
    options: SETTINGS_OPTIONS,
    run: async ({ env, settings }, { args: [id = ''], flags }) =>
      (await import('./people.js')).operateOauthGrants(await settings(flags), env, { operation: 'revoke', id }),
  }),
];

/** The commands of `console`. */
export const CONSOLE_COMMANDS: readonly Command[] = [
  command({
    usage: 'console link',
    description: 'print a link that signs you in to the console of the running server, once',
    options: SETTINGS_OPTIONS,
    run: async ({ settings }, { flags }) => (await import('./people.js')).printSignInLink(await settings(flags)),
  }),
  command<{ role?: string; password?: string }>({
    usage: 'console user new <name>',
    description: 'let somebody use the console, or give them another password and role',
    options: [
      ['--role <role>', 'view, operate (default: decides and acts) or admin (also keys, people and products)'],
      ['--password <text>', '- reads it from standard input (default: one is made, and shown once)'],
      ...SETTINGS_OPTIONS,
    ],
    run: async ({ env, readInput, settings }, { args: [name = ''], flags }) => {
      const { operatePeople } = await import('./people.js');
      const { role = 'operate' } = flags;
      const password = flags.password === '-' ? await readInput() : flags.password;
      return operatePeople(await settings(flags), env, { operation: 'new', name, role, password });
    },
  }),
  command({
    usage: 'console user list',
    isDefault: true,
    description: 'who may use the console',
    options: SETTINGS_OPTIONS,
    run: async ({ env, settings }, { flags }) =>
      (await import('./people.js')).operatePeople(await settings(flags), env, { operation: 'list' }),
  }),
  command({
    usage: 'console user remove <name>',
    description: 'let somebody use the console no more; who is signed in is signed out',
    options: SETTINGS_OPTIONS,
    run: async ({ env, settings }, { args: [name = ''], flags }) =>
      (await import('./people.js')).operatePeople(await settings(flags), env, { operation: 'remove', name }),
  }),
];
