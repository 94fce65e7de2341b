import { expect, test } from 'vitest';
import { createOutbound } from '../../../../src/platform/net/fetch.js';
import type { EvaluatorArgument } from '../../../../src/seller/tasks/creative/build/judge/input.js';
import { openRemoteJudge } from '../../../../src/seller/tasks/creative/build/judge/remote-judge.js';
import { afterUse } from '../../../kit/after-use.js';
import { type AgentScript, serveAgent } from '../../../kit/agent.js';

const MANIFEST = { assets: { headline: { asset_type: 'text', content: 'Boots' } } } as const;

/** An agent of a script as the judge of a build, and what was logged of it. */
async function judgedBy(script: AgentScript, asked: EvaluatorArgument) {
  const served = await serveAgent(script);
  const outbound = createOutbound({ development: true });
  afterUse(() => outbound.close());
  const failures: string[] = [];
  const agent = { url: served.url, local: true };
  const judge = openRemoteJudge({ outbound, agent, logFailure: () => void failures.push('failed') }, asked);
  return { judge, served, failures };
}

const scored = (value: unknown) => ({ get_creative_features: { results: [{ feature_id: 'quality', value }] } });

test('an agent measures each creative, which are dropped and ordered by its values', async () => {
  const { judge, served } = await judgedBy(scored(0.4), {
    feature_requirement: [{ feature_id: 'quality', min_value: 0.5 }],
    rank_by: [{ feature_id: 'quality' }],
    eval_budget: { max_calls: 5 },
  });
  const low = await judge.evaluate(MANIFEST);
  served.script(scored(0.6));
  const good = await judge.evaluate(MANIFEST);
  served.script(scored(0.9));
  const best = await judge.evaluate(MANIFEST);
  expect(low && judge.accepts(low)).toBe(false);
  expect(good && judge.accepts(good)).toBe(true);
  const ranked = judge.rank([{ evaluation: good }, { evaluation: best }], 3);
  expect(ranked.map(({ evaluation }) => evaluation)).toMatchObject([
    { rank: 1, ranked_against: 3, calls_used: 1, features: [{ feature_id: 'quality', value: 0.9 }] },
    { rank: 2, ranked_against: 3, calls_used: 1, features: [{ feature_id: 'quality', value: 0.6 }] },
  ]);
  expect(judge.advice()).toEqual([]);
});

test('what an agent says beyond values of features is not passed on', async () => {
  const results = [
    { feature_id: 'quality', value: 1, details: { note: 'x' }, ext: {} },
    { feature_id: 'nothing' },
    { feature_id: 'text', value: 'y'.repeat(300) },
    'words',
  ];
  const { judge } = await judgedBy({ get_creative_features: { results } }, {});
  expect(await judge.evaluate(MANIFEST)).toEqual({ features: [{ feature_id: 'quality', value: 1 }] });
});

test('an agent is asked as often as its budget says', async () => {
  const { judge, served } = await judgedBy(scored(1), { eval_budget: { max_calls: 2 } });
  const values = [];
  for (let turn = 0; turn < 4; turn += 1) values.push(await judge.evaluate(MANIFEST));
  expect(values.map((one) => one !== undefined)).toEqual([true, true, false, false]);
  expect(served.asked.filter((name) => name === 'get_creative_features')).toHaveLength(2);
  expect(judge.advice()).toMatchObject([{ code: 'BUDGET_CAP_REACHED' }]);
});

test('an agent that refuses is not asked again, and the advice says so', async () => {
  const { judge, served, failures } = await judgedBy({ get_creative_features: 401 }, {});
  expect([await judge.evaluate(MANIFEST), await judge.evaluate(MANIFEST)]).toEqual([undefined, undefined]);
  expect(served.asked.filter((name) => name === 'get_creative_features')).toHaveLength(1);
  expect(failures).toHaveLength(1);
  expect(judge.advice()).toMatchObject([{ code: 'SERVICE_UNAVAILABLE', extras: { field: 'evaluator' } }]);
});
