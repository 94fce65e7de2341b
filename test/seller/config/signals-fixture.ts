import { type Bendable, validTenant } from './fixture.js';

/** A valid signals tenant in which most texts occur once, so that a line can be found by its text. */
export function validSignalsTenant(): Bendable {
  const { products: _products, public_tools: _tools, ...tenant } = validTenant();
  return {
    ...tenant,
    kinds: ['signals'],
    destinations: {
      platforms: [{ platform: 'some-dsp', activation_minutes: 15 }, { platform: 'other-dsp' }],
      agents: { agent_urls: ['https://sales.example/mcp'] },
    },
    signals: [
      {
        signal_agent_segment_id: 'resold',
        signal_id: 'published',
        name: 'Resold signal',
        description: 'About the first',
        signal_type: 'marketplace',
        data_provider: 'Provider',
        data_provider_domain: 'provider.example',
        coverage_percentage: 12.5,
        pricing_options: [
          { pricing_option_id: 'per_mille', model: 'cpm', cpm: 2, currency: 'USD' },
          { pricing_option_id: 'share', model: 'percent_of_media', percent: 10, max_cpm: 3, currency: 'USD' },
        ],
        tags: ['automotive'],
        countries: ['US'],
        access: { principals: ['alice'], platforms: ['some-dsp'], activation_minutes: 45 },
      },
      {
        signal_agent_segment_id: 'tiers',
        name: 'Tiers',
        description: 'About the second',
        signal_type: 'owned',
        value_type: 'categorical',
        categories: ['gold', 'silver'],
        coverage_percentage: 40,
        pricing_options: [
          { pricing_option_id: 'fee', model: 'flat_fee', amount: 99, period: 'monthly', currency: 'EUR' },
        ],
      },
    ],
  };
}
