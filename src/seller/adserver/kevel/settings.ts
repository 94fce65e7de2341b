import { z } from 'zod';
import { AdServerSettingsError } from '../errors.js';
import type { AdServerOptions, SettingsFault } from '../port/adapter.js';
import type { ProductMapping } from '../port/answers.js';

/** The largest id and count of Kevel: its integers have 32 bits. */
export const MAX_INT32 = 2_147_483_647;

const id = z.number().int().min(1).max(MAX_INT32);

const settingsSchema = z.strictObject({
  adapter: z.literal('kevel'),
  network_id: id,
  api_key: z.string().min(1),
  base_url: z.url({ protocol: /^https?$/ }).default('https://api.kevel.co'),
  currency: z.string().regex(/^[A-Z]{3}$/),
  advertisers: z.record(z.string(), id).default({}),
  requests_per_second: z.number().min(0.1).max(50).default(20),
});

/** The `ad_server` object of a tenant whose live orders go to Kevel. */
export type KevelSettings = z.infer<typeof settingsSchema>;

const productSchema = z.strictObject({
  priority_id: id,
  ad_types: z.record(z.string().regex(/^\d{1,5}x\d{1,5}$/), id).refine((types) => Object.keys(types).length > 0),
  sites: z
    .array(z.strictObject({ site_id: id, zone_id: id.optional() }))
    .max(200)
    .default([]),
  keywords: z
    .array(z.string().regex(/^[^,:!~\n]{1,100}$/))
    .max(100)
    .default([]),
  custom_targeting: z.string().min(1).max(1000).optional(),
});

/** The `adapter` object of a product that Kevel delivers. */
export type KevelProduct = z.infer<typeof productSchema>;

/** What to write for a member that cannot be as it is. */
const FIXES: Readonly<Record<string, string>> = {
  network_id: 'Write the id of the network as Kevel shows it, such as 1234.',
  api_key: 'Write {"env": "KEVEL_API_KEY"} and set that variable to a management API key.',
  base_url: 'Leave it out, or write the address of the management API.',
  currency: 'Write the ISO 4217 code of the network, such as "USD".',
  advertisers: 'Write ids of advertisers by the domain of their brand, such as {"acme.example": 77}.',
  requests_per_second: 'Write 0.1 to 50; all tenants of a network share it.',
  priority_id: 'Write the id of a priority of the channel; GET /v1/priority lists them.',
  ad_types: 'Write ids of ad types by their sizes, such as {"300x250": 5}; GET /v1/adtypes lists them.',
  sites: 'Write [{"site_id": 12}], each with a zone_id where it is one zone alone.',
  keywords: 'Write words without comma, colon, exclamation mark and tilde.',
  custom_targeting: 'Write an expression of at most 1000 characters.',
};

/** Returns settings as they are read from a tenant file. Throws AdServerSettingsError for what cannot be. */
export function readSettings(settings: AdServerOptions['settings']): KevelSettings {
  const read = settingsSchema.safeParse(settings, { reportInput: true });
  if (!read.success) throw new AdServerSettingsError(faultsOf(read.error));
  return { ...read.data, base_url: read.data.base_url.replace(/\/+$/, '') };
}

/** Returns what is wrong with the `adapter` object of a product. */
export function judgeProduct({ adapter }: Pick<ProductMapping, 'adapter'>): readonly SettingsFault[] {
  const read = productSchema.safeParse(adapter, { reportInput: true });
  return read.success ? [] : faultsOf(read.error);
}

/** Returns the `adapter` object of a product; undefined where it is not as it should be. */
export function readProduct(adapter: ProductMapping['adapter']): KevelProduct | undefined {
  return productSchema.safeParse(adapter).data;
}

function faultsOf({ issues }: z.ZodError): readonly SettingsFault[] {
  return issues.map(({ path, message, code, input, ...issue }) => {
    const unknown = code === 'unrecognized_keys' && 'keys' in issue && Array.isArray(issue.keys) ? issue.keys : [];
    const field = [...path, ...unknown.slice(0, 1)].join('.');
    const fix = unknown.length > 0 ? 'Leave it out.' : FIXES[String(path[0])];
    const isMissing = code === 'invalid_type' && input === undefined;
    return { field, message: isMissing ? `"${field}" is missing` : message, fix: fix ?? 'See docs/kevel.md.' };
  });
}
