import { createOutbound } from '../../src/platform/net/fetch.js';
import type { ContractAdServer } from '../../src/seller/adserver/contract/ad-server.js';
import { type ContractResult, type IsWanted, tryContractOn } from '../../src/seller/adserver/contract/run.js';
import type { AdServerModule } from '../../src/seller/adserver/port/adapter.js';

/** The moment that the contract is tried at. */
export const contractNow = (): number => Date.parse('2026-03-01T12:00:00Z');

/** Tries a module on fakes that `start` starts, `fakes` of them beside each other: what is waited for is so once; returns what is broken and skipped. */
export async function tryModule(
  module: AdServerModule,
  start: () => Promise<ContractAdServer>,
  isWanted: IsWanted,
  fakes = 1,
) {
  const outbound = createOutbound({ development: false });
  const adServers = await Promise.all(Array.from({ length: fakes }, start));
  const results: ContractResult[] = [];
  try {
    const servers = adServers.map((adServer) => ({ module, adServer, outbound, now: contractNow }));
    for await (const result of tryContractOn(servers, isWanted)) results.push(result);
  } finally {
    await outbound.close();
    for (const adServer of adServers) await adServer.stop();
  }
  const of = (outcome: ContractResult['outcome']) => results.filter((result) => result.outcome === outcome);
  return {
    count: results.length,
    broken: of('broken').map(({ name, reason }) => `${name}: ${reason}`),
    skipped: of('skipped').map(({ name }) => name),
  };
}
