import { quoteNames } from '../../../platform/kernel/nearest.js';
import type { AdServerDeclaration } from '../../adserver/port/declaration.js';
import { IMPLICIT_METRICS } from '../../domain/delivery/reported-metrics.js';
import { DEFAULT_FULFILLMENT } from '../../domain/media-buy/fulfillment.js';
import { kindsOfDimensions } from '../../domain/targeting/check.js';
import { BY_PEOPLE, declareAdServer, goesToAdServer, readAdServerSettings } from '../ad-server.js';
import {
  type Draft,
  draftAt,
  draftsAt,
  isDraft,
  type Located,
  type Report,
  type Rule,
  type RuleOptions,
  stringsAt,
  textAt,
} from '../draft.js';
import type { JsonPath } from '../json-file.js';

/** The checks of how live buys are carried out. */
export const FULFILLMENT_RULES: readonly Rule[] = [
  adServerIsThere,
  secretsAreThere,
  oneFulfillment,
  adServerCanCarryOut,
  handsBookWhatIsApproved,
  dealsArePricedByThousand,
];

/** Reports a deal that is not priced per 1000 impressions, as its floor is. */
function dealsArePricedByThousand(draft: Draft, report: Report): void {
  for (const { path, draft: product } of draftsAt(draft, 'products')) {
    if (!isDraft(product.deal)) continue;
    for (const { path: at, draft: option } of draftsAt(product, 'pricing_options')) {
      const model = textAt(option, 'pricing_model');
      if (model === undefined || model === 'cpm' || model === 'vcpm') continue;
      report(
        [...path, ...at, 'pricing_model'],
        `a private deal has a floor per 1000 impressions, and this price is ${model}`,
        'Write "cpm" or "vcpm", or take "deal" out of the product.',
      );
    }
  }
}

function adServerIsThere(draft: Draft, report: Report, { adServers }: RuleOptions, file: string): void {
  if (!goesToAdServer(draft)) return;
  const name = textAt(draftAt(draft, 'ad_server'), 'adapter');
  if (name === undefined && adServers.hasDefault) return;
  if (name === undefined) {
    report(
      isDraft(draft.ad_server) ? ['ad_server'] : ['fulfillment'],
      'no ad server is connected',
      `Name one as "ad_server": {"adapter": …} (${quoteNames([...adServers.names, BY_PEOPLE, './my-adapter.js'])}), start with --ad-server, or write "fulfillment": "manual", or "simulated" for a demonstration.`,
    );
    return;
  }
  const module = adServers.find(name, file);
  if (typeof module === 'string') report(['ad_server', 'adapter'], module, 'Mend the file, or name another one.');
  if (module === undefined)
    report(
      ['ad_server', 'adapter'],
      `there is no adapter "${name}"`,
      `Write ${quoteNames([...adServers.names, BY_PEOPLE])}, or the path of a file of your own such as "./my-adapter.js".`,
    );
}

function secretsAreThere(draft: Draft, report: Report, { env }: RuleOptions): void {
  if (!isDraft(draft.ad_server)) return;
  for (const name of readAdServerSettings(draft.ad_server, env).missing)
    report(['ad_server'], `the environment variable ${name} is not set`, `Set ${name}, or name another variable.`);
}

function oneFulfillment(draft: Draft, report: Report): void {
  if (!isDraft(draft.ad_server) || draft.fulfillment === undefined) return;
  const meant = goesToAdServer(draft) ? 'adapter' : 'manual';
  if (draft.fulfillment === meant) return;
  report(['fulfillment'], `"ad_server" says "${meant}"`, 'Leave "fulfillment" out beside "ad_server".');
}

/** Reports what a product asks for beyond what its ad server can do: it would be sold and not be carried out. */
function adServerCanCarryOut(draft: Draft, report: Report, options: RuleOptions, file: string): void {
  const declared = declareAdServer(draft, options, file);
  if (declared === undefined) return;
  if (!('declaration' in declared)) {
    for (const { field, message, fix } of declared) report(['ad_server', ...fieldPath(field)], message, fix);
    return;
  }
  const { module, declaration } = declared;
  for (const product of draftsAt(draft, 'products')) {
    for (const judge of PRODUCT_JUDGES) judge(product, declaration, report);
    const { draft: file, path } = product;
    const mapping = { product_id: textAt(file, 'product_id') ?? '', adapter: draftAt(file, 'adapter') };
    for (const { field, message, fix } of module.judgeProduct?.(mapping) ?? [])
      report([...path, 'adapter', ...fieldPath(field)], message, fix);
  }
}

function fieldPath(field: string): JsonPath {
  return field === '' ? [] : field.split('.');
}

/** Reports what of a product an ad server cannot carry out. */
type ProductJudge = (product: Located, declaration: AdServerDeclaration, report: Report) => void;

const PRODUCT_JUDGES: readonly ProductJudge[] = [
  judgeFormats,
  judgePrices,
  judgeDeliveryType,
  judgeReports,
  judgeOffers,
];

function judgeFormats({ path, draft }: Located, { formats }: AdServerDeclaration, report: Report): void {
  const { format_ids } = draft;
  if (!Array.isArray(format_ids)) return;
  for (const [index, one] of format_ids.entries()) {
    const id = isDraft(one) ? textAt(one, 'id') : one;
    if (typeof id !== 'string' || formats.some((pattern) => isMatch(pattern, id))) continue;
    report(
      [...path, 'format_ids', index],
      `the ad server does not take the format ${id}`,
      `Remove it. Formats of the ad server: ${quoteNames(formats)}.`,
    );
  }
}

/** Whether an id is of a pattern in which `*` stands for any characters. */
function isMatch(pattern: string, id: string): boolean {
  const parts = pattern.split('*');
  const [first = '', last = ''] = [parts[0], parts.at(-1)];
  if (parts.length === 1) return pattern === id;
  if (!id.startsWith(first) || !id.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const index = id.indexOf(part, at);
    if (index < 0) return false;
    at = index + part.length;
  }
  return at <= id.length - last.length;
}

function judgePrices({ path, draft }: Located, declaration: AdServerDeclaration, report: Report): void {
  const { pricing_models, currency } = declaration;
  for (const { path: own, draft: option } of draftsAt(draft, 'pricing_options', path)) {
    const model = textAt(option, 'pricing_model');
    if (model !== undefined && !pricing_models.some((one) => one === model))
      report(
        [...own, 'pricing_model'],
        `the ad server does not bill ${model}`,
        `Sell it by ${quoteNames(pricing_models)}, or remove the price.`,
      );
    const priced = textAt(option, 'currency');
    if (priced !== undefined && priced !== currency)
      report([...own, 'currency'], `the ad server counts in ${currency}`, `Set the price in ${currency}.`);
  }
}

function judgeDeliveryType({ path, draft }: Located, { delivery_types }: AdServerDeclaration, report: Report): void {
  const type = textAt(draft, 'delivery_type');
  if (type === undefined || delivery_types.some((one) => one === type)) return;
  report([...path, 'delivery_type'], `the ad server has no ${type} delivery`, `Write ${quoteNames(delivery_types)}.`);
}

/** Rows that reports from an ad server do not have. */
const NO_BREAKDOWNS = [
  'supports_geo_breakdown',
  'supports_device_type_breakdown',
  'supports_device_platform_breakdown',
  'supports_audience_breakdown',
  'supports_placement_breakdown',
  'vendor_metrics',
] as const;

function judgeReports({ path, draft }: Located, declaration: AdServerDeclaration, report: Report): void {
  const { has_creative_delivery, metrics, time_zone } = declaration;
  const reports = draftAt(draft, 'reporting_capabilities');
  const own = [...path, 'reporting_capabilities'];
  const counted: readonly string[] = [...IMPLICIT_METRICS, ...metrics];
  for (const { index, value } of stringsAt(reports, 'available_metrics')) {
    if (!counted.includes(value))
      report(
        [...own, 'available_metrics', index],
        `the ad server does not count ${value}`,
        `Write ${quoteNames(counted)}.`,
      );
  }
  const zone = textAt(reports, 'timezone') ?? 'UTC';
  if (zone !== time_zone) {
    const at = isDraft(draft.reporting_capabilities) ? own : path;
    report(
      at,
      `the days of the ad server are those of ${time_zone}`,
      `Set "timezone": "${time_zone}" in reporting_capabilities.`,
    );
  }
  const without = [...NO_BREAKDOWNS, ...(has_creative_delivery ? [] : (['supports_creative_breakdown'] as const))];
  for (const name of without) {
    const value = reports[name];
    if (value !== undefined && value !== false)
      report([...own, name], 'the reports of the ad server do not have it', 'Remove it.');
  }
}

function judgeOffers({ path, draft }: Located, { targeting }: AdServerDeclaration, report: Report): void {
  const inventory = draftAt(draft, 'inventory');
  const own = [...path, 'inventory'];
  const kinds = kindsOfDimensions(targeting);
  const fix = `Remove it. Targeting of the ad server: ${quoteNames(targeting)}.`;
  for (const kind of Object.keys(draftAt(inventory, 'targeting'))) {
    if (kind !== '$comment' && !kinds.has(kind))
      report([...own, 'targeting', kind], `${kind} does not reach the ad server`, fix);
  }
  for (const kind of ['signals', 'ages']) {
    if (inventory[kind] !== undefined && !kinds.has(kind))
      report([...own, kind], `${kind} do not reach the ad server`, fix);
  }
}

/** Reports approvals by the clock where people book: they would promise what nobody has booked. */
function handsBookWhatIsApproved(draft: Draft, report: Report): void {
  if (goesToAdServer(draft) || (draft.fulfillment ?? DEFAULT_FULFILLMENT) !== 'manual') return;
  const live = draftsAt(draft, 'principals').flatMap(({ draft: { id, sandbox } }) =>
    typeof id === 'string' && sandbox !== true ? [id] : [],
  );
  for (const { path, draft: rule } of draftsAt(draft, 'approvals')) {
    const named = stringsAt(rule, 'principals').map(({ value }) => value);
    const about = rule.principals === undefined ? live : live.filter((id) => named.includes(id));
    if (textAt(rule, 'on_timeout') !== 'approve' || about.length === 0) continue;
    report(
      [...path, 'on_timeout'],
      `orders of ${quoteNames(about)} are booked by hand, and nobody would have booked what the clock approves`,
      'Write "reject", limit the rule to sandbox principals with "principals", or set "fulfillment".',
    );
  }
}
