import { z } from 'zod';
import { RULES } from '../../check/check.js';
import { type AssetType, FORMAT_PARAMETERS, FORMAT_TYPES, SLOT_ASSET_TYPES } from '../format.js';

const name = z.string().trim().min(1).max(200);
const pixels = z.int().min(1).max(10_000);
const ratio = z.string().regex(/^\d+(?:\.\d+)?:\d+(?:\.\d+)?$/, 'a ratio is written as "16:9"');

const dimensions = z
  .strictObject({
    width: pixels.optional(),
    height: pixels.optional(),
    min_width: pixels.optional(),
    max_width: pixels.optional(),
    min_height: pixels.optional(),
    max_height: pixels.optional(),
    aspect_ratio: ratio.optional(),
    responsive: z.strictObject({ width: z.boolean(), height: z.boolean() }).optional(),
  })
  .refine(({ width, height }) => (width === undefined) === (height === undefined), 'give width and height, or neither');

const render = z
  .strictObject({
    role: name,
    dimensions: dimensions.optional(),
    parameters_from_format_id: z.literal(true).optional(),
  })
  .refine(
    (one) => (one.dimensions === undefined) !== (one.parameters_from_format_id === undefined),
    'a render has either dimensions or "parameters_from_format_id": true',
  );

/** Requirements that say something and need no judging. */
const FURTHER: Readonly<Partial<Record<AssetType, readonly string[]>>> = {
  image: ['unit', 'max_weight_grams'],
  video: ['loudness_tolerance_db'],
  audio: ['loudness_tolerance_db'],
  html: ['sandbox'],
  catalog: ['required', 'offering_asset_constraints', 'field_bindings'],
};
const ANYWHERE = ['description', 'parameters_from_format_id'];

/** Returns the requirements that slots of a type may have. */
function listRequirements(type: AssetType): readonly string[] {
  const judged = RULES.filter(({ types }) => types.includes(type)).map(({ keyword }) => keyword);
  return [...new Set([...judged, ...(FURTHER[type] ?? []), ...ANYWHERE])];
}

const list = z.array(z.union([z.string(), z.number()])).min(1);

/** What the value of a requirement is, by its name; the first row that matches holds. */
const VALUES: readonly (readonly [keyword: RegExp, value: z.ZodType])[] = [
  [/^(?:min|max)_/, z.number().min(0)],
  [/^(?:width|height)$/, z.number().min(1)],
  [/(?:_required|_allowed|^macro_support|^required|^parameters_from_format_id)$/, z.boolean()],
  [/^aspect_ratio$/, ratio],
  [/^character_pattern$/, z.string().refine(isPattern, 'this is no regular expression')],
  [
    /^(?:formats|containers|codecs|audio_codecs|channels|audio_channels|sample_rates|audio_sample_rates|frame_rates|prohibited_terms|allowed_values|allowed_external_domains|protocols|allowed_domains|methods|required_fields|feed_formats)$/,
    list,
  ],
];

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

type Checked = { readonly asset_type: AssetType; readonly requirements?: Record<string, unknown> | undefined };

/** Finds requirements that the asset type does not have, and values that are none. */
function checkRequirements({ asset_type, requirements = {} }: Checked, context: z.RefinementCtx): void {
  const keywords = listRequirements(asset_type);
  for (const [keyword, value] of Object.entries(requirements)) {
    const path = ['requirements', keyword];
    if (!keywords.includes(keyword)) {
      const message = `${asset_type} has no requirement "${keyword}"; it has ${keywords.join(', ')}`;
      context.addIssue({ code: 'custom', path, message });
    }
    const wanted = VALUES.find(([names]) => names.test(keyword))?.[1].safeParse(value);
    for (const issue of wanted?.error?.issues ?? []) {
      context.addIssue({ code: 'custom', path: [...path, ...issue.path], message: issue.message });
    }
  }
}

const assetId = z.string().regex(/^[a-z0-9_]{1,100}$/, 'the id of an asset is made of a-z, 0-9 and "_"');
const slotFields = {
  asset_id: assetId,
  asset_type: z.enum(SLOT_ASSET_TYPES),
  required: z.boolean(),
  asset_role: name.optional(),
  requirements: z.record(z.string(), z.unknown()).optional(),
};
const individual = z.strictObject({ item_type: z.literal('individual'), ...slotFields }).superRefine(checkRequirements);
const group = z
  .strictObject({
    item_type: z.literal('repeatable_group'),
    asset_group_id: assetId,
    required: z.boolean(),
    min_count: z.int().min(0).max(100),
    max_count: z.int().min(1).max(100),
    selection_mode: z.enum(['sequential', 'optimize']).optional(),
    assets: z.array(z.strictObject(slotFields).superRefine(checkRequirements)).min(1).max(50),
  })
  .refine(({ min_count, max_count }) => min_count <= max_count, 'min_count is at most max_count');
const slot = z.discriminatedUnion('item_type', [individual, group]);

const ownId = z.string().regex(/^[a-zA-Z0-9_-]{1,100}$/, 'an id is made of letters, digits, "_" and "-"');
const formatRef = z.union([ownId, z.strictObject({ agent_url: z.url(), id: ownId })]);

/** `format.json` of a template folder: a format as list_creative_formats shows it, its id being the folder's name. */
export const formatFile = z
  .strictObject({
    $schema: z.string().optional(),
    $comment: z.string().optional(),
    name,
    description: z.string().trim().min(1).max(2000),
    type: z.enum(FORMAT_TYPES),
    example_url: z.url().optional(),
    accepts_parameters: z.array(z.enum(FORMAT_PARAMETERS)).min(1).optional(),
    renders: z.array(render).min(1).max(20),
    assets: z.array(slot).min(1).max(100),
    supported_macros: z.array(z.string().regex(/^[A-Z0-9_]{1,60}$/, 'a macro is written in capitals')).optional(),
    output_format_ids: z.array(formatRef).min(1).optional(),
    input_format_ids: z.array(formatRef).min(1).optional(),
    accessibility: z
      .strictObject({ wcag_level: z.enum(['A', 'AA', 'AAA']), requires_accessible_assets: z.boolean().optional() })
      .optional(),
    supported_disclosure_positions: z.array(z.string()).min(1).optional(),
    disclosure_capabilities: z
      .array(z.strictObject({ position: z.string(), persistence: z.array(z.string()).min(1) }))
      .min(1)
      .optional(),
    reported_metrics: z.array(z.string()).min(1).optional(),
  })
  .superRefine((file, context) => {
    const isFromId = file.renders.some((one) => one.parameters_from_format_id === true);
    if (isFromId !== (file.accepts_parameters !== undefined)) {
      const message = 'accepts_parameters goes with a render of "parameters_from_format_id": true, and only with that';
      context.addIssue({ code: 'custom', path: ['accepts_parameters'], message });
    }
    const ids = file.assets.map((each) => ('asset_id' in each ? each.asset_id : each.asset_group_id));
    for (const [index, id] of ids.entries()) {
      if (ids.indexOf(id) === index) continue;
      context.addIssue({ code: 'custom', path: ['assets', index], message: `"${id}" names two assets` });
    }
  });
export type FormatFile = z.output<typeof formatFile>;
