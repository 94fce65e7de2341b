import { describe, expect, test } from 'vitest';
import { DAY_MS, isoTime } from '../../src/platform/kernel/clock.js';
import { JSON_HEADERS, readAnswer, toolCall } from '../kit/boot.js';
import { createRequest, creative, freshKey, SANDBOX_ACCOUNT, succeeded } from '../kit/buyer.js';
import { runCommand, type ServingCommand, startServing } from '../kit/command-line.js';
import { send } from '../kit/http.js';
import type { Finished } from '../kit/process.js';
import { temporaryFolder } from '../kit/surroundings.js';
import { tenantsFolder } from '../kit/tenants.js';

const tenants = tenantsFolder((tenant) => {
  tenant.policies = { ...(tenant.policies as object), creative_approval: 'manual' };
});

async function sync(serving: ServingCommand, creatives: readonly object[]) {
  const request = { idempotency_key: freshKey(), account: { account_id: SANDBOX_ACCOUNT }, creatives };
  const body = JSON.stringify(toolCall('sync_creatives', request));
  const answer = await send(`${serving.baseUrl}/sales/mcp`, { method: 'POST', headers: JSON_HEADERS, body });
  return succeeded(readAnswer(answer));
}

describe('approvals, approve and reject', () => {
  test('work through the running server and without one, on the same store', async () => {
    const dataDir = temporaryFolder();
    const serving = await startServing({ dataDir, args: ['--tenants', tenants] });
    const run = (...args: string[]): Promise<Finished> =>
      runCommand([...args, '--data', dataDir, '--tenants', tenants]);
    const idOf = (listed: string, creativeId: string): string =>
      new RegExp(`^(creative-\\S+).*\\n.*Creative ${creativeId} `, 'm').exec(listed)?.[1] ?? '';

    expect(await run('approvals')).toEqual({ code: 0, stdout: 'Nothing waits for you.\n', stderr: '' });
    await sync(serving, [
      creative('hero'),
      creative('odd', { name: 'Odd\u001b[2J\nname' }),
      creative('late', { assets: {} }),
    ]);
    const { stdout } = await run('approvals');
    expect(stdout).toMatch(/^creative-\d+\.1 {2}\/sales\/mcp {2}sandbox {2}acct_sandbox$/m);
    expect(stdout).toMatch(/^ {2}Creative hero "Banner hero", display_300x250_image, since \d{4}-/m);
    expect(stdout).toMatch(/^ {2}https:\/\/cdn\.example\/banner\.png$/m);
    // A buyer's text is shown, and no terminal obeys it.
    expect(stdout).not.toContain('\u001b');
    expect(stdout).toContain('Odd [2J name');

    const approved = await run('approve', idOf(stdout, 'hero'));
    expect(approved).toMatchObject({ code: 0, stderr: '' });
    expect(approved.stdout).toMatch(/^Creative hero .* of sandbox at \/sales\/mcp is approved\.$/m);
    const twice = await run('approve', idOf(stdout, 'hero'));
    expect(twice.code).toBe(1);
    expect(twice.stderr).toMatch(/is approved; it cannot become approved/);
    expect(twice.stderr).not.toMatch(/\bat .*\.js/);
    expect((await run('reject', idOf(stdout, 'odd'))).stderr).toMatch(/--reason/);
    expect(await run('reject', 'creative-99.1', '--reason', 'No.')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/nothing to decide under this id/),
    });

    await serving.stop();
    const rest = (await run('approvals')).stdout;
    expect(idOf(rest, 'hero')).toBe('');
    expect(idOf(rest, 'odd')).toBe(idOf(stdout, 'odd'));
    const rejected = await run('reject', idOf(rest, 'odd'), '--reason', 'The name is odd.');
    expect(rejected.stdout).toMatch(/is rejected\.$/m);
    const listed = await run('call', 'sales', 'list_creatives', '{}');
    expect(JSON.parse(listed.stdout)).toMatchObject({
      creatives: expect.arrayContaining([
        expect.objectContaining({ creative_id: 'odd', status: 'rejected', rejection_reason: 'The name is odd.' }),
        expect.objectContaining({ creative_id: 'hero', status: 'approved' }),
        expect.objectContaining({ creative_id: 'late', status: 'pending_review' }),
      ]),
    });
  });

  test('list orders too, each with its link, and buy what is approved, with a running server and without one', async () => {
    const dataDir = temporaryFolder();
    const asking = tenantsFolder((tenant) => Object.assign(tenant, { approvals: [{ timeout_hours: 2 }] }));
    const serving = await startServing({ dataDir, args: ['--tenants', asking] });
    const run = (...args: string[]): Promise<Finished> => runCommand([...args, '--data', dataDir, '--tenants', asking]);
    const buy = async (): Promise<string> => {
      const request = createRequest({ end_time: isoTime(Date.now() + 30 * DAY_MS) });
      const body = JSON.stringify(toolCall('create_media_buy', request));
      const answer = await send(`${serving.baseUrl}/sales/mcp`, { method: 'POST', headers: JSON_HEADERS, body });
      return succeeded(readAnswer(answer)).task_id;
    };
    const [first, second] = [await buy(), await buy()];
    const { stdout } = await run('approvals');
    expect(stdout).toMatch(/^task_\w+ {2}\/sales\/mcp {2}sandbox {2}acct_sandbox$/m);
    expect(stdout).toMatch(/^ {2}Buy 1 package for 1,000 USD for acme-outdoor\.example, .*, since \d{4}-/m);
    expect(stdout).toMatch(/^ {2}asked because a person approves every order$/m);
    expect(stdout).toMatch(/^ {2}rejected by itself at \d{4}-/m);
    const link = /^ {2}(http:\S+\/approvals\/\S+)$/m.exec(stdout)?.[1] ?? '';
    expect((await send(link)).text).toContain('Approve this media buy?');

    const approved = await run('approve', first);
    expect(approved).toMatchObject({ code: 0, stderr: '' });
    expect(approved.stdout).toMatch(/is completed\.\n {2}mb_\w+ is active$/m);
    expect((await run('reject', `task-${first}`, '--reason', 'No.')).stderr).toMatch(/is completed; there is nothing/);

    await serving.stop();
    const rejected = await run('reject', second, '--reason', 'Not this week.');
    expect(rejected.stdout).toMatch(/is rejected\.\n {2}The seller turned the request down: Not this week\.$/m);
    expect(await run('approvals')).toMatchObject({ stdout: 'Nothing waits for you.\n' });
    const listed = await run('call', 'sales', 'list_tasks', '{}');
    expect(JSON.parse(listed.stdout)).toMatchObject({
      tasks: [
        { task_id: second, status: 'rejected' },
        { task_id: first, status: 'completed' },
      ],
    });
  });
});
