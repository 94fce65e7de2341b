import { describe, expect, it } from 'vitest';
import { type CheckRequest, readAction } from '../../../../../src/seller/domain/governance/plans/action.js';
import { isSameAgent } from '../../../../../src/seller/domain/governance/plans/agent-url.js';
import { readActionId } from '../../../../../src/seller/domain/governance/plans/context.js';
import { type ActionUse, holdDecided } from '../../../../../src/seller/domain/governance/plans/log.js';
import { refusalOf } from '../../order-context.js';

const BUYER = 'https://buyer.example/mcp';
const SELLER = 'https://seller.example/mcp';

describe('the action of a check', () => {
  it.each<readonly [what: string, request: Partial<CheckRequest>, read: object]>([
    ['a tool with a total', { tool: 'create_media_buy', payload: { total_budget: 5 } }, { check: 'intent', total: 5 }],
    [
      'a total with its currency',
      { payload: { total_budget: { amount: 5, currency: 'EUR' } } },
      { total: 5, currency: 'EUR' },
    ],
    [
      'packages',
      { payload: { packages: [{ budget: 5 }, { budget: 6 }], new_packages: [{ budget: 7 }] } },
      { total: 18 },
    ],
    [
      'packages that come to more than the total beside them',
      { payload: { total_budget: 1, packages: [{ budget: 90_000 }], new_packages: [{ budget: 5 }] } },
      { total: 90_005 },
    ],
    [
      'purchases that come to less than the total beside them',
      { payload: { total_budget: { amount: 900, currency: 'USD' }, purchases: [{ budget: 5 }] } },
      { total: 900 },
    ],
    ['no amount', { payload: { total_budget: null, packages: ['x'] } }, { total: undefined }],
    [
      'targeting of packages',
      { payload: { packages: [{ targeting_overlay: { geo_countries: ['US'], geo_regions: ['US-CA'] } }, {}] } },
      { countries: ['US'], regions: ['US-CA'] },
    ],
    [
      'a start that is an object',
      { payload: { start_time: { type: 'date', date: '2030-01-01' } } },
      { start: '2030-01-01' },
    ],
    ['a signal', { tool: 'activate_signal', payload: {} }, { purchase_type: 'signal_activation' }],
    [
      'what a seller would deliver',
      { planned_delivery: { channels: ['ctv'] } },
      { check: 'execution', channels: ['ctv'] },
    ],
    [
      'what was delivered',
      { phase: 'delivery', delivery_metrics: { reporting_period: { start: 'a', end: 'b' } } },
      { check: 'execution', phase: 'delivery', total: undefined },
    ],
    ['nothing', {}, { check: 'intent', phase: 'purchase', purchase_type: 'media_buy', total: undefined }],
  ])('is read from %s', (_what, request, read) => {
    expect(readAction({ caller: BUYER, ...request })).toMatchObject(read);
  });

  it.each<readonly [what: string, payload: Record<string, unknown>, field: string]>([
    ['a negative total', { total_budget: { amount: -50, currency: 'USD' } }, 'payload.total_budget.amount'],
    ['a total in quotation marks', { total_budget: '900000' }, 'payload.total_budget'],
    ['one package of several', { packages: [{ budget: 5 }, { budget: '900000' }] }, 'payload.packages[1].budget'],
    ['a package beside a total', { total_budget: 5, new_packages: [{ budget: -1 }] }, 'payload.new_packages[0].budget'],
  ])('is refused where an amount is none: %s', (_what, payload, field) => {
    expect(refusalOf(() => readAction({ caller: BUYER, payload }))).toEqual(['INVALID_REQUEST', field]);
  });
});

describe('what an action has of its plan', () => {
  const none: ActionUse = {
    action_id: 'act_1',
    purchase_type: 'media_buy',
    seller: '',
    channel: '',
    committed: 0,
    held: 0,
    heldUntil: undefined,
  };
  const intent = readAction({ caller: BUYER, payload: { total_budget: 100 } });
  const execution = readAction({ caller: SELLER, planned_delivery: { total_budget: 90, channels: ['ctv'] } });

  it('is held until an intent lapses, and for good once a seller was let to sell', () => {
    const intended = holdDecided(none, intent, 'approved', 7);
    expect(intended).toMatchObject({ held: 100, heldUntil: 7, seller: '' });
    const sold = holdDecided(intended, execution, 'conditions', 9);
    expect(sold).toMatchObject({ held: 90, heldUntil: undefined, seller: SELLER, channel: 'ctv' });
    expect(holdDecided(sold, intent, 'approved', 9)).toMatchObject({ held: 100, heldUntil: undefined });
  });

  it('stays as it is where it is denied, and counts what was committed', () => {
    expect(holdDecided({ ...none, held: 5 }, execution, 'denied', 7)).toMatchObject({ held: 5 });
    expect(holdDecided({ ...none, committed: 80 }, execution, 'approved', 7)).toMatchObject({
      committed: 80,
      held: 10,
    });
    expect(holdDecided({ ...none, committed: 95 }, execution, 'approved', 7)).toMatchObject({ held: 0 });
  });
});

describe('a governance context', () => {
  const token = (claims: object) => `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.y`;

  it.each([
    ['of this agent has its action', token({ action: 'act_1' }), /^act_1$/],
    ['of another agent has an action of its own', token({ sub: 'plan' }), /^ctx_/],
    ['with an action that is none has one of its own', token({ action: '../x' }), /^ctx_/],
    ['that is any text has one of its own', 'gov_ctx', /^ctx_/],
  ])('%s', (_what, context, id) => {
    expect(readActionId(context)).toMatch(id);
    expect(readActionId(context)).toBe(readActionId(context));
  });
});

it.each([
  ['https://A.example/mcp', 'https://a.example/mcp/', true],
  ['https://a.example/mcp', 'https://a.example/other', false],
  ['no URL', 'no URL', true],
  ['', 'https://a.example', false],
])('the agents %s and %s are one: %s', (one, other, same) => {
  expect(isSameAgent(one, other)).toBe(same);
});
