import { type Clock, systemClock } from '../platform/kernel/clock.js';
import { createOutbound } from '../platform/net/fetch.js';
import { createDocumentReader } from '../platform/signing/directory/documents.js';
import {
  agentEntries,
  createKeyDirectory,
  type KeyDirectory,
  type SigningAgent,
} from '../platform/signing/directory/key-directory.js';
import { TaskError } from '../protocol/errors.js';
import { protocolNames } from '../protocol/names.js';

/** The protocol's public name, which a receiver speaks unless it is given another. */
export const PUBLIC_NAME = 'adcp';

/** The settings for finding the keys of senders; everything has a default. */
export type SenderKeysOptions = {
  /** The protocol's name on the wire. */
  readonly protocolName?: string | undefined;
  readonly clock?: Clock | undefined;
  /** For trying out: agents on this machine are asked too, over plain http, and at their own origin, as they publish no https address. */
  readonly local?: boolean | undefined;
};

/** The keys of senders, over a guarded fetch of its own. */
export type SenderKeys = KeyDirectory & {
  /** Returns every agent that a brand.json lists. Throws VALIDATION_ERROR when it cannot be read or lists none. */
  readonly listAgents: (brandJsonUrl: string) => Promise<readonly SigningAgent[]>;
  readonly close: () => Promise<void>;
};

const MAX_BRAND_JSON_BYTES = 256 * 1024;

/** Opens the keys of senders. */
export function openSenderKeys(options: SenderKeysOptions = {}): SenderKeys {
  const { protocolName = PUBLIC_NAME, clock = systemClock, local = false } = options;
  const names = protocolNames(protocolName);
  const outbound = createOutbound({ development: local });
  const brandJson = local ? 'well_known' : 'capabilities';
  const directory = createKeyDirectory({ outbound, clock, names, profile: 'webhook', local, brandJson });
  const documents = createDocumentReader(outbound, clock);
  return {
    ...directory,
    listAgents: async (brandJsonUrl) => {
      const brand = await documents.read(brandJsonUrl, { maxBytes: MAX_BRAND_JSON_BYTES, local });
      const urls = agentEntries(brand.ok ? brand.value : {}).flatMap(({ url }) =>
        typeof url === 'string' ? [url] : [],
      );
      if (urls.length > 0) return [...new Set(urls)].map((url) => ({ url, brandJsonUrl }));
      throw new TaskError('VALIDATION_ERROR', `The brand.json ${brand.ok ? 'lists no agents' : `is ${brand.fault}`}.`, {
        field: 'brand_json_url',
        suggestion: 'Name a brand.json with agents[], or the agent itself.',
      });
    },
    close: outbound.close,
  };
}
