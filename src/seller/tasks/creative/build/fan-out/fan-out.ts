import type { z } from 'zod';
import { type Manifest, promotedOfferings } from '../../../../../creative/formats/manifest.js';
import { sha256Hex } from '../../../../../platform/kernel/canonical.js';
import { TaskError } from '../../../../../protocol/errors.js';
import type { App, Call } from '../../../../context.js';
import { type CatalogItem, selectItems } from '../../../../domain/catalog/item.js';
import type { Reader } from '../../../../store/store.js';
import type { buildInput } from '../input.js';
import { type BuildPlan, MAX_CONDITIONS, MAX_CREATIVES, SELECTION_STRATEGIES } from '../plan-build.js';
import { readCatalog } from './catalog-source.js';
import { listCatalogAssets } from './item-material.js';
import type { SignalCondition } from './signal-condition.js';

/** The item and condition of one group of creatives; an empty cell is about what the call says. */
export type Cell = { readonly item?: CatalogItem | undefined; readonly condition?: SignalCondition | undefined };

/** Everything that the creatives of a call are about, and what of it is left out. */
export type FanOut = {
  /** In the order in which they are built: the conditions of an item one after the other. */
  readonly cells: readonly Cell[];
  /** How many were asked for, before the ceilings of a call. */
  readonly asked: number;
  /** Whether the answer has groups. */
  readonly isAsked: boolean;
  /** How many items the catalogs hold, and how many are built; 1 without a catalog. */
  readonly itemsTotal: number;
  readonly items: number;
  /** How many conditions are built; undefined where the call has none. */
  readonly conditions: number | undefined;
  /** What a buyer should know of items that are left out. */
  readonly notes: readonly string[];
};

/** Most creatives of one call, in all formats and variants. */
const MAX_LEAVES = 160;

type FanOutContext = {
  readonly app: App;
  readonly call: Call;
  readonly args: z.output<typeof buildInput>;
  readonly db: Reader;
};

/** Returns what the creatives of a call are about. Throws INVALID_REQUEST, UNSUPPORTED_FEATURE, and what reading a catalog throws. */
export async function readFanOut(
  context: FanOutContext,
  source: Manifest | undefined,
  { wanted }: BuildPlan,
  formats: number,
): Promise<FanOut> {
  const { args } = context;
  checkStrategy(args);
  if (args.max_creatives !== undefined && args.refine_from_build_variant_id !== undefined) {
    throw new TaskError('INVALID_REQUEST', 'A refinement is of one creative, not of a catalog.', {
      field: 'max_creatives',
      suggestion: 'Leave max_creatives out; max_variants makes alternatives of the refinement.',
    });
  }
  const { max_creatives: most, signal_conditions: conditions } = args;
  const { items, notes } = most === undefined ? NO_ITEMS : await readItems(context, source);
  const perCell = formats * wanted;
  const shownConditions = conditions?.slice(0, Math.min(MAX_CONDITIONS, atLeastOne(MAX_LEAVES / perCell)));
  const perItem = perCell * (shownConditions?.length ?? 1);
  const askedItems = Math.min(most ?? 1, Math.max(items.length, 1));
  const room = Math.min(askedItems, MAX_CREATIVES, atLeastOne(MAX_LEAVES / perItem));
  const chosen: readonly (CatalogItem | undefined)[] =
    items.length === 0 ? [undefined] : sampleItems(items, room, args.idempotency_key ?? '');
  const cells = chosen.flatMap((item) =>
    shownConditions === undefined ? [{ item }] : shownConditions.map((condition) => ({ item, condition })),
  );
  return {
    cells,
    asked: askedItems * (conditions?.length ?? 1),
    isAsked: most !== undefined || conditions !== undefined,
    itemsTotal: Math.max(items.length, 1),
    items: chosen.length,
    conditions: shownConditions?.length,
    notes,
  };
}

const NO_ITEMS = { items: [], notes: [] } as const;

function atLeastOne(count: number): number {
  return Math.max(1, Math.floor(count));
}

function checkStrategy({ selection_strategy: strategy }: FanOutContext['args']): void {
  if (strategy === undefined || SELECTION_STRATEGIES.some((one) => one === strategy)) return;
  throw new TaskError('UNSUPPORTED_FEATURE', 'Items of a catalog are not chosen by this strategy here.', {
    field: 'selection_strategy',
    suggestion: `Use ${SELECTION_STRATEGIES.join(', ')}; or name the ids of the items in the catalog of the manifest.`,
    details: { accepted_values: SELECTION_STRATEGIES },
  });
}

/** Returns so many items in their order; which ones, depends on the key of the call alone. */
function sampleItems(items: readonly CatalogItem[], most: number, key: string): readonly CatalogItem[] {
  if (items.length <= most) return items;
  const drawn = items
    .map((item) => ({ item, lot: sha256Hex(JSON.stringify([key, item.item_id])) }))
    .sort((one, other) => (one.lot < other.lot ? -1 : 1))
    .slice(0, most)
    .map(({ item }) => item);
  const chosen = new Set(drawn);
  return items.filter((item) => chosen.has(item));
}

async function readItems(
  context: FanOutContext,
  source: Manifest | undefined,
): Promise<{ readonly items: readonly CatalogItem[]; readonly notes: readonly string[] }> {
  const read = [];
  for (const { key, catalog } of listCatalogAssets(source))
    read.push(await readCatalog(context, catalog, `creative_manifest.assets.${key}`));
  const offerings = (source && promotedOfferings(source)?.offerings) ?? [];
  const promoted = selectItems(
    'offering',
    offerings.map((item, index) => ({ ...item, offering_id: item.offering_id ?? item.id ?? String(index + 1) })),
    {},
  );
  return { items: [...read.flatMap(({ items }) => items), ...promoted], notes: read.flatMap(({ notes }) => notes) };
}
