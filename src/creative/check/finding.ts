import { pointerStep } from '../../platform/kernel/json/json.js';
import { type ErrorCode, TaskError } from '../../protocol/errors.js';
import type { AssetType, Requirements } from '../formats/format.js';

import type { Asset } from '../formats/manifest.js';

/** One thing about a manifest that does not fit its format, or that a person should know. */
export type Finding = {
  readonly severity: 'error' | 'warning';
  /** The slot. */
  readonly asset_id: string;
  /** RFC 6901, from the root of the manifest. */
  readonly pointer: string;
  readonly code: ErrorCode;
  /** The requirement that is not met, by its wire name, or `required`, `truncated` and the like. */
  readonly keyword: string;
  readonly message: string;
  readonly found: string;
  readonly wanted: string;
  /** The values that the slot takes, where it takes no others. */
  readonly allowed?: readonly string[];
  /** Nothing was sent where something belongs; all other findings are about what was sent. */
  readonly missing?: true;
};

/** The facts of an asset: declared by the buyer, or measured where bytes were at hand. */
export type Facts = {
  readonly width?: number;
  readonly height?: number;
  readonly durationMs?: number;
  readonly sizeBytes?: number;
  /** As requirements name it: `png`, `jpg`, `mp4`, `m4a` … */
  readonly format?: string;
  readonly frames?: number;
  readonly hasAlpha?: boolean;
  readonly colorSpace?: string;
  readonly dpi?: number;
  readonly videoCodec?: string;
  readonly audioCodec?: string;
  readonly hasAudio?: boolean;
  readonly sampleRateHz?: number;
  readonly channels?: string;
  readonly bitrateKbps?: number;
  readonly frameRate?: number;
  readonly frameRateType?: string;
  readonly scanType?: string;
  readonly gopType?: string;
  readonly gopSeconds?: number;
  readonly moovPosition?: string;
  readonly loudnessLufs?: number;
  readonly truePeakDbfs?: number;
  /** Of a tag: the version it has. */
  readonly tagVersion?: string;
};

/** An asset that rules judge. */
export type Subject = {
  readonly type: AssetType;
  readonly asset: Asset;
  readonly facts: Facts;
  readonly requirements: Requirements;
};

/** The verdict of a rule: undefined when it is met or does not apply, `unknown` when the facts do not tell, else the fault. */
export type Verdict =
  | undefined
  | 'unknown'
  | {
      readonly found: string;
      readonly wanted: string;
      readonly message: string;
      readonly severity?: Finding['severity'];
      readonly code?: ErrorCode;
      readonly allowed?: readonly string[];
    };

/** One requirement: which slots may have it, which member of the asset it speaks of, and how it is judged. */
export type Rule = {
  /** The wire name of the requirement. */
  readonly keyword: string;
  readonly types: readonly AssetType[];
  /** The member of the asset that a fault points to; empty for the asset itself. */
  readonly at: string;
  /** `wanted` is the value in the requirements, of whatever type the format has given it. */
  readonly judge: (wanted: unknown, subject: Subject) => Verdict;
};

/** Returns a pointer made of path segments. */
export function pointerTo(path: readonly (string | number)[]): string {
  return path.map(pointerStep).join('');
}

/** Throws the error of `errorOf`; returns when there is none. */
export function throwOnErrors(findings: readonly Finding[], base = '/creative_manifest'): void {
  const error = createManifestError(findings, base);
  if (error !== undefined) throw error;
}

/**
 * Returns one error for all findings of severity `error`, undefined when there is none: `field` and `details {slot, found, wanted}` are
 * those of the first, `issues` of each, below `base`, the manifest's path. It is VALIDATION_ERROR (422), or CREATIVE_VALUE_NOT_ALLOWED
 * when that is all that is wrong.
 */
export function createManifestError(findings: readonly Finding[], base: string): TaskError | undefined {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (first === undefined) return undefined;
  const missing = errors.filter(({ keyword }) => keyword === 'required').map(({ asset_id }) => asset_id);
  const allowed = errors.every(({ code }) => code === 'CREATIVE_VALUE_NOT_ALLOWED');
  return new TaskError(allowed ? 'CREATIVE_VALUE_NOT_ALLOWED' : 'VALIDATION_ERROR', summarizeErrors(errors, missing), {
    field: pointerToField(base + first.pointer),
    details: {
      slot: first.asset_id,
      found: first.found,
      wanted: first.wanted,
      rule: first.keyword,
      allowed_values: first.allowed,
      missing: missing.length > 0 ? missing : undefined,
    },
    issues: errors
      .slice(0, MAX_ISSUES)
      .map(({ pointer, message, keyword }) => ({ pointer: base + pointer, message, keyword })),
    suggestion: 'Correct the assets named in issues. list_creative_formats tells what each slot of the format takes.',
  });
}

const MAX_ISSUES = 50;

function summarizeErrors(errors: readonly Finding[], missing: readonly string[]): string {
  const [first] = errors;
  const start = missing.length > 1 ? `Required assets are missing: ${missing.join(', ')}.` : (first?.message ?? '');
  const more = errors.length - Math.max(1, missing.length > 1 ? missing.length : 1);
  return more > 0 ? `${start} And ${more} more.` : start;
}

/** Returns `/requests/3/creative_manifest/assets/x` as `requests[3].creative_manifest.assets.x`. */
export function pointerToField(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((field, segment) => {
      if (/^\d+$/.test(segment)) return `${field}[${segment}]`;
      return field === '' ? segment : `${field}.${segment}`;
    }, '');
}
