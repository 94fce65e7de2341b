import { isUrl } from '../../../platform/net/url.js';
import type { Evidence, Exchange, ReadDocument } from '../evidence.js';
import { textsOf } from '../texts.js';
import type { Gathering, Stage } from './stage.js';
import { readDocument, type WireOptions } from './wire.js';

/** Reads of the caller's own things, which nobody is shown without credentials. */
const OWN_READS = [
  'list_accounts',
  'get_media_buys',
  'list_creatives',
  'list_property_lists',
  'list_collection_lists',
  'list_content_standards',
  'get_plan_audit_logs',
  'get_rights',
  'get_media_buy_delivery',
];
/** Authorization servers that are looked at. */
const MAX_ISSUERS = 3;

/** Asks for the caller's own things as a stranger, and for the metadata that the refusal points to. */
export const probeStrangers: Stage = async (gathering, evidence) => {
  if (evidence.arrival?.ok !== true) return {};
  const task = ownRead(evidence);
  const anonymousCall = task === undefined ? undefined : await gathering.open({}).call(task);
  const wrongKey = `doctor-${gathering.uuid()}`;
  const wrongKeyCall = task === undefined ? undefined : await gathering.open({ credentials: wrongKey }).call(task);
  const refusal = anonymousCall?.exchange ?? evidence.arrival;
  return {
    anonymousCall,
    wrongKeyCall,
    ...(await readMetadata(gathering, refusal)),
  };
};

/** Returns a read of the caller’s own things. Without a list nobody knows the tasks; who refuses strangers refuses any. */
export function ownRead({ tools }: Evidence): string | undefined {
  if (tools === undefined) return OWN_READS[0];
  return OWN_READS.find((task) => tools.some(({ name }) => name === task));
}

async function readMetadata({ options }: Gathering, refusal: Exchange) {
  const challenge = refusal.ok ? refusal.headers['www-authenticate'] : undefined;
  const [, pointed] = /\bresource_metadata="([^"]{1,2048})"/.exec(challenge ?? '') ?? [];
  if (pointed === undefined) {
    const { origin, pathname } = new URL(options.url);
    const usual = `${origin}/.well-known/oauth-protected-resource${pathname === '/' ? '' : pathname}`;
    return { unannouncedMetadata: await readDocument(options, usual) };
  }
  const resourceMetadata = await readDocument(options, pointed);
  const issuers: ReadDocument[] = [];
  for (const issuer of textsOf(resourceMetadata.json?.authorization_servers).slice(0, MAX_ISSUERS)) {
    const read = await readIssuer(options, issuer);
    if (read !== undefined) issuers.push(read);
  }
  return { resourceMetadata, issuers };
}

/** Reads an issuer's metadata, by OAuth's path or that of OpenID Connect; undefined for what is no URL. */
async function readIssuer(options: WireOptions, issuer: string): Promise<ReadDocument | undefined> {
  const [oauth, ...openId] = issuerMetadataUrls(issuer);
  if (oauth === undefined) return undefined;
  const read = await readDocument(options, oauth);
  if (isPresent(read)) return read;
  for (const url of openId) {
    const other = await readDocument(options, url);
    if (isPresent(other)) return other;
  }
  return read;
}

function isPresent({ exchange, json }: ReadDocument): boolean {
  return exchange.ok && exchange.status === 200 && json !== undefined;
}

/** Returns where an issuer's metadata may be. https://www.rfc-editor.org/rfc/rfc8414#section-5 */
function issuerMetadataUrls(issuer: string): readonly string[] {
  if (!isUrl(issuer)) return [];
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const urls = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  return [...new Set(urls)];
}
