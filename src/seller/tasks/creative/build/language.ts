import {
  COPY_LANGUAGES,
  type CopyLanguage,
  readLanguageTag,
} from '../../../../creative/compose/copy/language/table.js';
import { TaskError } from '../../../../protocol/errors.js';

/** Returns the language that a field asks for. Throws UNSUPPORTED_FEATURE for one that ads are not written in here. */
export function requireLanguage(tag: string | undefined, field: string): CopyLanguage | undefined {
  if (tag === undefined) return undefined;
  const language = readLanguageTag(tag);
  if (language !== undefined) return language;
  throw new TaskError('UNSUPPORTED_FEATURE', 'Ads are not written in this language here.', {
    field,
    suggestion: `Use one of ${COPY_LANGUAGES.join(', ')}, or send finished texts as assets of creative_manifest.`,
    details: { accepted_values: COPY_LANGUAGES },
  });
}
