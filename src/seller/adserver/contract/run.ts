import { ContractBrokenError } from './broken.js';
import { BAD_WEATHER } from './scenarios/bad-weather.js';
import { BOOKING } from './scenarios/booking.js';
import { CHANGING, REFUSALS } from './scenarios/changes.js';
import { DEALS } from './scenarios/deals.js';
import { DELIVERY, DRIFT } from './scenarios/delivery.js';
import type { Scenario } from './scenarios/scenario.js';
import { SETTINGS } from './scenarios/settings.js';
import { type ContractParts, ContractSession } from './session.js';

/** The contract of an adapter, by what it is about. */
const CONTRACT: Readonly<Record<string, readonly Scenario[]>> = {
  Settings: SETTINGS,
  Booking: BOOKING,
  Changes: CHANGING,
  Refusals: REFUSALS,
  'Bad weather': BAD_WEATHER,
  Delivery: DELIVERY,
  'By hand': DRIFT,
  Deals: DEALS,
};

/** The result of a scenario. */
export type ContractResult = {
  readonly group: string;
  readonly name: string;
  readonly outcome: 'holds' | 'broken' | 'skipped';
  /** Of one that is broken or was skipped. */
  readonly reason: string | undefined;
};

/** Tries an adapter against its contract, scenario after scenario; those alone of which `isWanted` says so, where it is given. */
export async function* tryContract(
  parts: ContractParts,
  isWanted: (scenario: Pick<ContractResult, 'group' | 'name'>) => boolean = () => true,
): AsyncGenerator<ContractResult> {
  for (const [group, scenarios] of Object.entries(CONTRACT)) {
    for (const scenario of scenarios) {
      if (isWanted({ group, name: scenario.name })) yield { group, ...(await tryScenario(parts, scenario)) };
    }
  }
}

async function tryScenario(parts: ContractParts, { name, run }: Scenario): Promise<Omit<ContractResult, 'group'>> {
  await parts.adServer.reset();
  const session = new ContractSession(parts);
  try {
    const skipped = await run(session);
    return { name, outcome: skipped === undefined ? 'holds' : 'skipped', reason: skipped };
  } catch (error) {
    return { name, outcome: 'broken', reason: describe(error) };
  } finally {
    await session.end();
  }
}

function describe(error: unknown): string {
  if (error instanceof ContractBrokenError) return `It ${error.message}.`;
  return `It threw ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}.`;
}
