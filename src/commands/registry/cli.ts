import type { Command } from 'commander';
import type { Environment } from '../../seller/config/draft.js';
import type { Settings, SettingsFlags } from '../../seller/config/settings.js';
import type { MirrorCommandContext } from './mirror.js';

/** What commands take from the one file that knows the process. */
export type CliKit = {
  readonly env: Environment;
  readonly cwd: string;
  readonly version: string;
  /** Milliseconds. */
  readonly now: () => number;
  readonly out: (text: string) => void;
  /** Shows where a long run is, on one line of a terminal that is written over; empty clears it. */
  readonly progress: (text: string) => void;
  /** The process is to end with 1. */
  readonly fail: () => void;
  readonly withSettings: (command: Command) => Command;
  readonly settingsOf: (flags: SettingsFlags) => Promise<Settings>;
  readonly untilStopped: () => Promise<void>;
};

type PublishFlags = SettingsFlags & { out?: string; offline?: boolean };
type ExplainFlags = SettingsFlags & { country?: string; strict?: boolean };
type ValidateFlags = ExplainFlags & { agent?: string; property?: string; domain?: string };

/** Adds `registry …`: publishing who may sell, checking what others publish, mirroring a registry, being one. */
export function addRegistryCommands(program: Command, kit: CliKit): void {
  const registry = program
    .command('registry')
    .description('who may sell what: publish it, check it, mirror it, serve it');
  addPublishing(registry, kit);
  addMirroring(registry, kit);
  addServing(registry, kit);
  addOperation(registry, kit);
}

function addPublishing(registry: Command, { env, fail, now, out, settingsOf, withSettings }: CliKit): void {
  const show = ({ ok, text }: { readonly ok: boolean; readonly text: string }): void => {
    out(text);
    if (!ok) fail();
  };
  const withCircumstances = (command: Command): Command =>
    withSettings(command)
      .option('--country <code>', 'where it would be sold, such as US')
      .option('--strict', 'yes only if the operator confirms it too');
  withSettings(
    registry
      .command('publish')
      .option('--out <dir>', 'folder that the files are written into (default: published)')
      .option('--offline', 'write and check only: compare with no domain and tell no registry')
      .description('write adagents.json, brand.json and jwks.json for upload, and compare with what is served'),
  ).action(async (flags: PublishFlags) => {
    const { publishFiles } = await import('./publish.js');
    const { offline, out: folder } = flags;
    show(await publishFiles(await settingsOf(flags), env, { out: folder, offline, now: now() }));
  });
  withCircumstances(
    registry
      .command('validate')
      .argument('<domain|file>', 'a domain, or a file of this machine')
      .option('--domain <name>', 'whose file it is (default: from its folder)')
      .option('--agent <url>', 'also say whether this agent may sell --property')
      .option('--property <name>', 'domain, type:value or property id (default: the publisher’s site)')
      .description('check anybody’s adagents.json and brand.json'),
  ).action(async (subject: string, flags: ValidateFlags) => {
    const { validateSubject } = await import('./validate.js');
    const { agent, country, domain, property, strict } = flags;
    const wish = { subject, agent, country, domain, property, strict, now: now() };
    show(await validateSubject(await settingsOf(flags), env, wish));
  });
  withCircumstances(
    registry
      .command('explain')
      .argument('<agent>', 'URL of the agent, exactly as buyers call it')
      .argument('<property|domain>', 'domain, type:value@domain or id@domain')
      .description('say whether an agent may sell a property, and why'),
  ).action(async (agent: string, property: string, flags: ExplainFlags) => {
    const { explainAuthorization } = await import('./explain.js');
    const { country, strict } = flags;
    show(await explainAuthorization(await settingsOf(flags), env, { agent, property, country, strict, now: now() }));
  });
}

function addMirroring(registry: Command, { env, fail, out, progress, settingsOf, withSettings }: CliKit): void {
  const deskOf = async (flags: SettingsFlags): Promise<MirrorCommandContext> => {
    const { createLog } = await import('../../platform/kernel/log.js');
    const log = createLog(env.SELLER_AGENT_LOG ?? 'warn');
    return { settings: await settingsOf(flags), env, log, progress };
  };
  const add = (
    words: string,
    description: string,
    run: (desk: MirrorCommandContext, args: MirrorArgs) => Promise<void>,
  ): void => {
    const command = withSettings(registry.command(words).description(description));
    if (words === 'export') command.option('--out <dir>', 'folder that it is written into (default: the data folder)');
    command.action(async (...given: unknown[]) => {
      const [subject] = given.filter((one) => typeof one === 'string');
      const { out: folder, ...flags } = command.opts<SettingsFlags & { out?: string }>();
      await run(await deskOf(flags), { subject: subject ?? '', folder });
    });
  };
  const show = ({ ok, text }: { readonly ok: boolean; readonly text: string }): void => {
    out(text);
    if (!ok) fail();
  };
  const commands = () => import('./mirror.js');
  add('sync', 'read what is new at the registry into the copy in the data folder', async (desk) =>
    show(await (await commands()).syncMirror(desk)),
  );
  add('lookup <subject>', 'what the copy knows of a domain, an agent’s URL or type:value', async (desk, { subject }) =>
    show(await (await commands()).lookUp(desk, subject)),
  );
  add('stats', 'what the copy holds, and how far it is behind', async (desk) =>
    out(await (await commands()).mirrorStats(desk)),
  );
  add('export', 'write the copy as plain JSON, for /.well-known/registry-snapshot.json', async (desk, { folder }) =>
    out(await (await commands()).exportMirror(desk, folder ?? desk.settings.dataDir)),
  );
}

type MirrorArgs = { readonly subject: string; readonly folder: string | undefined };

function addServing(registry: Command, { env, out, settingsOf, untilStopped, version, withSettings }: CliKit): void {
  withSettings(
    registry
      .command('serve')
      .option('--mirror <url>', 'serve the copy of another registry; its token is in SELLER_AGENT_REGISTRY_TOKEN')
      .description('serve a registry: the REST API of brands, properties, agents and their changes'),
  ).action(async ({ mirror, ...flags }: SettingsFlags & { mirror?: string }) => {
    const [{ createRegistryServer }, { serveRegistry }, { createLog }] = await Promise.all([
      import('../../registry/server/server.js'),
      import('./serve.js'),
      import('../../platform/kernel/log.js'),
    ]);
    const settings = await settingsOf(flags);
    const log = createLog(env.SELLER_AGENT_LOG ?? 'warn');
    const origin = mirror === undefined ? {} : { mirror: { url: mirror, token: env.SELLER_AGENT_REGISTRY_TOKEN } };
    const server = await createRegistryServer({ settings, version, log, ...origin });
    await serveRegistry(server, { version, dataDir: settings.dataDir }, out, untilStopped());
  });
}

type OperateFlags = SettingsFlags & Readonly<Record<string, string | undefined>>;

/** A command of operation: its words, its options, and what it asks of the registry. */
type Operation = {
  readonly words: string;
  readonly description: string;
  readonly options?: readonly (readonly [flag: string, description: string])[];
  readonly path: string;
  /** The body from arguments and flags; undefined asks for a list. */
  readonly body?: (args: readonly string[], flags: OperateFlags) => object;
};

const listed = (text: string | undefined): readonly string[] => (text === undefined ? [] : text.split(','));

/** Operation of a registry; each does what the admin endpoint of its path does. */
const OPERATIONS: readonly Operation[] = [
  { words: 'org list', description: 'every organization', path: 'organizations' },
  {
    words: 'org new <slug>',
    description: 'make an organization',
    options: [
      ['--name <text>', 'its name (default: the slug)'],
      ['--tier <name>', 'basic, or api (the default), whose keys see what is for members only'],
    ],
    path: 'organizations',
    body: ([slug = ''], { name, tier }) => ({ slug, name: name ?? slug, tier }),
  },
  {
    words: 'org member <organization> <subject>',
    description: 'make a user of the identity provider a member, by the sub of its tokens',
    options: [
      ['--name <text>', 'name that the history shows'],
      ['--role <name>', 'member (the default), moderator or admin'],
    ],
    path: 'members',
    body: ([organization = '', subject = ''], { name, role }) => ({ organization, subject, name, role }),
  },
  { words: 'key list', description: 'every API key, never its secret', path: 'keys' },
  {
    words: 'key new <organization>',
    description: 'make an API key and print it once',
    options: [
      ['--name <text>', 'what it is for'],
      ['--role <name>', 'member (the default), moderator or admin'],
    ],
    path: 'keys',
    body: ([organization = ''], { name, role }) => ({ organization, name, role }),
  },
  {
    words: 'key revoke <key_id>',
    description: 'end an API key',
    path: 'keys/revoke',
    body: ([key_id = '']) => ({ key_id }),
  },
  {
    words: 'agent add <organization> <url>',
    description: 'enrol an agent in the catalog',
    options: [
      ['--type <name>', 'sales (the default), creative, signals, measurement, governance, brand, rights or buying'],
      ['--name <text>', 'its name (default: the host)'],
      ['--visibility <name>', 'public (the default), members_only or private'],
    ],
    path: 'agents',
    body: ([organization = '', url = ''], { type = 'sales', name, visibility = 'public' }) => ({
      organization,
      url,
      type,
      name,
      visibility,
    }),
  },
  {
    words: 'agent remove <url>',
    description: 'take an agent out of the catalog',
    path: 'agents/remove',
    body: ([url = '']) => ({ url }),
  },
  {
    words: 'agent compliance <url> <status>',
    description: 'set what the checks of an agent came to: passing, degraded, failing or unknown',
    options: [['--headline <text>', 'one sentence about it']],
    path: 'compliance',
    body: ([url = '', status = ''], { headline }) => ({ url, status, headline }),
  },
  {
    words: 'badge give <url> <role>',
    description: 'give an agent a verified badge',
    options: [
      ['--specialisms <list>', 'what was verified, with commas (default: the role)'],
      ['--modes <list>', 'what it rests on: spec (the default), live, or both with a comma'],
    ],
    path: 'badges',
    body: ([url = '', role = ''], { specialisms, modes = 'spec' }) => ({
      url,
      role,
      verified_specialisms: listed(specialisms ?? role),
      verification_modes: listed(modes),
    }),
  },
  {
    words: 'badge take <url> <role>',
    description: 'take a badge away',
    options: [['--reason <text>', 'why']],
    path: 'badges',
    body: ([url = '', role = ''], { reason }) => ({ url, role, reason }),
  },
  { words: 'review list', description: 'submissions that wait for a moderator', path: 'reviews' },
  ...(['approve', 'reject'] as const).map((decision) => ({
    words: `review ${decision} <review_id>`,
    description: `${decision} a submission`,
    path: 'reviews/decide',
    body: ([review_id = '']: readonly string[]) => ({ review_id, decision }),
  })),
  {
    words: 'rollback <kind> <domain> <revision>',
    description: 'bring a brand or property back to an earlier revision',
    path: 'rollback',
    body: ([kind = '', domain = '', revision = '']) => ({ kind, domain, revision_number: Number(revision) }),
  },
];

const GROUPS: Readonly<Record<string, string>> = {
  org: 'organizations and their members',
  key: 'API keys of organizations',
  agent: 'agents of the catalog',
  badge: 'verified badges',
  review: 'submissions that wait for a moderator',
};

function addOperation(registry: Command, { out, settingsOf, withSettings }: CliKit): void {
  const groups = new Map(
    Object.entries(GROUPS).map(([name, description]) => [name, registry.command(name).description(description)]),
  );
  for (const { words, description, options = [], path, body } of OPERATIONS) {
    const [first = '', ...rest] = words.split(' ');
    const group = groups.get(first);
    const command = (group ?? registry).command(group === undefined ? words : rest.join(' ')).description(description);
    for (const [flag, says] of options) command.option(flag, says);
    withSettings(command).action(async (...given: unknown[]) => {
      // The parser gives the arguments, then the flags, then the command.
      const args = given.slice(0, -2) as readonly string[];
      const flags = given.at(-2) as OperateFlags;
      const { operateRegistry } = await import('./operate.js');
      const request = { path: `/api/admin/${path}`, ...(body === undefined ? {} : { body: body(args, flags) }) };
      out(await operateRegistry(await settingsOf(flags), request));
    });
  }
}
