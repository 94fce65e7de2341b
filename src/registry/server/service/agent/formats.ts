import { isObject } from '../../../../platform/kernel/json/json.js';

/** What an agent can do with a format. */
export const CREATIVE_OPERATIONS = ['build', 'validate', 'preview'] as const;

/** A format that an agent makes, checks or shows, as its capabilities declare it. */
export type SupportedFormat = {
  readonly operations: readonly string[];
  readonly capability_id?: string;
  readonly format_kind?: string;
  /** Whose declaration of the format it is, with its id there. */
  readonly publisher_domain?: string;
  readonly format_option_id?: string;
};

const MAX_FORMATS = 1000;
const TEXTS = ['format_kind', 'publisher_domain', 'format_option_id'] as const;

/** Returns the formats that an agent declares in `creative.supported_formats`; one without operations builds it. */
export function readSupportedFormats(
  capabilities: Readonly<Record<string, unknown>> | undefined,
): readonly SupportedFormat[] {
  const creative = isObject(capabilities?.creative) ? capabilities.creative : {};
  const list = Array.isArray(creative.supported_formats) ? (creative.supported_formats as readonly unknown[]) : [];
  return list.slice(0, MAX_FORMATS).flatMap((one) => {
    if (!isObject(one) || !isObject(one.format)) return [];
    const { capability_id, format, operations } = one;
    const texts = TEXTS.flatMap((key) => (typeof format[key] === 'string' ? [[key, format[key]] as const] : []));
    return [
      {
        ...Object.fromEntries(texts),
        ...(typeof capability_id === 'string' && { capability_id }),
        operations: Array.isArray(operations)
          ? CREATIVE_OPERATIONS.filter((name) => operations.includes(name))
          : ['build'],
      },
    ];
  });
}
