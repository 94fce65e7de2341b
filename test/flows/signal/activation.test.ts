import { describe, expect, test } from 'vitest';
import { type Booted, boot } from '../../kit/boot.js';
import { freshKey, KIT_TOKEN, succeeded } from '../../kit/buyer.js';
import {
  AGENT,
  AMAZON,
  bendableSignals,
  HIGH_LTV,
  type SignalBuyer,
  signalBuyer,
  TRADE_DESK,
} from '../../kit/signals.js';
import { addAccount, type TenantDraft } from '../../kit/tenants.js';

const MINUTE = 60_000;
const ACCOUNT = { account: { account_id: 'acct_signals' } };
const NATURAL = { account: { brand: { domain: 'nova-motors.example' }, operator: 'pinnacle-agency.example' } };

describe('activating', () => {
  let server: Booted;
  let buyer: SignalBuyer;
  const start = async (): Promise<void> => {
    server = await boot();
    buyer = signalBuyer(server);
  };
  const at = async (destination: object, args: object = {}, who = buyer) =>
    (await who.look(HIGH_LTV.signal_agent_segment_id, { destinations: [destination], ...args })).deployments;

  test('where a segment is at once, the platform’s id comes at once', async () => {
    await start();
    const { deployments, message, sandbox } = await buyer.activate();
    expect(deployments).toEqual([
      {
        ...TRADE_DESK,
        is_live: true,
        activation_key: { type: 'segment_id', segment_id: expect.stringMatching(/^seg_/) },
        deployed_at: '2030-01-01T00:00:00Z',
      },
    ]);
    expect([message, sandbox]).toEqual([expect.stringContaining('Live.'), true]);
    expect(await at(TRADE_DESK)).toEqual(deployments);
    expect(await at({ type: 'platform', platform: 'the-trade-desk' })).toEqual(deployments);
    expect((await at({ ...TRADE_DESK, account: 'seat-2' }))[0]).toMatchObject({ account: 'seat-2', is_live: false });
  });

  test('an agent is told at once, and targets by a pair', async () => {
    await start();
    const { deployments } = await buyer.activate({ destinations: [AGENT] });
    expect(deployments).toEqual([
      {
        ...AGENT,
        is_live: true,
        activation_key: { type: 'key_value', key: 'northlight_segment', value: expect.stringMatching(/^seg_/) },
        deployed_at: '2030-01-01T00:00:00Z',
      },
    ]);
    expect((await buyer.look('prism_high_ltv')).deployments).toContainEqual(deployments[0]);
    const elsewhere = { ...AGENT, agent_url: 'HTTPS://Sales.Publisher.example:443/mcp/' };
    expect(await at(elsewhere)).toEqual(deployments);
  });

  test('what takes time is live when the clock says so, also after a restart', async () => {
    await start();
    const ordered = await buyer.activate({ destinations: [AMAZON] });
    const waiting = { ...AMAZON, is_live: false, estimated_activation_duration_minutes: 60 };
    expect([ordered.deployments, ordered.message]).toEqual([[waiting], expect.stringContaining('60 minutes')]);
    server.clock.advance(45 * MINUTE);
    expect(await at(AMAZON)).toEqual([{ ...waiting, estimated_activation_duration_minutes: 15 }]);
    await server.restart();
    expect(await at(AMAZON)).toEqual([{ ...waiting, estimated_activation_duration_minutes: 15 }]);
    server.clock.advance(15 * MINUTE - 1);
    expect((await at(AMAZON))[0]).not.toHaveProperty('activation_key');
    server.clock.advance(1);
    const [live] = await at(AMAZON);
    expect(live).toMatchObject({ is_live: true, deployed_at: '2030-01-01T01:00:00Z' });
    expect(live?.activation_key?.type).toBe('segment_id');
    await server.restart();
    expect(await at(AMAZON)).toEqual([live]);
  });

  test('a signal that is made first takes that longer', async () => {
    await start();
    const order = { signal_agent_segment_id: 'custom_ev_commuters', pricing_option_id: 'cpm', destinations: [AMAZON] };
    const { deployments } = await buyer.activate(order);
    expect(deployments[0]?.estimated_activation_duration_minutes).toBe(300);
  });

  test('several destinations at once, or none where one is wrong', async () => {
    await start();
    const wrong = await buyer.call('activate_signal', {
      idempotency_key: freshKey(),
      ...HIGH_LTV,
      destinations: [TRADE_DESK, { type: 'platform', platform: 'nowhere' }],
    });
    expect(wrong.payload.adcp_error).toMatchObject({ code: 'VALIDATION_ERROR', field: 'destinations[1].platform' });
    expect((await at(TRADE_DESK))[0]?.is_live).toBe(false);
    const { deployments } = await buyer.activate({ destinations: [TRADE_DESK, AMAZON, AGENT] });
    expect(deployments.map((each) => each.is_live)).toEqual([true, false, true]);
    const { signals } = await buyer.find({
      signal_spec: 'lifetime value',
      destinations: [{ type: 'platform', platform: 'nowhere' }],
    });
    expect(signals).toEqual([]);
  });

  test('the same call twice is one order; the key for another is a conflict', async () => {
    await start();
    const order = { idempotency_key: freshKey(), ...HIGH_LTV, destinations: [AMAZON] };
    const first = succeeded(await buyer.call('activate_signal', order));
    server.clock.advance(90 * MINUTE);
    const again = succeeded(await buyer.call('activate_signal', order));
    expect(again).toEqual({ ...first, replayed: true });
    const other = await buyer.call('activate_signal', { ...order, destinations: [AGENT] });
    expect(other.payload.code).toBe('IDEMPOTENCY_CONFLICT');
    expect((await at(AMAZON))[0]?.is_live).toBe(true);
  });

  test('ordered again, it stays where it is; taken back, it is gone, and comes back under a new key', async () => {
    await start();
    const { deployments } = await buyer.activate();
    server.clock.advance(MINUTE);
    expect((await buyer.activate({ pricing_option_id: 'po_prism_ltv_cpm' })).deployments).toEqual(deployments);
    const taken = await buyer.activate({ action: 'deactivate', pricing_option_id: undefined });
    expect(taken.deployments).toEqual([{ ...TRADE_DESK, is_live: false }]);
    expect(await at(TRADE_DESK)).toEqual([{ ...TRADE_DESK, is_live: false, estimated_activation_duration_minutes: 0 }]);
    const again = await buyer.activate({ action: 'deactivate' });
    expect(again.deployments).toEqual(taken.deployments);
    expect([taken.message, again.message]).toEqual([
      'Deactivated.',
      expect.stringMatching(/^It was not active at destinations\[0\]/),
    ]);
    const [back] = (await buyer.activate()).deployments;
    expect(back).toMatchObject({ is_live: true, deployed_at: '2030-01-01T00:01:00Z' });
    expect(back?.activation_key).not.toEqual(deployments[0]?.activation_key);
  });

  test('taken back on its way, it never gets there; what never was is not there', async () => {
    await start();
    await buyer.activate({ destinations: [AMAZON] });
    await buyer.activate({ destinations: [AMAZON, AGENT], action: 'deactivate' });
    server.clock.advance(600 * MINUTE);
    expect((await at(AMAZON))[0]).toEqual({ ...AMAZON, is_live: false, estimated_activation_duration_minutes: 60 });
    expect((await at(AGENT))[0]).toMatchObject({ is_live: false });
  });

  test('a deployment is its account’s and its principal’s alone', async () => {
    await start();
    const { deployments } = await buyer.activate(ACCOUNT);
    const isLive = async (args: object, who = buyer) => (await at(TRADE_DESK, args, who))[0]?.is_live;
    expect(await at(TRADE_DESK, ACCOUNT)).toEqual(deployments);
    expect(await isLive({})).toBe(false);
    expect(await isLive(NATURAL)).toBe(false);
    const other = signalBuyer(server, 'sandbox-token-2');
    expect(await isLive({}, other)).toBe(false);
    expect(await isLive({ account: { account_id: 'acct_signals_2' } }, other)).toBe(false);
    const stolen = await other.call('get_signals', ACCOUNT);
    expect(stolen.payload.code).toBe('ACCOUNT_NOT_FOUND');
    await buyer.activate();
    await buyer.activate({ ...ACCOUNT, action: 'deactivate' });
    expect([await isLive(ACCOUNT), await isLive({})]).toEqual([false, true]);
    const scopes = [await buyer.find(ACCOUNT), await buyer.find()].map((answer) => answer.cache_scope);
    expect(scopes).toEqual(['account', 'public']);
  });

  test('two buyers never get the same key', async () => {
    await start();
    const buyers = [buyer, signalBuyer(server, 'sandbox-token-2'), signalBuyer(server, KIT_TOKEN)];
    const keys = await Promise.all(
      buyers.map(async (one) => (await one.activate()).deployments[0]?.activation_key?.segment_id),
    );
    expect(new Set(keys).size).toBe(3);
  });

  test('an account that nobody opened is opened by the first order', async () => {
    await start();
    await buyer.activate(NATURAL);
    const { accounts } = succeeded(await buyer.call('list_accounts', NATURAL));
    expect(accounts).toHaveLength(1);
    expect((await at(TRADE_DESK, NATURAL))[0]?.is_live).toBe(true);
  });
});

describe('an edit of the tenant file', () => {
  test('that withdraws a signal ends new orders, not the right to take it back', async () => {
    const { server, rebend } = await bendableSignals();
    const buyer = signalBuyer(server);
    await buyer.activate();
    await rebend((tenant) => {
      tenant.signals = tenant.signals.filter((signal) => signal.signal_agent_segment_id !== 'prism_high_ltv');
    });
    const order = { idempotency_key: freshKey(), ...HIGH_LTV, destinations: [TRADE_DESK] };
    expect((await buyer.call('activate_signal', order)).payload.code).toBe('SIGNAL_NOT_FOUND');
    const taken = await buyer.activate({ action: 'deactivate' });
    expect(taken.deployments).toEqual([{ ...TRADE_DESK, is_live: false }]);
    const stranger = await signalBuyer(server, 'sandbox-token-2').call('activate_signal', {
      ...order,
      action: 'deactivate',
    });
    expect(stranger.payload.code).toBe('SIGNAL_NOT_FOUND');
  });

  test('that changes a platform’s time changes no order that was made', async () => {
    const { server, rebend } = await bendableSignals();
    const buyer = signalBuyer(server);
    await buyer.activate({ destinations: [AMAZON] });
    await rebend((tenant) => {
      const { platforms } = tenant.destinations as { platforms: { platform: string; activation_minutes: number }[] };
      for (const each of platforms) each.activation_minutes = 999;
    });
    server.clock.advance(60 * MINUTE);
    const live = await buyer.look('prism_high_ltv', { destinations: [AMAZON] });
    expect(live.deployments[0]?.is_live).toBe(true);
    const other = await buyer.activate({ destinations: [{ ...AMAZON, account: 'seat-9' }] });
    expect(other.deployments[0]?.estimated_activation_duration_minutes).toBe(999);
  });

  test('that says an account has not paid hides its keys and stops its orders, and lets it take back', async () => {
    const account = { account: { account_id: 'acct_late' } };
    const status = (value: string) => (tenant: TenantDraft) => addAccount(tenant, 'acct_late', { status: value });
    const { server, rebend } = await bendableSignals();
    await rebend(status('active'));
    const buyer = signalBuyer(server);
    await buyer.activate(account);
    await rebend(status('payment_required'));
    const late = await buyer.look('prism_high_ltv', { ...account, destinations: [TRADE_DESK] });
    expect(late.deployments).toEqual([{ ...TRADE_DESK, is_live: true, deployed_at: '2030-01-01T00:00:00Z' }]);
    const order = { ...account, idempotency_key: freshKey(), ...HIGH_LTV, destinations: [AGENT] };
    expect((await buyer.call('activate_signal', order)).payload.code).toBe('ACCOUNT_PAYMENT_REQUIRED');
    await rebend(status('suspended'));
    const refused = await buyer.call('activate_signal', { ...order, idempotency_key: freshKey() });
    expect(refused.payload.code).toBe('ACCOUNT_SUSPENDED');
    expect((await buyer.activate({ ...account, action: 'deactivate' })).deployments[0]?.is_live).toBe(false);
  });
});
