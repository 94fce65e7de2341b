import { describe, expect, it } from 'vitest';
import {
  type Deployment,
  type Destination,
  destinationKey,
  orderDeployment,
} from '../../../src/seller/domain/signal/deployment.js';
import { intake, signalCalled } from '../domain/signal/context.js';
import { freshFile, openTestStore } from './fixture.js';

const NOW = Date.parse('2030-01-01T00:00:00Z');
const at = (platform: string, account?: string): Destination => ({
  type: 'platform',
  platform,
  ...(account === undefined ? {} : { account }),
});
const agent = (agent_url: string): Destination => ({ type: 'agent', agent_url });

function deployed(signal: string, destination: Destination, account_id?: string): Deployment {
  const terms = account_id === undefined ? {} : { account_id };
  return orderDeployment(signalCalled(signal), destination, intake(5), { terms, keyText: `seg_${signal}`, nowMs: NOW });
}

describe('deployments', () => {
  it('are found at exactly their destination, by their owner and account alone', async () => {
    const store = await openTestStore();
    const [bare, seated] = [deployed('s', at('dsp')), deployed('s', at('dsp', 'seat'), 'acct')];
    await store.transact(async (tx) => {
      await tx.signals.save('o', bare);
      await tx.signals.save('o', seated);
    });
    const { signals } = store.read;
    expect(await signals.find('o', undefined, 's', at('dsp'))).toEqual(bare);
    expect(await signals.find('o', 'acct', 's', at('dsp', 'seat'))).toEqual(seated);
    const strangers = [
      signals.find('o', undefined, 's', at('dsp', 'seat')),
      signals.find('o', 'acct', 's', at('dsp')),
      signals.find('o', 'acct_2', 's', at('dsp', 'seat')),
      signals.find('p', undefined, 's', at('dsp')),
      signals.find('o', undefined, 't', at('dsp')),
      signals.find('o', undefined, 's', agent('https://dsp')),
    ];
    expect(await Promise.all(strangers)).toEqual(strangers.map(() => undefined));
  });

  it('are found under any spelling of an agent’s URL, and replaced there', async () => {
    const store = await openTestStore();
    const first = deployed('s', agent('https://a.example/mcp'));
    const second = { ...first, deactivated_at: '2030-01-02T00:00:00Z' };
    await store.transact((tx) => tx.signals.save('o', first));
    await store.transact((tx) => tx.signals.save('o', second));
    expect(await store.read.signals.find('o', undefined, 's', agent('HTTPS://A.example:443/mcp/'))).toEqual(second);
    expect(await store.read.signals.list('o', undefined, ['s'])).toEqual([second]);
  });

  it('are listed newest first, of the signals and at the places that are named', async () => {
    const store = await openTestStore();
    const all = [
      deployed('a', at('one')),
      deployed('a', at('one', 'seat')),
      deployed('a', at('two')),
      deployed('b', agent('https://a.example')),
      deployed('c', at('one')),
    ];
    await store.transact(async (tx) => {
      for (const each of all) await tx.signals.save('o', each);
    });
    const { signals } = store.read;
    expect(await signals.list('o', undefined, ['a', 'b'])).toEqual([all[3], all[2], all[1], all[0]]);
    expect(await signals.list('o', undefined, ['a', 'c'], [destinationKey(at('one'))])).toEqual([
      all[4],
      all[1],
      all[0],
    ]);
    expect(await signals.list('o', undefined, ['a'], [])).toEqual([]);
    expect(await signals.list('o', undefined, [])).toEqual([]);
    expect(await signals.list('o', 'acct', ['a'])).toEqual([]);
    expect(await signals.list('p', undefined, ['a'])).toEqual([]);
  });

  it('are remembered of an owner, whatever the account', async () => {
    const store = await openTestStore();
    await store.transact((tx) => tx.signals.save('o', deployed('s', at('dsp'), 'acct')));
    const { signals } = store.read;
    expect(
      await Promise.all([signals.wasUsed('o', 's'), signals.wasUsed('o', 't'), signals.wasUsed('p', 's')]),
    ).toEqual([true, false, false]);
  });

  it('are there again when the file is opened again', async () => {
    const file = freshFile();
    const deployment = deployed('s', at('dsp'));
    const store = await openTestStore(file);
    await store.transact(async (tx) => {
      await tx.signals.save('o', deployment);
      await tx.usage.add('o', 'acct', NOW, { vendor_cost: 1 });
    });
    await store.close();
    expect(await (await openTestStore(file)).read.signals.list('o', undefined, ['s'])).toEqual([deployment]);
  });
});
