import type { Clock } from '../../platform/kernel/clock.js';
import { isObject } from '../../platform/kernel/json/json.js';
import type { Outbound } from '../../platform/net/fetch.js';
import { createKeyDirectory, type KeyDirectory } from '../../platform/signing/directory/key-directory.js';
import { isSignedBy, type ReadJws, readJws } from '../../platform/signing/jws.js';
import type { ProtocolNames } from '../../protocol/names.js';
import type { Release } from '../../protocol/releases.js';
import { governanceUnavailable } from '../domain/governance/governance.js';
import { checkClaims, contextRefused, type PresentedFor } from '../domain/governance/presented-context.js';

/** A governance context as a buyer presents it, and what it has to be of. */
type Presented = PresentedFor & {
  readonly context: string;
  readonly names: Pick<ProtocolNames, 'own' | 'capabilitiesTool'>;
  readonly release: Release;
  /** Lets plain http and loopback through, in development mode only. */
  readonly local: boolean;
};

/** Verifies the governance contexts that buyers present, over the keys that governance agents publish. */
export type ContextVerifier = {
  /**
   * Verifies a context. Release 3.0 leaves contexts of other kinds than the profile's to their agent; from 3.1 on there are none. Throws
   * PERMISSION_DENIED, or GOVERNANCE_UNAVAILABLE where the keys cannot be had just now.
   */
  readonly verify: (presented: Presented) => Promise<void>;
};

/** The purpose of the keys, as `adcp_use` or `proto_use` has it. */
const PURPOSE = 'governance-signing';

/** Failures that pass by themselves. */
const AWAY: ReadonlySet<string> = new Set([
  'signature_capabilities_unreachable',
  'signature_brand_json_unreachable',
  'signature_jwks_unavailable',
]);

/** Makes a verifier; the keys are found as those of a signing agent are, by its brand.json. */
export function createContextVerifier(ports: {
  readonly outbound: Pick<Outbound, 'fetch'>;
  readonly clock: Clock;
}): ContextVerifier {
  /** By protocol name and whether local addresses count: a handful. */
  const directories = new Map<string, KeyDirectory>();
  const directoryFor = ({ names, local }: Presented): KeyDirectory => {
    const id = `${names.own} ${local}`;
    const directory =
      directories.get(id) ??
      createKeyDirectory({
        ...ports,
        names,
        profile: 'governance',
        local,
        // Without https there is no brand_json_url to go by.
        brandJson: local ? 'well_known' : 'capabilities',
      });
    directories.set(id, directory);
    return directory;
  };
  return {
    verify: async (presented) => {
      const jws = readJws(presented.context);
      const isOfProfile = jws?.header.typ === `${presented.names.own}-gov+jws`;
      if (!isOfProfile && presented.release === '3.0') return;
      if (jws === undefined || !isOfProfile)
        throw contextRefused('format', `It is no compact JWS of type ${presented.names.own}-gov+jws.`);
      if (jws.claims.iss !== presented.agentUrl)
        throw contextRefused('issuer', "Another agent than the account's own issued it.");
      await checkSignature(jws, presented, directoryFor(presented));
      checkClaims(jws.claims, presented);
    },
  };
}

async function checkSignature(jws: ReadJws, { agentUrl, names }: Presented, directory: KeyDirectory): Promise<void> {
  const { kid } = jws.header;
  if (typeof kid !== 'string' || kid === '') throw contextRefused('key', 'Its header names no key.');
  const lookup = await directory.find({ url: agentUrl }, kid);
  if (lookup.kind === 'refused' && AWAY.has(lookup.failure)) throw governanceUnavailable('no_keys');
  if (lookup.kind === 'refused')
    throw contextRefused(lookup.failure, 'The keys of the governance agent cannot be relied on.');
  if (lookup.kind === 'unknown' || !isObject(lookup.jwk))
    throw contextRefused('key', 'The governance agent publishes no such key.');
  const { jwk } = lookup;
  if (![`${names.own}_use`, 'adcp_use'].some((name) => jwk[name] === PURPOSE))
    throw contextRefused('key', `The key is not for ${PURPOSE}.`);
  if (!isSignedBy(jws, jwk)) throw contextRefused('signature', 'Its signature does not fit.');
}
