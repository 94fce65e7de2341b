import { TaskError } from '../../../../protocol/errors.js';
import type { App } from '../../../context.js';
import type { Creative } from '../../../domain/creative/creative.js';
import { findRevokedPart, isRightOf, listRights } from '../../../domain/creative/rights.js';
import type { Writer } from '../../../store/store.js';

type RightsContext = { readonly app: App; readonly db: Writer };

/** Refuses a creative that relies on a right which an agent of this server granted and took back. Throws CREATIVE_REJECTED at the right. */
export async function checkRights({ app, db }: RightsContext, creative: Creative, field: string): Promise<void> {
  for (const [index, right] of listRights(creative).entries()) {
    const seller = [...app.sellers().values()].find(({ url }) => isRightOf(right, url));
    if (seller?.tenant.kinds.includes('brand') !== true) continue;
    const owned = await db.grants.findAnywhere(right.rights_id);
    const part = owned && findRevokedPart(owned.grant, right, app.clock.nowOf(owned.owner));
    if (part === undefined) continue;
    throw new TaskError('CREATIVE_REJECTED', 'The creative relies on a right that was revoked.', {
      field: `${field}.rights[${index}].rights_id`,
      suggestion: 'Take what the right is for out of the creative, or acquire another right and name that.',
    });
  }
}
