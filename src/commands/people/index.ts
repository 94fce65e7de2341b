import { type Command, command, SETTINGS_OPTIONS } from '../command.js';

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
