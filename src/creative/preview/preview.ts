import type { PreviewModel } from './model.js';
import { buildFramePolicy, FRAME_SANDBOX, renderFrame } from './page/frame.js';
import { chooseScene } from './page/scene.js';
import { PREVIEWS_PATH } from './path.js';
import type { StoredPreview } from './ports.js';
import { measureBox, openVariant } from './variant.js';

/** The form in which a caller gets each render. */
export type OutputFormat = 'url' | 'html' | 'both';

/** The options of an answer; `baseUrl` without a slash at its end. */
type AnswerOptions = {
  readonly baseUrl: string;
  readonly outputFormat: OutputFormat;
  /** Hosts that creatives made of scripts may reach; none unless given. */
  readonly hosts?: readonly string[];
  /** What a page that frames a render is told to grant it; what the frames of our own page have unless given. */
  readonly sandbox?: string | undefined;
};

/** One rendered piece on the wire. */
type WireRender = {
  readonly render_id: string;
  readonly role: string;
  readonly output_format: OutputFormat;
  readonly preview_url?: string;
  readonly preview_html?: string;
  readonly dimensions?: { readonly width: number; readonly height: number };
  readonly embedding: {
    readonly recommended_sandbox: string;
    readonly requires_https: boolean;
    readonly supports_fullscreen: boolean;
    readonly csp_policy: string;
  };
};

/** One variant on the wire; the first render's address or HTML stands on it once more. */
export type WirePreview = {
  readonly preview_id: string;
  readonly input: PreviewModel['inputs'][number];
  readonly renders: readonly WireRender[];
  readonly preview_url?: string;
  readonly preview_html?: string;
};

/** Returns the address of a preview's page, or of a sheet. */
export function previewUrl(baseUrl: string, id: string, kind: 'preview' | 'sheet' = 'preview'): string {
  return `${baseUrl}${PREVIEWS_PATH}/${kind === 'sheet' ? 'sheet/' : ''}${id}`;
}

/** Returns the path below the previews' own under which others see a page; the token is signed over `shareSubject`. */
export function sharePath(token: string, kind: StoredPreview['kind']): string {
  return kind === 'sheet' ? `shared/sheet/${token}` : `shared/${token}`;
}

/** Returns the subject of the token that shares a page. */
export function shareSubject(id: string, kind: StoredPreview['kind']): string {
  return `${kind}:${id}`;
}

/** Returns a preview as preview_creative answers it: one entry per input, each with one render per piece of the format. Pure: nothing is kept. */
export function buildPreviewAnswer(model: PreviewModel, options: AnswerOptions): readonly WirePreview[] {
  return model.inputs.map((input, at) => {
    const renders = buildRenders(model, at, options);
    const { preview_url, preview_html } = renders[0] ?? {};
    return {
      preview_id: `${model.id}-${at}`,
      input,
      renders,
      preview_url,
      preview_html,
    };
  });
}

function buildRenders(
  model: PreviewModel,
  at: number,
  { baseUrl, outputFormat, hosts = [], sandbox = FRAME_SANDBOX }: AnswerOptions,
): readonly WireRender[] {
  const variant = openVariant(model, at);
  if (variant === undefined) return [];
  const scene = chooseScene(variant);
  const location = { root: `${baseUrl}${PREVIEWS_PATH}/`, origin: new URL(baseUrl).origin, hosts, watched: false };
  const policy = buildFramePolicy(scene, location);
  const document = outputFormat === 'url' ? undefined : renderFrame(scene, policy, location);
  return model.sizes.map((size, piece) => {
    const { width, height, fluid } = measureBox(model, size);
    const number = at * model.sizes.length + piece;
    return {
      render_id: `${model.id}-${number}`,
      role: size.role,
      output_format: outputFormat,
      preview_url: outputFormat === 'html' ? undefined : `${previewUrl(baseUrl, model.id)}?v=${at}`,
      preview_html: document,
      dimensions: fluid ? undefined : { width, height },
      embedding: {
        recommended_sandbox: sandbox,
        requires_https: false,
        supports_fullscreen: false,
        csp_policy: policy,
      },
    };
  });
}

/** The prefix of the paths in a frame's document, and the hosts that it may reach. */
type FrameHosting = { readonly root: string; readonly hosts?: readonly string[] };

/**
 * Returns the document of one frame of a preview and its policy; frames are numbered through its variants, then its pieces.
 * Undefined beyond the last.
 */
export function previewFrame(
  model: PreviewModel,
  number: number,
  { root, hosts = [] }: FrameHosting,
): { readonly text: string; readonly policy: string } | undefined {
  const variant = openVariant(model, Math.floor(number / model.sizes.length));
  if (variant === undefined) return undefined;
  const scene = chooseScene(variant);
  const location = { root, hosts, origin: "'self'", watched: true };
  const policy = buildFramePolicy(scene, location);
  return { text: renderFrame(scene, policy, location), policy };
}
