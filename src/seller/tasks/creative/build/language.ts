import { COPY_LANGUAGES, type CopyLanguage } from '../../../../creative/compose/copy/language/table.js';
import { TaskError } from '../../../../protocol/errors.js';

/** Returns the language of a BCP 47 tag, whatever its region; undefined for none, and for one that ads are not written in here. */
export function readLanguage(tag: unknown): CopyLanguage | undefined {
  const language = typeof tag === 'string' ? tag.toLowerCase().split(/[-_]/u)[0] : undefined;
  return COPY_LANGUAGES.find((one) => one === language);
}

/** Returns the language that a field asks for. Throws UNSUPPORTED_FEATURE for one that ads are not written in here. */
export function requireLanguage(tag: string | undefined, field: string): CopyLanguage | undefined {
  if (tag === undefined) return undefined;
  const language = readLanguage(tag);
  if (language !== undefined) return language;
  throw new TaskError('UNSUPPORTED_FEATURE', 'Ads are not written in this language here.', {
    field,
    suggestion: `Use one of ${COPY_LANGUAGES.join(', ')}, or send finished texts as assets of creative_manifest.`,
    details: { accepted_values: COPY_LANGUAGES },
  });
}
