import { isoTime, MINUTE_MS } from '../../kernel/clock.js';
import { InputError } from '../../kernel/errors.js';
import type { Algorithm } from '../algorithms.js';
import type { Purpose } from './jwk.js';

/**
 * The state of a key. A next key is published and does not sign yet; a retiring one is published and signs no more;
 * a retired one is neither, and its private part is gone.
 */
type KeyState = 'next' | 'active' | 'retiring' | 'retired';

/** A key as its file has it. Instants are ISO 8601. */
export type KeyRow = {
  readonly kid: string;
  readonly alg: Algorithm;
  readonly purpose: Purpose;
  readonly state: KeyState;
  readonly x: string;
  readonly y?: string;
  /** The private part, base64url: of ed25519 the seed. */
  readonly d?: string;
  readonly created_at: string;
  /** Of a next key: when it takes over. */
  readonly activate_at?: string;
  readonly activated_at?: string;
  readonly last_used_at?: string;
  /** Of a retiring key: when it may go. */
  readonly publish_until?: string;
  readonly retired_at?: string;
  /** The key was given up because somebody else may have it. */
  readonly revoked_at?: string;
};

/** How long a key is published before it signs: caches of keys live half an hour, pins of publishers one. */
const PUBLISH_BEFORE_MS = 60 * MINUTE_MS;

/** How long a key is published after it signed last: five minutes of validity, and clocks. */
const PUBLISH_AFTER_MS = 15 * MINUTE_MS;

/** States whose keys are published. */
export const PUBLISHED: ReadonlySet<KeyState> = new Set<KeyState>(['next', 'active', 'retiring']);

/** Returns keys as time has changed them: a next key whose time has come takes over, the one before it retires, and is retired later. */
export function advanceKeys(rows: readonly KeyRow[], nowMs: number): readonly KeyRow[] {
  const due = rows.filter((row) => row.state === 'next' && isPast(row.activate_at, nowMs));
  const current = due.reduce((settled, { kid }) => takeOver(settled, kid, nowMs), rows);
  return current.map((row) =>
    row.state === 'retiring' && isPast(row.publish_until, nowMs) ? retire(row, nowMs) : row,
  );
}

/** Returns when time next changes a key (ms), undefined for never. */
export function nextChange(rows: readonly KeyRow[]): number | undefined {
  const instants = rows.flatMap(({ activate_at, publish_until, state }) => {
    const changes: Partial<Record<KeyState, string | undefined>> = { next: activate_at, retiring: publish_until };
    const at = changes[state];
    return at === undefined ? [] : [Date.parse(at)];
  });
  return instants.length === 0 ? undefined : Math.min(...instants);
}

/** Adds the first key of its purpose, which signs from now on. Throws INVALID_STATE when another key signs. */
export function addFirst(rows: readonly KeyRow[], fresh: KeyRow, nowMs: number): readonly KeyRow[] {
  const holder = inState(rows, fresh.purpose, 'active');
  if (holder === undefined) return takeOver([...rows, fresh], fresh.kid, nowMs);
  throw refusal('purpose', `"${holder.kid}" signs for ${fresh.purpose} already.`, 'Replace it with rotate.');
}

/** Adds a key that is published now and takes over in an hour. Throws INVALID_STATE while another key waits, or none signs. */
export function addNext(rows: readonly KeyRow[], fresh: KeyRow, nowMs: number): readonly KeyRow[] {
  requireActive(rows, fresh);
  const next = inState(rows, fresh.purpose, 'next');
  if (next === undefined) return [...rows, { ...fresh, activate_at: isoTime(nowMs + PUBLISH_BEFORE_MS) }];
  const when = `"${next.kid}" takes over at ${next.activate_at}.`;
  throw refusal('purpose', when, 'Wait for it, or take it back with retire.');
}

/**
 * Replaces a key in an emergency: another key signs from now on, the one that did is revoked and published no more. A key that waits
 * is taken before the fresh one, for verifiers know it. Throws INVALID_STATE when none signs.
 */
export function replaceAtOnce(rows: readonly KeyRow[], fresh: KeyRow, nowMs: number): readonly KeyRow[] {
  const holder = requireActive(rows, fresh);
  const next = inState(rows, fresh.purpose, 'next');
  const replaced = takeOver(next === undefined ? [...rows, fresh] : rows, (next ?? fresh).kid, nowMs);
  return replaced.map((row) => (row.kid === holder.kid ? { ...retire(row, nowMs), revoked_at: isoTime(nowMs) } : row));
}

/** Retires a key that waits or is retiring. Throws INVALID_STATE for a key in another state, REFERENCE_NOT_FOUND for none. */
export function withdraw(rows: readonly KeyRow[], kid: string, nowMs: number, atOnce: boolean): readonly KeyRow[] {
  const row = rows.find((one) => one.kid === kid);
  if (row === undefined) {
    throw new InputError('REFERENCE_NOT_FOUND', 'There is no key with this kid.', {
      field: 'kid',
      suggestion: `The keys: ${rows.map((one) => one.kid).join(', ') || 'none yet'}.`,
    });
  }
  if (row.state === 'active') throw refusal('kid', 'The key signs.', 'Replace it with rotate first.');
  if (row.state === 'retired') throw refusal('kid', 'The key is retired already.', 'There is nothing to do.');
  if (row.state === 'retiring' && !atOnce) {
    const until = `What the key signed is verified until ${row.publish_until}.`;
    throw refusal('kid', until, 'It retires then by itself; with now it goes at once.');
  }
  return rows.map((one) => (one.kid === kid ? retire(one, nowMs) : one));
}

/** Makes a key sign from now on; the one that did so far stays published until its last signatures have expired. */
function takeOver(rows: readonly KeyRow[], kid: string, nowMs: number): readonly KeyRow[] {
  const heir = rows.find((row) => row.kid === kid);
  return rows.map((row) => {
    if (row.kid === kid) {
      const { activate_at: _, ...rest } = row;
      return { ...rest, state: 'active', activated_at: isoTime(nowMs) };
    }
    if (row.purpose !== heir?.purpose || row.state !== 'active') return row;
    return { ...row, state: 'retiring', publish_until: isoTime(nowMs + PUBLISH_AFTER_MS) };
  });
}

/** Returns a key as retired: it is no longer published and cannot sign again. */
function retire(row: KeyRow, nowMs: number): KeyRow {
  const { d: _d, activate_at: _a, publish_until: _p, ...rest } = row;
  return { ...rest, state: 'retired', retired_at: isoTime(nowMs) };
}

function requireActive(rows: readonly KeyRow[], { purpose }: KeyRow): KeyRow {
  const holder = inState(rows, purpose, 'active');
  if (holder !== undefined) return holder;
  throw refusal('purpose', `There is no key for ${purpose} to replace.`, 'Make one with generate.');
}

function inState(rows: readonly KeyRow[], purpose: Purpose, state: KeyState): KeyRow | undefined {
  return rows.find((row) => row.purpose === purpose && row.state === state);
}

function isPast(iso: string | undefined, nowMs: number): boolean {
  return iso !== undefined && Date.parse(iso) <= nowMs;
}

function refusal(field: string, message: string, suggestion: string): InputError {
  return new InputError('INVALID_STATE', message, { field, suggestion });
}
