import type { FormatOption } from '../../../../creative/formats/canonical/declaration.js';
import { toOwnAssets } from '../../../../creative/formats/canonical/groups.js';
import { isCanonical, isFilled, selectOption } from '../../../../creative/formats/canonical/select.js';
import type { Format } from '../../../../creative/formats/format.js';
import { isSameFormat } from '../../../../creative/formats/format-id.js';
import { type Manifest, readManifest } from '../../../../creative/formats/manifest.js';
import { asTaskError, TaskError } from '../../../../protocol/errors.js';
import type { App, Call } from '../../../context.js';
import { findFormat, listOptions } from '../formats.js';
import type { Target } from './input.js';

/** A manifest in the terms of the format of a target, ready to be checked. */
export type Chosen = {
  readonly format: Format;
  readonly assets: unknown;
  /** Of a manifest that names its assets canonically: its option. */
  readonly option: FormatOption | undefined;
};

/** A constraint of a target that a manifest does not meet, under its wire names; `field` is a path within the manifest. */
export type Violation = {
  readonly rule: string;
  readonly expected: unknown;
  readonly predicted: unknown;
  readonly field: string;
  readonly message: string;
};

/** Who asks, and with what. */
type Reading = { readonly app: App; readonly call: Call; readonly manifest: Manifest };

/** The formats that a target takes: one of its own, or options to choose from. */
type Offer = { readonly options: readonly FormatOption[]; readonly only?: Format };

/** Separates the address of a format's agent from the format's id in a URI of both. */
const SEPARATOR = '#';

/** Returns the targets of a request; without any the format that the manifest names. Throws INVALID_REQUEST for a manifest that names none. */
export function listTargets(manifest: Manifest, targets: readonly Target[] | undefined): readonly Target[] {
  if (targets !== undefined) return targets;
  const { format_id, format_kind } = manifest;
  if (typeof format_kind === 'string' && format_id === undefined) return [{ kind: 'canonical', id: format_kind }];
  if (format_id !== undefined)
    return [{ kind: 'third_party_format', id: `${format_id.agent_url}${SEPARATOR}${format_id.id}` }];
  throw new TaskError('INVALID_REQUEST', 'Neither targets nor the manifest name a format.', {
    field: 'targets',
    suggestion: 'Send targets: [{kind: "canonical", id: "image"}], a product_id, or a manifest with a format_id.',
  });
}

/**
 * Returns the manifest in the terms of a target's format, chosen as sync_creatives chooses it, or the violation of a manifest that is
 * for another format. Throws PRODUCT_NOT_FOUND or FORMAT_NOT_SUPPORTED at `field` for a target that is not here.
 */
export function chooseFormat(reading: Reading, target: Target, field: string): Chosen | Violation {
  const offer = OFFERS[target.kind](reading, target.id, `${field}.id`);
  const { format_id } = reading.manifest;
  try {
    return format_id === undefined ? chooseByAssets(reading, target, offer) : chooseById(reading, format_id, offer);
  } catch (thrown) {
    const error = asTaskError(thrown);
    if (error === undefined) throw thrown;
    const { manifest } = reading;
    const rule = format_id === undefined ? 'format_kind' : 'format_id';
    const predicted = format_id?.id ?? String(manifest.format_kind ?? 'none');
    return { rule, expected: listNames(offer), predicted, field: rule, message: error.message };
  }
}

const OFFERS: Readonly<Record<Target['kind'], (reading: Reading, id: string, field: string) => Offer>> = {
  canonical: ({ call }, id, field) => {
    const all = listOptions(call.seller);
    const options = all.filter(({ declaration }) => declaration.format_kind === id);
    if (options.length > 0) return { options };
    const kinds = [...new Set(all.map(({ declaration }) => declaration.format_kind))];
    throw new TaskError('FORMAT_NOT_SUPPORTED', 'No format of this kind is taken here.', {
      codeIn30: 'REFERENCE_NOT_FOUND',
      field,
      suggestion: `Ask about one of ${kinds.join(', ')}.`,
      details: { accepted_values: kinds },
    });
  },
  product: ({ call: { seller } }, id, field) => {
    const product = seller.products.get(id);
    if (product !== undefined) return { options: seller.formatOptions.list(product.format_ids) };
    throw new TaskError('PRODUCT_NOT_FOUND', 'There is no such product.', {
      field,
      suggestion: 'Use a product_id from get_products.',
    });
  },
  third_party_format: ({ app, call }, id, field) => {
    const at = id.lastIndexOf(SEPARATOR);
    if (at < 1) {
      throw new TaskError('FORMAT_NOT_SUPPORTED', 'Definitions of formats elsewhere are not fetched.', {
        codeIn30: 'REFERENCE_NOT_FOUND',
        field,
        suggestion: `Send the agent_url and the id of a format of list_creative_formats with "${SEPARATOR}" between them.`,
      });
    }
    const only = findFormat(app, call, { agent_url: id.slice(0, at), id: id.slice(at + 1) }, field);
    const option = call.seller.formatOptions.find(only.format_id);
    return { options: option === undefined ? [] : [option], only };
  },
};

/** Chooses the format of a manifest that names it by id: that one or none. */
function chooseById(reading: Reading, formatId: NonNullable<Manifest['format_id']>, offer: Offer): Chosen {
  const { app, call, manifest } = reading;
  const format = findFormat(app, call, formatId, 'manifest.format_id');
  const { formatOwner, formatIds } = call.seller;
  const taken = [...offer.options.map((option) => option.format), ...(offer.only === undefined ? [] : [offer.only])];
  const isTaken = taken.some(
    (own) =>
      own.format_id.id === format.format_id.id &&
      (own.format_id.width === undefined || isSameFormat(own.format_id, format.format_id, formatOwner, formatIds)),
  );
  if (!isTaken) {
    throw new TaskError('FORMAT_NOT_SUPPORTED', 'The manifest is for a format that the target does not take.', {
      field: 'manifest.format_id',
    });
  }
  return { format, assets: manifest.assets, option: undefined };
}

/** Chooses the first format that the assets fit, where a manifest names none or a kind of them. */
function chooseByAssets({ manifest }: Reading, target: Target, { options, only }: Offer): Chosen {
  const { assets } = manifest;
  const asked = isCanonical(manifest) ? manifest : undefined;
  const chosen =
    asked === undefined
      ? (options.find((option) => isFilled(option, assets)) ?? options[0])
      : selectOption(options, asked, assets, 'manifest');
  if (chosen !== undefined)
    return { format: chosen.format, assets: toOwnAssets(chosen.groups, assets), option: chosen };
  if (only === undefined) throw new TaskError('FORMAT_NOT_SUPPORTED', `No format of ${target.id} is canonical.`, {});
  return { format: only, assets, option: undefined };
}

function listNames({ options, only }: Offer): string {
  const names = options.map(({ declaration }) => declaration.format_option_id);
  return [...new Set([...names, ...(only === undefined ? [] : [only.format_id.id])])].slice(0, 20).join(', ');
}

/** Returns the manifest of a request. Throws INVALID_REQUEST and INVALID_FORMAT_ID for what is none. */
export function readValidated(value: unknown): Manifest {
  return readManifest(value, 'manifest');
}
