import { isObject } from '../../../platform/kernel/json/json.js';
import { TaskError } from '../../../protocol/errors.js';
import { type GroupSlot, isGroup, type Requirements } from '../format.js';
import type { FormatOption } from './declaration.js';
import { toCanonicalAssets, toOwnAssets } from './groups.js';
import { CANONICAL_KINDS } from './kind.js';

/** The members of a request that name a format in canonical terms, as they came. */
type CanonicalRequest = {
  readonly format_kind?: unknown;
  readonly format_option_ref?: unknown;
};

const MAX_NAMED_OPTIONS = 20;

/** Whether a request names its format in canonical terms. */
export function isCanonical({ format_kind, format_option_ref }: CanonicalRequest): boolean {
  return format_kind !== undefined || format_option_ref !== undefined;
}

/** Refuses a creative that names its format twice: by its id and in canonical terms. Throws INVALID_REQUEST. */
export function checkNamedOnce(
  { format_id, format_kind }: CanonicalRequest & { readonly format_id?: unknown },
  field: string,
): void {
  if (format_id === undefined || format_kind === undefined) return;
  throw new TaskError('INVALID_REQUEST', 'A creative names its format by format_id or by format_kind, not by both.', {
    field: `${field}.format_kind`,
    suggestion: 'Leave one of them out.',
  });
}

/**
 * Returns the option that a creative is for: the one that it refers to, else the first of its kind that its assets fit. Throws
 * FORMAT_NOT_SUPPORTED at the member that names what is not offered, INVALID_REQUEST for what is no kind or reference.
 */
export function selectOption(
  options: readonly FormatOption[],
  { format_kind: kind, format_option_ref: ref }: CanonicalRequest,
  assets: unknown,
  field: string,
): FormatOption {
  if (kind !== undefined) checkKind(kind, `${field}.format_kind`);
  if (ref !== undefined) {
    const option = findOption(options, ref, `${field}.format_option_ref`);
    if (kind === undefined || option.declaration.format_kind === kind) return option;
    throw refuseUnsupported('The option that is referred to is of another kind.', `${field}.format_kind`, options);
  }
  const ofKind = options.filter(({ declaration }) => declaration.format_kind === kind);
  const given = isObject(assets) ? assets : {};
  const option = ofKind.find((one) => isFilled(one, given)) ?? ofKind.find((one) => isMatch(one, given)) ?? ofKind[0];
  if (option !== undefined) return option;
  throw refuseUnsupported(`No format of the kind ${String(kind)} is taken here.`, `${field}.format_kind`, options);
}

/** Returns the option that a reference means. Throws FORMAT_NOT_SUPPORTED, INVALID_REQUEST for what is no reference. */
export function findOption(options: readonly FormatOption[], ref: unknown, field: string): FormatOption {
  if (!isObject(ref) || typeof ref.format_option_id !== 'string') {
    throw new TaskError('INVALID_REQUEST', 'A reference to a format option has a scope and a format_option_id.', {
      field,
      suggestion: 'Send {scope: "product", format_option_id} from a product\'s format_options.',
    });
  }
  const option = options.find(({ declaration }) => declaration.format_option_id === ref.format_option_id);
  // No option here is of a publisher's own catalog.
  if (option !== undefined && ref.scope === 'product' && ref.publisher_domain === undefined) return option;
  const at = ref.scope === 'product' && option === undefined ? 'format_option_id' : 'scope';
  throw refuseUnsupported('There is no such format option.', `${field}.${at}`, options);
}

/** Returns the options that a kind and parameters mean. Throws FORMAT_NOT_SUPPORTED, INVALID_REQUEST for what is no kind. */
export function matchOptions(
  options: readonly FormatOption[],
  { format_kind: kind, params }: { readonly format_kind: unknown; readonly params: unknown },
  field: string,
): readonly FormatOption[] {
  checkKind(kind, `${field}.format_kind`);
  const ofKind = options.filter(({ declaration }) => declaration.format_kind === kind);
  if (ofKind.length === 0) {
    throw refuseUnsupported(`No format of the kind ${String(kind)} is taken here.`, `${field}.format_kind`, options);
  }
  const asked = isObject(params) ? params : {};
  const matching = ofKind.filter((option) => COMPARED.every((name) => isCompatible(option, name, asked[name])));
  if (matching.length > 0) return matching;
  throw refuseUnsupported(`No format of the kind ${String(kind)} has these parameters.`, `${field}.params`, options);
}

/** The parameters by which options of one kind are told apart. */
const COMPARED = ['width', 'height', 'aspect_ratio', 'duration_ms_exact', 'vast_version', 'daast_version'] as const;

function isCompatible(
  { declaration: { params } }: FormatOption,
  name: (typeof COMPARED)[number],
  asked: unknown,
): boolean {
  if (asked === undefined || params[name] === asked) return true;
  if (name !== 'width' && name !== 'height') return params[name] === undefined;
  const [least, most] = [params[`min_${name}`], params[`max_${name}`]];
  return params[name] === undefined && isWithin(asked, least, most);
}

function checkKind(kind: unknown, field: string): void {
  if (CANONICAL_KINDS.some((one) => one === kind)) return;
  throw new TaskError('FORMAT_NOT_SUPPORTED', 'There is no such kind of format.', {
    field,
    suggestion: "Send a format_kind of a product's format_options.",
    details: { accepted_values: CANONICAL_KINDS },
  });
}

function refuseUnsupported(message: string, field: string, options: readonly FormatOption[]): TaskError {
  const ids = [...new Set(options.map(({ declaration }) => declaration.format_option_id))].slice(0, MAX_NAMED_OPTIONS);
  const kinds = [...new Set(options.map(({ declaration }) => declaration.format_kind))];
  return new TaskError('FORMAT_NOT_SUPPORTED', message, {
    field,
    suggestion: `Send a format_kind of ${kinds.join(', ') || 'another seller'}, or {scope: "product", format_option_id} of format_options.`,
    details: { format_kinds: kinds, format_option_ids: ids },
  });
}

/** Whether assets fill every slot that an option requires, and are of the size and length that it asks for. */
export function isFilled(option: FormatOption, assets: Readonly<Record<string, unknown>>): boolean {
  const own = toOwnAssets(option.groups, assets);
  const isThere = option.format.assets_required.every((slot) =>
    Object.hasOwn(own, isGroup(slot) ? slot.asset_group_id : slot.asset_id),
  );
  return isThere && isMatch(option, assets);
}

/** Whether what assets say of their size and length is within what an option asks for. */
function isMatch({ format, groups }: FormatOption, assets: Readonly<Record<string, unknown>>): boolean {
  const own = toOwnAssets(groups, assets);
  return format.assets.every((slot) => isGroup(slot) || isMeasured(slot, own[slot.asset_id]));
}

const MEASURES = ['width', 'height', 'duration_ms'] as const;

function isMeasured({ requirements = {} }: GroupSlot, asset: unknown): boolean {
  if (!isObject(asset)) return true;
  return MEASURES.every((name) => asset[name] === undefined || isWithinLimits(name, asset[name], requirements));
}

function isWithinLimits(name: string, value: unknown, requirements: Requirements): boolean {
  return isWithin(value, requirements[`min_${name}`], requirements[`max_${name}`]);
}

function isWithin(value: unknown, least: unknown, most: unknown): boolean {
  if (typeof value !== 'number') return true;
  return (typeof least !== 'number' || value >= least) && (typeof most !== 'number' || value <= most);
}

/** Whether assets of one option do for another: the same kind, everything that is required there, of its size and length. */
export function canSubstitute(
  { groups, declaration }: FormatOption,
  assets: Readonly<Record<string, unknown>>,
  other: FormatOption,
): boolean {
  return (
    declaration.format_kind === other.declaration.format_kind && isFilled(other, toCanonicalAssets(groups, assets))
  );
}
