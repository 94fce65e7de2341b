import { expect, it } from 'vitest';
import { DAY_MS, isoTime } from '../../src/platform/kernel/clock.js';
import { JSON_HEADERS, readAnswer, toolCall } from '../kit/boot.js';
import { createRequest, SANDBOX_ACCOUNT, succeeded } from '../kit/buyer.js';
import { appointment, budgetPlan, startGovernanceAgent } from '../kit/governance-agent.js';
import { send } from '../kit/http.js';
import { type Serving, startServe } from '../kit/process.js';
import { killRounds } from '../kit/rounds.js';
import { temporaryFolder } from '../kit/surroundings.js';
import type { Payload } from '../kit/wire.js';

/** How often the server is killed. */
const ROUNDS = killRounds('governance');
/** The shipped command line has the machine's own clock. */
const END = isoTime(Date.now() + 365 * DAY_MS);

const dataDir = temporaryFolder('seller-agent-kill-');
let server: Serving;

async function call(tool: string, request: object): Promise<Payload> {
  const body = JSON.stringify(toolCall(tool, request));
  const answer = await send(`${server.baseUrl}/sales/mcp`, { method: 'POST', headers: JSON_HEADERS, body });
  return succeeded(readAnswer(answer));
}

const order = (plan: string, poNumber: string) =>
  createRequest({ end_time: END, plan_id: plan, po_number: poNumber, packages: undefined });

it('a server that is killed while its governance agent decides commits nothing that was not let through', async () => {
  const agent = await startGovernanceAgent();
  server = await startServe({ dataDir });
  await call('sync_governance', appointment(agent, { account_id: SANDBOX_ACCOUNT }));
  const bought = new Map<string, string>();

  for (let round = 0; round < ROUNDS; round += 1) {
    const killed = server;
    const die = async () => {
      killed.child.kill('SIGKILL');
      await killed.finished;
    };
    const decide = budgetPlan(1000);
    // Every other round it dies before the decision leaves the agent, else as soon as that is on its way.
    agent.behave(async (check) => {
      if (round % 2 === 0) await die();
      else setImmediate(() => void die());
      return decide(check);
    });
    const request = { ...order('plan-1', `PO-${round}`), packages: [packageOf(900)] };
    await call('create_media_buy', request).catch(() => undefined);
    await killed.finished;
    server = await startServe({ dataDir });

    const before = await buys();
    // A denied order is not there after a crash either.
    agent.behave(decide);
    await expect(
      call('create_media_buy', { ...order('plan-1', `NO-${round}`), packages: [packageOf(1001)] }),
    ).rejects.toThrow('GOVERNANCE_DENIED');
    const asked = agent.checks.length;
    const answer = await call('create_media_buy', request);
    bought.set(`PO-${round}`, answer.media_buy_id);
    // What had been committed is replayed without asking; what had not is asked about again.
    expect(agent.checks.length - asked).toBe(before.has(`PO-${round}`) ? 0 : 1);
    expect(before.get(`PO-${round}`) ?? answer.media_buy_id).toBe(answer.media_buy_id);
    if (round % 2 === 0) expect(before.has(`PO-${round}`)).toBe(false);
  }
  expect(await buys()).toEqual(bought);
}, 120_000);

function packageOf(budget: number): object {
  return { product_id: 'test-product', pricing_option_id: 'default', budget };
}

/** The buys there are: their ids by their order numbers. */
async function buys(): Promise<Map<string, string>> {
  const { media_buys } = await call('get_media_buys', {
    status_filter: ['active', 'pending_start', 'pending_creatives'],
  });
  return new Map(media_buys.map((buy) => [String((buy as { po_number?: string }).po_number), buy.media_buy_id]));
}
