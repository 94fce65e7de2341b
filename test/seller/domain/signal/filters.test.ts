import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explainNoSignals, filterSignals, type SignalFilters } from '../../../../src/seller/domain/signal/filters.js';
import type { Signal } from '../../../../src/seller/domain/signal/signal.js';
import { cpm, REACH, signalCalled } from './context.js';

const catalog: readonly Signal[] = [
  signalCalled('cheap', { coverage_percentage: 40, countries: ['US'] }),
  signalCalled('dear', { pricing_options: [cpm(9), cpm(12)], countries: ['US', 'DE'] }),
  signalCalled('share', {
    signal_type: 'owned',
    data_provider: 'Own Shop',
    pricing_options: [{ pricing_option_id: 'p', model: 'percent_of_media', percent: 15, currency: 'USD' }],
  }),
  signalCalled('both', { pricing_options: [cpm(9), cpm(3)], access: { platforms: ['fast-dsp'] } }),
  signalCalled('made', { signal_type: 'custom', pricing_options: [], access: { agents: [] } }),
];
const ids = (filters: SignalFilters) =>
  filterSignals(catalog, filters, REACH).passed.map((signal) => signal.signal_agent_segment_id);
const ALL = ['cheap', 'dear', 'share', 'both', 'made'];

describe('filters', () => {
  it.each<readonly [string, SignalFilters, readonly string[]]>([
    ['none', {}, ALL],
    ['of types', { catalog_types: ['owned', 'custom'] }, ['share', 'made']],
    ['of providers by name, in any case', { data_providers: ['own shop'] }, ['share']],
    ['of providers by domain', { data_providers: ['some-data.example'] }, ALL],
    ['of the CPM: one price is enough, and without such a price it says nothing', { max_cpm: 3 }, ALL.toSpliced(1, 1)],
    ['of the CPM, inclusive', { max_cpm: 2 }, ['cheap', 'share', 'made']],
    ['of the percentage', { max_percent: 10 }, ['cheap', 'dear', 'both', 'made']],
    ['of coverage, inclusive', { min_coverage_percentage: 40 }, ['cheap']],
    ['of countries: everywhere is there too', { countries: ['DE', 'FR'] }, ['dear', 'share', 'both', 'made']],
    [
      'of a platform',
      { destinations: [{ type: 'platform', platform: 'slow-dsp' }] },
      ['cheap', 'dear', 'share', 'made'],
    ],
    ['of an agent', { destinations: [{ type: 'agent', agent_url: 'https://a.example' }] }, ALL.slice(0, 4)],
    ['of an unknown platform', { destinations: [{ type: 'platform', platform: 'nowhere' }] }, []],
    ['empty lists', { catalog_types: [], data_providers: [], countries: [], destinations: [] }, ALL],
  ])('%s', (_what, filters, expected) => {
    expect(ids(filters)).toEqual(expected);
  });

  it('leave the prices as they are', () => {
    const { passed: kept } = filterSignals(catalog, { max_cpm: 3 }, REACH);
    expect(kept.find((signal) => signal.signal_agent_segment_id === 'both')?.pricing_options).toHaveLength(2);
  });

  it('say which of them leaves nothing', () => {
    const one = filterSignals(catalog, { min_coverage_percentage: 90 }, REACH);
    expect(explainNoSignals(one.diagnostics)).toBe(
      'No signal passes: of 5, min_coverage_percentage alone keeps out 5. Relax min_coverage_percentage first: ask for less coverage.',
    );
    const place = filterSignals(catalog, { destinations: [{ type: 'platform', platform: 'nowhere' }] }, REACH);
    expect(explainNoSignals(place.diagnostics)).toContain('destinations (nowhere) alone keeps out 5');
  });

  it('each keeps out what it says, whatever stands beside it', () => {
    const given = fc.record(
      {
        catalog_types: fc.subarray(['marketplace', 'custom', 'owned']),
        max_cpm: fc.integer({ min: 0, max: 12 }),
        max_percent: fc.integer({ min: 0, max: 20 }),
        min_coverage_percentage: fc.integer({ min: 0, max: 50 }),
        countries: fc.subarray(['US', 'DE', 'FR']),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(given, (filters) => {
        const together = ids(filters);
        const alone = Object.entries(filters).map(([name, value]) => ids({ [name]: value }));
        expect(together).toEqual(ALL.filter((id) => alone.every((list) => list.includes(id))));
        const { diagnostics } = filterSignals(catalog, filters, REACH);
        expect(diagnostics.total_candidates).toBe(ALL.length);
        for (const [name, { count }] of Object.entries(diagnostics.excluded_by)) {
          const { [name as keyof typeof filters]: _one, ...others } = filters;
          if (diagnostics.semantics === 'only') expect(ids(others).length - together.length).toBe(count);
        }
      }),
    );
  });
});
