import { isoTime } from '../../platform/kernel/clock.js';
import type { ConfigProblem } from '../../platform/kernel/errors.js';
import type { Finding, FindingKeyword } from '../../registry/documents/finding.js';
import { checkPublished, publishedFiles } from '../../registry/publish/publish.js';
import type { ConfiguredPublisher, HostedAgent, Publication } from '../../registry/publish/types.js';
import type { PublishersInspection } from '../../seller/config/publishers.js';
import type { Settings } from '../../seller/config/settings.js';
import { agentUrl } from '../../seller/domain/tenant/seller.js';
import type { Tenant } from '../../seller/domain/tenant/tenant.js';

/** The problems of the publishers as their files would be published, and warnings about what is hardly meant. */
type PublisherFaults = {
  readonly problems: readonly ConfigProblem[];
  readonly warnings: readonly ConfigProblem[];
};

/** Findings that readers of a stranger's file only skip, with a warning, and that are a mistake in one's own. */
const FAULTS: ReadonlySet<FindingKeyword> = new Set([
  'type',
  'required',
  'pattern',
  'enum',
  'range',
  'duplicate',
  'conflict',
  'ambiguous',
  'unsafe',
]);

/** Reads the files of all publishers by the rules that everybody else is held to, and finds publishers that nobody sells. */
export function judgePublishers(
  { publishers, problemAt }: PublishersInspection,
  tenants: readonly Tenant[],
  { baseUrl, development, operator }: Pick<Settings, 'baseUrl' | 'development' | 'operator'>,
  nowMs: number,
): PublisherFaults {
  const agents = tenants.map((tenant) => hostedAgentOf(tenant, baseUrl));
  const publication: Publication = {
    operator,
    agents,
    brands: [],
    publishers,
    signingKeys: [],
    // No host is meant: each publisher has a file of its own then.
    jwksUri: 'https://localhost/jwks.json',
    jwks: { keys: [] },
    nowIso: isoTime(nowMs),
  };
  const files = publishedFiles(publication).filter(({ kind }) => kind === 'publisher_adagents');
  const reports = files.flatMap((file, index) => {
    const reported = checkPublished(file, nowMs, development).map((finding) => ({
      isFault: finding.severity === 'error' || FAULTS.has(finding.keyword),
      problem: problemAt([index, ...causeOf(finding, publishers[index], agents)], finding.message, finding.fix),
    }));
    // What is left out for a fault is missing elsewhere in the file, of which its readers only warn.
    const faults = reported.filter(({ isFault }) => isFault);
    return faults.length > 0 ? faults : reported;
  });
  const of = (isFault: boolean): readonly ConfigProblem[] =>
    reports.filter((one) => one.isFault === isFault).map(({ problem }) => problem);
  return { problems: of(true), warnings: [...of(false), ...findUnsold(publishers, agents, problemAt)] };
}

function findUnsold(
  publishers: readonly ConfiguredPublisher[],
  agents: readonly HostedAgent[],
  problemAt: PublishersInspection['problemAt'],
): readonly ConfigProblem[] {
  return publishers.flatMap(({ domain }, index) =>
    agents.some(({ publisherDomains }) => publisherDomains.includes(domain))
      ? []
      : [
          problemAt(
            [index, 'domain'],
            `no agent here sells ${domain}, so its file authorizes none of them`,
            'Add the domain to publisher_domains of a tenant, or remove the publisher.',
          ),
        ],
  );
}

/**
 * Returns where in the configuration the cause of a finding stands: lists are as they are there, entries of agents are partly made here.
 */
function causeOf(
  { pointer }: Finding,
  publisher: ConfiguredPublisher | undefined,
  agents: readonly HostedAgent[],
): readonly (string | number)[] {
  const [member = '', item, ...rest] = pointer
    .split('/')
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step.replaceAll('~1', '/').replaceAll('~0', '~')));
  if (member !== 'authorized_agents')
    return member === '' || item === undefined ? [member].filter(Boolean) : [member, item, ...rest];
  const made = agents.filter(({ publisherDomains }) => publisherDomains.includes(publisher?.domain ?? '')).length;
  if (typeof item !== 'number') return [];
  return item < made ? ['limits', ...rest] : ['other_agents', item - made, ...rest];
}

function hostedAgentOf(tenant: Tenant, baseUrl: string): HostedAgent {
  const { name, path, publisherDomains } = tenant;
  return { url: agentUrl(tenant, baseUrl), path, name, type: 'sales', protocols: [], tools: [], publisherDomains };
}
