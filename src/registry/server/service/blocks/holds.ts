import type { ServerReader } from '../../store/server-store.js';
import { RegistryProblem } from '../problem.js';
import { type BlockedKind, ENTRY_KINDS, entryKey, type LegalHold } from '../records.js';
import { blockKey } from './find.js';

/** Most holds of a registry. */
export const MAX_HOLDS = 1000;

type HoldReader = Pick<ServerReader, 'legal_hold' | 'entry' | 'member' | 'member_agent'>;

/** Returns all holds, in the order of their kinds and names. */
export function listHolds(read: Pick<ServerReader, 'legal_hold'>): Promise<readonly LegalHold[]> {
  return read.legal_hold.page('', MAX_HOLDS);
}

/** Throws legal_hold where the records of something may not be removed: it, or the organization that it belongs to, is under a hold. */
export async function refuseHeld(read: HoldReader, kind: BlockedKind, name: string): Promise<void> {
  const hold = await findHold(read, kind, name);
  if (hold === undefined) return;
  throw new RegistryProblem(
    'legal_hold',
    `The records of ${name} may not be removed: ${hold.kind} ${hold.name} is under a legal hold (${hold.reason}).`,
    {
      suggestion: `End the hold first, with "registry hold end ${hold.kind} ${hold.name} --reason <text>".`,
      details: {
        held: { kind: hold.kind, name: hold.name, reason: hold.reason, held_by: hold.held_by, held_at: hold.held_at },
      },
    },
  );
}

/** Throws conflict where a member may not have the records of an agent removed; a member is not told of the hold. */
export async function refuseMember(read: HoldReader, agentUrl: string): Promise<void> {
  if ((await findHold(read, 'agent', agentUrl)) === undefined) return;
  throw new RegistryProblem('conflict', 'What is stored of this agent cannot be removed just now.', {
    suggestion: 'Make the agent private, or have its assessments paused; or ask the operator of this registry.',
  });
}

/** Returns the hold that the records of something are under, as its own or as that of its organization; undefined for none. */
export async function findHold(read: HoldReader, kind: BlockedKind, name: string): Promise<LegalHold | undefined> {
  const own = await read.legal_hold.find(blockKey(kind, name));
  if (own !== undefined) return own;
  if (kind === 'organization') return findHoldWithin(read, name);
  for (const owner of await listOwners(read, kind, name)) {
    const hold = await read.legal_hold.find(blockKey('organization', owner));
    if (hold !== undefined) return hold;
  }
  return undefined;
}

/** Returns the first hold of what belongs to an organization. */
async function findHoldWithin(read: HoldReader, orgId: string): Promise<LegalHold | undefined> {
  for (const hold of await listHolds(read)) {
    if (hold.kind !== 'organization' && (await listOwners(read, hold.kind, hold.name)).includes(orgId)) return hold;
  }
  return undefined;
}

async function listOwners(read: HoldReader, kind: BlockedKind, name: string): Promise<readonly string[]> {
  if (kind === 'agent') return ownerOf(await read.member_agent.find(name));
  if (kind === 'member') return ownerOf(await read.member.find(name));
  const entries = await Promise.all(ENTRY_KINDS.map((one) => read.entry.find(entryKey(one, name))));
  return entries.flatMap(ownerOf);
}

function ownerOf(row: { readonly org_id: string } | undefined): readonly string[] {
  return row === undefined ? [] : [row.org_id];
}
