import type { z } from 'zod';
import { openExamination } from '../../../../creative/check/submission.js';
import type { Manifest } from '../../../../creative/formats/manifest.js';
import { yieldToEventLoop } from '../../../../platform/kernel/event-loop.js';
import type { App, Call } from '../../../context.js';
import { visitorOf } from '../formats.js';
import { type Chosen, chooseFormat, listTargets, readValidated, type Violation } from './choose-format.js';
import type { Target, validateInputInput } from './input.js';
import { listViolations } from './violations.js';

/** The outcome of one target, under its wire names. */
type Result = {
  readonly target: Target;
  readonly result_kind: 'validated_pass' | 'validated_fail';
  readonly violations?: readonly Violation[] | undefined;
  /** Why files could not be looked at now, and what a person should know. */
  readonly warnings?: readonly string[] | undefined;
};

/** Most warnings of one target that are answered. */
const MAX_WARNINGS = 20;

/** Holds the manifest of a call against each of its targets, in their order, one after the other; every file is fetched once. */
export async function validate({
  app,
  call,
  args,
}: {
  readonly app: App;
  readonly call: Call;
  readonly args: z.output<typeof validateInputInput>;
}): Promise<{ readonly results: readonly Result[] }> {
  const manifest = readValidated(args.manifest);
  const targets = listTargets(manifest, args.targets);
  const chosen = targets.map((target, index) => chooseFormat({ app, call, manifest }, target, `targets[${index}]`));
  const examine = openExamination(app.renderer(), visitorOf(app, call));
  // One manifest may meet the same format at many products.
  const checked = new Map<string, Promise<Omit<Result, 'target'>>>();
  const results: Result[] = [];
  for (const [index, target] of targets.entries()) {
    const one = chosen[index];
    if (one === undefined) continue;
    if ('rule' in one) {
      results.push({ target, result_kind: 'validated_fail', violations: [one] });
      continue;
    }
    const key = JSON.stringify([one.format.format_id, one.option !== undefined]);
    const outcome = checked.get(key) ?? checkManifest(one, manifest, examine);
    checked.set(key, outcome);
    results.push({ target, ...(await outcome) });
    await yieldToEventLoop();
  }
  return { results };
}

async function checkManifest(
  chosen: Chosen,
  manifest: Manifest,
  examine: ReturnType<typeof openExamination>,
): Promise<Omit<Result, 'target'>> {
  const { format, assets } = chosen;
  const { findings, unread } = await examine({ format, assets, field: 'manifest' });
  const violations = listViolations(findings, chosen, manifest);
  const remarks = findings.filter(({ severity }) => severity === 'warning').map(({ message }) => message);
  const warnings = [...unread, ...remarks].slice(0, MAX_WARNINGS);
  return {
    result_kind: violations.length === 0 ? 'validated_pass' : 'validated_fail',
    violations: violations.length === 0 ? undefined : violations,
    warnings: warnings.length === 0 ? undefined : warnings,
  };
}
