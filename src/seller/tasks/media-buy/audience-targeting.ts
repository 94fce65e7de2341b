import { checkTargetable } from '../../domain/audience/audience.js';
import { AUDIENCE_DIMENSIONS } from '../../domain/media-buy/targeting.js';
import type { Reader } from '../../store/store.js';

/** A package of an order or a change, as far as its audiences go; its targeting was judged before. */
type Targeted = { readonly targeting_overlay?: Readonly<Record<string, unknown>> | undefined };

/**
 * Refuses packages that target audiences which the account does not have, or which are too small yet. `list` is the path of the
 * packages. Throws REFERENCE_NOT_FOUND or AUDIENCE_TOO_SMALL with the field.
 */
export async function checkAudiences(
  db: Reader,
  owner: string,
  accountId: string,
  packages: readonly Targeted[],
  list: string,
): Promise<void> {
  for (const [index, { targeting_overlay: overlay }] of packages.entries()) {
    for (const name of AUDIENCE_DIMENSIONS) {
      const ids: unknown = overlay?.[name];
      if (!Array.isArray(ids)) continue;
      for (const [position, id] of ids.entries()) {
        const row = await db.audiences.find(owner, accountId, String(id));
        const groups = row && (await db.audiences.groups(row.seq));
        checkTargetable(groups, `${list}[${index}].targeting_overlay.${name}[${position}]`);
      }
    }
  }
}
