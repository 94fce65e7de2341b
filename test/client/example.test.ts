import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { startNode, startServe } from '../kit/process.js';
import { PROJECT } from '../kit/surroundings.js';

const EXAMPLE = path.join(PROJECT, 'examples', 'buyer.mjs');

it('the example of a buyer buys, hears of it by a signed webhook and reads delivery, in about thirty lines', async () => {
  const serving = await startServe();
  const { code, stderr, stdout } = await startNode([EXAMPLE], { env: { SELLER: serving.baseUrl } }).finished;
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    media_buy_id: expect.stringMatching(/^mb_/),
    from: `${serving.baseUrl}/sales/mcp`,
    delivered: { impressions: 0, spend: 0 },
  });
  expect(readFileSync(EXAMPLE, 'utf8').split('\n').length).toBeLessThanOrEqual(42);
});
