import { describe, expect, test } from 'vitest';
import { boot } from '../../kit/boot.js';
import { freshKey } from '../../kit/buyer.js';
import { bendableSignals, type SignalBuyer, signalBuyer, TRADE_DESK, type WireSignal } from '../../kit/signals.js';
import { tenantsFolder } from '../../kit/tenants.js';

const ids = (signals: readonly WireSignal[]) => signals.map((signal) => signal.signal_agent_segment_id);

/** All pages of get_signals. */
async function pages(buyer: SignalBuyer, args: object, max_results: number): Promise<readonly (readonly string[])[]> {
  const found: (readonly string[])[] = [];
  let cursor: string | undefined;
  do {
    const page = { max_results, ...(cursor === undefined ? {} : { cursor }) };
    const { signals, pagination } = await buyer.find({ ...args, pagination: page });
    found.push(ids(signals));
    expect(pagination.has_more).toBe(pagination.cursor !== undefined);
    cursor = pagination.cursor;
  } while (cursor !== undefined);
  return found;
}

describe('finding signals', async () => {
  const server = await boot();
  const buyer = signalBuyer(server);
  const other = signalBuyer(server, 'sandbox-token-2');

  test('asked for nothing in particular, the whole catalog of the caller', async () => {
    const context = { correlation_id: 'c' };
    const { signals, pagination, ...answer } = await buyer.find({ context });
    expect(pagination).toEqual({ has_more: false, total_count: signals.length });
    expect(signals.length).toBeGreaterThanOrEqual(25);
    expect(answer).toMatchObject({ context, cache_scope: 'public', sandbox: true });
    expect(await buyer.find({ discovery_mode: 'wholesale' })).toMatchObject({ signals });
    expect(await buyer.find({ signal_spec: '   ' })).toMatchObject({ signals });
  });

  test('a spec brings the best first, with a sentence that says why', async () => {
    const { signals } = await buyer.find({ signal_spec: 'In-market EV buyers' });
    expect(signals[0]).toMatchObject({
      signal_agent_segment_id: 'meridian_ev_intenders',
      signal_id: { source: 'catalog', data_provider_domain: 'meridian-auto.example', id: 'ev_intenders' },
      signal_ref: { scope: 'data_provider', data_provider_domain: 'meridian-auto.example', signal_id: 'ev_intenders' },
      brief_relevance: expect.stringMatching(/^Matches .*EV.* in the .*; marketplace data of Meridian Auto Insights/),
    });
  });

  test('pages have no gaps and no repetitions, and end', async () => {
    const all = ids((await buyer.find({ signal_spec: 'audience' })).signals);
    expect((await pages(buyer, { signal_spec: 'audience' }, 7)).flat()).toEqual(all);
    expect(await pages(buyer, { signal_spec: 'audience' }, 1)).toHaveLength(all.length);
    const old = await buyer.find({ signal_spec: 'audience', max_results: 3 });
    expect(ids(old.signals)).toEqual(all.slice(0, 3));
    const both = await buyer.find({ signal_spec: 'audience', max_results: 3, pagination: { max_results: 2 } });
    expect(both.signals).toHaveLength(2);
  });

  test('signals are found again by either of their references, in the order asked for, strangers left out', async () => {
    const { signals } = await buyer.find({ signal_spec: 'loyalty' });
    const [first, second] = signals.filter((signal) => signal.signal_type === 'owned');
    const stranger = { source: 'catalog', data_provider_domain: 'nobody.example', id: 'x' };
    const signal_ids = [second?.signal_id, stranger, first?.signal_id];
    const wanted = [second?.signal_agent_segment_id, first?.signal_agent_segment_id];
    expect(ids((await buyer.find({ signal_ids })).signals)).toEqual(wanted);
    const signal_refs = [second?.signal_ref, { scope: 'product', signal_id: 'x' }, first?.signal_ref];
    const found = await buyer.find({ signal_refs });
    expect(ids(found.signals)).toEqual(wanted);
    expect(found.message).toMatch(/^Not in this answer, .*: signal_refs\[1\]\.$/);
    const none = await buyer.find({ signal_ids: [stranger] });
    expect([none.signals, none.message]).toEqual([[], expect.stringContaining('None of the named signals')]);
  });

  test('named signals come before what the spec finds', async () => {
    const { signal_id } = await buyer.look('isobar_pollen');
    const found = ids((await buyer.find({ signal_ids: [signal_id], signal_spec: 'runners' })).signals);
    expect(found.slice(0, 2)).toEqual(['isobar_pollen', 'trailhead_runners']);
    expect(new Set(found).size).toBe(found.length);
  });

  test('filters narrow, and say so when they leave nothing', async () => {
    const owned = await buyer.find({ filters: { catalog_types: ['owned'], max_cpm: 2 } });
    expect(owned.signals.length).toBeGreaterThan(1);
    expect(new Set(owned.signals.map((signal) => signal.signal_type))).toEqual(new Set(['owned']));
    const german = await buyer.find({ countries: ['DE'], filters: { data_providers: ['farelark.example'] } });
    expect(german.signals.every((signal) => (signal.countries as string[]).includes('DE'))).toBe(true);
    const none = await buyer.find({ filters: { min_coverage_percentage: 99, catalog_types: ['custom'] } });
    expect([none.signals, none.message]).toEqual([[], expect.stringMatching(/^No signal passes: .*Relax/)]);
  });

  test('fields cut a listing down to what is asked for and what a schema wants', async () => {
    const plain = await buyer.look('meridian_ev_intenders');
    expect(plain).not.toHaveProperty('methodology');
    const lineage = await buyer.look('meridian_ev_intenders', { fields: ['methodology', 'data_sources'] });
    expect(lineage).toMatchObject({ methodology: 'observed', data_sources: ['web_usage', 'app_behavior'] });
    expect(lineage).not.toHaveProperty('tags');
    expect(lineage).toHaveProperty('pricing_options');
    const modern = await signalBuyer(server, 'sandbox-token', '3.1').look('meridian_ev_intenders', {
      fields: ['taxonomy'],
    });
    expect(modern).not.toHaveProperty('pricing_options');
    expect(modern).toHaveProperty('deployments');
  });

  test('a signal of somebody else does not exist', async () => {
    const own = await buyer.look('custom_acme_lapsed');
    const asked = { signal_ids: [own.signal_id] };
    expect((await other.find(asked)).signals).toEqual([]);
    expect(ids((await other.find()).signals)).not.toContain('custom_acme_lapsed');
    const activate = (segment: string) =>
      other.call('activate_signal', {
        idempotency_key: freshKey(),
        signal_agent_segment_id: segment,
        destinations: [TRADE_DESK],
      });
    const [foreign, unknown] = [await activate('custom_acme_lapsed'), await activate('nothing_at_all')];
    expect(foreign.payload.code).toBe('SIGNAL_NOT_FOUND');
    expect(foreign.payload).toEqual(unknown.payload);
  });

  test('capabilities claim what the catalog holds', async () => {
    const { payload } = await buyer.call('get_adcp_capabilities');
    const signals = payload.signals as unknown as { data_provider_domains: string[] };
    expect(payload).toMatchObject({
      supported_protocols: ['signals'],
      specialisms: ['signal-marketplace', 'signal-owned'],
      signals: { features: { catalog_signals: true } },
    });
    expect(signals.data_provider_domains).toContain('meridian-auto.example');
    const modern = await signalBuyer(server, 'sandbox-token', '3.1').call('get_adcp_capabilities');
    expect(modern.payload).toMatchObject({ signals: { discovery_modes: ['brief', 'wholesale'] } });
  });
});

describe('what a catalog does not hold is not claimed', () => {
  test('by a house of its own data alone, some of it for one buyer', async () => {
    const folder = tenantsFolder((tenant) => {
      tenant.signals = tenant.signals.filter(
        (signal) => signal.signal_type === 'owned' || signal.signal_agent_segment_id === 'trailhead_runners',
      );
      for (const signal of tenant.signals)
        if (signal.signal_type === 'marketplace') signal.access = { principals: ['sandbox'] };
    }, 'signals');
    const buyer = signalBuyer(await boot({ tenants: folder }));
    const { payload } = await buyer.call('get_adcp_capabilities');
    expect(payload.specialisms).toEqual(['signal-owned']);
    expect(payload.signals).toEqual({ features: { catalog_signals: false } });
    expect(ids((await buyer.find()).signals)).toContain('trailhead_runners');
  });

  test('a signal without a price is shown to those whose release can say so', async () => {
    const { server } = await bendableSignals((tenant) => {
      for (const signal of tenant.signals) if (signal.signal_type === 'custom') signal.pricing_options = [];
    });
    const custom = { filters: { catalog_types: ['custom'] } };
    expect((await signalBuyer(server).find(custom)).signals).toEqual([]);
    const modern = signalBuyer(server, 'sandbox-token', '3.1');
    expect((await modern.find(custom)).signals).toHaveLength(3);
    const activated = await modern.activate({
      signal_agent_segment_id: 'custom_ltv_lookalike',
      pricing_option_id: undefined,
    });
    expect(activated.deployments[0]?.estimated_activation_duration_minutes).toBe(720);
  });
});
