import { concreteFormat } from '../catalog/parameters.js';
import type { Format, FormatId } from '../format.js';
import { nameSlots, type SlotGroups } from './groups.js';
import { type CanonicalKind, readCanonical } from './kind.js';
import { describeParameters, type Parameters } from './parameters.js';

/** A format as `format_options` of a product and `supported_formats` of an agent declare it. */
export type FormatDeclaration = {
  readonly format_option_id: string;
  readonly format_kind: CanonicalKind;
  readonly display_name: string;
  readonly params: Parameters;
  readonly v1_format_ref: readonly FormatId[];
};

/** A declaration with the format that it is of, and what that calls the canonical assets. */
export type FormatOption = {
  readonly declaration: FormatDeclaration;
  readonly format: Format;
  readonly groups: SlotGroups;
};

/** Returns a format as a declaration has it; undefined for one of no canonical kind. */
export function declareFormat(format: Format): FormatOption | undefined {
  const canonical = readCanonical(format);
  if (canonical === undefined) return undefined;
  const groups = nameSlots(format, canonical);
  const declaration = {
    format_option_id: nameOption(format.format_id),
    format_kind: canonical.kind,
    display_name: format.name,
    params: describeParameters(format, canonical, groups),
    v1_format_ref: [format.format_id],
  };
  return { declaration, format, groups };
}

/** Returns the id of the option that a format is: its own, with the size and length that a template takes on. */
function nameOption({ id, width, height, duration_ms }: FormatId): string {
  const sized = width === undefined || height === undefined ? '' : `_${width}x${height}`;
  return `${id}${sized}${duration_ms === undefined ? '' : `_${String(duration_ms).replace('.', '_')}ms`}`;
}

/** Returns the `canonical` member of a format: its kind, and the asset that it is made from where the kind has another. */
export function canonicalMember(format: Format): object | undefined {
  const canonical = readCanonical(format);
  if (canonical === undefined) return undefined;
  const { kind, principal, assetSource } = canonical;
  const isUsual =
    assetSource === undefined && principal.item_type === 'individual' && isUsualAsset(kind, principal.asset_type);
  const [name] = [...nameSlots(format, canonical)].find(([, slot]) => slot === principal) ?? [];
  const slot = principal.item_type === 'individual' ? principal.asset_type : 'card';
  const own = [{ asset_group_id: name, asset_type: slot, required: principal.required }];
  return { kind, asset_source: assetSource, slots_override: isUsual || slot === 'card' ? undefined : own };
}

function isUsualAsset(kind: CanonicalKind, type: string): boolean {
  if (kind === 'html5') return type === 'zip';
  return kind !== 'display_tag' || type === 'url';
}

/** The formats of a seller as canonical declarations. */
export class FormatOptions {
  readonly #formats: ReadonlyMap<string, Format>;
  readonly #owner: string;

  constructor(formats: readonly Format[], owner: string) {
    this.#formats = new Map(formats.map((format) => [format.format_id.id, format]));
    this.#owner = owner;
  }

  /** Returns these with further formats; one of the same id takes the place of the other. */
  with(more: readonly Format[]): FormatOptions {
    return new FormatOptions([...this.#formats.values(), ...more], this.#owner);
  }

  /** Returns the option that a format is; undefined for another agent's, and for one of no canonical kind. */
  find(ref: FormatId): FormatOption | undefined {
    const format = ref.agent_url === this.#owner ? this.#formats.get(ref.id) : undefined;
    const concrete = format && concreteFormat(format, ref);
    return concrete && declareFormat(concrete);
  }

  /** Returns the options that a list of formats is, in its order. */
  list(refs: readonly FormatId[]): readonly FormatOption[] {
    return refs.flatMap((ref) => this.find(ref) ?? []);
  }
}
