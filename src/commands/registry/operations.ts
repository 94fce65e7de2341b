import { type Command, command, type Option, SETTINGS_OPTIONS } from '../command.js';

type OperationFlags = Readonly<Record<string, string | undefined>>;

/** A command of operation: its usage, its options, and its request to the registry. */
type Operation = {
  readonly usage: string;
  readonly description: string;
  readonly options?: readonly Option[];
  readonly required?: readonly Option[];
  readonly path: string;
  /** The body from arguments and flags; a list is asked for without one. */
  readonly body?: (args: readonly string[], flags: OperationFlags) => object;
};

const splitList = (text: string | undefined): readonly string[] => text?.split(',') ?? [];

/** Operation of a registry; each does what the admin endpoint of its path does. */
const OPERATIONS: readonly Operation[] = [
  { usage: 'org list', description: 'every organization', path: 'organizations' },
  {
    usage: 'org new <slug>',
    description: 'make an organization',
    options: [
      ['--name <text>', 'its name (default: the slug)'],
      ['--tier <name>', 'basic, or api (the default), whose keys see what is for members only'],
    ],
    path: 'organizations',
    body: ([slug = ''], { name, tier }) => ({ slug, name: name ?? slug, tier }),
  },
  {
    usage: 'org member <organization> <subject>',
    description: 'make a user of the identity provider a member, by the sub of its tokens',
    options: [
      ['--name <text>', 'name that the history shows'],
      ['--role <name>', 'member (the default), moderator or admin'],
    ],
    path: 'members',
    body: ([organization = '', subject = ''], { name, role }) => ({ organization, subject, name, role }),
  },
  {
    usage: 'key list',
    description: 'every API key, never its secret, with when it was used last and when it ends',
    path: 'keys',
  },
  {
    usage: 'key new <organization>',
    description: 'make an API key and print it once',
    options: [
      ['--name <text>', 'what it is for'],
      ['--role <name>', 'member (the default), moderator or admin'],
      ['--days <number>', 'days until it ends by itself (default: when it is revoked)'],
    ],
    path: 'keys',
    body: ([organization = ''], { days, name, role }) => ({
      organization,
      name,
      role,
      expires_in_days: days === undefined ? undefined : Number(days),
    }),
  },
  {
    usage: 'key revoke <key_id>',
    description: 'end an API key',
    path: 'keys/revoke',
    body: ([key_id = '']) => ({ key_id }),
  },
  {
    usage: 'agent add <organization> <url>',
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
    usage: 'agent remove <url>',
    description: 'take an agent out of the catalog',
    path: 'agents/remove',
    body: ([url = '']) => ({ url }),
  },
  {
    usage: 'agent failing',
    description: 'agents of members that could not be visited, with why and when they are visited again',
    path: 'visits',
  },
  {
    usage: 'agent visit <url>',
    description: 'have an agent be visited with the next round',
    path: 'visits',
    body: ([url = '']) => ({ url }),
  },
  {
    usage: 'agent assessments',
    description: 'agents that are assessed with the consent of their members: how they did, and when next',
    path: 'assessments',
  },
  {
    usage: 'agent assess <url>',
    description: 'have an agent be assessed with the next round, where its member consents',
    path: 'assessments',
    body: ([url = '']) => ({ url }),
  },
  {
    usage: 'agent compliance <url> <status>',
    description: 'set what the checks of an agent came to: passing, degraded, failing or unknown',
    options: [['--headline <text>', 'one sentence about it']],
    path: 'compliance',
    body: ([url = '', status = ''], { headline }) => ({ url, status, headline }),
  },
  {
    usage: 'badge give <url> <role>',
    description: 'give an agent a verified badge',
    required: [['--specialisms <list>', 'what was verified, with commas, such as sales-guaranteed']],
    options: [['--modes <list>', 'what it rests on: spec (the default), live, or both with a comma']],
    path: 'badges',
    body: ([url = '', role = ''], { specialisms, modes = 'spec' }) => ({
      url,
      role,
      verified_specialisms: splitList(specialisms),
      verification_modes: splitList(modes),
    }),
  },
  {
    usage: 'badge take <url> <role>',
    description: 'take a badge away: what was signed of it is on the list of revoked ones at once',
    options: [['--reason <text>', 'why']],
    path: 'badges',
    body: ([url = '', role = ''], { reason }) => ({ url, role, reason }),
  },
  {
    usage: 'badge rekey',
    description: 'have another key sign badges; those of the one before are valid until they expire',
    options: [['--compromised', 'they are valid no more: somebody else may have the key']],
    path: 'badges/keys',
    body: (_args, { compromised }) => ({ compromised: compromised !== undefined }),
  },
  {
    usage: 'crawl failing',
    description: 'publishers whose last reading came to nothing, with why and when they are read again',
    path: 'crawls',
  },
  {
    usage: 'crawl now <domains>',
    description: 'have publishers be read with the next round, known or not; several with commas',
    path: 'crawls',
    body: ([domains]) => ({ domains: splitList(domains) }),
  },
  {
    usage: 'block list',
    description: 'domains, agents, organizations and members that are kept out, with why and since when',
    path: 'blocked',
  },
  {
    usage: 'block add <kind> <name>',
    description:
      'keep a domain, an agent (by its URL), an organization or a member (by its subject) out of the registry',
    required: [['--reason <text>', 'why; it is shown to whoever is refused']],
    path: 'blocked',
    body: ([kind = '', name = ''], { reason = '' }) => ({ kind, name, reason }),
  },
  {
    usage: 'block end <kind> <name>',
    description: 'let it in again',
    path: 'blocked/end',
    body: ([kind = '', name = '']) => ({ kind, name }),
  },
  {
    usage: 'remove <kind> <name>',
    description:
      'remove a domain, an agent, an organization or a member for good: kept out, and what is stored of it gone',
    required: [['--reason <text>', 'why; it is shown to whoever is refused']],
    path: 'removed',
    body: ([kind = '', name = ''], { reason = '' }) => ({ kind, name, reason }),
  },
  { usage: 'hold list', description: 'what is under a legal hold, with why, by whom and since when', path: 'holds' },
  ...(['add', 'end'] as const).map((change) => ({
    usage: `hold ${change} <kind> <name>`,
    description:
      change === 'add'
        ? 'keep the records of a domain, an agent, an organization or a member from being removed'
        : 'end a legal hold',
    required: [['--reason <text>', 'why']] as const,
    path: change === 'add' ? 'holds' : 'holds/end',
    body: ([kind = '', name = '']: readonly string[], { reason = '' }: OperationFlags) => ({ kind, name, reason }),
  })),
  {
    usage: 'acts',
    description: 'what the operator, admins and moderators did: who, when, what about and why; the newest first',
    path: 'acts',
  },
  {
    usage: 'promote',
    description: 'make the standby in the data folder the primary, with its crawls, once the primary is stopped',
    options: [['--force', 'also while the primary answers: then there are two']],
    path: 'promote',
    body: (_args, { force }) => ({ force: force !== undefined }),
  },
  {
    usage: 'replication',
    description: 'whether the registry is a primary or a mirror, and how far it is behind',
    path: 'replication',
  },
  { usage: 'review list', description: 'submissions that wait for a moderator', path: 'reviews' },
  ...(['approve', 'reject'] as const).map((decision) => ({
    usage: `review ${decision} <review_id>`,
    description: `${decision} a submission`,
    options: [['--reason <text>', 'why']] as const,
    path: 'reviews/decide',
    body: ([review_id = '']: readonly string[], { reason }: OperationFlags) => ({ review_id, decision, reason }),
  })),
  {
    usage: 'rollback <kind> <domain> <revision>',
    description: 'bring a brand or property back to an earlier revision',
    path: 'rollback',
    body: ([kind = '', domain = '', revision = '']) => ({ kind, domain, revision_number: Number(revision) }),
  },
];

/** A command for each operation. */
export const OPERATION_COMMANDS: readonly Command[] = OPERATIONS.map(
  ({ usage, description, options = [], required, path, body }) =>
    command<OperationFlags>({
      usage: `registry ${usage}`,
      description,
      options: [...options, ...SETTINGS_OPTIONS],
      required,
      run: async ({ settings }, { args, flags }) => {
        const { operateRegistry } = await import('./operate.js');
        return operateRegistry(await settings(flags), { path: `/api/admin/${path}`, body: body?.(args, flags) });
      },
    }),
);
