import { createOutbound } from '../../src/platform/net/fetch.js';
import type { ContractAdServer } from '../../src/seller/adserver/contract/ad-server.js';
import { type ContractResult, tryContract } from '../../src/seller/adserver/contract/run.js';
import type { AdServerModule } from '../../src/seller/adserver/port/adapter.js';

/** Whether a scenario of the contract is tried. */
export type IsWanted = (scenario: Pick<ContractResult, 'group' | 'name'>) => boolean;

/** The moment that the contract is tried at. */
export const contractNow = (): number => Date.parse('2026-03-01T12:00:00Z');

/** Tries a module on fakes that `start` starts, `fakes` of them beside each other: what is waited for is so once; returns what is broken and skipped. */
export async function tryModule(
  module: AdServerModule,
  start: () => Promise<ContractAdServer>,
  isWanted: IsWanted,
  fakes = 1,
) {
  const shares = await Promise.all(
    Array.from({ length: fakes }, (_, share) => {
      let count = 0;
      return tryShare(module, start, (scenario) => isWanted(scenario) && count++ % fakes === share);
    }),
  );
  const results = shares.flat();
  const of = (outcome: ContractResult['outcome']) => results.filter((result) => result.outcome === outcome);
  return {
    count: results.length,
    broken: of('broken').map(({ name, reason }) => `${name}: ${reason}`),
    skipped: of('skipped').map(({ name }) => name),
  };
}

async function tryShare(
  module: AdServerModule,
  start: () => Promise<ContractAdServer>,
  isWanted: IsWanted,
): Promise<readonly ContractResult[]> {
  const adServer = await start();
  const outbound = createOutbound({ development: false });
  const results: ContractResult[] = [];
  try {
    const parts = { module, adServer, outbound, now: contractNow };
    for await (const result of tryContract(parts, isWanted)) results.push(result);
  } finally {
    await outbound.close();
    await adServer.stop();
  }
  return results;
}
