import { isoTime } from '../../../../platform/kernel/clock.js';
import { RegistryProblem } from '../problem.js';
import type { LegalHold } from '../records.js';
import type { Registry } from '../registry.js';
import { blockKey } from './find.js';
import { MAX_HOLDS } from './holds.js';
import { type NamedThing, resolveListed, resolveName } from './name.js';

/** Has the records of something stay until the hold ends. Throws conflict where there are too many. */
export async function beginHold(
  registry: Registry,
  target: NamedThing,
  { by, reason }: { readonly by: string; readonly reason: string },
): Promise<LegalHold> {
  const { kind, name } = await resolveName(registry, target);
  const hold: LegalHold = { kind, name, reason, held_by: by, held_at: isoTime(registry.clock.now()) };
  return registry.store.transact(async (tx) => {
    const isNew = (await tx.legal_hold.find(blockKey(kind, name))) === undefined;
    if (isNew && (await tx.legal_hold.count()) >= MAX_HOLDS)
      throw new RegistryProblem('conflict', `There are ${MAX_HOLDS} holds already.`, {
        suggestion: 'End those that are needed no more with "registry hold end".',
      });
    await tx.legal_hold.put(hold);
    return hold;
  });
}

/** Ends a hold. Throws not_found. */
export async function endHold(registry: Registry, target: NamedThing): Promise<NamedThing> {
  const { kind, name } = await resolveListed(registry, target, registry.store.read.legal_hold);
  await registry.store.transact(async (tx) => {
    if (await tx.legal_hold.remove(blockKey(kind, name))) return;
    throw new RegistryProblem('not_found', `${name} is under no hold.`, {
      field: '/name',
      suggestion: 'List the holds with "registry hold list".',
    });
  });
  return { kind, name };
}
