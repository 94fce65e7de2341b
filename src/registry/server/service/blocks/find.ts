import type { ServerReader } from '../../store/server-store.js';
import { RegistryProblem } from '../problem.js';
import type { BlockedKind } from '../records.js';

/** Returns the id under which a block is kept. */
export function blockKey(kind: BlockedKind, name: string): string {
  return `${kind}:${name}`;
}

/** Whether the operator keeps something out of the registry. */
export async function isBlocked(
  { blocked }: Pick<ServerReader, 'blocked'>,
  kind: BlockedKind,
  name: string,
): Promise<boolean> {
  return (await blocked.find(blockKey(kind, name))) !== undefined;
}

/** Throws blocked, with the reason, where the operator keeps something out of the registry. */
export async function refuseBlocked(
  { blocked }: Pick<ServerReader, 'blocked'>,
  kind: BlockedKind,
  name: string,
): Promise<void> {
  const block = await blocked.find(blockKey(kind, name));
  if (block === undefined) return;
  throw new RegistryProblem('blocked', `${name} is blocked in this registry: ${block.reason}`, {
    suggestion: 'Ask the operator of this registry; nothing that is sent again changes it.',
    details: { [kind]: name, reason: block.reason },
  });
}
