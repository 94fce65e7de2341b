import assert from 'node:assert/strict';
import { freshKey } from '../../kit/buyer.js';
import type { After, Arrange, EvalTask, Facts } from '../task.js';
import { oneBuy } from './arrange.js';

/** People whose media buys run. */
export const RUNNING: readonly EvalTask[] = [
  {
    id: 'why-behind',
    tenant: 'sales',
    arrange: async (call, account) => {
      const facts = await oneBuy(call, account);
      await update(call, account, facts, { paused: true });
      return facts;
    },
    ask: ({ media_buy_id }) => `Why is ${media_buy_id} behind? Look, and change nothing.`,
    wants: (given) => [
      { goal: 'delivery numbers of media buys', facts: given },
      { goal: 'read the state of media buys', facts: given },
    ],
    grade: (after) => {
      assert.equal(onlyBuy(after).revision, 2);
      wasRead(after, /"paused"/);
      wasRead(after, /"impressions"/);
    },
  },
  {
    id: 'pause-buy',
    tenant: 'sales',
    arrange: oneBuy,
    ask: ({ media_buy_id }) => `Pause ${media_buy_id}.`,
    wants: (given) => [{ goal: 'change a media buy', facts: { ...given, paused: true } }],
    grade: (after) => {
      assert.equal(onlyBuy(after).status, 'paused');
    },
  },
];

/** Changes a buy in a person's name. */
async function update(call: Arrange, account: string, { media_buy_id }: Facts, changes: object): Promise<void> {
  await call('update_media_buy', {
    idempotency_key: freshKey(),
    account: { account_id: account },
    media_buy_id,
    ...changes,
  });
}

function onlyBuy({ buys }: After) {
  const [buy] = buys;
  assert.equal(buys.length, 1, `there is one buy, not ${buys.length}`);
  assert.ok(buy);
  return buy;
}

/** That an answer held what the question is about. */
function wasRead({ steps }: After, what: RegExp): void {
  assert.ok(
    steps.some(({ reply }) => !reply.isError && what.test(reply.text)),
    `no answer was read that says ${what}`,
  );
}
