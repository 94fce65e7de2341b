import { type Finding, pointerToField } from '../../../../creative/check/finding.js';
import { canonicalNames } from '../../../../creative/formats/canonical/groups.js';
import type { Manifest } from '../../../../creative/formats/manifest.js';
import { pointerStep } from '../../../../platform/kernel/json/json.js';
import type { Chosen, Violation } from './choose-format.js';

/** Most violations of one target that are answered. */
const MAX_VIOLATIONS = 50;

/** Returns the violations that findings of the check come to: those for which build_creative and preview_creative refuse a manifest. */
export function listViolations(
  findings: readonly Finding[],
  { option }: Chosen,
  { assets }: Manifest,
): readonly Violation[] {
  const names = option === undefined ? new Map<string, string>() : canonicalNames(option.groups);
  const toSent = (pointer: string): string => {
    const [root = '', name = '', ...rest] = pointer.split('/').slice(1);
    const sent = Object.hasOwn(assets, name) ? name : (names.get(name) ?? name);
    return [root, sent, ...rest].map((step) => pointerStep(step.replaceAll('~1', '/').replaceAll('~0', '~'))).join('');
  };
  return findings
    .filter(({ severity }) => severity === 'error')
    .slice(0, MAX_VIOLATIONS)
    .map(({ keyword, wanted, found, pointer, message }) => ({
      rule: keyword,
      expected: wanted,
      predicted: found,
      field: pointerToField(toSent(pointer)),
      message,
    }));
}
