import { describe, expect, it } from 'vitest';
import {
  choosePrice,
  findOpenSignal,
  referenceKey,
  type Signal,
  signalIdentity,
  signalWire,
} from '../../../../src/seller/domain/signal/signal.js';
import { refusalOf } from '../order-context.js';
import { cpm, signalCalled } from './context.js';

const URL = 'https://signals.example/signals/mcp';
const published = signalCalled('ev', { data_provider_domain: 'auto.example', signal_id: 'ev_intenders' });
const { data_provider_domain: _domain, ...unpublished } = signalCalled('ltv', { signal_type: 'owned' });
const native: Signal = unpublished;

describe('the identity of a signal', () => {
  it('is its place in the catalog of its provider, in both vocabularies', () => {
    expect(signalIdentity(published, URL)).toEqual({
      signal_id: { source: 'catalog', data_provider_domain: 'auto.example', id: 'ev_intenders' },
      signal_ref: { scope: 'data_provider', data_provider_domain: 'auto.example', signal_id: 'ev_intenders' },
    });
  });

  it('is this agent’s own where nobody else defines it', () => {
    expect(signalIdentity(native, URL)).toEqual({
      signal_id: { source: 'agent', agent_url: URL, id: 'ltv_published' },
      signal_ref: { scope: 'signal_source', signal_source_url: URL, signal_id: 'ltv_published' },
    });
  });

  it.each([published, native])('has one key, whichever vocabulary names it', (signal) => {
    const { signal_id, signal_ref } = signalIdentity(signal, URL);
    expect(referenceKey(signal_id)).toBe(referenceKey(signal_ref));
  });

  it('reads the URL of an agent however it is written, and keeps providers, agents and ids apart', () => {
    const at = (agent_url: string, id = 'x') => referenceKey({ source: 'agent', agent_url, id });
    expect(at('HTTPS://Signals.Example:443/signals/mcp/')).toBe(at(URL));
    const keys = [
      at(URL),
      at(URL, 'y'),
      at('https://other.example/signals/mcp'),
      referenceKey({ source: 'catalog', data_provider_domain: 'a.example', id: 'x' }),
      referenceKey({ source: 'catalog', data_provider_domain: 'b.example', id: 'x' }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('what goes on the wire', () => {
  it('is everything but who may use it and where, without empty lists', () => {
    const shown = signalWire(signalCalled('a', { tags: ['x'], access: { principals: ['p'] } }), URL);
    expect(Object.keys(shown).sort()).toEqual([
      'coverage_percentage',
      'data_provider',
      'description',
      'name',
      'pricing_options',
      'signal_agent_segment_id',
      'signal_id',
      'signal_ref',
      'signal_type',
      'tags',
      'value_type',
    ]);
  });

  it('has no prices where there are none', () => {
    expect(signalWire(signalCalled('a', { pricing_options: [] }), URL)).not.toHaveProperty('pricing_options');
  });
});

describe('who may use a signal', () => {
  const signals = new Map([
    ['all', signalCalled('all')],
    ['alices', signalCalled('alices', { access: { principals: ['alice'] } })],
  ]);

  it.each([
    ['all', 'alice', true],
    ['all', undefined, true],
    ['alices', 'alice', true],
    ['alices', 'bob', false],
    ['alices', undefined, false],
    ['nothing', 'alice', false],
  ] as const)('%s for %s: %s', (id, principal, found) => {
    expect(findOpenSignal(signals, id, principal)?.signal_agent_segment_id).toBe(found ? id : undefined);
  });
});

describe('the price that is agreed', () => {
  const dear = signalCalled('dear', { pricing_options: [cpm(2), cpm(5)] });
  const free = signalCalled('free', { pricing_options: [] });

  it('is the one that is chosen', () => {
    expect(choosePrice(dear, 'cpm_5', 'f')).toEqual(cpm(5));
    expect(choosePrice(free, undefined, 'f')).toBeUndefined();
  });

  it.each([
    ['none of several', dear, undefined, 'INVALID_REQUEST'],
    ['one that the signal has not', dear, 'cpm_9', 'VALIDATION_ERROR'],
    ['one of a signal without', free, 'cpm_9', 'VALIDATION_ERROR'],
  ] as const)('is refused: %s', (_what, signal, chosen, code) => {
    expect(refusalOf(() => choosePrice(signal, chosen, 'pricing_option_id'))).toEqual([code, 'pricing_option_id']);
  });
});
