import { describe, expect, test } from 'vitest';
import { freshKey, succeeded } from '../../kit/buyer.js';
import { bendableSignals, type SignalBuyer, signalBuyer } from '../../kit/signals.js';
import { addLivePrincipal, LIVE_TOKEN } from '../../kit/tenants.js';

const ACCOUNT = { account: { account_id: 'acct_signals' } };

describe('reporting usage', async () => {
  const { server } = await bendableSignals(addLivePrincipal);
  const buyer = signalBuyer(server);
  const record = (changes: object = {}) => ({
    ...ACCOUNT,
    signal_agent_segment_id: 'meridian_ev_intenders',
    pricing_option_id: 'cpm',
    impressions: 400_000,
    vendor_cost: 1000,
    currency: 'USD',
    ...changes,
  });
  const report = (...usage: object[]) => ({
    idempotency_key: freshKey(),
    reporting_period: { start: '2029-12-01T00:00:00Z', end: '2030-01-01T00:00:00Z' },
    usage,
  });
  const answerTo = async (...usage: object[]) =>
    succeeded(await buyer.call('report_usage', report(...usage))) as Awaited<ReturnType<SignalBuyer['find']>>;

  test('keeps good records, once', async () => {
    const twice = report(record(), record({ pricing_option_id: undefined, vendor_cost: 0 }));
    const first = succeeded(await buyer.call('report_usage', twice));
    expect(first).toMatchObject({ accepted: 2, sandbox: true });
    expect(first).not.toHaveProperty('errors');
    expect(succeeded(await buyer.call('report_usage', twice))).toMatchObject({ accepted: 2, replayed: true });
  });

  test('refuses the bad ones beside them, each with its place', async () => {
    const share = { pricing_option_id: 'percent_of_media' };
    const answer = await answerTo(
      record(),
      record({ account: { account_id: 'acct_signals_2' } }),
      record({ signal_agent_segment_id: undefined }),
      record({ signal_agent_segment_id: 'nothing_at_all' }),
      record({ pricing_option_id: 'po_unknown' }),
      record({ currency: 'EUR' }),
      record(share),
      record({ ...share, media_spend: 8000 }),
      record({ account: { brand: { domain: 'never-seen.example' }, operator: 'nobody.example' } }),
    );
    expect(answer.accepted).toBe(2);
    expect(answer.errors.map(({ code, field }) => [code, field])).toEqual([
      ['ACCOUNT_NOT_FOUND', 'usage[1].account'],
      ['INVALID_REQUEST', 'usage[2].signal_agent_segment_id'],
      ['SIGNAL_NOT_FOUND', 'usage[3].signal_agent_segment_id'],
      ['VALIDATION_ERROR', 'usage[4].pricing_option_id'],
      ['VALIDATION_ERROR', 'usage[5].currency'],
      ['VALIDATION_ERROR', 'usage[6].media_spend'],
      ['ACCOUNT_NOT_FOUND', 'usage[8].account'],
    ]);
    for (const { suggestion } of answer.errors) expect(suggestion?.length).toBeGreaterThan(10);
  });

  test('knows the price that was agreed, whatever the catalog says by now', async () => {
    const { server: edited, rebend } = await bendableSignals();
    const one = signalBuyer(edited);
    await one.activate(ACCOUNT);
    await rebend((tenant) => {
      tenant.signals = tenant.signals.filter((signal) => signal.signal_agent_segment_id !== 'prism_high_ltv');
    });
    const used = (changes: object) =>
      report(record({ signal_agent_segment_id: 'prism_high_ltv', impressions: undefined, ...changes }));
    const paid = await one.call('report_usage', used({ pricing_option_id: 'po_prism_flat_monthly' }));
    expect(paid.payload.accepted).toBe(1);
    const unpaid = await one.call('report_usage', used({ pricing_option_id: 'po_prism_ltv_cpm' }));
    expect(unpaid.payload.errors).toMatchObject([{ field: 'usage[0].pricing_option_id' }]);
  });

  test('of real money is not sandbox', async () => {
    const live = signalBuyer(server, LIVE_TOKEN);
    const answer = await live.call('report_usage', report(record({ account: { account_id: 'acct_live' } })));
    expect(answer.payload).toMatchObject({ accepted: 1, sandbox: false });
  });
});
