import type { z } from 'zod';
import { buildPreviewAnswer, previewUrl } from '../../../../creative/preview/preview.js';
import type { AssetFiles } from '../../../../creative/probe/asset-files.js';
import { renderPreview } from '../../../../creative/renderer.js';
import { isoTime } from '../../../../platform/kernel/clock.js';
import type { App, Call } from '../../../context.js';
import { frameSandbox, visitorOf } from '../formats.js';
import type { buildInput } from './input.js';
import type { Built } from './leaf.js';

type PreviewContext = { readonly app: App; readonly call: Call; readonly args: z.output<typeof buildInput> };

/** Returns previews of what was built, and stores them. */
export async function previewBuilt(
  { app, call, args }: PreviewContext,
  built: readonly Built[],
  files: AssetFiles,
): Promise<object> {
  const renderer = app.renderer();
  const visitor = visitorOf(app, call);
  const inputs = args.target_format_ids === undefined ? (args.preview_inputs ?? []) : [];
  const models = [];
  for (const { format, manifest, findings } of built)
    models.push(await renderPreview(renderer, { format, manifest, inputs, findings }, visitor, files));
  const expiries = await renderer.previews.save(
    call.owner,
    models.map((model) => ({ kind: 'preview', model }) as const),
    { nowMs: call.now.ms, lifetimeMs: renderer.previewMs },
  );
  const options = {
    baseUrl: renderer.baseUrl,
    outputFormat: args.preview_output_format ?? 'url',
    hosts: renderer.previewHosts,
    sandbox: frameSandbox(call),
  };
  const previews = models.flatMap((model) =>
    buildPreviewAnswer(model, options).map((preview) => ({ ...preview, format_id: model.format.id })),
  );
  const [first] = models;
  return {
    previews,
    interactive_url: first === undefined ? undefined : previewUrl(renderer.baseUrl, first.id),
    expires_at: isoTime(Math.min(...expiries)),
  };
}
