import type { z } from 'zod';
import { buildCreative as build } from '../../../../creative/build/build.js';
import { type Finding, throwOnErrors } from '../../../../creative/check/finding.js';
import { type Brand, readBrand } from '../../../../creative/compose/brand.js';
import { builtInWriter } from '../../../../creative/compose/copy/built-in-writer.js';
import { type CopyWriter, withFallback, writeOnce } from '../../../../creative/compose/copy/copy.js';
import { llmCopyWriter } from '../../../../creative/compose/copy/llm.js';
import type { Format, FormatId } from '../../../../creative/formats/format.js';
import { type Manifest, promotedOfferings, readManifest } from '../../../../creative/formats/manifest.js';
import { PREVIEW_MS } from '../../../../creative/lifetimes.js';
import { buildPreviewAnswer, previewUrl } from '../../../../creative/preview/preview.js';
import type { AssetFiles } from '../../../../creative/probe/asset-files.js';
import { checkManifestFiles, openFiles, publishPicture, renderPreview } from '../../../../creative/renderer.js';
import { directBuild, listOffered, type TransformerConfig } from '../../../../creative/transformers/transformers.js';
import { isoTime } from '../../../../platform/kernel/clock.js';
import { isObject, readJson } from '../../../../platform/kernel/json/json.js';
import { asTaskError, TaskError } from '../../../../protocol/errors.js';
import type { App, Call } from '../../../context.js';
import { NO_ACCOUNT } from '../../../domain/account/scope.js';
import type { BuildPrice } from '../../../domain/creative/build-price.js';
import type { ServingPrice } from '../../../domain/creative/price.js';
import type { Progress } from '../../../domain/task/task.js';
import { findSameCaller, isBilledOutside } from '../../../domain/tenant/callers.js';
import { ownerKey } from '../../../domain/tenant/principal.js';
import type { Reader } from '../../../store/store.js';
import { findUsable, scopeOf } from '../../pipeline/resolve-account.js';
import { findFormat, visitorOf } from '../formats.js';
import type { buildInput } from './input.js';
import { type BuildPlan, planBuild } from './plan-build.js';
import {
  type BuildTarget,
  checkMaterial,
  checkTargets,
  inheritFrom,
  prepareTexts,
  type Refinement,
  readRefinement,
} from './refinement.js';
import { checkSpend, type Estimate, estimateBuild } from './spend.js';
import { openTranslator, type Translator } from './translator.js';

type Input = z.output<typeof buildInput>;

/** One finished creative. */
export type Built = {
  readonly manifest: Manifest;
  readonly format: Format;
  readonly notes: readonly string[];
  /** Findings that are no errors. */
  readonly findings: readonly Finding[];
  /** Of several alternatives, the value that it was built for. */
  readonly value: unknown;
  readonly config: TransformerConfig;
  /** The format that was asked for. */
  readonly target: FormatId;
};

/** Everything that a call builds, before its answer is stored. */
export type BuildResult = {
  readonly plan: BuildPlan;
  readonly refinement: Refinement | undefined;
  readonly message: string | undefined;
  readonly source: Manifest | undefined;
  /** By the formats, in their order; those that a ceiling left no room for are not in it. */
  readonly groups: readonly (readonly Built[])[];
  /** How many creatives the call asked for. */
  readonly asked: number;
  readonly isCapped: boolean;
  readonly preview: object | undefined;
  readonly price: BuildPrice | undefined;
  /** The price of serving the library's creative that this was built from. */
  readonly servingPrice: ServingPrice | undefined;
};

type BuildContext = { readonly app: App; readonly call: Call; readonly args: Input; readonly db: Reader };

/** Builds everything that a build_creative call asks for; a dry run builds nothing, and answers an estimate. */
export async function buildAll(
  context: BuildContext,
  report: (progress: Progress) => void,
): Promise<BuildResult | Estimate> {
  const { app, call, db } = context;
  const refinement = await readRefinement(context);
  const args = inheritFrom(refinement?.parent, context.args);
  const targets = readTargets(app, call, args);
  const plan = planBuild(args, refinement?.parent, listOffered(call.seller.tenant.llm !== undefined));
  checkTargets(plan, targets, args);
  const { price, room } = await checkSpend(context, plan, targets.length);
  if (args.mode === 'estimate') return estimateBuild(plan, targets.length, price);
  const { source = refinement?.parent.source, price: servingPrice } = await findSource(app, call, args, db);
  checkMaterial(plan, source, args);
  const brand = await resolveBrand(app, call, args, source);
  const files = openFiles(app.renderer(), visitorOf(app, call));
  const copyWriter = chooseCopyWriter(app, call);
  const translate = openTranslator(app, call);
  const message = refinement === undefined ? args.message : refinement.message;
  const groups: (readonly Built[])[] = [];
  let left = room;
  for (const [index, { format, named }] of targets.entries()) {
    if (left <= 0) break;
    report({ step_number: index + 1, total_steps: targets.length, current_step: `build ${format.format_id.id}` });
    const request = {
      app,
      call,
      args,
      format,
      target: named,
      brand,
      source,
      files,
      copyWriter,
      translate,
      message,
      refinement,
    };
    const building = buildGroup(request, plan, Math.min(left, plan.wanted));
    const built = await building.catch((error: unknown) => Promise.reject(locateError(error, index, request)));
    groups.push(built);
    left -= built.length;
  }
  const previewed = args.include_preview === true && !plan.hasVariants;
  const asked = targets.length * plan.asked;
  return {
    plan,
    refinement,
    message,
    source,
    groups,
    asked,
    isCapped: room < targets.length * plan.wanted,
    preview: previewed ? await previewBuilt(app, call, args, groups.flat(), files) : undefined,
    price,
    servingPrice,
  };
}

/** One of the creatives that a call asks for. */
type BuildRequest = {
  readonly app: App;
  readonly call: Call;
  readonly args: Input;
  readonly format: Format;
  readonly target: FormatId;
  readonly brand: Brand;
  readonly source: Manifest | undefined;
  readonly files: AssetFiles;
  readonly copyWriter: CopyWriter;
  readonly translate: Translator;
  readonly message: string | undefined;
  readonly refinement: Refinement | undefined;
};

/** Builds the alternatives of one format, at most `most`. Where nobody chose their values none is like another. Throws VALIDATION_ERROR for a refinement that changes nothing. */
async function buildGroup(request: BuildRequest, plan: BuildPlan, most: number): Promise<readonly Built[]> {
  const { refinement } = request;
  const before = refinement === undefined ? [] : [JSON.stringify(refinement.parent.manifest.assets)];
  const seen = new Set<string>(before);
  const built: Built[] = [];
  for (const { value, config } of plan.alternatives) {
    if (built.length >= most) break;
    const one = await buildOne(request, plan, config, value);
    const assets = JSON.stringify(one.manifest.assets);
    if (!plan.isFixed && seen.has(assets)) continue;
    seen.add(assets);
    built.push(one);
  }
  if (built.length > 0) return built;
  throw new TaskError('VALIDATION_ERROR', 'Nothing of the creative would change.', {
    field: refinement === undefined ? 'max_variants' : 'message',
    suggestion:
      'Put a headline or the words of the button in quotation marks, name a ground as #rrggbb, ask to invert the colors, for another motif or a shorter headline, or send a config.',
  });
}

/** An error that says which of several formats it is about, unless it is about an asset that the caller sent for all of them. */
function locateError(thrown: unknown, index: number, { args, format, source }: BuildRequest): unknown {
  const error = asTaskError(thrown);
  if (error === undefined) return thrown;
  const { field, issues: _issues, details, ...extras } = error.extras;
  if (args.target_format_ids === undefined)
    return new TaskError(error.code, error.message, { field: 'target_format_id', ...error.extras });
  const asset = /^creative_manifest\.assets\.([^.[]+)/.exec(field ?? '')?.[1];
  if (asset !== undefined && Object.hasOwn(source?.assets ?? {}, asset)) return error;
  return new TaskError(error.code, error.message, {
    ...extras,
    field: `target_format_ids[${index}]`,
    details: { ...details, format_id: format.format_id },
  });
}

/** The formats to build; a list wins over a single one. A generative format is built as the format that it says it puts out. */
function readTargets(
  app: App,
  call: Call,
  { target_format_id: one, target_format_ids: several }: Input,
): readonly BuildTarget[] {
  if (one === undefined && several === undefined) {
    throw new TaskError('INVALID_REQUEST', 'The format to build is missing.', {
      field: 'target_format_id',
      suggestion: 'Name one format as {"agent_url": …, "id": …} in target_format_id, or several in target_format_ids.',
    });
  }
  const named = several?.map((value, index) => findFormat(app, call, value, `target_format_ids[${index}]`)) ?? [
    findFormat(app, call, one, 'target_format_id'),
  ];
  return named.map((format) => {
    const output = format.output_format_ids?.[0];
    const made = output === undefined ? undefined : app.renderer().catalog.find(output);
    return { named: format.format_id, format: made ?? format };
  });
}

/** Returns what to start from: the manifest of the request, or a creative of the caller's libraries. */
async function findSource(
  app: App,
  call: Call,
  args: Input,
  db: Reader,
): Promise<{ readonly source?: Manifest; readonly price?: ServingPrice }> {
  if (args.creative_manifest !== undefined)
    return { source: readManifest(args.creative_manifest, 'creative_manifest') };
  if (args.creative_id === undefined) return {};
  for (const library of listLibraries(app, call)) {
    const named = args.account && (await findUsable(library, args.account, db));
    const scope = args.account === undefined ? library.owner : scopeOf(library, named?.account_id ?? NO_ACCOUNT);
    const creative = await db.creatives.findAnywhere(scope, args.creative_id);
    if (creative !== undefined) {
      const { format_id, assets, pricing_options: [price] = [] } = creative;
      const source = readManifest({ format_id, assets }, 'creative_id');
      return price === undefined || isBilledOutside(call.principal) ? { source } : { source, price };
    }
  }
  throw new TaskError('CREATIVE_NOT_FOUND', 'There is no such creative in the library.', {
    field: 'creative_id',
    suggestion: 'Send it with sync_creatives first, or send its assets as creative_manifest.',
  });
}

/** The caller as the owner of a library. */
type LibraryHolder = Pick<Call, 'owner' | 'principal'>;

/** Returns the callers as whom the caller has creatives: here, and with the sales agents of this server that name this one, where the same key opens them. */
function listLibraries(app: App, { owner, seller, principal }: Call): readonly LibraryHolder[] {
  if (principal === undefined) return [{ owner, principal }];
  const sellers = [...app.sellers().values()].filter(({ creativeAgents }) =>
    creativeAgents.some(({ agent_url }) => agent_url === seller.url),
  );
  const others = sellers.flatMap((other) => {
    const same = findSameCaller(seller, other, principal);
    return same === undefined ? [] : [{ owner: ownerKey(other.tenant.path, same.id), principal: same }];
  });
  return [{ owner, principal }, ...others];
}

/** Builds a creative and holds it against its format: what goes out fits, and carries nothing on that a preview would refuse. */
async function buildOne(
  { app, call, args, format, target, brand, source, files, copyWriter, translate, message, refinement }: BuildRequest,
  { transformer }: BuildPlan,
  config: TransformerConfig,
  value: unknown,
): Promise<Built> {
  const renderer = app.renderer();
  const direction = { ...directBuild(config), ...refinement?.direction };
  const prepared = source && prepareTexts(source, transformer, direction);
  const isTranslated = prepared !== undefined && typeof config.language === 'string';
  const sourceManifest = isTranslated ? await translate(prepared, String(config.language)) : prepared;
  const template = renderer.catalog.template(format.format_id.id);
  const { manifest, notes } = await build({
    brand,
    format,
    template,
    message,
    sourceManifest,
    direction,
    macros: args.macro_values,
    assetBytes: files.readWhole,
    images: renderer.images,
    publish: (file) => publishPicture(renderer, file, visitorOf(app, call)),
    copyWriter,
  });
  const findings = await checkManifestFiles(renderer, manifest, format, visitorOf(app, call), files);
  throwOnErrors(findings);
  return { manifest, format, notes, findings, value, config, target };
}

/** Returns the writer of the copy: the tenant's text endpoint where it has one, and whenever that fails the built-in writer. */
function chooseCopyWriter(app: App, { seller: { tenant } }: Call): CopyWriter {
  const { llm, path } = tenant;
  if (llm === undefined) return builtInWriter;
  const asked = llmCopyWriter({ ...llm, ask: app.renderer().outbound.fetch });
  const logFailure = (cause: unknown): void => {
    // Its message alone: the request holds the key, the answer is a stranger's.
    const reason = cause instanceof Error ? cause.message : 'unknown';
    app.log.warn({ tenant: path, reason }, 'the text endpoint failed; the built-in writer wrote the copy');
  };
  return writeOnce(withFallback(asked, builtInWriter, logFailure));
}

/** The brand from all that the request says, its brand.json where only a domain is given; without any, the domain of its own URLs. */
async function resolveBrand(app: App, call: Call, args: Input, source: Manifest | undefined): Promise<Brand> {
  const promoted = source === undefined ? undefined : promotedOfferings(source);
  const domain = args.brand?.domain;
  const published = domain === undefined || promoted !== undefined ? undefined : await brandJson(app, call, domain);
  const named = [args.brand, promoted, published].filter((part) => part !== undefined);
  return readBrand(named.length === 0 ? { name: 'Your brand' } : named, { field: 'brand' });
}

/** Returns what the registry's mirror has of a brand, else its own brand.json through the guarded fetch; undefined when there is none to be had. */
async function brandJson(app: App, call: Call, domain: string): Promise<unknown> {
  const mirrored = await app.registry.brandOf(domain);
  if (mirrored !== undefined) return mirrored;
  try {
    const { status, bytes } = await app.renderer().outbound.fetch(`https://${domain}/.well-known/brand.json`, {
      maxBytes: 1_000_000,
      timeoutMs: 2000,
      local: visitorOf(app, call).local,
    });
    const document = status === 200 ? readJson(bytes) : undefined;
    return isObject(document) ? document : undefined;
  } catch (error) {
    app.log.debug({ err: error, domain }, 'no brand.json');
    return undefined;
  }
}

async function previewBuilt(
  app: App,
  call: Call,
  args: Input,
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
    { nowMs: call.now.ms, lifetimeMs: PREVIEW_MS },
  );
  const outputFormat = args.preview_output_format ?? 'url';
  const previews = models.flatMap((model) =>
    buildPreviewAnswer(model, { baseUrl: renderer.baseUrl, outputFormat }).map((preview) => ({
      ...preview,
      format_id: model.format.id,
    })),
  );
  const [first] = models;
  return {
    previews,
    interactive_url: first === undefined ? undefined : previewUrl(renderer.baseUrl, first.id),
    expires_at: isoTime(Math.min(...expiries)),
  };
}
