import type { z } from 'zod';
import type { App, Call } from '../context.js';
import type { Format } from '../domain/format.js';
import { assetAt, type Manifest, promotedOfferings, readManifest } from '../domain/manifest.js';
import { isoTime } from '../kernel/clock.js';
import { TaskError } from '../kernel/errors.js';
import { isObject } from '../kernel/json.js';
import { type Brand, readBrand } from '../rendering/brand.js';
import { buildCreative as build } from '../rendering/build.js';
import { builtInWriter } from '../rendering/copy-writer.js';
import { PREVIEW_MS } from '../rendering/lifetimes.js';
import { previewAnswer, previewUrl } from '../rendering/preview.js';
import { assetBytes, drawPreview, judgeManifest, publishPicture } from '../rendering/studio.js';
import type { Reader } from '../store/store.js';
import { findFormat, visitorOf } from './creative-formats.js';
import type { buildInput } from './creative-inputs.js';

type Input = z.output<typeof buildInput>;

/** One finished creative. */
export type Built = { readonly manifest: Manifest; readonly format: Format; readonly notes: readonly string[] };

/** Everything that a build_creative call makes, before its answer is stored. */
export async function buildAll({
  app,
  call,
  args,
  db,
}: {
  readonly app: App;
  readonly call: Call;
  readonly args: Input;
  readonly db: Reader;
}): Promise<{ readonly built: readonly Built[]; readonly preview: object | undefined }> {
  const targets = targetsOf(app, args);
  const source = await sourceOf(call, args, db);
  const brand = await brandOf(app, call, args, source);
  const built: Built[] = [];
  for (const format of targets) built.push(await buildOne(app, call, args, format, brand, source));
  return { built, preview: args.include_preview === true ? await previewsOf(app, call, args, built) : undefined };
}

/** The formats to build; a list wins over a single one. A generative format is built as the format that it says it puts out. */
function targetsOf(app: App, { target_format_id: one, target_format_ids: several }: Input): readonly Format[] {
  if (one === undefined && several === undefined) {
    throw new TaskError('INVALID_REQUEST', 'The format to build is missing.', {
      field: 'target_format_id',
      suggestion: 'Name one format as {"agent_url": …, "id": …} in target_format_id, or several in target_format_ids.',
    });
  }
  const named = several?.map((value, index) => findFormat(app, value, `target_format_ids[${index}]`)) ?? [
    findFormat(app, one, 'target_format_id'),
  ];
  return named.map((format) => {
    const output = format.output_format_ids?.[0];
    return output === undefined ? format : (app.studio().catalogue.find(output) ?? format);
  });
}

/** What to start from: the manifest of the request, or a creative of the caller's library. */
async function sourceOf(call: Call, args: Input, db: Reader): Promise<Manifest | undefined> {
  if (args.creative_manifest !== undefined) return readManifest(args.creative_manifest, 'creative_manifest');
  if (args.creative_id === undefined) return undefined;
  const creative = await db.creatives.findAnywhere(call.owner, args.creative_id);
  if (creative !== undefined)
    return readManifest({ format_id: creative.format_id, assets: creative.assets }, 'creative_id');
  throw new TaskError('CREATIVE_NOT_FOUND', 'There is no such creative in the library.', {
    field: 'creative_id',
    suggestion: 'Send it with sync_creatives first, or send its assets as creative_manifest.',
  });
}

/** Why an asset could not be had, where trying without it is better than failing. */
const GONE: ReadonlySet<unknown> = new Set(['unresolved', 'unreachable', 'timeout']);

async function buildOne(
  app: App,
  call: Call,
  args: Input,
  format: Format,
  brand: Brand,
  source: Manifest | undefined,
): Promise<Built> {
  const studio = app.studio();
  const visitor = visitorOf(app, call);
  const gone = new Set<string>();
  const order = (sourceManifest: Manifest | undefined): Parameters<typeof build>[0] => ({
    brand,
    format,
    ...(args.message === undefined ? {} : { message: args.message }),
    ...(sourceManifest === undefined ? {} : { sourceManifest }),
    ...(args.macro_values === undefined ? {} : { macros: args.macro_values }),
    assetBytes: (url) =>
      assetBytes(studio, url, visitor).catch((error: unknown) => {
        if (error instanceof TaskError && GONE.has(error.extras.details?.reason)) gone.add(url);
        throw error;
      }),
    publish: (file) => publishPicture(studio, file, call.now.ms),
    copyWriter: builtInWriter,
  });
  try {
    const { manifest, notes } = await build(order(source));
    return { manifest, format, notes };
  } catch (error) {
    if (gone.size === 0 || source === undefined) throw error;
    const { manifest, notes } = await build(order(without(source, gone)));
    const note = 'An image of the source could not be reached; a new one was made in its place.';
    return { manifest, format, notes: [...notes, note] };
  }
}

/** A manifest without the pictures at these addresses. */
function without(source: Manifest, urls: ReadonlySet<string>): Manifest {
  const kept = Object.keys(source.assets).filter((key) => {
    const asset = assetAt(source, key);
    return asset?.asset_type !== 'image' || asset.url === undefined || !urls.has(asset.url);
  });
  return { ...source, assets: Object.fromEntries(kept.map((key) => [key, source.assets[key] ?? []])) };
}

/** The brand from all that the request says, its brand.json where only a domain is given; without any, the domain of its own URLs. */
async function brandOf(app: App, call: Call, args: Input, source: Manifest | undefined): Promise<Brand> {
  const promoted = source === undefined ? undefined : promotedOfferings(source);
  const domain = args.brand?.domain;
  const published = domain === undefined || promoted !== undefined ? undefined : await brandJson(app, call, domain);
  const named = [args.brand, promoted, published].filter((part) => part !== undefined);
  return readBrand(named.length === 0 ? { name: 'Your brand' } : named, { field: 'brand' });
}

/** A brand's own brand.json through the guarded fetch; undefined when there is none to be had. */
async function brandJson(app: App, call: Call, domain: string): Promise<unknown> {
  try {
    const { status, bytes } = await app.studio().outbound.fetch(`https://${domain}/.well-known/brand.json`, {
      maxBytes: 1_000_000,
      timeoutMs: 2000,
      local: visitorOf(app, call).local,
    });
    const document: unknown = status === 200 ? JSON.parse(bytes.toString('utf8')) : undefined;
    return isObject(document) ? document : undefined;
  } catch (error) {
    app.log.debug({ err: error, domain }, 'no brand.json');
    return undefined;
  }
}

async function previewsOf(app: App, call: Call, args: Input, built: readonly Built[]): Promise<object> {
  const studio = app.studio();
  const visitor = visitorOf(app, call);
  const models = [];
  for (const { format, manifest } of built) {
    const findings = await judgeManifest(studio, manifest, format, visitor);
    models.push(await drawPreview(studio, { format, manifest, inputs: [], findings }, visitor));
  }
  const expiries = await studio.previews.keep(
    models.map((model) => ({ kind: 'preview', model }) as const),
    { nowMs: call.now.ms, lifetimeMs: PREVIEW_MS },
  );
  const outputFormat = args.preview_output_format ?? 'url';
  const previews = models.flatMap((model) =>
    previewAnswer(model, { baseUrl: studio.baseUrl, outputFormat }).map((preview) => ({
      ...preview,
      format_id: model.format.id,
    })),
  );
  const [first] = models;
  return {
    previews,
    ...(first === undefined ? {} : { interactive_url: previewUrl(studio.baseUrl, first.id) }),
    expires_at: isoTime(Math.min(...expiries)),
  };
}
