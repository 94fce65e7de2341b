type QuotaRow = {
  readonly limit: number;
  /** The argument that a refusal names. */
  readonly field: string;
  /** What a buyer can do about it. */
  readonly suggestion: string;
};

const ASK = 'Ask the seller to raise the quota.';

/** What a principal may have stored of each noun unless the settings say otherwise, and what a refusal says. */
export const QUOTAS = {
  accounts: { limit: 10_000, field: 'accounts', suggestion: `Use the accounts that there are. ${ASK}` },
  media_buys: { limit: 500_000, field: 'packages', suggestion: ASK },
  creatives: {
    limit: 200_000,
    field: 'creatives',
    suggestion: `Archive creatives that run nowhere: sync the others with delete_missing, as often as its message says. New ones then take their room. ${ASK}`,
  },
  tasks: { limit: 500_000, field: 'packages', suggestion: ASK },
  deployments: { limit: 100_000, field: 'signal_agent_segment_id', suggestion: ASK },
  usage_records: { limit: 1_000_000, field: 'usage', suggestion: `Report sums in place of single events. ${ASK}` },
  audiences: { limit: 10_000, field: 'audiences', suggestion: `Delete audiences that no order uses. ${ASK}` },
  event_sources: { limit: 10_000, field: 'event_sources', suggestion: `Delete sources that are not used. ${ASK}` },
  audience_members: {
    limit: 5_000_000,
    field: 'audiences',
    suggestion: `Delete audiences that no order uses; their members are gone within minutes. ${ASK}`,
  },
  logged_events: {
    limit: 5_000_000,
    field: 'events',
    suggestion: `Log the events that count for orders alone. ${ASK}`,
  },
  feedback: { limit: 200_000, field: 'media_buy_id', suggestion: `Report over longer periods. ${ASK}` },
  previews: {
    limit: 500_000,
    field: 'creative_manifest',
    suggestion: `Ask for output_format "html", of which nothing is stored, or wait until older previews expire. ${ASK}`,
  },
  catalogs: { limit: 1000, field: 'catalogs', suggestion: `Delete catalogs that are not used. ${ASK}` },
  proposals: {
    limit: 200_000,
    field: 'brief',
    suggestion: `Ask again with the same brief, which makes no new proposal, or wait until older ones have ended. ${ASK}`,
  },
  build_variants: {
    limit: 50_000,
    field: 'target_format_id',
    suggestion: `Build less, or wait until older variants have expired, 7 days after they were built. ${ASK}`,
  },
  rights_grants: {
    limit: 100_000,
    field: 'rights_id',
    suggestion: `Change the grants that there are with update_rights. ${ASK}`,
  },
  governance_plans: { limit: 10_000, field: 'plans', suggestion: `Sync changes of the plans that there are. ${ASK}` },
  governance_entries: { limit: 1_000_000, field: 'plan_id', suggestion: ASK },
  content_standards: { limit: 1000, field: 'scope', suggestion: `Update the standards that there are. ${ASK}` },
  inventory_lists: { limit: 1000, field: 'name', suggestion: `Delete lists that no order uses. ${ASK}` },
} as const satisfies Readonly<Record<string, QuotaRow>>;

/** The noun of a quota. */
export type QuotaName = keyof typeof QUOTAS;

/** The nouns of all quotas. */
export const QUOTA_NAMES = Object.keys(QUOTAS) as readonly QuotaName[];

type ByteQuotaRow = {
  /** The name of the setting, which is in MiB. */
  readonly setting: string;
  readonly mebibytes: number;
  /** What the bytes are of, as a refusal and the setting say it. */
  readonly of: string;
  readonly suggestion: string;
};

/** What a principal may have stored in bytes unless the settings say otherwise, and what a refusal says. */
export const BYTE_QUOTAS = {
  bytes: {
    setting: 'mebibytes',
    mebibytes: 4096,
    of: 'orders, creatives, lists and events together',
    suggestion: 'Remove creatives, audiences and catalogs that nothing uses, or ask the seller to raise the quota.',
  },
  preview_bytes: {
    setting: 'preview_mebibytes',
    mebibytes: 512,
    of: 'previews and their files',
    suggestion: `Send smaller files, or wait until older previews expire. ${ASK}`,
  },
} as const satisfies Readonly<Record<string, ByteQuotaRow>>;

/** The name of a quota of bytes. */
export type ByteQuotaName = keyof typeof BYTE_QUOTAS;

/** The quotas of each principal: rows of each noun, and bytes. */
export type Quotas = {
  readonly rows: Readonly<Record<QuotaName, number>>;
  /** Of all nouns but previews together. */
  readonly bytes: number;
  /** Of previews and media files together. */
  readonly previewBytes: number;
};

/** The names of the settings of quotas of bytes. */
type ByteQuotaSetting = (typeof BYTE_QUOTAS)[ByteQuotaName]['setting'];

/** Returns the quotas where some are set otherwise. */
export function quotasOf(
  rows: Partial<Readonly<Record<QuotaName, number | undefined>>> = {},
  mebibytes: Partial<Readonly<Record<ByteQuotaSetting, number | undefined>>> = {},
): Quotas {
  const limits = QUOTA_NAMES.map((name) => [name, rows[name] ?? QUOTAS[name].limit]);
  const bytesOf = ({ mebibytes: usual, setting }: (typeof BYTE_QUOTAS)[ByteQuotaName]): number =>
    (mebibytes[setting] ?? usual) * 1024 * 1024;
  return {
    rows: Object.fromEntries(limits) as Quotas['rows'],
    bytes: bytesOf(BYTE_QUOTAS.bytes),
    previewBytes: bytesOf(BYTE_QUOTAS.preview_bytes),
  };
}
