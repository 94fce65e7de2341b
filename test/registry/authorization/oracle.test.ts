import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAuthorized } from '../../../src/registry/authorization/authorize.js';
import { brandOf, effectiveOf } from '../scripted-web.js';
import { naiveEntries } from './naive-authorization.js';
import { fileOfScene, PUBLISHER, question, scene, served, some } from './scenes.js';

describe('isAuthorized', () => {
  it('says yes exactly when a naive reading of the file does', () => {
    const answers = { yes: 0, no: 0 };
    fc.assert(
      fc.property(scene, question, (drawn, asked) => {
        const { file, faulty } = fileOfScene(drawn);
        const naive = naiveEntries(file, faulty, PUBLISHER, drawn.owner, asked);
        const answer = isAuthorized(asked, effectiveOf(served(file), PUBLISHER, { owner: drawn.owner }));
        expect({ ...summary(answer), authorized: answer.authorized }).toEqual({
          ...summary(answer),
          authorized: naive.length > 0,
        });
        answers[answer.authorized ? 'yes' : 'no'] += 1;
      }),
      { numRuns: 3000 },
    );
    // A judge that always says no would agree often.
    expect(answers.yes).toBeGreaterThan(150);
  });

  it("and never against the operator's word", () => {
    const relationship = some('owned', 'direct', 'delegated', 'ad_network', undefined);
    const fits: Readonly<Record<string, readonly (string | undefined)[]>> = {
      direct: ['direct', 'owned'],
      delegated: ['delegated'],
      ad_network: ['ad_network'],
    };
    const counts = { yes: 0, strict: 0 };
    fc.assert(
      fc.property(scene, question, relationship, fc.boolean(), (drawn, asked, declared, strict) => {
        const { file, faulty } = fileOfScene(drawn);
        const host = 'domain' in asked ? asked.domain : 'news.example';
        const operator = brandOf({
          house: { domain: 'x.example', name: 'X', agents: [{ type: 'sales', url: 'https://x.example/mcp', id: 'x' }] },
          brands: [
            {
              id: 'x',
              names: [{ en: 'X' }],
              properties: declared === undefined ? [] : [{ type: 'website', identifier: host, relationship: declared }],
            },
          ],
        });
        const answer = isAuthorized(
          { ...asked, strict },
          effectiveOf(served(file), PUBLISHER, { owner: drawn.owner }),
          operator,
        );
        const naive = naiveEntries(file, faulty, PUBLISHER, drawn.owner, asked);
        const isSite = 'domain' in asked;
        const isListed = /^https:\/\/x\.example(:443)?\/(mcp|%6Dcp)$/i.test(asked.agent);
        const agreeing = naive.filter(
          ({ delegation_type }) => delegation_type === undefined || (fits[delegation_type] ?? []).includes(declared),
        );
        if (answer.authorized) counts.yes += 1;
        if (answer.authorized && strict) counts.strict += 1;
        if (naive.length === 0) expect(answer.authorized).toBe(false);
        if (!isSite) return;
        const known = isListed && declared !== undefined;
        const several =
          file.authorized_agents.filter(
            ({ url }, index) => !faulty.has(index) && url.toLowerCase().includes('x.example'),
          ).length > 1;
        if (!strict) expect(answer.authorized).toBe(known ? agreeing.length > 0 : naive.length > 0);
        else if (!several) expect(answer.authorized).toBe(known && agreeing.length > 0);
        else expect(answer.authorized && !(known && agreeing.length > 0)).toBe(false);
      }),
      { numRuns: 1500, seed: 20_261_121 },
    );
    expect(counts.yes).toBeGreaterThan(50);
    expect(counts.strict).toBeGreaterThan(0);
  });
});

function summary({ reason, steps }: ReturnType<typeof isAuthorized>): object {
  return { reason, steps: steps.map(({ says }) => says) };
}
