import { beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/registry/mirror/lookup/answer.js';
import type { HeldAnswer } from '../../../src/registry/mirror/lookup/answer-cache.js';
import type { AuthorizationRecord, RecordChange } from '../../../src/registry/model/records.js';
import { grantOf, openIndexed } from './indexed.js';

const PUBLISHER = 'news.example';
const AGENT = 'https://sales.example/mcp';
const FROM = Date.UTC(2026, 1, 1);
const UNTIL = Date.UTC(2026, 2, 1);

const publisher: RecordChange = {
  noun: 'publisher',
  id: PUBLISHER,
  record: { domain: PUBLISHER, standing: 'open', adagents_valid: true, property_count: 1, agent_count: 1 },
};

const property: RecordChange = {
  noun: 'property',
  id: 'rid',
  record: {
    property_rid: 'rid',
    publisher_domain: PUBLISHER,
    property_id: 'app',
    property_type: 'mobile_app',
    name: 'App',
    classification: 'property',
    source: 'authoritative',
    identifiers: [{ type: 'bundle_id', value: 'com.news' }],
    tags: [],
    status: 'active',
  },
};

const grant = (rest: Partial<AuthorizationRecord> = {}): RecordChange =>
  grantOf(PUBLISHER, { agent_url: AGENT, ...rest, id: 'grant' });

describe('the publishers of an agent', async () => {
  const { clear, index, write } = await openIndexed();
  const isOpen = (at: number): Promise<boolean> => index.hasOpenGrant(PUBLISHER, AGENT, at);

  beforeEach(clear);

  it('are those whose file counts and has an entry for it that is in effect', async () => {
    await write([publisher, property, grant({ effective_from: '2026-02-01T00:00:00Z' })]);
    expect([await isOpen(FROM - 1), await isOpen(FROM)]).toEqual([false, true]);
    const effective_until = '2026-03-01T00:00:00Z';
    await write([publisher, property, grant({ effective_until })]);
    expect([await isOpen(FROM), await isOpen(UNTIL - 1), await isOpen(UNTIL)]).toEqual([true, true, false]);
    await write([grant({ effective_until, expires_at: '2026-02-01T00:00:00Z' })]);
    expect([await isOpen(FROM - 1), await isOpen(FROM)]).toEqual([true, false]);
    await write([grantOf(PUBLISHER, { agent_url: AGENT, id: 'other' })]);
    expect(await isOpen(UNTIL)).toBe(true);
    await write([{ ...publisher, record: { ...publisher.record, standing: 'revoked' } } as RecordChange]);
    expect([await isOpen(FROM), await index.hasOpenGrant(PUBLISHER, 'https://nobody.example/mcp', FROM)]).toEqual([
      false,
      false,
    ]);
  });

  it('are found behind thousands of entries that have ended, and not for those alone', async () => {
    const rows = Array.from({ length: 2500 }, (_, at) => {
      const property_rid = `rid-${String(at).padStart(4, '0')}`;
      return grantOf(PUBLISHER, {
        id: `grant-${at}`,
        agent_url: AGENT,
        property_rid,
        expires_at: new Date(FROM - at).toISOString(),
      });
    });
    await write([publisher, ...rows]);
    expect([await isOpen(FROM - 2500), await isOpen(FROM)]).toEqual([true, false]);
    await write([grantOf(PUBLISHER, { id: 'last', agent_url: AGENT, property_rid: 'rid-9999' })]);
    expect(await isOpen(FROM)).toBe(true);
  });
});

describe('an app that several publishers list', async () => {
  const { clear, index, write } = await openIndexed();
  const RIVAL = 'https://rival.example/mcp';
  const listing = (publisher_domain: string, type: string, value: string): readonly RecordChange[] => [
    { ...publisher, id: publisher_domain, record: { ...publisher.record, domain: publisher_domain } } as RecordChange,
    {
      ...property,
      id: `${publisher_domain} ${value}`,
      record: {
        ...property.record,
        property_rid: `${publisher_domain} ${value}`,
        publisher_domain,
        identifiers: [{ type, value }],
      },
    } as RecordChange,
    grantOf(publisher_domain, { id: publisher_domain, agent_url: publisher_domain === PUBLISHER ? AGENT : RIVAL }),
  ];
  const ask = (agent: string, type: 'bundle_id' | 'roku_store_id', value: string): Answer =>
    index.isAuthorized({ agent, property: { type, value }, at: FROM });

  beforeEach(clear);

  it('is that of the publisher whose domain it is named after, however many others list it', async () => {
    for (const value of ['example.news.app', 'example.news.App_2.free']) {
      await clear();
      await write(listing('a.example', 'bundle_id', value));
      await write(listing('z.example', 'bundle_id', value));
      expect(ask(AGENT, 'bundle_id', value)).toMatchObject({ authorized: false, reason: 'property_ambiguous' });
      await write(listing(PUBLISHER, 'bundle_id', value));
      expect(ask(AGENT, 'bundle_id', value), value).toMatchObject({ authorized: true });
      expect(ask(RIVAL, 'bundle_id', value), value).toMatchObject({ authorized: false, reason: 'agent_not_listed' });
    }
  });

  it.each([
    ['bundle_id', 'com.news.app'],
    ['bundle_id', 'example.ne_ws.app'],
    ['bundle_id', 'example.newsapp'],
    ['bundle_id', 'news.example'],
    ['roku_store_id', 'example.news.app'],
  ] as const)('is nobody’s where its name does not tell: %s %s', async (type, value) => {
    await write(listing(PUBLISHER, type, value));
    expect(ask(AGENT, type, value)).toMatchObject({ authorized: true });
    await write(listing('other.example', type, value));
    expect(ask(AGENT, type, value)).toMatchObject({ authorized: false, reason: 'property_ambiguous' });
    expect(ask(RIVAL, type, value)).toMatchObject({ authorized: false, reason: 'property_ambiguous' });
  });
});

describe('an answer that was given before', async () => {
  const { clear, index, store, write } = await openIndexed();
  const ask = (at: number, more: { readonly country?: string; readonly strict?: boolean } = {}): Answer =>
    index.isAuthorized({ agent: AGENT, property: { type: 'bundle_id', value: 'com.news' }, at, ...more });
  const heldAt = (at: number): Promise<HeldAnswer> =>
    index.answerInPieces({ agent: AGENT, property: { type: 'bundle_id', value: 'com.news' }, at });

  beforeEach(clear);

  it('holds until an entry begins or ends, and for the time that it was asked for', async () => {
    const effective = { effective_from: '2026-02-01T00:00:00Z', effective_until: '2026-03-01T00:00:00Z' };
    await write([publisher, property, grant(effective)]);
    for (const [at, reason, isYes] of [
      [FROM - 1, 'not_yet_effective', false],
      [FROM, 'operator_unknown', true],
      [UNTIL - 1, 'operator_unknown', true],
      [UNTIL, 'expired', false],
      [FROM, 'operator_unknown', true],
      [FROM - 1, 'not_yet_effective', false],
    ] as const) {
      expect(ask(at), String(at)).toMatchObject({ authorized: isYes, reason });
      expect(await heldAt(at)).toBe(await heldAt(at));
    }
    const held = await heldAt(FROM - 1);
    expect(await heldAt(UNTIL)).not.toBe(held);
  });

  it('is forgotten when the publisher, another one or the brand of an operator changes, and stays when a transaction is undone', async () => {
    await write([publisher, property, grant()]);
    expect(ask(FROM)).toMatchObject({ authorized: true });
    const held = await heldAt(FROM);
    await expect(
      store.transact(async (tx) => {
        await tx.authorization.remove('grant');
        throw new Error('undone');
      }),
    ).rejects.toThrow('undone');
    expect(await heldAt(FROM)).toBe(held);
    await write([{ ...grant(), record: undefined } as RecordChange]);
    expect(ask(FROM)).toMatchObject({ authorized: false, reason: 'agent_not_listed' });
    const claimed = { ...property.record, property_rid: 'rid2', publisher_domain: 'other.example' };
    await write([grant()]);
    expect(ask(FROM)).toMatchObject({ authorized: true });
    await write([{ noun: 'property', id: 'rid2', record: claimed } as RecordChange]);
    expect(ask(FROM)).toMatchObject({ authorized: false, reason: 'property_ambiguous' });
    await write([{ noun: 'property', id: 'rid2', record: undefined }]);
    expect(ask(FROM)).toMatchObject({ authorized: true });
    const brand_json = {
      house: { domain: 'sales.example', name: 'Sales' },
      brands: [{ id: 'sales', names: [{ en: 'Sales' }], properties: [] }],
    };
    const brand = {
      domain: 'sales.example',
      canonical_id: 'sales.example',
      canonical_domain: 'sales.example',
      brand_name: 'Sales',
      source: 'brand_json',
      brand_json,
    };
    const other = { ...brand, domain: 'shoes.example', canonical_id: 'shoes.example' };
    const before = await heldAt(FROM);
    await write([{ noun: 'brand', id: 'shoes.example', record: other } as RecordChange]);
    expect(await heldAt(FROM)).toBe(before);
    await write([{ noun: 'brand', id: 'sales.example', record: brand } as RecordChange]);
    expect(await heldAt(FROM)).not.toBe(before);
    expect(ask(FROM)).toMatchObject({ reason: 'operator_silent' });
  });

  it('holds for who has it exactly as long as it is recalled', async () => {
    await write([publisher, property, grant({ effective_until: '2026-03-01T00:00:00Z' })]);
    const asked = { agent: AGENT, property: { type: 'bundle_id', value: 'com.news' }, at: FROM } as const;
    const held = await index.answerInPieces(asked);
    expect([FROM, UNTIL - 1, UNTIL].map((at) => index.holds(held, AGENT, at))).toEqual([true, true, false]);
    expect(index.holds(held, 'https://other.example/mcp', FROM)).toBe(false);
    await write([{ ...grant(), record: undefined } as RecordChange]);
    expect(index.holds(held, AGENT, FROM)).toBe(false);
    expect(index.holds(await index.answerInPieces(asked), AGENT, FROM)).toBe(true);
  });

  it('is of a question that came twice: those that come once leave no trace', async () => {
    await write([publisher, property, grant()]);
    const asked = {
      agent: AGENT,
      property: { type: 'bundle_id', value: 'com.news' },
      at: FROM,
      country: 'NO',
    } as const;
    const first = await index.answerInPieces(asked);
    const second = await index.answerInPieces(asked);
    expect(second).not.toBe(first);
    expect(await index.answerInPieces(asked)).toBe(second);
  });

  it('is one of the same question', async () => {
    await write([publisher, property, grant({ countries: ['DE'] })]);
    expect(ask(FROM, { country: 'DE' })).toMatchObject({ authorized: true });
    expect(ask(FROM, { country: 'FR' })).toMatchObject({ authorized: false });
    expect(ask(FROM, { country: 'DE', strict: true })).toMatchObject({ authorized: false });
    expect(ask(FROM, { country: 'DE' })).toMatchObject({ authorized: true });
  });
});
