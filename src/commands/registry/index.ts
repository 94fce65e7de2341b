import type { SettingsFlags } from '../../seller/config/settings.js';
import { type Command, type CommandContext, command, SETTINGS_OPTIONS } from '../command.js';
import type { MirrorCommandContext } from './mirror.js';
import { OPERATION_COMMANDS } from './operations.js';

const CIRCUMSTANCES = [
  ['--country <code>', 'where it would be sold, such as US'],
  ['--strict', 'yes only if the operator confirms it too'],
  ...SETTINGS_OPTIONS,
] as const;

type Circumstances = { readonly country?: string; readonly strict?: boolean };

/** The commands of `registry`: publishing who may sell, checking what others publish, mirroring a registry, being one. */
export const REGISTRY_COMMANDS: readonly Command[] = [
  command<{ out?: string; offline?: boolean }>({
    usage: 'registry publish',
    description: 'write adagents.json, brand.json and jwks.json for upload, and compare with what is served',
    options: [
      ['--out <dir>', 'folder that the files are written into (default: published)'],
      ['--offline', 'write and check only: compare with no domain and tell no registry'],
      ...SETTINGS_OPTIONS,
    ],
    run: async ({ env, now, settings }, { flags }) => {
      const { publishFiles } = await import('./publish.js');
      const { offline, out } = flags;
      return publishFiles(await settings(flags), env, { out, offline, now: now() });
    },
  }),
  command<Circumstances & { domain?: string; agent?: string; property?: string }>({
    usage: 'registry validate <domain|file>',
    description: 'check anybody’s adagents.json and brand.json',
    options: [
      ['--domain <name>', 'whose file it is (default: from its folder)'],
      ['--agent <url>', 'also say whether this agent may sell --property'],
      ['--property <name>', 'domain, type:value or property id (default: the publisher’s site)'],
      ...CIRCUMSTANCES,
    ],
    run: async ({ env, now, settings }, { args: [subject = ''], flags }) => {
      const { validateSubject } = await import('./validate.js');
      const { agent, country, domain, property, strict } = flags;
      const options = { subject, agent, country, domain, property, strict, now: now() };
      return validateSubject(await settings(flags), env, options);
    },
  }),
  command<Circumstances>({
    usage: 'registry explain <agent> <property|domain>',
    description: 'say whether an agent may sell a property (domain, type:value@domain or id@domain), and why',
    options: CIRCUMSTANCES,
    run: async ({ env, now, settings }, { args: [agent = '', property = ''], flags }) => {
      const { explainAuthorization } = await import('./explain.js');
      const { country, strict } = flags;
      return explainAuthorization(await settings(flags), env, { agent, property, country, strict, now: now() });
    },
  }),
  command({
    usage: 'registry sync',
    description: 'read what is new at the registry into the copy in the data folder',
    options: SETTINGS_OPTIONS,
    run: async (context, { flags }) => (await import('./mirror.js')).syncMirror(await mirrorContext(context, flags)),
  }),
  command({
    usage: 'registry lookup <subject>',
    description: 'what the copy knows of a domain, an agent’s URL or type:value',
    options: SETTINGS_OPTIONS,
    run: async (context, { args: [subject = ''], flags }) =>
      (await import('./mirror.js')).lookUp(await mirrorContext(context, flags), subject),
  }),
  command({
    usage: 'registry stats',
    description: 'what the copy holds, and how far it is behind',
    options: SETTINGS_OPTIONS,
    run: async (context, { flags }) => (await import('./mirror.js')).mirrorStats(await mirrorContext(context, flags)),
  }),
  command<{ out?: string; whole?: string }>({
    usage: 'registry export',
    description:
      'write the copy as plain JSON, for /.well-known/registry-snapshot.json, or a registry that is served whole',
    options: [
      ['--out <dir>', 'folder that the copy is written into (default: the data folder)'],
      ['--whole <file>', 'write the registry of the data folder as NDJSON that "registry import" takes back'],
      ...SETTINGS_OPTIONS,
    ],
    run: async (context, { flags: { out, whole, ...flags } }) => {
      if (whole !== undefined) {
        const { exportWhole } = await import('./whole.js');
        const { progress, settings } = context;
        return exportWhole({ settings: await settings(flags), file: whole, log: await context.log('warn'), progress });
      }
      const mirror = await mirrorContext(context, flags);
      return (await import('./mirror.js')).exportMirror(mirror, out ?? mirror.settings.dataDir);
    },
  }),
  command<{ restart?: boolean }>({
    usage: 'registry import <file>',
    description:
      'take publishers in (domains as a list or CSV, their files as NDJSON), another registry’s snapshot, or a whole registry that was exported',
    options: [['--restart', 'begin again where an import of this file was broken off'], ...SETTINGS_OPTIONS],
    run: async ({ err, log, progress, settings }, { args: [file = ''], flags }) => {
      const { importFile } = await import('./import/import.js');
      const options = { file, isAnew: flags.restart === true, err, log: await log('warn'), progress };
      return importFile(await settings(flags), options);
    },
  }),
  command<{ mirror?: string; standby?: boolean }>({
    usage: 'registry serve',
    description: 'serve a registry: the REST API of brands, properties, agents and their changes',
    options: [
      ['--mirror <url>', 'serve the copy of another registry; its token is in SELLER_AGENT_REGISTRY_TOKEN'],
      [
        '--standby',
        'carry keys and members too, by the key of an admin, so that "registry promote" can make it the primary',
      ],
      ...SETTINGS_OPTIONS,
    ],
    run: async (context, { flags }) => (await import('./serve.js')).serveRegistry(context, flags),
  }),
  ...OPERATION_COMMANDS,
];

async function mirrorContext(
  { env, log, progress, settings }: CommandContext,
  flags: SettingsFlags,
): Promise<MirrorCommandContext> {
  return { settings: await settings(flags), env, log: await log('warn'), progress };
}
