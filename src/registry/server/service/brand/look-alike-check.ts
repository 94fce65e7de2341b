import { disguise, nameSkeleton, skeleton } from '../../../model/look-alikes.js';
import type { ServerReader } from '../../store/server-store.js';

/** The reason that a name is suspicious: a sentence, and the name that it may be taken for. */
export type LookAlike = { readonly message: string; readonly resembles?: string };

/**
 * Whether a name reads like somebody else's: a label that mixes scripts or is disguised, the skeleton of
 * another entry or of a publisher that was crawled, or the label of a name on the operator's deny list, whatever its suffix. The name itself resembles nobody.
 */
export async function findLookAlike(read: ServerReader, domain: string): Promise<LookAlike | undefined> {
  const disguised = disguise(domain);
  if (disguised !== undefined) return { message: `${domain} ${disguised}` };
  const seen = skeleton(domain);
  const others = [...(await read.entry.listByMark(seen)), ...(await read.brand_copy.listByMark(seen))].map(
    (one) => one.domain,
  );
  const twin = [...others, ...(await read.crawl.listPublishersLike(seen))].find((one) => one !== domain);
  if (twin !== undefined)
    return { message: `${domain} can be taken for ${twin}, which is registered`, resembles: twin };
  const denied = (await read.denied.listByMark(nameSkeleton(domain))).find((one) => one.domain !== domain);
  if (denied === undefined) return undefined;
  return { message: `${domain} can be taken for ${denied.domain}, which is protected`, resembles: denied.domain };
}
