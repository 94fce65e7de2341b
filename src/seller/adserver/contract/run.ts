import PQueue from 'p-queue';
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

/** Whether a scenario is tried. */
export type IsWanted = (scenario: Pick<ContractResult, 'group' | 'name'>) => boolean;

/** Tries an adapter against its contract, scenario after scenario; those alone of which `isWanted` says so, where it is given. */
export function tryContract(parts: ContractParts, isWanted: IsWanted = () => true): AsyncGenerator<ContractResult> {
  return tryContractOn([parts], isWanted);
}

/**
 * Tries an adapter against its contract on several ad servers beside each other, for most of the time is waited for pauses between
 * attempts. Results come in the order of the contract.
 */
export async function* tryContractOn(
  servers: readonly ContractParts[],
  isWanted: IsWanted,
): AsyncGenerator<ContractResult> {
  const wanted = Object.entries(CONTRACT)
    .flatMap(([group, scenarios]) => scenarios.map(({ name, run }) => ({ group, name, run })))
    .filter(isWanted);
  const idle = [...servers];
  const queue = new PQueue({ concurrency: servers.length });
  const results = wanted.map((scenario) =>
    queue.add(async () => {
      const parts = idle.pop() as ContractParts;
      const result = await tryScenario(parts, scenario);
      idle.push(parts);
      return result;
    }),
  );
  try {
    for (const result of results) yield await result;
  } finally {
    queue.clear();
    await queue.onIdle();
  }
}

type Named = Scenario & { readonly group: string };

/** Never rejects. */
async function tryScenario(parts: ContractParts, { group, name, run }: Named): Promise<ContractResult> {
  try {
    const skipped = await runScenario(parts, run);
    return { group, name, outcome: skipped === undefined ? 'holds' : 'skipped', reason: skipped };
  } catch (error) {
    return { group, name, outcome: 'broken', reason: describeFailure(error) };
  }
}

async function runScenario(parts: ContractParts, run: Scenario['run']): Promise<string | undefined> {
  await parts.adServer.reset();
  const session = new ContractSession(parts);
  try {
    return await run(session);
  } finally {
    await session.end();
  }
}

function describeFailure(error: unknown): string {
  if (error instanceof ContractBrokenError) return `It ${error.message}.`;
  return `It threw ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}.`;
}
