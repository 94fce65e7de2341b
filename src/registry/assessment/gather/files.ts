import { isObject } from '../../../platform/kernel/json/json.js';
import { discoverAdagents } from '../../adagents/discovery.js';
import { allBrandAgents, readBrandJson } from '../../brand/brand-json.js';
import type { BrandDocument } from '../../brand/types.js';
import { walkSteps } from '../../documents/walk.js';
import { canonicalAgentUrl } from '../../model/agent-url.js';
import { publisherDomain } from '../../model/domains.js';
import type { Evidence, Gathered } from '../evidence.js';
import { textsOf } from '../texts.js';
import type { Gathering, Stage } from './stage.js';
import { readDocument } from './wire.js';

/** Publishers whose files are read, and documents that may point on to another one. */
const MAX_PUBLISHERS = 8;
const MAX_POINTERS = 3;

/** Reads the files that speak for the agent: brand.json and keys on its host, adagents.json of the publishers that it names. */
export const readFiles: Stage = async (gathering, evidence) => {
  if (evidence.arrival?.ok !== true) return {};
  const brand = await readBrand(gathering, evidence);
  return {
    brand,
    jwks: await readDocument(gathering.options, jwksUrl(gathering, brand.content)),
    ...(await readPublishers(gathering, evidence)),
  };
};

async function readBrand({ options }: Gathering, { declared, url }: Evidence): Promise<Gathered['brand']> {
  const identity = isObject(declared?.identity) ? declared.identity : {};
  const named = typeof identity.brand_json_url === 'string' ? identity.brand_json_url : undefined;
  let at = named ?? new URL('/.well-known/brand.json', url).href;
  for (let pointers = 0; ; pointers += 1) {
    const { exchange, json } = await readDocument(options, at);
    const isServed = exchange.ok && exchange.status === 200;
    if (!isServed || json === undefined) return { url: at, isServed, findings: [] };
    const { content, findings } = readBrandJson(JSON.stringify(json), { file: at, local: options.local });
    const next = content === undefined ? undefined : pointerOf(content);
    if (next === undefined || pointers === MAX_POINTERS) return { url: at, isServed, findings, content };
    at = next;
  }
}

function pointerOf(content: BrandDocument): string | undefined {
  if (content.variant === 'authoritative_location') return content.location;
  return content.variant === 'house_redirect' ? `https://${content.house}/.well-known/brand.json` : undefined;
}

/** Returns the keys that brand.json names for the agent, else those of the agent's own host. */
function jwksUrl({ options }: Gathering, content: BrandDocument | undefined): string {
  const own = canonicalAgentUrl(options.url);
  const listed = content !== undefined && 'agents' in content ? allBrandAgents(content) : [];
  const named = listed.find(({ canonicalUrl }) => canonicalUrl === own)?.jwks_uri;
  return named ?? new URL('/.well-known/jwks.json', options.url).href;
}

async function readPublishers({ options }: Gathering, { declared, nowMs }: Evidence): Promise<Partial<Gathered>> {
  const mediaBuy = isObject(declared?.media_buy) ? declared.media_buy : {};
  const portfolio = isObject(mediaBuy.portfolio) ? mediaBuy.portfolio : {};
  const domains = new Set(textsOf(portfolio.publisher_domains).map(publisherDomain));
  const publishers = [];
  for (const domain of [...domains].slice(0, MAX_PUBLISHERS)) {
    const { local } = options;
    publishers.push(
      await walkSteps(
        discoverAdagents(domain, { nowMs, local }),
        { fetch: (url, request) => options.budget.send(url, request) },
        { local },
      ),
    );
  }
  return publishers.length === 0 ? {} : { publishers };
}
