import { describe, expect, it, vi } from 'vitest';
import { type Booted, boot } from '../kit/boot.js';
import { createRequest } from '../kit/buyer.js';
import { runCommand, startCommand } from '../kit/command-line.js';
import { operatorOf } from '../kit/operator.js';
import { temporaryFolder } from '../kit/surroundings.js';
import { tenantsFolder } from '../kit/tenants.js';

const LIVE_KEY = 'live-key-of-the-first-buyer-0123456789';
const tenants = tenantsFolder((tenant) => {
  tenant.approvals = [{}];
  tenant.principals.push({ id: 'live', name: 'Live', key: { env: 'LIVE_KEY' } });
  tenant.principals.push({ id: 'hashed', name: 'Hashed', key: { sha256: 'a'.repeat(64) } });
});
const env = { LIVE_KEY };
const server = await boot({ tenants, env });
const flagsOf = ({ dataDir }: Booted) => ['--data', dataDir, '--tenants', tenants];
const call = (...args: string[]) => runCommand(['call', ...args, ...flagsOf(server)], { env });
const overA2a = (...args: string[]) => call(...args, '--protocol', 'a2a');

/** A call of an order that a person has to decide about, and the id of its task. */
async function order(): Promise<{ running: ReturnType<typeof startCommand>; taskId: string }> {
  const words = ['call', 'sales', 'create_media_buy', JSON.stringify(createRequest()), '--protocol', 'a2a'];
  const running = startCommand([...words, ...flagsOf(server)], { env });
  await vi.waitFor(() => expect(running.stderr()).toMatch(/^\S+ is submitted$/m));
  return { running, taskId: / ?(\S+) is submitted/.exec(running.stderr())?.[1] ?? '' };
}

const decide = (taskId: string, decision: object) => operatorOf(server).post(`/approvals/task-${taskId}`, decision);

describe('call over A2A', () => {
  it('prints the answer that it prints over MCP', async () => {
    for (const words of [
      ['sales', 'get_products', '{"brief":"sports"}'],
      ['sales', 'get_media_buys'],
      ['sales', 'get_media_buys', '{}', '--principal', 'live'],
    ]) {
      const [one, other] = [await call(...words), await overA2a(...words)];
      expect(other).toEqual(one);
      expect(one).toMatchObject({ code: 0, stderr: '' });
    }
  });

  it('ends with 1 where the call is refused, with the answer', async () => {
    const refused = await overA2a('sales', 'create_media_buy', '{}');
    expect([refused.code, JSON.parse(refused.stdout)]).toMatchObject([1, { code: 'INVALID_REQUEST' }]);
    const unknown = await overA2a('sales', 'no_such_task');
    expect([unknown.code, JSON.parse(unknown.stdout)]).toMatchObject([1, { code: 'INVALID_REQUEST' }]);
  });

  it('follows a task that goes on to its end, through a restart of the server', async () => {
    const { running, taskId } = await order();
    await server.restart();
    await decide(taskId, { decision: 'approve' });
    const { code, stdout } = await running.finished;
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { media_buy_id: expect.any(String) }]);
  });

  it('ends where the seller turns a task down, or asks its buyer something', async () => {
    const rejected = await order();
    await decide(rejected.taskId, { decision: 'reject', reason: 'Not this week.' });
    const end = await rejected.running.finished;
    expect([end.code, JSON.parse(end.stdout)]).toMatchObject([1, { errors: [{ code: 'PERMISSION_DENIED' }] }]);
    const asked = await order();
    await decide(asked.taskId, { decision: 'ask', question: 'Which page?' });
    const question = await asked.running.finished;
    expect([question.code, JSON.parse(question.stdout)]).toMatchObject([1, { reason: 'APPROVAL_REQUIRED' }]);
  });

  it.each([
    ['a tenant that there is not', ['nothing', 'get_products'], /no tenant "nothing"/],
    ['a principal that there is not', ['sales', 'get_products', '{}', '--principal', 'x'], /no such principal/],
    ['a key that is known by its hash', ['sales', 'get_products', '{}', '--principal', 'hashed'], /--key/],
    ['a key that nobody has', ['sales', 'get_products', '{}', '--key', 'nonsense'], /not valid here/],
  ])('says what is wrong with %s', async (_name, words, text) => {
    expect(await overA2a(...words)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(text) });
  });

  it('takes a key, and says where no server runs and which protocols there are', async () => {
    const keyed = await overA2a('sales', 'get_media_buys', '{}', '--key', LIVE_KEY);
    expect(keyed).toMatchObject({ code: 0, stderr: '' });
    const away = ['--data', temporaryFolder(), '--tenants', tenants, '--base-url', 'http://127.0.0.1:1'];
    const nobody = await runCommand(['call', 'sales', 'get_products', '{}', '--protocol', 'a2a', ...away]);
    expect(nobody).toMatchObject({ code: 1, stderr: expect.stringMatching(/No agent card was found below/) });
    const other = await call('sales', 'get_products', '{}', '--protocol', 'soap');
    expect(other).toMatchObject({ code: 1, stderr: expect.stringMatching(/Protocols: mcp, a2a/) });
  });
});
