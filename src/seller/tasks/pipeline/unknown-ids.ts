import { ERROR_CODES } from '../../../protocol/errors.js';
import type { Scope } from '../../domain/account/scope.js';
import type { Reader } from '../../store/store.js';

/** Where ids may be named that are not the caller's: the argument, and what to say of each. */
const UNKNOWN = {
  media_buy_ids: {
    code: 'MEDIA_BUY_NOT_FOUND',
    message: 'There is no such media buy for this caller.',
    suggestion: 'Use ids from create_media_buy, or leave media_buy_ids out for all of your buys.',
  },
  creative_ids: {
    code: 'CREATIVE_NOT_FOUND',
    message: 'There is no such creative in the library.',
    suggestion: 'Use ids from list_creatives, or leave creative_ids out.',
  },
} as const;

/**
 * Returns advisory errors for ids that are not the caller's, so that a list of many still answers for the others.
 * Somebody else's answers exactly as one that does not exist.
 */
export function unknownIds(
  argument: keyof typeof UNKNOWN,
  ids: readonly string[] | undefined,
  own: ReadonlySet<string>,
): readonly object[] {
  const { code, message, suggestion } = UNKNOWN[argument];
  const { recovery } = ERROR_CODES[code];
  return (ids ?? []).flatMap((id, index) =>
    own.has(id) ? [] : [{ code, message, recovery, field: `${argument}[${index}]`, suggestion }],
  );
}

/** Returns advisory errors for media buys that are not the caller's; `shown` are those that the answer holds anyway. One that a filter leaves out is not unknown. */
export async function unknownBuys(
  db: Reader,
  scope: Scope,
  ids: readonly string[] | undefined,
  shown: readonly string[] = [],
): Promise<readonly object[]> {
  const own = new Set(shown);
  if (ids === undefined || ids.every((id) => own.has(id))) return [];
  const rows = await db.mediaBuys.list(scope, { limit: ids.length, after: undefined }, { ids });
  for (const { buy } of rows) own.add(buy.media_buy_id);
  return unknownIds('media_buy_ids', ids, own);
}

/** Most references that a sentence names. */
const MAX_NAMED_REFERENCES = 10;

/** Returns a sentence on what was named in these fields and is not in an answer; undefined where there are none. */
export function describeMissing(fields: readonly string[]): string | undefined {
  if (fields.length === 0) return undefined;
  const named = fields.slice(0, MAX_NAMED_REFERENCES).join(', ');
  const more = fields.length > MAX_NAMED_REFERENCES ? ` and ${fields.length - MAX_NAMED_REFERENCES} more` : '';
  return `Not in this answer, for it is not offered here or the filters keep it out: ${named}${more}.`;
}
