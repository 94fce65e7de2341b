import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ActivationKey,
  activationMinutes,
  type Deployment,
  type Destination,
  deactivateDeployment,
  deploymentState,
  deploymentWire,
  destinationKey,
  findIntake,
  listDestinations,
  orderDeployment,
} from '../../../../src/seller/domain/signal/deployment.js';
import { intake, REACH, signalCalled } from './context.js';

const MINUTE = 60_000;
const NOW = Date.parse('2030-01-01T00:00:00Z');
const platform = (name: string, account?: string): Destination => ({
  type: 'platform',
  platform: name,
  ...(account === undefined ? {} : { account }),
});
const agent = (agent_url: string): Destination => ({ type: 'agent', agent_url });

/** A deployment on its way, in answers. */
type Shown = {
  readonly is_live: boolean;
  readonly activation_key?: ActivationKey;
  readonly estimated_activation_duration_minutes?: number;
  readonly deployed_at?: string;
};
const shown = (deployment: Deployment, nowMs: number, permitted = true): Shown =>
  deploymentWire(deployment, permitted, nowMs) as Shown;

describe('where a signal can go', () => {
  it.each([
    ['any platform that is there', {}, platform('slow-dsp'), true],
    ['no other platform', {}, platform('Slow-DSP'), false],
    ['a platform of its own list', { platforms: ['fast-dsp'] }, platform('fast-dsp'), true],
    ['no platform beside its list', { platforms: ['fast-dsp'] }, platform('slow-dsp'), false],
    ['no platform that only its list knows', { platforms: ['other'] }, platform('other'), false],
    ['any agent', {}, agent('https://a.example'), true],
    [
      'an agent of its list, however it is written',
      { agents: ['https://a.example/'] },
      agent('HTTPS://A.example'),
      true,
    ],
    ['no agent beside its list', { agents: ['https://a.example'] }, agent('https://b.example'), false],
    ['no agent, where its list is empty', { agents: [] }, agent('https://a.example'), false],
  ] as const)('%s', (_what, access, destination, goes) => {
    expect(findIntake(REACH, signalCalled('x', { access }), destination) !== undefined).toBe(goes);
  });

  it('is narrowed by the agents of the house too', () => {
    const house = { ...REACH, agents: { ...REACH.agents, agent_urls: ['https://a.example'] } };
    expect(findIntake(house, signalCalled('x'), agent('https://a.example/'))).toBe(house.agents);
    expect(findIntake(house, signalCalled('x'), agent('https://b.example'))).toBeUndefined();
  });

  it('can be named as far as the files name it', () => {
    const access = { platforms: ['fast-dsp'], agents: ['https://a.example'] };
    expect(listDestinations(REACH, signalCalled('x'))).toEqual([platform('fast-dsp'), platform('slow-dsp')]);
    expect(listDestinations(REACH, signalCalled('x', { access }))).toEqual([
      platform('fast-dsp'),
      agent('https://a.example'),
    ]);
  });

  it('is a place, whatever the seat and the spelling of a URL', () => {
    expect(destinationKey(platform('dsp', 'one'))).toBe(destinationKey(platform('dsp')));
    expect(destinationKey(agent('https://A.example/'))).toBe(destinationKey(agent('https://a.example')));
    expect(destinationKey(agent('https://a.example'))).not.toBe(destinationKey(platform('https://a.example')));
  });
});

describe('activating', () => {
  it('takes what making and handing over take', () => {
    const slow = signalCalled('x', { access: { activation_minutes: 30 } });
    expect(activationMinutes(slow, intake(60))).toBe(90);
  });

  it('gives the key that the destination takes', () => {
    const order = (key_type: 'segment_id' | 'key_value') =>
      orderDeployment(signalCalled('x'), platform('dsp'), intake(0, key_type), {
        terms: {},
        keyText: 'seg_1',
        nowMs: NOW,
      }).activation_key;
    expect(order('segment_id')).toEqual({ type: 'segment_id', segment_id: 'seg_1' });
    expect(order('key_value')).toEqual({ type: 'key_value', key: 'seg', value: 'seg_1' });
  });

  it('is seen on its way, live and taken back', () => {
    const order = orderDeployment(signalCalled('x'), platform('slow-dsp', 's'), intake(60), {
      terms: {},
      keyText: 'seg_1',
      nowMs: NOW,
    });
    const at = { type: 'platform', platform: 'slow-dsp', account: 's' };
    expect(shown(order, NOW)).toEqual({ ...at, is_live: false, estimated_activation_duration_minutes: 60 });
    expect(shown(order, NOW + 59 * MINUTE + 1)).toMatchObject({ estimated_activation_duration_minutes: 1 });
    const live = { ...at, is_live: true, deployed_at: '2030-01-01T01:00:00Z' };
    expect(shown(order, NOW + 60 * MINUTE)).toEqual({
      ...live,
      activation_key: { type: 'segment_id', segment_id: 'seg_1' },
    });
    expect(shown(order, NOW + 60 * MINUTE, false)).toEqual(live);
    expect(shown(deactivateDeployment(order, NOW + 61 * MINUTE), NOW + 62 * MINUTE)).toEqual({ ...at, is_live: false });
  });
});

describe('whatever happens in whatever order', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('wait' as const), minutes: fc.integer({ min: 0, max: 300 }) }),
    fc.record({ do: fc.constant('order' as const), minutes: fc.integer({ min: 0, max: 200 }) }),
    fc.record({ do: fc.constant('takeBack' as const), minutes: fc.constant(0) }),
  );

  it('a key is shown exactly while a signal is live, and the estimate runs down to that', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.boolean(), (steps, permitted) => {
        let now = NOW;
        let deployment: Deployment | undefined;
        let liveFrom = Number.POSITIVE_INFINITY;
        let keys = 0;
        for (const { do: what, minutes } of steps) {
          if (what === 'wait') now += minutes * MINUTE;
          else if (what === 'takeBack') {
            if (deployment !== undefined) deployment = deactivateDeployment(deployment, now);
            liveFrom = Number.POSITIVE_INFINITY;
          } else if (deployment === undefined || deploymentState(deployment, now) === 'deactivated') {
            keys += 1;
            deployment = orderDeployment(signalCalled('x'), platform('dsp'), intake(minutes), {
              terms: {},
              keyText: `seg_${keys}`,
              nowMs: now,
            });
            liveFrom = now + minutes * MINUTE;
          }
          if (deployment === undefined) continue;
          const isLive = now >= liveFrom;
          const wire = shown(deployment, now, permitted);
          expect(wire.is_live).toBe(isLive);
          expect(wire.activation_key !== undefined).toBe(isLive && permitted);
          if (wire.activation_key !== undefined)
            expect(wire.activation_key).toEqual({ type: 'segment_id', segment_id: `seg_${keys}` });
          expect(wire.deployed_at).toBe(isLive ? deployment.live_at : undefined);
          const left = wire.estimated_activation_duration_minutes;
          expect(left !== undefined).toBe(!isLive && liveFrom < Number.POSITIVE_INFINITY);
          if (left !== undefined) {
            expect(now + left * MINUTE).toBeGreaterThanOrEqual(liveFrom);
            expect(now + (left - 1) * MINUTE).toBeLessThan(liveFrom);
          }
        }
      }),
    );
  });
});
