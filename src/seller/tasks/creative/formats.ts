import type { FormatOption } from '../../../creative/formats/canonical/declaration.js';
import { toOwnAssets } from '../../../creative/formats/canonical/groups.js';
import { checkNamedOnce, findOption, isCanonical, selectOption } from '../../../creative/formats/canonical/select.js';
import type { Format, FormatId } from '../../../creative/formats/format.js';
import { readFormatId } from '../../../creative/formats/format-agents.js';
import { type Manifest, readManifest } from '../../../creative/formats/manifest.js';
import type { RenderContext } from '../../../creative/renderer.js';
import { TaskError } from '../../../protocol/errors.js';
import { RELEASE_TABLE } from '../../../protocol/releases.js';
import type { App, Call } from '../../context.js';
import { isCreativeAgent, type Seller } from '../../domain/tenant/seller.js';
import { canNameLocal, formatsOf } from '../pipeline/order-context.js';

/**
 * Returns the format that a reference names. Throws INVALID_FORMAT_ID (400) for what is none, FORMAT_NOT_SUPPORTED (404) for one not
 * here.
 */
export function findFormat(app: App, call: Call, value: unknown, field: string): Format {
  const format = app.renderer().catalog.find(readFormatId(value, field, formatsOf(call)));
  if (format !== undefined) return format;
  throw new TaskError('FORMAT_NOT_SUPPORTED', 'This agent has no such creative format.', {
    codeIn30: 'REFERENCE_NOT_FOUND',
    field,
    suggestion: 'Use a format_id from list_creative_formats.',
  });
}

/** Returns a manifest and the format it is for: `formatId` where it is given, else the manifest's own. Both must agree. */
export function readFormatAndManifest(
  { app, call }: { readonly app: App; readonly call: Call },
  formatId: unknown,
  manifest: unknown,
  fields: { readonly format: string; readonly manifest: string },
): { readonly format: Format; readonly manifest: Manifest } {
  const read = inOwnTerms(readManifest(manifest, fields.manifest), call.seller, fields.manifest);
  if (formatId === undefined && read.format_id === undefined) {
    throw new TaskError('INVALID_FORMAT_ID', 'Neither the request nor its manifest names a format.', {
      field: fields.format,
      suggestion: 'Send format_id as {"agent_url": …, "id": …}, copied from list_creative_formats.',
    });
  }
  const format = findFormat(
    app,
    call,
    formatId ?? read.format_id,
    formatId === undefined ? `${fields.manifest}.format_id` : fields.format,
  );
  if (formatId !== undefined && read.format_id !== undefined) {
    const own = findFormat(app, call, read.format_id, `${fields.manifest}.format_id`);
    if (own.format_id.id !== format.format_id.id) {
      throw new TaskError('VALIDATION_ERROR', 'The manifest is for another format than the request names.', {
        field: fields.format,
        suggestion: 'Name the same format in both, or leave format_id of the request out.',
      });
    }
  }
  return { format, manifest: read };
}

/** Returns a manifest with the format and the names of assets that are known here, where it has them in canonical terms. */
function inOwnTerms(manifest: Manifest, seller: Seller, field: string): Manifest {
  if (!isCanonical(manifest)) return manifest;
  checkNamedOnce(manifest, field);
  const options = listOptions(seller);
  if (manifest.format_id !== undefined) {
    findOption(options, manifest.format_option_ref, `${field}.format_option_ref`);
    return manifest;
  }
  const { format, groups } = selectOption(options, manifest, manifest.assets, field);
  const assets = toOwnAssets(groups, manifest.assets) as Manifest['assets'];
  return { ...manifest, format_id: format.format_id, assets };
}

/** Returns the options of everything that a seller takes: the formats of its products, and all of a creative agent. */
export function listOptions(seller: Seller): readonly FormatOption[] {
  const sold = [...seller.products.values()].flatMap(({ format_ids }) => format_ids);
  const all = isCreativeAgent(seller.tenant) ? [...sold, ...seller.formats.map(({ format_id }) => format_id)] : sold;
  const byKey = new Map<string, FormatId>(all.map((ref) => [JSON.stringify(ref), ref]));
  return seller.formatOptions.list([...byKey.values()]);
}

/** Returns the visitor that looks at creatives in this call. */
export function visitorOf(app: App, call: Call): RenderContext {
  return { owner: call.owner, nowMs: call.now.ms, local: canNameLocal(app, call) };
}

/** Returns the sandbox that frames of previews are recommended to a caller with; undefined is the one that lets them run scripts. */
export function frameSandbox({ to }: Call): string | undefined {
  return RELEASE_TABLE[to.release].hasBareFrames ? '' : undefined;
}
