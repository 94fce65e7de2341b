import sharp from 'sharp';
import type { Booted, CallOptions } from './boot.js';
import { succeeded } from './buyer.js';
import type { Answer, Payload, WireError } from './wire.js';

/** A format reference on the wire. */
export type WireFormatId = { readonly agent_url: string; readonly id: string };

/** An asset of an answered manifest. */
export type WireAsset = {
  readonly asset_type: string;
  readonly url: string;
  readonly content: string;
  readonly width?: number;
  readonly height?: number;
  readonly alt_text?: string;
};

/** A creative manifest of an answer. */
export type WireManifest = {
  readonly format_id: WireFormatId;
  readonly assets: Readonly<Record<string, WireAsset>>;
};

/** One variant of a preview, as spec 2 and the public protocol have it. */
export type WirePreview = {
  readonly preview_id: string;
  readonly preview_url: string;
  readonly preview_html: string;
  readonly input: { readonly name: string; readonly macros?: Readonly<Record<string, string>> };
  readonly format_id?: WireFormatId;
  readonly renders: readonly {
    readonly output_format: string;
    readonly preview_url?: string;
    readonly preview_html?: string;
    readonly dimensions?: { readonly width: number; readonly height: number };
  }[];
};

/** The root object of a creative task's answer with the fields that tests read. */
export type RendererPayload = Payload & {
  readonly creative_manifest: WireManifest;
  readonly creative_manifests: readonly WireManifest[];
  readonly preview: { readonly previews: readonly WirePreview[]; readonly interactive_url: string };
  readonly previews: readonly WirePreview[];
  readonly results: readonly {
    readonly success: boolean;
    readonly creative_id: string;
    readonly response?: { readonly previews: readonly WirePreview[]; readonly expires_at: string };
    readonly errors?: readonly WireError[];
  }[];
  readonly interactive_url: string;
  readonly sheet_url: string;
  readonly share_url: string;
  readonly expires_at: string;
  /** Spec 2, Errors 3. */
  readonly error: { readonly code: string; readonly message: string; readonly status: number };
};

/** Somebody at the shipped creative tenant. */
export type RendererClient = {
  /** A format of this renderer by its id. */
  readonly format: (id: string) => WireFormatId;
  /** A call that must succeed. */
  readonly must: (tool: string, args: object) => Promise<RendererPayload>;
  /** A call that must fail. */
  readonly refused: (tool: string, args: object) => Promise<RendererPayload>;
  /** A preview of one manifest that must succeed. */
  readonly preview: (manifest: object, more?: object) => Promise<RendererPayload>;
};

/** A caller of the creative tenant; the sandbox of the shipped one unless a token is given. */
export function rendererClient(server: Booted, options: CallOptions = {}): RendererClient {
  const call = (tool: string, args: object): Promise<Answer> =>
    server.call(tool, args, { tenant: 'creative', ...options });
  const must: RendererClient['must'] = async (tool, args) => succeeded(await call(tool, args)) as RendererPayload;
  return {
    format: (id) => ({ agent_url: server.url('creative'), id }),
    must,
    refused: async (tool, args) => {
      const { payload, isError } = await call(tool, args);
      if (!isError) throw new Error(`${tool} was not refused: ${JSON.stringify(payload).slice(0, 500)}`);
      return payload as RendererPayload;
    },
    preview: (creative_manifest, more) =>
      must('preview_creative', { request_type: 'single', creative_manifest, ...more }),
  };
}

/** A manifest of the plain 300x250 banner whose picture is behind `url`; `assets` replace or add. */
export function banner(format_id: WireFormatId, url: string, assets: object = {}): object {
  return {
    format_id,
    assets: {
      banner_image: { asset_type: 'image', url, width: 300, height: 250 },
      click_url: { asset_type: 'url', url: 'https://acme-outdoor.example/' },
      ...assets,
    },
  };
}

/** A picture of one color. */
export function picture(width: number, height: number, background = '#1f6f54'): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
}
