import { canonicalUrl } from '../../../creative/formats/format-id.js';
import { isObject } from '../../../platform/kernel/json/json.js';
import { type ErrorCode, TaskError } from '../../../protocol/errors.js';

/** A product's rules for its creatives, under its wire names. */
export type CreativePolicy = {
  readonly co_branding: 'required' | 'optional' | 'none';
  readonly landing_page: 'any' | 'retailer_site_only' | 'must_include_retailer';
  readonly templates_available: boolean;
  readonly provenance_required?: boolean;
  readonly provenance_requirements?: {
    readonly require_digital_source_type?: boolean;
    readonly require_disclosure_metadata?: boolean;
    readonly require_embedded_provenance?: boolean;
  };
  readonly accepted_verifiers?: readonly { readonly agent_url: string }[];
};

/** A creative, as far as it says how it came to be. */
type Provenanced = { readonly provenance?: unknown; readonly assets?: Readonly<Record<string, unknown>> | undefined };

type Declaration = Readonly<Record<string, unknown>>;
type Located = { readonly provenance: Declaration; readonly field: string };

/** A requirement of provenance: whether a declaration meets it, and what is said where it does not. */
type Requirement = {
  readonly name: keyof NonNullable<CreativePolicy['provenance_requirements']>;
  readonly isMet: (provenance: Declaration) => boolean;
  readonly code: ErrorCode;
  readonly member: string;
  readonly suggestion: string;
};

const REQUIREMENTS: readonly Requirement[] = [
  {
    name: 'require_digital_source_type',
    isMet: ({ digital_source_type: type }) => typeof type === 'string' && type !== '',
    code: 'PROVENANCE_DIGITAL_SOURCE_TYPE_MISSING',
    member: 'digital_source_type',
    suggestion: 'Add provenance.digital_source_type, such as "digital_capture".',
  },
  {
    name: 'require_disclosure_metadata',
    isMet: ({ disclosure }) =>
      isObject(disclosure) &&
      (disclosure.required === false ||
        (disclosure.required === true &&
          Array.isArray(disclosure.jurisdictions) &&
          disclosure.jurisdictions.length > 0)),
    code: 'PROVENANCE_DISCLOSURE_MISSING',
    member: 'disclosure',
    suggestion: 'Add provenance.disclosure with required, and jurisdictions where that is true.',
  },
  {
    name: 'require_embedded_provenance',
    isMet: ({ embedded_provenance: embedded }) => Array.isArray(embedded) && embedded.length > 0,
    code: 'PROVENANCE_EMBEDDED_MISSING',
    member: 'embedded_provenance',
    suggestion: 'Add at least one entry to provenance.embedded_provenance.',
  },
];

/**
 * Refuses a creative that does not keep to a policy. Throws PROVENANCE_REQUIRED where it says nothing of how it came to be, the code of the
 * first requirement that it does not meet, and PROVENANCE_VERIFIER_NOT_ACCEPTED for a verifier that the seller does not name.
 */
export function checkProvenance(policy: CreativePolicy, creative: Provenanced, field: string): void {
  const declared = listDeclarations(creative, field);
  if (policy.provenance_required === true) checkRequired(policy, declared, field);
  const { accepted_verifiers: accepted } = policy;
  if (accepted !== undefined) for (const one of declared) checkVerifiers(accepted, one);
}

function checkRequired(
  { provenance_requirements: wanted = {} }: CreativePolicy,
  declared: readonly Located[],
  field: string,
): void {
  const [first] = declared;
  if (first === undefined) {
    throw new TaskError('PROVENANCE_REQUIRED', 'Creatives of this product say how they came to be.', {
      field: `${field}.provenance`,
      suggestion: 'Add provenance, with digital_source_type at least, to the creative or to its assets.',
    });
  }
  for (const { provenance, field: at } of declared) {
    const broken = REQUIREMENTS.find(({ name, isMet }) => wanted[name] === true && !isMet(provenance));
    if (broken === undefined) continue;
    throw new TaskError(broken.code, 'The provenance does not say what this product requires.', {
      field: `${at}.${broken.member}`,
      suggestion: broken.suggestion,
    });
  }
}

/** Returns the declaration of the creative, which stands for all of it, and those of its assets. */
function listDeclarations({ provenance, assets = {} }: Provenanced, field: string): readonly Located[] {
  const whole = isObject(provenance) ? [{ provenance, field: `${field}.provenance` }] : [];
  const parts = Object.entries(assets).flatMap(([name, asset]) =>
    isObject(asset) && isObject(asset.provenance)
      ? [{ provenance: asset.provenance, field: `${field}.assets.${name}.provenance` }]
      : [],
  );
  return [...whole, ...parts];
}

function checkVerifiers(
  accepted: NonNullable<CreativePolicy['accepted_verifiers']>,
  { provenance, field }: Located,
): void {
  const urls = new Set(accepted.map(({ agent_url }) => canonicalUrl(agent_url)));
  for (const list of ['embedded_provenance', 'watermarks'] as const) {
    const entries: unknown = provenance[list];
    for (const [index, entry] of (Array.isArray(entries) ? entries : []).entries()) {
      const agent: unknown = isObject(entry) ? entry.verify_agent : undefined;
      if (agent === undefined) continue;
      const url = isObject(agent) ? agent.agent_url : undefined;
      if (typeof url === 'string' && urls.has(canonicalUrl(url))) continue;
      throw new TaskError('PROVENANCE_VERIFIER_NOT_ACCEPTED', 'The seller does not verify with this agent.', {
        field: `${field}.${list}[${index}].verify_agent.agent_url`,
        suggestion: 'Name an agent of accepted_verifiers in creative_policy of the product, or leave verify_agent out.',
        details: { accepted_verifiers: accepted.map(({ agent_url }) => agent_url) },
      });
    }
  }
}
