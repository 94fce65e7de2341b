import { expect, it } from 'vitest';
import type { ContractResult } from '../../../../src/seller/adserver/contract/run.js';
import { kevelModule } from '../../../../src/seller/adserver/kevel/kevel.js';
import type { AdServerAdapter, AdServerModule } from '../../../../src/seller/adserver/port/adapter.js';
import { tryOnKevel } from '../../../kit/kevel/contract.js';

// The rest of bad weather is tried by test/crash.
const isCalm = ({ group, name }: Pick<ContractResult, 'group' | 'name'>): boolean => {
  // It makes no deals.
  if (group === 'Deals') return false;
  return group !== 'Bad weather' || name === 'books an order once whatever change meets a kill -9 after';
};

it('the adapter of Kevel keeps the contract of adapters', async () => {
  const { broken, skipped, violations } = await tryOnKevel(kevelModule, isCalm);
  expect(broken).toEqual([]);
  expect(skipped).toEqual([]);
  expect(violations).toEqual([]);
});

/** The adapter of Kevel with something changed. */
function changed(change: (adapter: AdServerAdapter) => Partial<AdServerAdapter>): AdServerModule {
  return {
    ...kevelModule,
    open: (options) => {
      const adapter = kevelModule.open(options);
      const all = ['check', 'book', 'find', 'delivery', 'inspect', 'ping'] as const;
      const bound = Object.fromEntries(all.map((name) => [name, adapter[name]?.bind(adapter)]));
      return { name: 'changed', declaration: adapter.declaration, ...bound, ...change(adapter) } as AdServerAdapter;
    },
  };
}

it.each<[string, AdServerModule, string]>([
  [
    'says yes whatever happens',
    changed((adapter) => ({ book: (...call) => adapter.book(...call).catch(() => undefined) })),
    'books an order once whatever change meets a 500 before',
  ],
  [
    'never pauses',
    changed((adapter) => ({ book: (order, context) => adapter.book({ ...order, state: 'running' }, context) })),
    'pauses an order',
  ],
  [
    'forgets the last day',
    changed((adapter) => ({
      delivery: (request, context) => adapter.delivery({ ...request, to_date: request.from_date }, context),
    })),
    'reads what packages delivered by day, the first and the last day too',
  ],
  ['finds nothing', changed(() => ({ find: async () => undefined })), 'finds an order by our ids alone'],
  [
    'books again under a new name',
    changed((adapter) => {
      let count = 0;
      return {
        book: (order, context) => {
          count += 1;
          const again = { ...order, media_buy_id: `${order.media_buy_id}${'x'.repeat(count)}` };
          return adapter.book(again, { ...context, foreign: undefined });
        },
      };
    }),
    'changes nothing where an order is booked again as it is',
  ],
])('an adapter that %s breaks it', async (_what, module, name) => {
  const { broken } = await tryOnKevel(module, (scenario) => scenario.name === name);
  expect(broken).toEqual([expect.stringContaining(`${name}: It `)]);
});
