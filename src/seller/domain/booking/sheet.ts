import { isObject } from '../../../platform/kernel/json/json.js';
import type { ResolvedCreative } from './creatives.js';
import type { Deal } from './deals.js';
import type { ForeignIds } from './foreign-ids.js';
import type { LiveOrder, LivePackage } from './live-order.js';
import { describeTargeting } from './targeting-words.js';

/** A package of a sheet: as an ad server has to carry it out, in words too, with its id there once that is known. */
type SheetPackage = LivePackage & {
  readonly line_id: string | undefined;
  /** Of `targeting`, a sentence for each dimension. */
  readonly targeting_words: readonly string[];
};

/** The trafficking sheet of an order: everything that a person needs to book it in an ad server. */
export type TraffickingSheet = Omit<LiveOrder, 'packages' | 'sandbox'> & {
  readonly tenant: string;
  readonly principal: string;
  /** Domain of the brand. */
  readonly advertiser: string;
  /** Its id in the ad server, once that is known. */
  readonly order_id: string | undefined;
  readonly packages: readonly SheetPackage[];
};

/** The parts of a sheet beside its order. */
type SheetParts = {
  readonly tenant: string;
  readonly principal: string;
  readonly foreign: ForeignIds | undefined;
};

/** Returns the trafficking sheet of an order. */
export function makeSheet(
  { sandbox: _live, packages, ...order }: LiveOrder,
  { foreign, principal, tenant }: SheetParts,
): TraffickingSheet {
  return {
    ...order,
    ...{ tenant, principal, advertiser: order.brand.domain, order_id: foreign?.order },
    packages: packages.map((line) => ({
      ...line,
      line_id: foreign?.packages?.[line.package_id],
      targeting_words: describeTargeting(line.targeting),
    })),
  };
}

/** Returns a sheet that names the files within its creatives and has their bytes no more. */
export function withoutFiles(sheet: TraffickingSheet): TraffickingSheet {
  const packages = sheet.packages.map((line) => ({ ...line, creatives: line.creatives.map(withoutBytes) }));
  return { ...sheet, packages };
}

const DATA_URL = /^data:([\w.+/-]{1,100})/;

function withoutBytes(creative: ResolvedCreative): ResolvedCreative {
  const assets = Object.entries(creative.assets).map(([slot, asset]) => [slot, shorten(asset)] as const);
  return { ...creative, assets: Object.fromEntries(assets) };
}

function shorten(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shorten);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shorten(inner)]));
  const type = typeof value === 'string' ? DATA_URL.exec(value)?.[1] : undefined;
  return type === undefined ? value : `${type} of ${String(value).length} characters`;
}

/** The columns of sheets as a table, in their order: what stands in each for a package and one of its creatives. */
const COLUMNS: Readonly<Record<string, (row: SheetRow) => string | number | undefined>> = {
  advertiser: ({ sheet }) => sheet.advertiser,
  media_buy_id: ({ sheet }) => sheet.media_buy_id,
  package_id: ({ line }) => line.package_id,
  order_id: ({ sheet }) => sheet.order_id,
  line_id: ({ line }) => line.line_id,
  order: ({ sheet }) => sheet.name,
  product_id: ({ line }) => line.product_id,
  product: ({ line }) => line.name,
  revision: ({ sheet }) => sheet.revision,
  state: ({ line }) => line.state,
  start_time: ({ line }) => line.start_time,
  end_time: ({ line }) => line.end_time,
  delivery_type: ({ line }) => line.delivery_type,
  goal: ({ line }) => line.goal?.count,
  goal_unit: ({ line }) => line.goal?.unit,
  pricing_model: ({ line }) => line.price.model,
  price: ({ line }) => line.price.amount,
  price_kind: ({ line }) => line.price.kind,
  budget: ({ line }) => line.budget,
  currency: ({ sheet }) => sheet.currency,
  pacing: ({ line }) => line.pacing,
  targeting: ({ line }) => line.targeting_words.join('. ') || 'Everybody',
  formats: ({ line }) => line.formats.map(({ id }) => id).join(' '),
  deals: ({ line }) => line.deals?.map(describeDeal).join('; '),
  adapter: ({ line }) => JSON.stringify(line.adapter),
  creative_id: ({ creative }) => creative?.creative_id,
  creative: ({ creative }) => creative?.name,
  creative_version: ({ creative }) => creative?.version,
  creative_format: ({ creative }) => creative?.format_id.id,
  creative_weight: ({ creative }) => creative?.weight,
  click_urls: ({ creative }) => creative?.click_urls.join(' '),
  tracker_urls: ({ creative }) => creative?.tracker_urls.join(' '),
  assets: ({ creative }) => creative && JSON.stringify(withoutBytes(creative).assets),
  tenant: ({ sheet }) => sheet.tenant,
  buyer: ({ sheet }) => sheet.principal,
  account_id: ({ sheet }) => sheet.account_id,
  po_number: ({ sheet }) => sheet.po_number,
};

function describeDeal({ at, bidfloor, bidfloorcur, dsp, id, wadomain, wseat }: Deal): string {
  const seats = wseat === undefined ? 'any seat' : `seats ${wseat.join(' ')}`;
  return `${dsp}: ${id ?? 'no id yet'}, floor ${bidfloor} ${bidfloorcur}, at ${at}, ${seats}, ${wadomain.join(' ')}`;
}

type SheetRow = {
  readonly sheet: TraffickingSheet;
  readonly line: SheetPackage;
  readonly creative: ResolvedCreative | undefined;
};

/** Returns sheets as a table: its head, then a row for each package and creative; a package without creatives has one. */
export function tabulateSheets(sheets: readonly TraffickingSheet[]): readonly (readonly (string | number)[])[] {
  const rows = sheets.flatMap((sheet) =>
    sheet.packages.flatMap((line) => {
      const creatives = line.creatives.length === 0 ? [undefined] : line.creatives;
      return creatives.map((creative) => Object.values(COLUMNS).map((read) => read({ sheet, line, creative }) ?? ''));
    }),
  );
  return [Object.keys(COLUMNS), ...rows];
}
