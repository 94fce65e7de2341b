/** A slot of a canonical format. */
type Slot = { readonly asset_group_id: string; readonly asset_type: string; readonly required: boolean };
/** A format option of a product, as a client reads it that knows canonical formats and nothing else. */
export type Option = {
  readonly format_option_id: string;
  readonly format_kind: string;
  readonly params: Readonly<Record<string, unknown>> & { readonly slots: readonly Slot[] };
};

/** Makes an asset of what an option says of a slot, as a client does that knows canonical formats and nothing else. */
function makeAsset({ asset_type, asset_group_id }: Slot, { params }: Option): unknown {
  const measured = params.main_image_sizes as readonly { width: number; height: number }[] | undefined;
  const density = ((params.pixel_ratios as readonly number[] | undefined) ?? [1])[0] ?? 1;
  const size =
    asset_group_id === 'main_image' && measured !== undefined
      ? measured[0]
      : {
          width: Number(params.width ?? params.min_width ?? 1920) * density,
          height: Number(params.height ?? params.min_height ?? 1080) * density,
        };
  const duration_ms = params.duration_ms_exact ?? 15_000;
  const values = params.cta_values as readonly string[] | undefined;
  const made: Readonly<Record<string, object>> = {
    image: { url: 'https://cdn.acme-outdoor.example/a.png', ...size, format: 'png' },
    video: { url: 'https://cdn.acme-outdoor.example/a.mp4', ...size, duration_ms, container_format: 'mp4' },
    audio: { url: 'https://cdn.acme-outdoor.example/a.mp3', duration_ms },
    vast: {
      delivery_type: 'url',
      url: 'https://cdn.acme-outdoor.example/vast.xml',
      vast_version: params.vast_version,
      duration_ms,
    },
    url: { url: 'https://acme-outdoor.example/', url_type: 'clickthrough' },
    text: { content: asset_group_id === 'cta' ? (values?.[0] ?? 'Shop now') : 'Spring sale' },
    card: {},
  };
  return { asset_type, ...made[asset_type] };
}

/** Returns a creative for an option: every slot that it requires is filled. */
export function makeCreative(id: string, option: Option): Record<string, unknown> {
  const assets = option.params.slots
    .filter(({ required }) => required)
    .map((slot) => [slot.asset_group_id, makeAsset(slot, option)] as const);
  return { creative_id: id, name: id, format_kind: option.format_kind, assets: Object.fromEntries(assets) };
}
