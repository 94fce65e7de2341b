import { domainToASCII } from 'node:url';
import { KINDS, memberFile, ownSiteEntry, type Plot, siteOf } from './kinds.js';
import { type FarmFile, type FarmPublisher, fileUrl, writeFarmFile, writeProperty } from './publisher.js';

/** What an operator of agents says of a website. */
type Declared = { readonly domain: string; readonly relationship: 'direct' | 'delegated' };

/** An operator of an agent, and what its brand.json says; undefined where it has none. */
export type FarmSeller = {
  readonly domain: string;
  readonly agent: string;
  readonly declares?: readonly Declared[];
};

/** Publishers and sellers as a list, without an origin of their own. */
export type Farm = {
  readonly publishers: readonly FarmPublisher[];
  readonly sellers: readonly FarmSeller[];
  /** Every host that the farm serves. */
  readonly hosts: readonly string[];
};

const SELLERS = 10;
const NETWORKS = 8;
/** Kinds that a network speaks for in its own file. */
const MEMBERS: ReadonlySet<string> = new Set(['network_member', 'managed']);
/** Operators with a brand.json; the others have none. */
const WITH_BRAND = 6;

/** Returns a farm of so many publishers: networks, and as many of each other kind as there is room for. */
export function growFarm(count: number): Farm {
  const plots = planPlots(count - NETWORKS);
  const own = plots.map(({ kind, plot }) => growPublisher(kind, plot));
  const networks = Array.from({ length: NETWORKS }, (_, at) => growNetwork(at, plots));
  const publishers = [...own, ...networks];
  const sellers = Array.from({ length: SELLERS }, (_, at) => growSeller(at, publishers));
  const domains = [...publishers, ...sellers].map(({ domain }) => domain);
  const moved = publishers.filter(({ kind }) => kind === 'redirect').map(({ domain }) => `www.${domain}`);
  return { publishers, sellers, hosts: [...domains, ...moved] };
}

type Planned = { readonly kind: string; readonly plot: Plot };

/** Returns plots by turns of their kinds, so that each part of the list has some of each. */
function planPlots(count: number): readonly Planned[] {
  const plots: Planned[] = [];
  for (let turn = 0; plots.length < count; turn += 1) {
    for (const [kind, { most = count }] of Object.entries(KINDS)) {
      if (plots.length < count && turn < most) plots.push({ kind, plot: plotOf(kind, turn) });
    }
  }
  return plots;
}

function plotOf(kind: string, number: number): Plot {
  const label = `${kind.replaceAll('_', '-')}-${number}`;
  const domain = kind === 'international' ? domainToASCII(`${unicodeLabel(number)}.example`) : `${label}.example`;
  const sellers = [agentOf(number), agentOf(number + 1), agentOf(number + 2)] as const;
  const at = number % NETWORKS;
  return { domain, number, network: networkDomain(at), networkSeller: agentOf(at), sellers };
}

const unicodeLabel = (number: number): string => `bücher-größe-${number}`;
const networkDomain = (at: number): string => `network-${at}.example`;
const sellerDomain = (at: number): string => `seller-${at}.example`;
const agentOf = (at: number): string => `https://${sellerDomain(at % SELLERS)}/mcp`;

function growPublisher(kind: string, plot: Plot): FarmPublisher {
  const grown = KINDS[kind]?.grow(plot);
  if (grown === undefined) throw new TypeError(`there is no kind ${kind}`);
  return { kind, domain: plot.domain, typed: typedAs(kind, plot), ...grown };
}

/** Returns a domain as people write it down. */
function typedAs(kind: string, { domain, number }: Plot): string {
  if (kind === 'international') return `${unicodeLabel(number).replace('b', 'B')}.example`;
  return [domain, `https://${domain}/about`, domain.toUpperCase(), `www.${domain}`, `${domain}.`][number % 5] ?? domain;
}

/** A network: its own site, and the publishers that are in its file. */
function growNetwork(at: number, plots: readonly Planned[]): FarmPublisher {
  const domain = networkDomain(at);
  const own: FarmFile = {
    properties: [siteOf(domain, { id: 'own_site' })],
    entries: [ownSiteEntry(agentOf(at))],
  };
  const written = writeFarmFile(own, domain) as {
    readonly properties: readonly object[];
    readonly authorized_agents: readonly object[];
  };
  const members = plots
    .filter(({ kind, plot }) => MEMBERS.has(kind) && plot.network === domain)
    .map(({ plot }) => ({ file: memberFile(plot), domain: plot.domain }));
  const file = {
    ...written,
    properties: [
      ...written.properties,
      ...members.flatMap((member) => member.file.properties.map((one) => writeProperty(one, member.domain))),
    ],
    authorized_agents: [...written.authorized_agents, ...networkEntries(members)],
  };
  return {
    kind: 'network',
    domain,
    typed: domain,
    pages: { [fileUrl(domain)]: file },
    outcome: { method: 'direct', url: fileUrl(domain), file: own },
  };
}

/** Returns one entry for each agent that sells members, with all of them in one selector. */
function networkEntries(members: readonly { readonly file: FarmFile; readonly domain: string }[]): readonly object[] {
  const domainsOf = new Map<string, string[]>();
  for (const { domain, file } of members) {
    for (const { agent } of file.entries) domainsOf.set(agent, [...(domainsOf.get(agent) ?? []), domain]);
  }
  return [...domainsOf].map(([url, publisher_domains]) => ({
    url,
    authorized_for: 'network sales',
    authorization_type: 'publisher_properties',
    publisher_properties: [{ publisher_domains, selection_type: 'all' }],
  }));
}

/** An operator; of the publishers that name its agent, it declares two of three, one of them in another relationship than some say. */
function growSeller(at: number, publishers: readonly FarmPublisher[]): FarmSeller {
  const seller = { domain: sellerDomain(at), agent: agentOf(at) };
  if (at >= WITH_BRAND) return seller;
  const naming = publishers.filter(
    ({ outcome }) => 'file' in outcome && outcome.file.entries.some(({ agent }) => agent === seller.agent),
  );
  const declares = naming.flatMap(({ domain }, index): readonly Declared[] => {
    if (index % 3 === 2) return [];
    return [{ domain, relationship: index % 3 === 0 ? 'direct' : 'delegated' }];
  });
  return { ...seller, declares };
}

/** Returns the brand.json of an operator; undefined where it has none. */
export function brandJsonOf({ agent, declares, domain }: FarmSeller): object | undefined {
  if (declares === undefined) return undefined;
  return {
    house: { domain, name: domain, agents: [{ type: 'sales', url: agent, id: 'sales' }] },
    brands: [
      {
        id: 'brand',
        names: [{ en: domain }],
        keller_type: 'master',
        properties: declares.map((one) => ({
          type: 'website',
          identifier: one.domain,
          relationship: one.relationship,
        })),
      },
    ],
  };
}
