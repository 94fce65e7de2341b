import type { LiveOrder, LivePackage } from '../../../domain/booking/live-order.js';
import { type CreativeTerms, creativeTerms } from '../mapping/creatives.js';
import { hasId, markOf } from '../mapping/names.js';
import type { GamNetwork } from '../network.js';
import { readProduct, readSize } from '../settings.js';
import type { Association } from '../soap/services.js';

/** A package with the id of its line item. */
type BookedLine = { readonly line: LivePackage; readonly lineItemId: string };

/** How creatives are brought, and who learns of their ids. */
type BringOptions = {
  readonly companyId: string;
  readonly signal: AbortSignal;
  readonly save: (creativeId: string, foreignId: string) => Promise<void>;
};

/** Returns the creatives of a package in the terms of Ad Manager. Throws TermsError. */
export function creativesOf({ media_buy_id }: LiveOrder, line: LivePackage): readonly CreativeTerms[] {
  const sizes = readProduct(line.adapter).sizes.flatMap((text) => readSize(text) ?? []);
  return line.creatives.map((creative) => creativeTerms(media_buy_id, creative, sizes));
}

/** Has line items show the creatives of their packages, and no others: what is not there is created, what has changed is replaced. */
export async function bringCreatives(
  network: GamNetwork,
  order: LiveOrder,
  lines: readonly BookedLine[],
  options: BringOptions,
): Promise<void> {
  const wanted = new Map(lines.map(({ line, lineItemId }) => [lineItemId, creativesOf(order, line)]));
  const ids = await createMissing(network, [...wanted.values()].flat(), options);
  const { signal } = options;
  const present = await network.soap.listAssociations([...wanted.keys()], signal);
  for (const [lineItemId, terms] of wanted) {
    const shown = new Map(terms.map((one) => [ids.get(one.mark) ?? '', one]));
    const own = new Map(present.filter((one) => one.lineItemId === lineItemId).map((one) => [one.creativeId, one]));
    await associate(network, lineItemId, { shown, own }, signal);
  }
}

/** Returns the ids of creatives by their marks; one that is in several lines is there once. */
async function createMissing(
  { soap }: GamNetwork,
  wanted: readonly CreativeTerms[],
  { companyId, save, signal }: BringOptions,
): Promise<ReadonlyMap<string, string>> {
  const byMark = new Map(wanted.map((terms) => [terms.mark, terms]));
  if (byMark.size === 0) return new Map();
  const present = await soap.findCreatives([...byMark.keys()].map(markOf), signal);
  const ids = new Map<string, string>();
  for (const [mark, terms] of byMark) {
    const creative =
      present.find(({ name }) => hasId(name, mark)) ??
      (await soap.createCreative({ ...terms.soap, advertiserId: companyId }, signal));
    ids.set(mark, creative.id);
    await save(terms.creative_id, creative.id);
  }
  return ids;
}

type Sides = {
  readonly shown: ReadonlyMap<string, CreativeTerms>;
  readonly own: ReadonlyMap<string, Association>;
};

async function associate(
  { soap }: GamNetwork,
  lineItemId: string,
  { own, shown }: Sides,
  signal: AbortSignal,
): Promise<void> {
  const sleeping: string[] = [];
  for (const [creativeId, { size, weight }] of shown) {
    const present = own.get(creativeId);
    const members = { lineItemId, creativeId, manualCreativeRotationWeight: weight };
    if (present === undefined) await soap.associate({ ...members, sizes: { ...size, isAspectRatio: false } }, signal);
    else if (weight !== undefined && present.weight !== weight) await soap.updateAssociation(members, signal);
    if (present?.status === 'INACTIVE') sleeping.push(creativeId);
  }
  await soap.actOnAssociations('ActivateLineItemCreativeAssociations', { lineItemId, creativeIds: sleeping }, signal);
  const over = [...own.values()].filter(({ creativeId, status }) => !shown.has(creativeId) && status !== 'INACTIVE');
  const creativeIds = over.map(({ creativeId }) => creativeId);
  await soap.actOnAssociations('DeactivateLineItemCreativeAssociations', { lineItemId, creativeIds }, signal);
}
