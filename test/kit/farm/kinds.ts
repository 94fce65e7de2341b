import { gzipSync } from 'node:zlib';
import type { OriginPage } from '../origins.js';
import {
  type FarmEntry,
  type FarmFile,
  type FarmOutcome,
  type FarmProperty,
  fileUrl,
  writeFarmFile,
} from './publisher.js';

/** The place of a publisher in the farm. */
export type Plot = {
  readonly domain: string;
  readonly number: number;
  /** The network whose files it may be in. */
  readonly network: string;
  /** The agent that sells the network's own site. */
  readonly networkSeller: string;
  /** Agents that may be authorized; the first one is another one for the next publisher. */
  readonly sellers: readonly [string, string, string];
};

/** What grows on a plot. */
type Grown = { readonly pages: Readonly<Record<string, OriginPage | object>>; readonly outcome: FarmOutcome };

/** A kind of publisher: how many there are, where that is not as many as of the others, and what each serves. */
export type Kind = { readonly most?: number; readonly grow: (plot: Plot) => Grown };

/** Longer than any file is waited for. */
const NEVER_MS = 120_000;
const SLOW_MS = 300;
/** More than a file at its own place may have, and nearly as much as it may. */
const HUGE = ' '.repeat(5 * 1024 * 1024);
const LARGE = 'x'.repeat(4 * 1024 * 1024);

/** Returns the website of a domain as a property. */
export function siteOf(domain: string, more: Partial<FarmProperty> = {}): FarmProperty {
  const identifiers = [{ type: 'domain', value: domain }];
  return { id: 'site', type: 'website', name: `Site of ${domain}`, identifiers, tags: [], ...more };
}

function appOf({ domain, number }: Plot, more: Partial<FarmProperty> = {}): FarmProperty {
  const identifiers = [{ type: 'ios_bundle', value: `example.app${number}.${domain.length}` }];
  return { id: 'app', type: 'mobile_app', name: `App ${number}`, identifiers, tags: [], ...more };
}

/** The file that most kinds have: a site that one agent sells. */
function plainFile({ domain, sellers: [seller] }: Plot): FarmFile {
  return {
    properties: [siteOf(domain)],
    entries: [{ agent: seller, purpose: 'direct sales', delegation: 'direct', sells: { by: 'ids', ids: ['site'] } }],
  };
}

const found = (plot: Plot, file: FarmFile): FarmOutcome => ({ method: 'direct', url: fileUrl(plot.domain), file });

/** A publisher that serves a file as it is. */
const serves =
  (fileOf: (plot: Plot) => FarmFile): Kind['grow'] =>
  (plot) => {
    const file = fileOf(plot);
    return { pages: { [fileUrl(plot.domain)]: writeFarmFile(file, plot.domain) }, outcome: found(plot, file) };
  };

/** A publisher that serves the file of most kinds in its own fashion. */
const servesAs =
  (pageOf: (text: string) => OriginPage): Kind['grow'] =>
  (plot) => {
    const file = plainFile(plot);
    const page = pageOf(JSON.stringify(writeFarmFile(file, plot.domain)));
    return { pages: { [fileUrl(plot.domain)]: page }, outcome: found(plot, file) };
  };

/** A publisher whose answer is of no use. */
const fails =
  (reason: string, pageOf: (plot: Plot) => OriginPage | object): Kind['grow'] =>
  (plot) => ({ pages: { [fileUrl(plot.domain)]: pageOf(plot) }, outcome: { reason } });

const redirects = (location: string): OriginPage => ({ body: '', status: 302, headers: { location } });

const locatedUrl = ({ domain, network }: Plot): string => `https://${network}/files/${domain}.json`;

/** What the file of a network says of its member. */
export function memberFile({ domain, sellers: [, , seller] }: Plot): FarmFile {
  return {
    properties: [siteOf(domain, { id: `site_${domain.replace(/[^a-z0-9]/g, '_')}` })],
    entries: [{ agent: seller, purpose: 'network sales', sells: { by: 'all' } }],
  };
}

/** Returns a network's entry for its own site. */
export function ownSiteEntry(agent: string): FarmEntry {
  return { agent, purpose: 'network sales', sells: { by: 'ids', ids: ['own_site'] } };
}

/** What a network's file says of a member that points to it: each of its entries is one of the member's then, also one that reaches nothing. */
function pointedFile(plot: Plot): FarmFile {
  const { entries, properties } = memberFile(plot);
  return { properties, entries: [...entries, ownSiteEntry(plot.networkSeller)] };
}

/** Kinds of publishers whose own file, or that of somebody who may speak for them, counts. */
const GOOD = {
  one_property: { grow: serves(plainFile) },
  inline_property: {
    grow: serves((plot) => ({
      // A file that lists nothing means its site.
      properties: [],
      entries: [
        {
          agent: plot.sellers[0],
          purpose: 'the app alone',
          delegation: 'direct',
          sells: { by: 'inline', properties: [appOf(plot)] },
        },
      ],
    })),
  },
  several_properties: {
    grow: serves((plot) => ({
      properties: [
        siteOf(plot.domain),
        appOf(plot),
        appOf(plot, {
          id: 'tv',
          type: 'ctv_app',
          identifiers: [{ type: 'roku_store_id', value: `roku-${plot.domain}` }],
        }),
      ],
      entries: [
        { agent: plot.sellers[0], purpose: 'the site', delegation: 'direct', sells: { by: 'ids', ids: ['site'] } },
        {
          agent: plot.sellers[1],
          purpose: 'both apps',
          delegation: 'delegated',
          sells: { by: 'ids', ids: ['app', 'tv'] },
        },
      ],
    })),
  },
  by_tag: {
    grow: serves((plot) => ({
      properties: [siteOf(plot.domain, { tags: ['news', 'sport'] }), appOf(plot, { tags: ['news'] })],
      entries: [
        { agent: plot.sellers[0], purpose: 'news', sells: { by: 'tags', tags: ['news'] } },
        { agent: plot.sellers[1], purpose: 'sport', sells: { by: 'tags', tags: ['sport', 'nobody'] } },
      ],
    })),
  },
  everything: {
    grow: serves((plot) => ({
      properties: [siteOf(plot.domain), appOf(plot)],
      entries: [{ agent: plot.sellers[0], purpose: 'everything', delegation: 'direct', sells: { by: 'all' } }],
    })),
  },
  pointer: {
    grow: (plot) => {
      const file = plainFile(plot);
      const url = locatedUrl(plot);
      return {
        pages: {
          [fileUrl(plot.domain)]: { authoritative_location: url },
          [url]: writeFarmFile(file, plot.domain),
        },
        outcome: { method: 'authoritative_location', url, file },
      };
    },
  },
  network_member: {
    grow: (plot) => {
      const url = fileUrl(plot.network);
      return {
        pages: { [fileUrl(plot.domain)]: { authoritative_location: url } },
        outcome: { method: 'authoritative_location', url, file: pointedFile(plot) },
      };
    },
  },
  managed: {
    grow: (plot) => ({
      pages: { [`https://${plot.domain}/ads.txt`]: adsTxt(`# ours\nMANAGERDOMAIN=${plot.network}`) },
      outcome: {
        method: 'ads_txt_managerdomain',
        url: fileUrl(plot.network),
        manager: plot.network,
        file: memberFile(plot),
      },
    }),
  },
  redirect: {
    grow: (plot) => {
      const [file, url] = [plainFile(plot), `https://www.${plot.domain}/adagents.json`];
      return {
        pages: { [fileUrl(plot.domain)]: redirects(url), [url]: writeFarmFile(file, plot.domain) },
        outcome: { method: 'direct', url, file },
      };
    },
  },
  slow: { most: 20, grow: servesAs((body) => ({ body, afterMs: SLOW_MS })) },
  large: { most: 4, grow: servesAs((body) => ({ body: body.replace('{', `{"note":"${LARGE}",`) })) },
  byte_order_mark: { grow: servesAs((body) => ({ body: `\u{feff}${body}` })) },
  gzip: { grow: servesAs((body) => ({ body: gzipSync(body), headers: { 'content-encoding': 'gzip' } })) },
  wrong_content_type: { grow: servesAs((body) => ({ body, headers: { 'content-type': 'text/html' } })) },
  international: { grow: serves(plainFile) },
  same_id_twice: {
    grow: serves((plot) => ({
      properties: [siteOf(plot.domain), appOf(plot, { id: 'twice' }), appOf(plot, { id: 'twice', name: 'Another' })],
      entries: [{ agent: plot.sellers[0], purpose: 'two of one id', sells: { by: 'ids', ids: ['site', 'twice'] } }],
    })),
  },
  same_agent_twice: {
    grow: serves((plot) => ({
      properties: [siteOf(plot.domain), appOf(plot)],
      entries: [
        { agent: plot.sellers[0], purpose: 'first', sells: { by: 'ids', ids: ['site'] } },
        { agent: plot.sellers[0], purpose: 'first', sells: { by: 'ids', ids: ['app'] } },
      ],
    })),
  },
  revoked: { grow: serves((plot) => ({ ...plainFile(plot), isRevoked: true })) },
  nobody_authorized: { grow: serves((plot) => ({ properties: [siteOf(plot.domain)], entries: [] })) },
  expired: {
    grow: serves((plot) => ({
      ...plainFile(plot),
      entries: plainFile(plot).entries.map((entry) => ({ ...entry, until: '2020-01-01T00:00:00Z' })),
    })),
  },
  partly_wrong: {
    grow: (plot) => {
      const file = plainFile(plot);
      const { authorized_agents, properties, ...rest } = writeFarmFile(file, plot.domain) as {
        readonly authorized_agents: readonly object[];
        readonly properties: readonly object[];
      };
      const written = {
        ...rest,
        properties: [{ property_type: 'castle', name: 'No type', identifiers: [] }, ...properties],
        authorized_agents: [
          { url: plot.sellers[1], authorization_type: 'property_ids', property_ids: ['site'] },
          7,
          ...authorized_agents,
        ],
      };
      return { pages: { [fileUrl(plot.domain)]: written }, outcome: found(plot, file) };
    },
  },
} satisfies Readonly<Record<string, Kind>>;

/** Kinds of publishers without a file that counts. */
const BAD = {
  pointer_chain: {
    grow: (plot) => ({
      pages: {
        [fileUrl(plot.domain)]: { authoritative_location: locatedUrl(plot) },
        [locatedUrl(plot)]: { authoritative_location: `https://${plot.network}/files/other.json` },
      },
      outcome: { reason: 'location_nested' },
    }),
  },
  pointer_loop: { grow: fails('location_loop', ({ domain }) => ({ authoritative_location: fileUrl(domain) })) },
  pointer_to_nothing: { grow: fails('location_not_found', (plot) => ({ authoritative_location: locatedUrl(plot) })) },
  broken_json: { grow: fails('not_json', () => ({ body: '{"authorized_agents": [' })) },
  web_page: { grow: fails('html', () => ({ body: '<!doctype html><title>Not here</title>' })) },
  wrong_types: { grow: fails('invalid', () => ({ authorized_agents: 'nobody', properties: {} })) },
  same_name_twice: { grow: fails('invalid', () => ({ body: '{"authorized_agents": [], "authorized_agents": []}' })) },
  huge: { most: 4, grow: fails('too_large', () => ({ body: `{"authorized_agents": []}${HUGE}` })) },
  silent: { most: 2, grow: fails('timeout', () => ({ body: '{}', afterMs: NEVER_MS })) },
  redirect_loop: { grow: fails('redirect_loop', ({ domain }) => redirects(fileUrl(domain))) },
  redirect_elsewhere: { grow: fails('redirect_off_site', (plot) => redirects(locatedUrl(plot))) },
  nothing: { grow: () => ({ pages: {}, outcome: { reason: 'not_found' } }) },
  server_error: { grow: fails('server_error', () => ({ body: 'down', status: 500 })) },
  managed_by_stranger: {
    grow: (plot) => ({
      pages: { [`https://${plot.domain}/ads.txt`]: adsTxt(`managerdomain=${plot.network}`) },
      outcome: { reason: 'manager_out_of_scope' },
    }),
  },
} satisfies Readonly<Record<string, Kind>>;

/** Every kind of publisher but the networks themselves. */
export const KINDS: Readonly<Record<string, Kind>> = { ...GOOD, ...BAD };

function adsTxt(body: string): OriginPage {
  return { body, headers: { 'content-type': 'text/plain' } };
}
