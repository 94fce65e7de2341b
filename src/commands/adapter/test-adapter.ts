import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createOutbound } from '../../platform/net/fetch.js';
import type { ContractAdServer } from '../../seller/adserver/contract/ad-server.js';
import { startExampleServer } from '../../seller/adserver/contract/example-server.js';
import { type ContractResult, tryContractOn } from '../../seller/adserver/contract/run.js';
import type { AdServerModule } from '../../seller/adserver/port/adapter.js';
import type { CommandContext, CommandResult } from '../command.js';
import { plain } from '../terminal.js';

type TestFlags = { readonly adServer?: string | undefined; readonly only?: string | undefined };

/** So many of them are tried beside each other: most of the time is waited for pauses between attempts. */
const EXAMPLE_SERVERS = 10;

/** Tries the adapter of a file against its contract and tells each scenario as it ends; the result is ok where none is broken. */
export async function testAdapter(
  { cwd, now, out }: Pick<CommandContext, 'cwd' | 'now' | 'out'>,
  file: string,
  { adServer: starter, only = '' }: TestFlags,
): Promise<CommandResult> {
  const module = await loadDefault<AdServerModule>(cwd, file);
  if (typeof module !== 'object' || typeof module.open !== 'function' || typeof module.declare !== 'function') {
    return {
      ok: false,
      text: `${file} has no default export with name, declare and open. docs/extending.md has an example.`,
    };
  }
  const start = starter === undefined ? startExampleServer : await loadDefault<StartAdServer>(cwd, starter);
  // One of the caller's own may stand for an account that is there once.
  const count = starter === undefined ? EXAMPLE_SERVERS : 1;
  if (typeof start !== 'function') {
    return {
      ok: false,
      text: `${starter} has no default export that starts an ad server: async () => ({ url, settings, … }).`,
    };
  }
  const adServers = await Promise.all(Array.from({ length: count }, start));
  const outbound = createOutbound({ development: false });
  const counts = { holds: 0, broken: 0, skipped: 0 };
  let heading = '';
  try {
    const isWanted = ({ name }: { readonly name: string }): boolean => name.includes(only);
    const servers = adServers.map((adServer) => ({ module, adServer, outbound, now }));
    for await (const result of tryContractOn(servers, isWanted)) {
      if (result.group !== heading) out(`${result.group}`);
      heading = result.group;
      counts[result.outcome] += 1;
      for (const line of describeResult(result)) out(plain(line));
    }
  } finally {
    await outbound.close();
    for (const adServer of adServers) await adServer.stop();
  }
  return describeEnd(module.name, counts);
}

type StartAdServer = () => Promise<ContractAdServer>;

async function loadDefault<T>(cwd: string, file: string): Promise<T> {
  const loaded = (await import(pathToFileURL(path.resolve(cwd, file)).href)) as { readonly default: T };
  return loaded.default;
}

const MARKS: Readonly<Record<ContractResult['outcome'], string>> = {
  holds: 'ok',
  broken: 'BROKEN',
  skipped: 'skipped',
};

function describeResult({ name, outcome, reason }: ContractResult): readonly string[] {
  const line = `  ${MARKS[outcome].padEnd(7)} ${name}`;
  return reason === undefined ? [line] : [line, `          ${reason}`];
}

function describeEnd(name: string, counts: Readonly<Record<ContractResult['outcome'], number>>): CommandResult {
  const { broken, holds, skipped } = counts;
  if (holds + broken + skipped === 0) return { ok: false, text: 'There is no such scenario.' };
  const text = `${name}: ${holds} of ${holds + broken} scenarios hold, ${skipped} do not concern it.`;
  return { ok: broken === 0, text };
}
