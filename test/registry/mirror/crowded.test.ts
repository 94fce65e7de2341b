import { beforeAll, describe, expect, it } from 'vitest';
import { yieldToEventLoop } from '../../../src/platform/kernel/event-loop.js';
import type {
  AuthorizationRecord,
  PropertyRecord,
  RecordChange,
  RecordSelector,
} from '../../../src/registry/model/records.js';
import { grantOf, type Indexed, openIndexed } from './indexed.js';

const PUBLISHER = 'crowd.example';
const AGENT = 'https://sales.example/mcp';
const NOW = Date.UTC(2026, 1, 1);
const MANY = 1500;

/** An app of the publisher that stands on its host, like all the others. */
function app(number: number): PropertyRecord {
  return {
    property_rid: `rid${number}`,
    publisher_domain: PUBLISHER,
    property_id: `app${number}`,
    property_type: 'mobile_app',
    name: `App ${number}`,
    classification: 'property',
    source: 'authoritative',
    identifiers: [
      { type: 'domain', value: PUBLISHER },
      { type: 'bundle_id', value: `com.crowd.app${number}` },
    ],
    tags: [`tag${number}`],
    status: 'active',
  };
}

function grant(
  id: string,
  selectors: readonly RecordSelector[],
  rest: Partial<AuthorizationRecord> = {},
): RecordChange {
  return grantOf(PUBLISHER, { agent_url: AGENT, ...rest, id, selectors });
}

const byTag = (...property_tags: string[]): RecordSelector => ({ selection_type: 'by_tag', property_tags });

let indexed: Indexed;

beforeAll(async () => {
  indexed = await openIndexed();
});

async function indexWith(...changes: readonly RecordChange[]): Promise<Indexed['index']> {
  const publisher = { domain: PUBLISHER, standing: 'open', adagents_valid: true } as const;
  const apps = Array.from({ length: MANY }, (_, number) => app(number));
  await indexed.clear();
  await indexed.write([
    { noun: 'publisher', id: PUBLISHER, record: publisher },
    ...apps.map((record): RecordChange => ({ noun: 'property', id: record.property_rid, record })),
    ...changes,
  ]);
  return indexed.index;
}

function brandOfOperator(declared: string): RecordChange {
  const properties = [{ type: 'mobile_app', identifier: declared, store: 'apple', relationship: 'delegated' }];
  const brand_json = {
    house: { domain: 'sales.example', name: 'Sales', agents: [{ type: 'sales', url: AGENT, id: 'sales' }] },
    brands: [{ id: 'sales', names: [{ en: 'Sales' }], properties }],
  };
  const names = {
    canonical_id: 'sales',
    canonical_domain: 'sales.example',
    brand_name: 'Sales',
    source: 'brand_json',
  } as const;
  return { noun: 'brand', id: 'sales.example', record: { domain: 'sales.example', ...names, brand_json } };
}

const site = { agent: AGENT, domain: PUBLISHER, at: NOW };

describe('a host that very many properties share', () => {
  it.each([0, 1, MANY - 1])('may be sold where one of them is, app %i', async (number) => {
    const index = await indexWith(grant('a', [byTag(`tag${number}`)]));
    const answer = index.isAuthorized(site);
    expect(answer).toMatchObject({ authorized: true, reason: 'operator_unknown' });
    expect(answer.property?.property_rid).toBe(`rid${number}`);
    expect(index.explain(site)).toMatchObject({ authorized: true, property: { property_id: `app${number}` } });
  });

  it('rests on the one that the operator confirms, wherever it stands', async () => {
    for (const number of [3, 700, MANY - 4]) {
      const delegation = { delegation_type: 'delegated' } as const;
      const index = await indexWith(
        grant('a', [{ selection_type: 'all' }], delegation),
        brandOfOperator(`com.crowd.app${number}`),
      );
      const answer = index.isAuthorized(site);
      expect(answer).toMatchObject({ authorized: true, reason: 'confirmed' });
      expect(answer.property?.property_rid).toBe(`rid${number}`);
      expect(index.explain(site)).toMatchObject({ reason: 'confirmed', mutual: true });
    }
  });

  it('is answered the same in pieces, and by records of one moment', async () => {
    const tagged = (tag: string): readonly RecordChange[] => [
      { noun: 'property', id: 'rid7', record: { ...app(7), tags: [tag] } },
      grant('a', [byTag(tag)]),
    ];
    const index = await indexWith(...tagged('even'));
    expect(await index.explainInPieces(site)).toEqual(index.explain(site));
    const asked = { ...site, strict: false };
    expect((await index.answerInPieces(asked)).answer).toEqual(index.isAuthorized(asked));
    let isOver = false;
    const writing = (async () => {
      for (let round = 0; round < 30; round++) await indexed.write(tagged(round % 2 === 0 ? 'odd' : 'even'));
      isOver = true;
    })();
    let answers = 0;
    while (!isOver) {
      await yieldToEventLoop();
      const { answer } = await index.answerInPieces(site);
      expect(answer).toMatchObject({ authorized: true, property: { property_rid: 'rid7' } });
      answers += 1;
    }
    await writing;
    expect(answers).toBeGreaterThan(0);
  });

  it('is not for an agent whose rows are for something else, however many there are', async () => {
    const rows = Array.from({ length: 3000 }, (_, index) => grant(`a${index}`, [byTag(`other${index}`)]));
    const index = await indexWith(...rows);
    expect(index.isAuthorized(site)).toMatchObject({ authorized: false, reason: 'property_not_covered' });
    expect(index.explain(site)).toMatchObject({ authorized: false, reason: 'property_not_covered' });
    expect(index.isAuthorized({ ...site, strict: true })).toMatchObject({
      authorized: false,
      reason: 'agent_ambiguous',
    });
  });

  it('is not for an agent beside whom another has all of it alone', async () => {
    const rival = { agent_url: 'https://rival.example/mcp', exclusive: true };
    const index = await indexWith(
      grant('a', [byTag(`tag${MANY - 1}`)]),
      grant('b', [{ selection_type: 'all' }], { ...rival, agent_url_canonical: rival.agent_url }),
    );
    expect(index.isAuthorized(site)).toMatchObject({ authorized: false, reason: 'exclusive_elsewhere' });
    const app7 = { agent: AGENT, property: { property_id: 'app7' }, publisher_domain: PUBLISHER, at: NOW };
    expect(index.isAuthorized(app7)).toMatchObject({ authorized: false, reason: 'property_not_covered' });
  });

  it('is for nobody where more is exclusive than can be looked through, and its apps are asked about one by one', async () => {
    const rivals = Array.from({ length: 200 }, (_, index) => {
      const agent_url = `https://rival${index}.example/mcp`;
      return grant(`r${index}`, [byTag('nothing')], { agent_url, agent_url_canonical: agent_url, exclusive: true });
    });
    const index = await indexWith(grant('a', [{ selection_type: 'all' }]), ...rivals);
    expect(index.isAuthorized(site)).toMatchObject({ authorized: false, reason: 'exclusive_elsewhere' });
    expect(index.explain(site)).toMatchObject({ authorized: false, reason: 'exclusive_elsewhere' });
    const app7 = { agent: AGENT, property: { property_id: 'app7' }, publisher_domain: PUBLISHER, at: NOW };
    expect(index.isAuthorized(app7)).toMatchObject({ authorized: true });
  });
});
