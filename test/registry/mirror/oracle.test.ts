import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { EffectiveAdagents } from '../../../src/registry/adagents/discovery.js';
import { isAuthorized } from '../../../src/registry/authorization/authorize.js';
import type { AuthorizationReason } from '../../../src/registry/authorization/reasons.js';
import type { RecordChange } from '../../../src/registry/model/records.js';
import { projectAdagents } from '../../../src/registry/server/crawl/apply/projection.js';
import { reconcile } from '../../../src/registry/server/crawl/apply/reconcile.js';
import { fileOfScene, PUBLISHER, question, scene, served, some } from '../authorization/scenes.js';
import { brandOf, effectiveOf } from '../scripted-web.js';
import { type Indexed, openIndexed } from './indexed.js';

/** Reasons that differ only in what else the file says, which records do not keep. */
const ALIKE: Readonly<Partial<Record<AuthorizationReason, string>>> = {
  other_publisher: 'unknown here',
  property_unknown: 'unknown here',
};

/** A file as the records that the registry makes of it. */
function changesOf(effective: EffectiveAdagents): readonly RecordChange[] {
  let drawn = 0;
  const uuid = (): string => {
    drawn += 1;
    return `00000000-0000-4000-8000-${String(drawn).padStart(12, '0')}`;
  };
  const projection = projectAdagents(effective);
  const nothing = { properties: [], collections: [], authorizations: [] };
  const { held } = reconcile(nothing, projection, { uuid, now: '2026-01-01T00:00:00Z', actor: 'test', reason: '' });
  const { placements, standing } = projection;
  return [
    { noun: 'publisher', id: PUBLISHER, record: { domain: PUBLISHER, standing, adagents_valid: true, placements } },
    ...held.properties.map((record): RecordChange => ({ noun: 'property', id: record.property_rid, record })),
    ...held.authorizations.map((record): RecordChange => ({ noun: 'authorization', id: record.id, record })),
  ];
}

let indexed: Indexed;

beforeAll(async () => {
  indexed = await openIndexed();
});

async function indexOf(changes: readonly RecordChange[]): Promise<Indexed['index']> {
  await indexed.clear();
  await indexed.write(changes);
  return indexed.index;
}

describe('the one rule by facts from the lookup tables', () => {
  it('answers as by the file, and explains itself with the same answer', async () => {
    const counts = { yes: 0, no: 0, reasons: 0 };
    await fc.assert(
      fc.asyncProperty(scene, question, async (drawn, asked) => {
        const { file } = fileOfScene(drawn);
        const effective = effectiveOf(served(file), PUBLISHER, { owner: drawn.owner });
        const changes = changesOf(effective);
        const index = await indexOf(changes);
        const ask = { ...asked, publisher_domain: PUBLISHER };
        const [answer, oracle] = [index.isAuthorized(ask), isAuthorized(asked, effective)];
        expect({ ...answer, authorized: answer.authorized }).toMatchObject({ authorized: oracle.authorized });
        expect(index.explain(ask).authorized).toBe(oracle.authorized);
        const isAlone = new Set(file.authorized_agents.map(({ url }) => url)).size === file.authorized_agents.length;
        const reason = (one: AuthorizationReason): string => ALIKE[one] ?? one;
        const named = new Set(
          changes.flatMap((one) => (one.noun === 'authorization' ? (one.record?.agent_url ?? []) : [])),
        );
        // Entries that are about other publishers alone are no records of this one.
        if (isAlone && effective.file.agents.every(({ url }) => named.has(url))) {
          expect(reason(answer.reason)).toBe(reason(oracle.reason));
          counts.reasons += 1;
        }
        counts[answer.authorized ? 'yes' : 'no'] += 1;
      }),
      { numRuns: 1500 },
    );
    // Of some 170 and some 300, as the questions fall: enough of both were asked.
    expect(counts.yes).toBeGreaterThan(75);
    expect(counts.reasons).toBeGreaterThan(100);
  });

  it("answers as by the file beside the operator's brand.json", async () => {
    const relationship = some('owned', 'direct', 'delegated', 'ad_network', undefined);
    const counts = { yes: 0 };
    await fc.assert(
      fc.asyncProperty(scene, question, relationship, async (drawn, asked, declared) => {
        const { file } = fileOfScene(drawn);
        const host = 'domain' in asked ? asked.domain : 'news.example';
        const brand_json = {
          house: { domain: 'x.example', name: 'X', agents: [{ type: 'sales', url: 'https://x.example/mcp', id: 'x' }] },
          brands: [
            {
              id: 'x',
              names: [{ en: 'X' }],
              properties: declared === undefined ? [] : [{ type: 'website', identifier: host, relationship: declared }],
            },
          ],
        };
        const effective = effectiveOf(served(file), PUBLISHER, { owner: drawn.owner });
        const names = {
          canonical_id: 'x',
          canonical_domain: 'x.example',
          brand_name: 'X',
          source: 'brand_json',
        } as const;
        const index = await indexOf([
          ...changesOf(effective),
          { noun: 'brand', id: 'x.example', record: { domain: 'x.example', ...names, brand_json } },
        ]);
        const isOfX = /x\.example/i.test(asked.agent);
        const oracle = isAuthorized(asked, effective, isOfX ? brandOf(brand_json) : undefined);
        const answer = index.isAuthorized({ ...asked, publisher_domain: PUBLISHER });
        expect({ ...answer }).toMatchObject({ authorized: oracle.authorized });
        counts.yes += answer.authorized ? 1 : 0;
      }),
      { numRuns: 700 },
    );
    // Of some 70, as the questions fall.
    expect(counts.yes).toBeGreaterThan(20);
  });

  it('answers the same however the records came about: by changes back and forth', async () => {
    await fc.assert(
      fc.asyncProperty(scene, scene, question, fc.nat(1000), async (before, after, asked, cutAt) => {
        const old = changesOf(effectiveOf(served(fileOfScene(before).file), PUBLISHER, { owner: before.owner }));
        const now = changesOf(effectiveOf(served(fileOfScene(after).file), PUBLISHER, { owner: after.owner }));
        const cut = old.slice(cutAt % old.length);
        const gone = old.map((change) => ({ ...change, record: undefined }) as RecordChange);
        const index = await indexOf([...old, ...now, ...cut, ...gone, ...now]);
        const ask = { ...asked, publisher_domain: PUBLISHER };
        const { authorized, reason } = index.isAuthorized(ask);
        const again = (await indexOf(now)).isAuthorized(ask);
        expect({ authorized, reason }).toEqual({ authorized: again.authorized, reason: again.reason });
      }),
      { numRuns: 700 },
    );
  });
});
