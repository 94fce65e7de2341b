import type { z } from 'zod';
import { throwOnErrors } from '../../../../creative/check/finding.js';
import type { PreviewModel } from '../../../../creative/preview/model.js';
import { buildSheet } from '../../../../creative/preview/page/sheet.js';
import { PREVIEWS_PATH } from '../../../../creative/preview/path.js';
import type { StoredPreview } from '../../../../creative/preview/ports.js';
import { buildPreviewAnswer, previewUrl, sharePath, shareSubject } from '../../../../creative/preview/preview.js';
import type { AssetFiles } from '../../../../creative/probe/asset-files.js';
import { checkManifestFiles, openFiles, renderPreview } from '../../../../creative/renderer.js';
import { isoTime } from '../../../../platform/kernel/clock.js';
import { Written } from '../../../../platform/kernel/json/json.js';
import { completePayload, errorObject, type Payload } from '../../../../protocol/envelope.js';
import { TaskError, taskErrorOrThrow } from '../../../../protocol/errors.js';
import type { App, Call } from '../../../context.js';
import { frameSandbox, readFormatAndManifest, visitorOf } from '../formats.js';
import type { previewInput } from './input.js';

type Input = z.output<typeof previewInput>;
type Single = Pick<Input, 'format_id' | 'creative_manifest' | 'inputs' | 'output_format'>;

/** A call's answer, when the first of its previews expires (ms), and whether all of them could be made. */
type Shown = { readonly payload: Payload; readonly expiresAtMs: number; readonly complete: boolean };

/** Draws the previews that a preview_creative call asks for, and keeps those that get an address; the same call again is answered from memory. */
export async function preview({
  app,
  call,
  args,
}: {
  readonly app: App;
  readonly call: Call;
  readonly args: Input;
}): Promise<Written> {
  if (args.request_type === 'variant') throw noVariants();
  checkMembers(args);
  const renderer = app.renderer();
  const visitor = visitorOf(app, call);
  const { context: _context, ...asked } = args;
  const question = JSON.stringify([call.owner, call.to.release, visitor.local, asked]);
  return renderer.answers.getOrAnswer(question, call.now.ms, async () => {
    const files = openFiles(renderer, visitor);
    const { payload, expiresAtMs, complete } = await (args.request_type === 'single'
      ? previewSingle({ app, call, files }, args)
      : previewBatch({ app, call, files }, args.requests, args));
    // By then the store prolongs what it is asked to keep, so that nobody is answered with a preview that is about to go.
    const untilMs = Math.min(expiresAtMs - renderer.previewMs / 2, call.now.ms + (complete ? files.freshForMs() : 0));
    return { answer: new Written(JSON.stringify(completePayload(payload))), untilMs };
  });
}

/** Refuses what the other type of request takes: it would be passed over. Throws INVALID_REQUEST. */
function checkMembers({ request_type: type, ...members }: Input): void {
  const others = type === 'single' ? (['requests'] as const) : (['inputs', 'format_id'] as const);
  const field = others.find((name) => members[name] !== undefined);
  if (field === undefined) return;
  const suggestion =
    field === 'requests'
      ? 'Send request_type "batch" with it, or leave it out.'
      : `Put ${field} into each of the requests that it is for.`;
  throw new TaskError('INVALID_REQUEST', `A ${type} request takes no ${field}.`, { field, suggestion });
}

/** A call, and the files that it names, each of which is fetched once. */
type PreviewCall = { readonly app: App; readonly call: Call; readonly files: AssetFiles };

async function previewSingle(context: PreviewCall, request: Single): Promise<Shown> {
  const { app, call } = context;
  const model = await drawPreview(context, request, { format: 'format_id', manifest: 'creative_manifest' });
  const { baseUrl, previewMs, previewHosts: hosts } = app.renderer();
  const outputFormat = request.output_format ?? 'url';
  const answer = {
    response_type: 'single',
    previews: buildPreviewAnswer(model, { baseUrl, outputFormat, hosts, sandbox: frameSandbox(call) }),
  };
  // Markup alone needs no page: what it shows is promised for as long by itself.
  if (outputFormat === 'html') {
    const expiresAtMs = call.now.ms + previewMs;
    return { payload: { ...answer, expires_at: isoTime(expiresAtMs) }, expiresAtMs, complete: true };
  }
  const expiresAtMs = await storePreviews(app, call, [model]);
  const interactive_url = previewUrl(baseUrl, model.id);
  const share_url = shareUrl(app, model.id, 'preview', expiresAtMs);
  return {
    payload: { ...answer, interactive_url, share_url, expires_at: isoTime(expiresAtMs) },
    expiresAtMs,
    complete: true,
  };
}

const MANIFEST_ASIDE =
  'The creative_manifest beside requests was left aside: a batch shows its requests. Put it into one of them to show it.';

/** Draws the creatives of a batch; an error stands in the place of one that cannot be drawn. */
async function drawBatch(
  context: PreviewCall,
  requests: readonly Single[],
): Promise<readonly (PreviewModel | TaskError)[]> {
  return Promise.all(
    requests.map((request, index) => {
      const fields = { format: `requests[${index}].format_id`, manifest: `requests[${index}].creative_manifest` };
      return drawPreview(context, request, fields).catch(taskErrorOrThrow);
    }),
  );
}

async function previewBatch(
  context: PreviewCall,
  requests: readonly Single[] | undefined,
  whole: Single,
): Promise<Shown> {
  const { app, call } = context;
  if (requests === undefined) {
    throw new TaskError('INVALID_REQUEST', 'requests: is required for a batch', {
      field: 'requests',
      suggestion: 'Send requests: [{format_id, creative_manifest}, …], 1 to 50 of them.',
    });
  }
  const drawn = await drawBatch(context, requests);
  const models = drawn.filter((item): item is PreviewModel => !(item instanceof TaskError));
  const sheet = buildSheet(
    app.renderer().previews.idKey(call.owner),
    drawn.map((item, index) =>
      item instanceof TaskError ? { failed: item.message, name: `Creative ${index + 1}` } : { preview: item.id },
    ),
  );
  const expiresAtMs = await storePreviews(app, call, models, sheet);
  const expires_at = isoTime(expiresAtMs);
  const { baseUrl, previewHosts: hosts } = app.renderer();
  const results = drawn.map((item, index) => {
    if (item instanceof TaskError)
      return { success: false, creative_id: `request_${index + 1}`, errors: [errorObject(item, call.to.release)] };
    const outputFormat = requests[index]?.output_format ?? whole.output_format ?? 'url';
    const previews = buildPreviewAnswer(item, { baseUrl, outputFormat, hosts, sandbox: frameSandbox(call) });
    return {
      success: true,
      creative_id: item.id,
      response: { previews, expires_at, interactive_url: previewUrl(baseUrl, item.id) },
    };
  });
  const previews = results.flatMap((result) =>
    'response' in result && result.response !== undefined ? result.response.previews : [],
  );
  const sheet_url = previewUrl(baseUrl, sheet.id, 'sheet');
  const share_url = shareUrl(app, sheet.id, 'sheet', expiresAtMs);
  const message = whole.creative_manifest === undefined ? undefined : MANIFEST_ASIDE;
  const payload = { response_type: 'batch', message, results, previews, sheet_url, share_url, expires_at };
  return { payload, expiresAtMs, complete: models.length === drawn.length };
}

/** Returns the link to a page that can be sent on: it holds until the page expires. */
function shareUrl(app: App, id: string, kind: StoredPreview['kind'], expiresAtMs: number): string {
  const token = app.shareLinks.write(shareSubject(id, kind), expiresAtMs);
  return `${app.renderer().baseUrl}${PREVIEWS_PATH}/${sharePath(token, kind)}`;
}

/** Checks a manifest against its format and draws the preview up. */
async function drawPreview(
  { app, call, files }: PreviewCall,
  request: Single,
  fields: { format: string; manifest: string },
): Promise<PreviewModel> {
  const { format, manifest } = readFormatAndManifest(
    { app, call },
    request.format_id,
    request.creative_manifest,
    fields,
  );
  const visitor = visitorOf(app, call);
  const findings = await checkManifestFiles(app.renderer(), { format, manifest }, visitor, files);
  throwOnErrors(findings, `/${fields.manifest.replaceAll(/[.[\]]+/g, '/')}`);
  return renderPreview(app.renderer(), { format, manifest, inputs: request.inputs ?? [], findings }, visitor, files);
}

/** Stores previews durably; returns when the first of them expires (ms). */
async function storePreviews(
  app: App,
  call: Call,
  models: readonly PreviewModel[],
  sheet?: ReturnType<typeof buildSheet>,
): Promise<number> {
  const previews: StoredPreview[] = models.map((model) => ({ kind: 'preview', model }));
  if (sheet !== undefined) previews.push({ kind: 'sheet', sheet });
  const times = { nowMs: call.now.ms, lifetimeMs: app.renderer().previewMs };
  return Math.min(...(await app.renderer().previews.save(call.owner, previews, times)));
}

function noVariants(): TaskError {
  return new TaskError('UNSUPPORTED_FEATURE', 'This agent previews manifests, not variants that it served.', {
    field: 'request_type',
    suggestion: 'Use "single" or "batch" with a creative_manifest; inputs shows its variants.',
  });
}
