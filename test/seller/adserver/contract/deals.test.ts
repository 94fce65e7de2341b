import path from 'node:path';
import { expect, it } from 'vitest';
import { startExampleServer } from '../../../../src/seller/adserver/contract/example-server.js';
import type { IsWanted } from '../../../../src/seller/adserver/contract/run.js';
import type { AdServerAdapter, AdServerModule } from '../../../../src/seller/adserver/port/adapter.js';
import { tryModule } from '../../../kit/contract.js';
import { PROJECT } from '../../../kit/surroundings.js';

const isDeal: IsWanted = ({ group }) => group === 'Deals';
const load = async (name: string) =>
  ((await import(path.join(PROJECT, `examples/${name}.mjs`))) as { readonly default: AdServerModule }).default;

it('the adapter of deals in the documents makes them once in all weather', async () => {
  const { broken, count, skipped } = await tryModule(await load('deal-adapter'), startExampleServer, isDeal);
  expect({ broken, skipped }).toEqual({ broken: [], skipped: [] });
  expect(count).toBe(10);
});

it('deals do not concern an adapter that declares none', async () => {
  const { broken, count, skipped } = await tryModule(await load('ad-server-adapter'), startExampleServer, isDeal);
  expect(broken).toEqual([]);
  expect(skipped).toHaveLength(count);
});

it('an adapter that forgets the ids of its deals breaks the contract', async () => {
  const module = await load('deal-adapter');
  const forgetful: AdServerModule = {
    ...module,
    open: (options) => {
      const { adapter, declaration } = { adapter: module.open(options), declaration: module.declare(options.settings) };
      const book: AdServerAdapter['book'] = async (order, context) => {
        const ids = await adapter.book(order, { ...context, saveIds: async () => undefined });
        return { ...ids, deals: undefined };
      };
      const delivery: AdServerAdapter['delivery'] = (request, context) => adapter.delivery(request, context);
      return { name: 'forgetful', declaration, book, delivery };
    },
  };
  const isFirst: IsWanted = ({ name }) => name.startsWith('makes a deal of each package');
  const { broken } = await tryModule(forgetful, startExampleServer, isFirst);
  expect(broken).toEqual([expect.stringContaining('It answered undefined for the deal D-')]);
});
