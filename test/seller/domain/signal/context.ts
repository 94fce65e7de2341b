import type { Destinations, Intake } from '../../../../src/seller/domain/signal/deployment.js';
import type { Signal, SignalAccess, SignalPrice } from '../../../../src/seller/domain/signal/signal.js';

/** A price per 1000 impressions. */
export function cpm(amount: number, changes: object = {}): SignalPrice {
  return { pricing_option_id: `cpm_${amount}`, model: 'cpm', cpm: amount, currency: 'USD', ...changes };
}

/** A marketplace signal of some provider, which anybody may use everywhere. */
export function signalCalled(
  id: string,
  changes: Omit<Partial<Signal>, 'access'> & { readonly access?: Partial<SignalAccess> } = {},
): Signal {
  return {
    signal_agent_segment_id: id,
    signal_id: `${id}_published`,
    name: id,
    description: '',
    signal_type: 'marketplace',
    data_provider: 'Some Data',
    data_provider_domain: 'some-data.example',
    value_type: 'binary',
    coverage_percentage: 10,
    pricing_options: [cpm(2)],
    tags: [],
    countries: [],
    ...changes,
    access: { activation_minutes: 0, ...changes.access },
  };
}

/** How something takes segments in. */
export function intake(activation_minutes: number, key_type: Intake['key_type'] = 'segment_id'): Intake {
  return { activation_minutes, key_type, key: 'seg' };
}

/** Two platforms, one at once and one in an hour, and any agent. */
export const REACH: Destinations = {
  platforms: [
    { platform: 'fast-dsp', ...intake(0) },
    { platform: 'slow-dsp', ...intake(60) },
  ],
  agents: intake(0, 'key_value'),
};
