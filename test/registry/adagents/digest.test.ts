import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, isoTime } from '../../../src/platform/kernel/clock.js';
import { effectiveAt, type HeldAdagents, settleAdagents } from '../../../src/registry/adagents/digest.js';
import { discoverAdagents } from '../../../src/registry/adagents/discovery.js';
import { NOW, type Page, walk } from '../scripted-web.js';

const OWN = 'https://news.example/.well-known/adagents.json';

const file = (updatedMs?: number, revoked = false): object => ({
  ...(updatedMs === undefined ? {} : { last_updated: isoTime(updatedMs) }),
  ...(revoked ? { revoked_publisher_domains: [{ publisher_domain: 'news.example', revoked_at: isoTime(NOW) }] } : {}),
  properties: [{ property_type: 'website', name: 'News', identifiers: [{ type: 'domain', value: 'news.example' }] }],
  authorized_agents: [],
});

/** What is held after readings at instants, in days from now. */
function heldAfter(...readings: readonly (readonly [day: number, world: Readonly<Record<string, Page>>])[]) {
  let held: HeldAdagents | undefined;
  let verdict = '';
  for (const [day, world] of readings) {
    const nowMs = NOW + day * DAY_MS;
    const { result } = walk(discoverAdagents('news.example', { nowMs }), world);
    ({ held, verdict } = settleAdagents(held, result, nowMs));
  }
  if (held === undefined) throw new Error('nothing was read');
  return { held, verdict };
}

const direct = (content: object): Record<string, Page> => ({ [OWN]: { json: content } });
const at = (place: string, content: object): Record<string, Page> => ({
  [OWN]: { json: { authoritative_location: `https://${place}/a.json` } },
  [`https://${place}/a.json`]: { json: content },
});
const down: Record<string, Page> = { [OWN]: { status: 503 } };

describe('a copy', () => {
  it('stands in for a day while the publisher is in trouble', () => {
    const { held, verdict } = heldAfter([0, direct(file())], [1, down]);
    expect(verdict).toBe('kept');
    expect(effectiveAt(held, NOW + DAY_MS)).toBeDefined();
    const dropped = heldAfter([0, direct(file())], [1.01, down]);
    expect(dropped.verdict).toBe('dropped');
    expect(dropped.held.effective).toBeUndefined();
  });

  it('is dropped at once when the file is gone', () => {
    const dropped = heldAfter([0, direct(file())], [0.1, {}]);
    expect(dropped.verdict).toBe('dropped');
    expect(dropped.held.effective).toBeUndefined();
  });

  it.each<[name: string, world: Record<string, Page>]>([
    ['is a page', { [OWN]: { status: 200, body: '<html>' } }],
    ['is no JSON', { [OWN]: { status: 200, body: '{' } }],
    ['says nothing', direct({})],
    ['is refused', { [OWN]: { status: 401 } }],
    ['points to nothing', { [OWN]: { json: { authoritative_location: 'https://gone.example/a.json' } } }],
  ])('stands in for a day when the file %s', (_name, world) => {
    const { held, verdict } = heldAfter([0, direct(file())], [0.5, world], [1, world]);
    expect([verdict, held.effective?.url]).toEqual(['kept', OWN]);
    expect(heldAfter([0, direct(file())], [0.5, world], [1.01, world]).verdict).toBe('dropped');
    expect(heldAfter([0, direct(file())], [0.5, world], [0.6, direct(file())]).verdict).toBe('adopted');
  });

  it('is too old after a week, however it was kept', () => {
    const { held } = heldAfter([0, direct(file())]);
    expect(effectiveAt(held, NOW + 7 * DAY_MS)).toBeDefined();
    expect(effectiveAt(held, NOW + 7 * DAY_MS + 1)).toBeUndefined();
  });

  it('is not replaced by an older file, until it is too old itself', () => {
    const [fresh, stale] = [file(NOW), file(NOW - HOUR_MS)];
    const { held, verdict } = heldAfter([0, direct(fresh)], [1, direct(stale)]);
    expect(verdict).toBe('rolled_back');
    expect(held.effective?.file.lastUpdated).toBe(NOW);
    expect(held.readAt).toBe(NOW);
    expect(heldAfter([0, direct(fresh)], [8, direct(stale)]).verdict).toBe('adopted');
    expect(heldAfter([0, direct(fresh)], [1, direct(file(NOW - 30_000))]).verdict).toBe('adopted');
    expect(heldAfter([0, direct(fresh)], [1, direct(file())]).verdict).toBe('adopted');
  });
});

describe('a changed authoritative location', () => {
  it('counts when it has stayed for a day', () => {
    const first = heldAfter([0, at('one.example', file())], [0.5, at('two.example', file())]);
    expect(first).toMatchObject({ verdict: 'waiting', held: { effective: { url: 'https://one.example/a.json' } } });
    const later = heldAfter(
      [0, at('one.example', file())],
      [0.5, at('two.example', file())],
      [1.5, at('two.example', file())],
    );
    expect(later).toMatchObject({ verdict: 'adopted', held: { effective: { url: 'https://two.example/a.json' } } });
    expect(later.held.pending).toBeUndefined();
  });

  it.each([
    ['to another place', direct(file()), at('two.example', file()), 'https://two.example/a.json'],
    ['back to its own', at('one.example', file()), direct(file()), OWN],
  ])('is a move %s too, which counts when it has stayed for a day', (_name, before, after, url) => {
    const first = heldAfter([0, before], [0.5, after]);
    expect(first).toMatchObject({ verdict: 'waiting', held: { pending: { url } } });
    expect(first.held.effective?.url).not.toBe(url);
    expect(heldAfter([0, before], [0.5, after], [1.4, after]).verdict).toBe('waiting');
    expect(heldAfter([0, before], [0.5, after], [1.5, after])).toMatchObject({
      verdict: 'adopted',
      held: { effective: { url } },
    });
    expect(heldAfter([0, before], [0.5, after], [0.6, before])).toMatchObject({ verdict: 'adopted' });
  });

  it('begins to wait anew when it changes again', () => {
    const { verdict } = heldAfter(
      [0, at('one.example', file())],
      [0.5, at('two.example', file())],
      [1, at('three.example', file())],
      [1.6, at('two.example', file())],
    );
    expect(verdict).toBe('waiting');
  });

  it('waits on while the publisher is in trouble', () => {
    const { held } = heldAfter([0, at('one.example', file())], [0.5, at('two.example', file())], [0.6, down]);
    expect(held.pending).toEqual({ url: 'https://two.example/a.json', since: NOW + 0.5 * DAY_MS });
  });
});

describe('a revocation', () => {
  const [revoked, clean] = [direct(file(undefined, true)), direct(file())];

  it('is remembered for a week from when it was first seen', () => {
    const { held } = heldAfter([0, revoked], [1, revoked], [2, clean]);
    expect(held.revokedAt).toBe(NOW);
    expect(effectiveAt(held, NOW + 6.9 * DAY_MS)).toMatchObject({ isHeldRevoked: true });
    expect(effectiveAt(held, NOW + 7 * DAY_MS)?.isHeldRevoked).toBeUndefined();
  });

  it('outlives the copy', () => {
    const { held, verdict } = heldAfter([0, revoked], [0.5, {}], [1, clean]);
    expect(verdict).toBe('adopted');
    expect(effectiveAt(held, NOW + DAY_MS)).toMatchObject({ isHeldRevoked: true });
  });

  it('is forgotten afterwards', () => {
    expect(heldAfter([0, revoked], [7, clean]).held.revokedAt).toBeUndefined();
  });
});
