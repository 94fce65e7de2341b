import type { ToolArguments } from '../host/host.js';
import type { ToolAnswer } from '../host/messages.js';
import type { Preview, Shown } from './card.js';

/** The answer of preview_creative, as far as it is shown. */
export type Previews = {
  readonly previews?: readonly Preview[];
  readonly results?: readonly Result[];
  readonly interactive_url?: string;
  readonly sheet_url?: string;
  readonly share_url?: string;
  readonly expires_at?: string;
};

/** A creative of a batch. */
type Result = {
  readonly success?: boolean;
  readonly response?: { readonly previews?: readonly Preview[] };
  readonly errors?: readonly { readonly message?: string; readonly suggestion?: string }[];
};

/** A shown entry of an answer: a preview, or a creative of a batch that there is none of. */
export type Entry = Shown | { readonly failed: string; readonly title: string };

/** Returns what an answer shows, in the order that was asked for; its creatives are named as the call names them. */
export function listEntries({ previews = [], results }: Previews, asked: ToolArguments): readonly Entry[] {
  if (results === undefined) return showAll(previews, asked, 'Creative');
  const requests = Array.isArray(asked.requests) ? (asked.requests as readonly ToolArguments[]) : [];
  return results.flatMap((result, at): readonly Entry[] => {
    const name = `Creative ${at + 1}`;
    const request = requests[at] ?? {};
    if (result.success !== false) return showAll(result.response?.previews ?? [], request, name);
    const { message = 'The seller did not say why.', suggestion = '' } = result.errors?.[0] ?? {};
    return [{ failed: `${message} ${suggestion}`.trim(), title: nameOf(request) ?? name }];
  });
}

function showAll(previews: readonly Preview[], request: ToolArguments, otherwise: string): readonly Shown[] {
  const name = nameOf(request) ?? otherwise;
  return previews.map((preview) => {
    const variant = previews.length > 1 ? preview.input?.name : undefined;
    return { preview, title: variant === undefined ? name : `${name}, ${variant}`, format: formatOf(request) };
  });
}

type Request = {
  readonly format_id?: { readonly id?: string };
  readonly creative_manifest?: { readonly name?: string; readonly format_id?: { readonly id?: string } };
};

function nameOf(request: ToolArguments): string | undefined {
  return (request as Request).creative_manifest?.name ?? formatOf(request);
}

function formatOf(request: ToolArguments): string | undefined {
  const { creative_manifest, format_id } = request as Request;
  return format_id?.id ?? creative_manifest?.format_id?.id;
}

/** Returns the call that asks for the documents of what was asked for, beside their pages. */
export function withDocuments(asked: ToolArguments): ToolArguments {
  const whole = { ...asked, output_format: 'both' };
  if (!Array.isArray(asked.requests)) return whole;
  // What one creative of a batch is asked for by itself goes before the whole.
  return { ...whole, requests: asked.requests.map((request: object) => ({ ...request, output_format: 'both' })) };
}

/** Whether an answer has the document of everything that it shows. */
export function hasDocuments({ previews = [] }: Previews): boolean {
  return previews.every(({ preview_html }) => preview_html !== undefined);
}

/** Returns the previews of an answer; undefined of a failure. */
export function previewsIn({ isError, structuredContent }: ToolAnswer): Previews | undefined {
  return isError === true ? undefined : ((structuredContent ?? {}) as Previews);
}
