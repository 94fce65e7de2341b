import type { z } from 'zod';
import { openNotedFiles } from '../../../../creative/check/submission.js';
import { gatherEvidence, listAssets } from '../../../../creative/features/evidence.js';
import { FEATURES } from '../../../../creative/features/features.js';
import { observeClaims } from '../../../../creative/features/observations.js';
import { type Manifest, readManifest } from '../../../../creative/formats/manifest.js';
import { probeWith } from '../../../../creative/renderer.js';
import type { Payload } from '../../../../protocol/envelope.js';
import { TaskError } from '../../../../protocol/errors.js';
import type { App, Call } from '../../../context.js';
import type { MeasuredFeature } from '../../../domain/creative/evaluation.js';
import { visitorOf } from '../formats.js';
import type { featuresInput } from './input.js';

/** Most assets of a manifest that is measured. */
const MAX_MEASURED_ASSETS = 100;
const METHODOLOGY_VERSION = '1';

type Features = typeof FEATURES;

/** Measures the manifest of a call by its files, and answers a result for every wanted feature that it has a value of. */
export async function measureCreative({
  app,
  call,
  args,
}: {
  readonly app: App;
  readonly call: Call;
  readonly args: z.output<typeof featuresInput>;
}): Promise<Payload> {
  const wanted = chooseFeatures(args.feature_ids);
  const manifest = readManifest(args.creative_manifest, 'creative_manifest');
  checkSize(manifest);
  const { results, unread } = await measureManifest({ app, call }, manifest, wanted);
  const missing = wanted
    .map(({ feature_id }) => feature_id)
    .filter((id) => !results.some(({ feature_id }) => feature_id === id));
  const observations = observeClaims(manifest, call.seller.url);
  return {
    results,
    audit_observations: observations.length === 0 ? undefined : observations,
    message: missing.length === 0 ? undefined : explainMissing(missing, unread),
  };
}

/** Returns the values that a manifest has of features, and what could not be read of its files. */
export async function measureManifest(
  { app, call }: { readonly app: App; readonly call: Call },
  manifest: Manifest,
  wanted: Features,
): Promise<{ readonly results: readonly MeasuredFeature[]; readonly unread: readonly string[] }> {
  const unread: string[] = [];
  const files = openNotedFiles(app.renderer(), visitorOf(app, call))(unread);
  const evidence = await gatherEvidence(manifest, probeWith(files));
  const results = wanted.flatMap(({ feature_id, unit, measure }) => {
    const value = measure(evidence);
    if (value === undefined) return [];
    return [{ feature_id, unit, value, measured_at: call.now.iso, methodology_version: METHODOLOGY_VERSION }];
  });
  return { results, unread };
}

/** Returns the features of these ids, all without any. Throws REFERENCE_NOT_FOUND for one that is not measured here. */
function chooseFeatures(ids: readonly string[] | undefined): Features {
  const measured = FEATURES.map(({ feature_id }) => feature_id);
  const unknown = ids?.findIndex((id) => !measured.includes(id)) ?? -1;
  if (unknown >= 0) {
    throw new TaskError('REFERENCE_NOT_FOUND', 'This feature is not measured here.', {
      field: `feature_ids[${unknown}]`,
      suggestion: `Ask for some of ${measured.join(', ')}, or leave feature_ids out for all.`,
      details: { accepted_values: measured },
    });
  }
  return ids === undefined ? FEATURES : FEATURES.filter(({ feature_id }) => ids.includes(feature_id));
}

function checkSize(manifest: Manifest): void {
  if (listAssets(manifest).length <= MAX_MEASURED_ASSETS) return;
  throw new TaskError('VALIDATION_ERROR', `A manifest of more than ${MAX_MEASURED_ASSETS} assets is not measured.`, {
    field: 'creative_manifest.assets',
    suggestion: `Send at most ${MAX_MEASURED_ASSETS} assets, those in groups counted.`,
  });
}

function explainMissing(missing: readonly string[], unread: readonly string[]): string {
  const [why] = unread;
  const about = `Without a value: ${missing.join(', ')}; the creative has nothing that they are about`;
  return why === undefined ? `${about}.` : `${about}, or a file could not be looked at. ${why}`;
}
