import { isoTime, SECOND_MS } from '../../../../platform/kernel/clock.js';
import { escapeHtml } from '../../../../platform/web/html.js';
import type { AgentRecord, Badge, VerificationMode } from '../../../model/records.js';
import { RegistryProblem } from '../problem.js';
import { requireAgent } from '../publisher/lookups.js';
import type { Registry } from '../registry.js';

/** The release of badges that name none. */
export const USUAL_BADGE_RELEASE = '3.1';

/** The protocols that badges are for, with how they are called. */
const BADGE_ROLES: ReadonlyMap<string, string> = new Map([
  ['media-buy', 'Media Buy'],
  ['signals', 'Signals'],
  ['governance', 'Governance'],
  ['creative', 'Creative'],
  ['brand', 'Brand'],
  ['sponsored-intelligence', 'Sponsored Intelligence'],
  ['measurement', 'Measurement'],
]);

/** The protocols that types of agents stand for: badges may be given, and asked for, by either. */
const ROLES_OF_TYPES: ReadonlyMap<string, string> = new Map([
  ['sales', 'media-buy'],
  ['buying', 'media-buy'],
  ['rights', 'brand'],
]);

/** The words that a badge may be asked for by. */
export const BADGE_WORDS: readonly string[] = [...BADGE_ROLES.keys(), ...ROLES_OF_TYPES.keys()];
/** A release as badges name it. */
export const BADGE_RELEASE = /^\d{1,3}\.\d{1,3}$/;

/** A badge as it is asked for: of the newest release unless one is named. */
type BadgeQuery = { readonly agentUrl: string; readonly role: string; readonly version?: string | undefined };

/** Returns what the checks of an agent came to, `unknown` for one that was not checked. Throws invalid_request for what is no URL. */
export async function describeCompliance(registry: Registry, agentUrl: string): Promise<object> {
  const record = await findAgent(registry, agentUrl);
  const { compliance } = record ?? {};
  const state = record && (await registry.store.read.crawl.findAssessment(record.agent_url));
  const [last] = state?.runs ?? [];
  const badges = badgesOf(registry, agentUrl, record);
  return {
    agent_url: agentUrl,
    status: compliance?.status ?? 'unknown',
    lifecycle_stage: 'production',
    compliance_opt_out: state === undefined,
    tracks: compliance?.tracks ?? {},
    storyboards_passing: compliance?.storyboards_passing ?? 0,
    storyboards_total: compliance?.storyboards_total ?? 0,
    last_checked_at: last === undefined ? (compliance?.last_checked_at ?? null) : isoTime(last.at),
    adcp_version: last?.release ?? null,
    check_interval_hours: state?.intervalHours,
    headline: compliance?.headline ?? null,
    // What only an owner is shown elsewhere has the same shape for everybody.
    membership_tier: null,
    membership_tier_label: null,
    subscription_status: null,
    is_api_access_tier: false,
    verdict_source: null,
    verified: badges.length > 0,
    verified_badges: badges,
  };
}

/** Returns the badges of an agent, signed where this is the registry that gives them; none for one that nobody knows. Throws invalid_request for what is no URL. */
export async function describeVerification(registry: Registry, agentUrl: string): Promise<object> {
  const record = await findAgent(registry, agentUrl);
  const badges = await Promise.all(
    badgesOf(registry, agentUrl, record).map(async (badge) => ({ ...badge, ...(await signBadge(registry, badge)) })),
  );
  return {
    agent_url: agentUrl,
    verified: badges.length > 0,
    badges,
    registry_url: `${agentPath(registry, agentUrl)}/compliance`,
    jwks_uri: `${registry.baseUrl()}/api/.well-known/jwks.json`,
    revoked_url: `${registry.baseUrl()}/api/registry/badges/revoked`,
  };
}

/** How many times in its validity a badge is signed anew, so that whoever asks twice soon is answered the same. */
const ISSUES_IN_VALIDITY = 24;

async function signBadge(
  { badgeKeys, baseUrl, clock, policy }: Registry,
  { badge_id, ...badge }: ShownBadge,
): Promise<{ readonly token?: string; readonly expires_at?: string }> {
  if (badgeKeys === undefined || badge_id === undefined) return {};
  const lastsSeconds = Math.floor(policy.badgeLastsMs / SECOND_MS);
  const step = Math.floor(lastsSeconds / ISSUES_IN_VALIDITY);
  const iat = Math.floor(clock.now() / SECOND_MS / step) * step;
  const exp = iat + lastsSeconds;
  const { adcp_version, agent_url, role, verification_modes, verified_specialisms } = badge;
  const claims = { iss: baseUrl(), sub: agent_url, jti: badge_id, iat, exp };
  const token = await badgeKeys.sign({ ...claims, role, adcp_version, verified_specialisms, verification_modes });
  return { token, expires_at: isoTime(exp * SECOND_MS) };
}

/** Returns a badge as a picture; one that says so where the agent does not have it. Throws invalid_request for an unknown role or release. */
export async function drawBadge(registry: Registry, query: BadgeQuery): Promise<string> {
  const { isVerified, title } = await readBadgeQuery(registry, query);
  const says = isVerified ? title : 'Not verified';
  const [left, right] = [70, 16 + says.length * 7];
  const [text, color] = [escapeHtml(says), isVerified ? '#0b7a75' : '#5f6368'];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="Verified: ${text}">
<title>${isVerified ? `Verified: ${text}` : text}</title>
<rect width="${left}" height="20" fill="#333"/><rect x="${left}" width="${right}" height="20" fill="${color}"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
<text x="${left / 2}" y="14" textLength="${left - 16}">Registry</text><text x="${left + right / 2}" y="14" textLength="${right - 12}">${text}</text></g>
</svg>
`;
}

/** Returns what shows a badge on a page, as HTML and Markdown. Throws invalid_request for an unknown role or release. */
export async function embedBadge(registry: Registry, query: BadgeQuery): Promise<object> {
  const { isVerified, name, title } = await readBadgeQuery(registry, query);
  const { agentUrl, version } = query;
  const base = agentPath(registry, agentUrl);
  const badge_svg_url = `${base}/badge/${name}${version === undefined ? '' : `/${version}`}.svg`;
  const registry_url = `${base}/verification`;
  const alt = `Verified ${title}`;
  return {
    agent_url: agentUrl,
    role: name,
    verified: isVerified,
    ...(version !== undefined && { adcp_version: version }),
    badge_svg_url,
    registry_url,
    html: `<a href="${escapeHtml(registry_url)}"><img src="${escapeHtml(badge_svg_url)}" alt="${escapeHtml(alt)}" height="20"></a>`,
    markdown: `[![${alt}](${badge_svg_url})](${registry_url})`,
  };
}

async function readBadgeQuery(registry: Registry, { agentUrl, role, version }: BadgeQuery) {
  const name = protocolOf(role);
  const called = BADGE_ROLES.get(name);
  if (called === undefined)
    throw new RegistryProblem('invalid_request', 'role: has no badge', {
      field: 'role',
      suggestion: `Use one of ${BADGE_WORDS.join(', ')}.`,
      details: { valid_values: BADGE_WORDS },
    });
  if (version !== undefined && !BADGE_RELEASE.test(version))
    throw new RegistryProblem('invalid_request', 'version: is no release', {
      field: 'version',
      suggestion: 'Send major and minor, such as 3.1.',
    });
  const badges = (await findAgent(registry, agentUrl))?.badges ?? [];
  const isVerified = badges.some(
    (badge) => protocolOf(badge.role) === name && (version === undefined || releaseOf(badge) === version),
  );
  return { name, isVerified, title: `${called} Agent${version === undefined ? '' : ` ${version}`}` };
}

/** A badge in the members of the wire. */
type ShownBadge = {
  readonly badge_id?: string | undefined;
  readonly agent_url: string;
  readonly role: string;
  readonly adcp_version: string;
  readonly verified_at: string;
  readonly verified_specialisms: readonly string[];
  readonly verification_modes: readonly VerificationMode[];
  readonly verified_protocol_version: string | null;
  readonly badge_url: string;
};

function badgesOf(registry: Registry, agentUrl: string, record: AgentRecord | undefined): readonly ShownBadge[] {
  if (record === undefined) return [];
  return (record.badges ?? []).flatMap((badge) => {
    const role = protocolOf(badge.role);
    if (!BADGE_ROLES.has(role)) return [];
    return [
      {
        badge_id: badge.badge_id,
        agent_url: record.agent_url,
        role,
        adcp_version: releaseOf(badge),
        verified_at: badge.earned_at ?? record.updated_at ?? isoTime(0),
        verified_specialisms: badge.verified_specialisms,
        verification_modes: badge.verification_modes ?? ['spec'],
        verified_protocol_version: badge.adcp_version ?? null,
        badge_url: `${agentPath(registry, agentUrl)}/badge/${role}.svg`,
      },
    ];
  });
}

function findAgent({ store }: Registry, agentUrl: string): Promise<AgentRecord | undefined> {
  return store.read.agent.find(requireAgent(agentUrl, 'encodedUrl'));
}

function agentPath({ baseUrl }: Registry, agentUrl: string): string {
  return `${baseUrl()}/api/registry/agents/${encodeURIComponent(agentUrl)}`;
}

function protocolOf(role: string): string {
  return ROLES_OF_TYPES.get(role) ?? role;
}

function releaseOf({ adcp_version = USUAL_BADGE_RELEASE }: Badge): string {
  return adcp_version;
}
