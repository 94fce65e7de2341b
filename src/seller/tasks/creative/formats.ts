import type { Format } from '../../../creative/formats/format.js';
import { readFormatId } from '../../../creative/formats/format-agents.js';
import { type Manifest, readManifest } from '../../../creative/formats/manifest.js';
import type { RenderContext } from '../../../creative/renderer.js';
import { TaskError } from '../../../protocol/errors.js';
import type { App, Call } from '../../context.js';
import { formatsOf, mayNameLocal } from '../pipeline/order-context.js';

/** The format that a reference names. Throws INVALID_FORMAT_ID (400) for what is none, REFERENCE_NOT_FOUND (404) for one not here. */
export function findFormat(app: App, call: Call, value: unknown, field: string): Format {
  const format = app.renderer().catalog.find(readFormatId(value, field, formatsOf(call)));
  if (format !== undefined) return format;
  throw new TaskError('REFERENCE_NOT_FOUND', 'This agent has no such creative format.', {
    field,
    suggestion: 'Use a format_id from list_creative_formats.',
  });
}

/** A manifest and the format it is for: `formatId` where it is given, else the manifest's own. Both must agree. */
export function readFormatAndManifest(
  { app, call }: { readonly app: App; readonly call: Call },
  formatId: unknown,
  manifest: unknown,
  fields: { readonly format: string; readonly manifest: string },
): { readonly format: Format; readonly manifest: Manifest } {
  const read = readManifest(manifest, fields.manifest);
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

/** Returns the visitor that looks at creatives in this call. */
export function visitorOf(app: App, call: Call): RenderContext {
  return { owner: call.owner, nowMs: call.now.ms, local: mayNameLocal(app, call) };
}
