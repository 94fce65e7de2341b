import type { KeyOperation } from '../../seller/config/keys/operate-keys.js';
import type { SettingsFlags } from '../../seller/config/settings.js';
import {
  type Command,
  type CommandContext,
  type CommandResult,
  command,
  type Option,
  SETTINGS_OPTIONS,
} from '../command.js';

type KeyFlags = SettingsFlags & {
  readonly purpose?: string;
  readonly alg?: string;
  readonly seed?: boolean;
  readonly now?: boolean;
};

const NEW_KEY_OPTIONS: readonly Option[] = [
  ['--purpose <name>', 'request-signing (the default), webhook-signing, governance-signing or response-signing'],
  ['--alg <name>', 'ed25519 (the default) or ecdsa-p256-sha256'],
  ['--seed', 'read the ed25519 seed, 32 bytes as base64url, from standard input'],
];

const operate =
  (operation: string) =>
  async (
    { env, readInput, settings }: CommandContext,
    { args: [kid], flags }: { readonly args: readonly string[]; readonly flags: KeyFlags },
  ): Promise<CommandResult> => {
    const { operateSigningKeys } = await import('./signing-keys.js');
    const { alg, now, purpose, seed: isGiven } = flags;
    const seed = isGiven === true ? await readInput() : undefined;
    return operateSigningKeys(await settings(flags), env, { operation, purpose, alg, seed, kid, now });
  };

const KEY_HINT = 'named by the first digits of its hash or its environment variable, as "keys list" shows them';

/** The commands of the keys of principals. */
export const PRINCIPAL_KEY_COMMANDS: readonly Command[] = [
  command<SettingsFlags & { sandbox?: boolean }>({
    usage: 'keys new <tenant> <principal>',
    description: 'add a fresh key to a principal, by the tenant’s path such as sales; a new principal is added',
    options: [['--sandbox', 'make a new principal a sandbox one'], ...SETTINGS_OPTIONS],
    run: ({ settings }, { args: [tenant = '', principal = ''], flags }) =>
      operatePrincipal(settings, flags, { operation: 'new', tenant, principal, sandbox: flags.sandbox }),
  }),
  command<SettingsFlags>({
    usage: 'keys revoke <tenant> <principal> <key>',
    description: `take a key away at once; ${KEY_HINT}`,
    options: SETTINGS_OPTIONS,
    run: ({ settings }, { args: [tenant = '', principal = '', key = ''], flags }) =>
      operatePrincipal(settings, flags, { operation: 'revoke', tenant, principal, key }),
  }),
  command<SettingsFlags>({
    usage: 'keys expire <tenant> <principal> <key> <when>',
    description: `let a key open nothing from a day (2026-12-31) or an instant on; ${KEY_HINT}`,
    options: SETTINGS_OPTIONS,
    run: ({ settings }, { args: [tenant = '', principal = '', key = '', expires_at = ''], flags }) =>
      operatePrincipal(settings, flags, { operation: 'expire', tenant, principal, key, expires_at }),
  }),
];

async function operatePrincipal(
  settings: CommandContext['settings'],
  flags: SettingsFlags,
  operation: KeyOperation,
): Promise<CommandResult> {
  const [{ operateKeys }, { systemIds }, { isoTime, systemClock }] = await Promise.all([
    import('../keys.js'),
    import('../../platform/kernel/ids.js'),
    import('../../platform/kernel/clock.js'),
  ]);
  const means = { nowIso: () => isoTime(systemClock.now()), randomKey: systemIds.secret };
  return operateKeys(await settings(flags), operation, means);
}

/** The commands of `keys signing`. */
export const SIGNING_KEY_COMMANDS: readonly Command[] = [
  command<KeyFlags>({
    usage: 'keys signing list',
    isDefault: true,
    description: 'every key, its state and when that changes',
    options: SETTINGS_OPTIONS,
    run: operate('list'),
  }),
  command<KeyFlags>({
    usage: 'keys signing generate',
    description: 'make the first key of a purpose',
    options: [...NEW_KEY_OPTIONS, ...SETTINGS_OPTIONS],
    run: operate('generate'),
  }),
  command<KeyFlags>({
    usage: 'keys signing rotate',
    description: 'publish a key that takes over in an hour',
    options: [
      ...NEW_KEY_OPTIONS,
      ['--now', 'emergency: take over at once and revoke the key before it'],
      ...SETTINGS_OPTIONS,
    ],
    run: operate('rotate'),
  }),
  command<KeyFlags>({
    usage: 'keys signing retire <kid>',
    description: 'take back a key that waits or retires',
    options: [['--now', 'also before its last signatures have expired'], ...SETTINGS_OPTIONS],
    run: operate('retire'),
  }),
  command<KeyFlags>({
    usage: 'keys signing verify',
    description: 'check the published keys with a second implementation',
    options: SETTINGS_OPTIONS,
    run: operate('verify'),
  }),
];

const operateMaster =
  (operation: 'list' | 'rotate') =>
  async ({ env, settings }: CommandContext, { flags }: { readonly flags: SettingsFlags }): Promise<CommandResult> =>
    (await import('./master-keys.js')).operateMasterKeys(await settings(flags), env, operation);

/** The commands of `keys master`. */
export const MASTER_KEY_COMMANDS: readonly Command[] = [
  command({
    usage: 'keys master list',
    isDefault: true,
    description: 'the key that stored secrets are sealed with, and older ones that are still needed',
    options: SETTINGS_OPTIONS,
    run: operateMaster('list'),
  }),
  command({
    usage: 'keys master rotate',
    description: 'make a new master key and seal every stored secret with it, while the server runs',
    options: SETTINGS_OPTIONS,
    run: operateMaster('rotate'),
  }),
];
