import { isObject } from '../../platform/kernel/json/json.js';
import type { JsonObject } from './evidence.js';

/** An interface of JSON-RPC that an agent card names; its texts are as the card has them. */
type CardInterface = { readonly url: unknown; readonly version: unknown };

/** A card of any length is read this far. */
const MAX_INTERFACES = 20;
const JSON_RPC = 'JSONRPC';

/** Returns the interfaces of JSON-RPC of a card: those that revision 1.0 lists, and the one that older revisions have at the root. */
export function jsonRpcInterfaces(card: JsonObject): readonly CardInterface[] {
  const { preferredTransport = JSON_RPC, protocolVersion, supportedInterfaces, url } = card;
  const listed = objectsOf(supportedInterfaces)
    .filter(({ protocolBinding }) => protocolBinding === JSON_RPC)
    .map((one) => ({ url: one.url, version: one.protocolVersion }));
  const isRooted = url !== undefined && preferredTransport === JSON_RPC;
  const all = isRooted ? [...listed, { url, version: protocolVersion }] : listed;
  const seen = new Set<string>();
  return all.filter(({ url: at, version }) => {
    const key = `${String(at)} ${revisionOf(version)}`;
    return seen.has(key) ? false : seen.add(key);
  });
}

/** Returns the revision of a version such as `0.3.0`, without what is patched; undefined for what is no version. */
export function revisionOf(version: unknown): string | undefined {
  return typeof version === 'string' ? /^(\d{1,3}\.\d{1,3})(\.\d{1,3})?$/.exec(version)?.[1] : undefined;
}

/** Whether messages of a revision have the shapes of A2A 1.0. */
export function isRevision1(revision: string): boolean {
  return !revision.startsWith('0.');
}

/** Returns the objects of a list of a stranger. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly unknown[]).slice(0, MAX_INTERFACES).filter(isObject) : [];
}
