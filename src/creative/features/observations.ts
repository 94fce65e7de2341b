import { isObject } from '../../platform/kernel/json/json.js';
import type { Manifest } from '../formats/manifest.js';
import { listAssets } from './evidence.js';

/** A claim of a manifest that a person may want to look at, under its wire names. It is no ground for a refusal. */
type AuditObservation = {
  readonly code: 'OVERSIGHT_DISCLOSURE_CARVEOUT_CLAIMED';
  readonly severity: 'audit-worthy';
  readonly recovery: 'informational';
  readonly field: string;
  readonly message: string;
  readonly details: {
    readonly agent_url: string;
    readonly claimed_value: { readonly human_oversight: string; readonly disclosure_required: false };
  };
};

const OVERSIGHT: readonly unknown[] = ['edited', 'directed'];

/** Returns what the declarations of provenance in a manifest claim that is worth an audit; `agentUrl` says who observed it. */
export function observeClaims(manifest: Manifest, agentUrl: string): readonly AuditObservation[] {
  const declared = [
    { path: '', provenance: manifest.provenance },
    ...listAssets(manifest).map(({ path, asset }) => ({ path: `${path}.`, provenance: asset.provenance })),
  ];
  return declared.flatMap(({ path, provenance }) => {
    if (!isObject(provenance) || !isObject(provenance.disclosure) || provenance.disclosure.required !== false)
      return [];
    const { human_oversight } = provenance;
    if (typeof human_oversight !== 'string' || !OVERSIGHT.includes(human_oversight)) return [];
    return [
      {
        code: 'OVERSIGHT_DISCLOSURE_CARVEOUT_CLAIMED',
        severity: 'audit-worthy',
        recovery: 'informational',
        field: `creative_manifest.${path}provenance.disclosure.required`,
        message: `No disclosure is needed, it is claimed, because a person ${human_oversight} what was made.`,
        details: { agent_url: agentUrl, claimed_value: { human_oversight, disclosure_required: false } },
      },
    ];
  });
}
