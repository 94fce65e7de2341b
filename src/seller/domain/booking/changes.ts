import { isDeepStrictEqual } from 'node:util';
import type { LiveOrder, LivePackage } from './live-order.js';

/** A kind of change to an order since it was booked last. */
export type OrderChange = 'create' | 'flight' | 'terms' | 'packages' | 'creatives' | 'pause' | 'resume' | 'end';

/** Returns what differs between an order as it was booked and as it is; empty where nothing does. */
export function listChanges(before: LiveOrder | undefined, after: LiveOrder): readonly OrderChange[] {
  if (before === undefined) return ['create'];
  const changes = new Set<OrderChange>();
  if (!isSameFlight(before, after)) changes.add('flight');
  addStateChange(changes, before, after);
  const lines = new Map(before.packages.map((line) => [line.package_id, line]));
  for (const line of after.packages) {
    const earlier = lines.get(line.package_id);
    lines.delete(line.package_id);
    if (earlier === undefined) changes.add('packages');
    else addPackageChanges(changes, earlier, line);
  }
  if (lines.size > 0) changes.add('packages');
  return [...changes];
}

function isSameFlight(
  one: Pick<LiveOrder, 'start_time' | 'end_time'>,
  other: Pick<LiveOrder, 'start_time' | 'end_time'>,
): boolean {
  return one.start_time === other.start_time && one.end_time === other.end_time;
}

function addStateChange(
  changes: Set<OrderChange>,
  { state: before }: Pick<LiveOrder, 'state'>,
  { state: after }: Pick<LiveOrder, 'state'>,
): void {
  if (before === after) return;
  if (after === 'paused') changes.add('pause');
  else changes.add(after === 'running' ? 'resume' : 'end');
}

/** The members of a package that its terms are. */
const TERMS = ['budget', 'price', 'goal', 'pacing', 'targeting', 'formats', 'adapter', 'needs_creative'] as const;

function addPackageChanges(changes: Set<OrderChange>, before: LivePackage, after: LivePackage): void {
  if (!isSameFlight(before, after)) changes.add('flight');
  addStateChange(changes, before, after);
  if (TERMS.some((name) => !isDeepStrictEqual(plain(before[name]), plain(after[name])))) changes.add('terms');
  if (!isDeepStrictEqual(runningOf(before), runningOf(after))) changes.add('creatives');
}

/** Returns a value as it reads from the store, where nothing is undefined. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function runningOf({ creatives }: LivePackage): readonly string[] {
  return creatives.map(({ creative_id, version, weight }) => `${creative_id} ${version} ${weight ?? ''}`).sort();
}
