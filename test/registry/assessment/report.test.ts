import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openWebhookAddress } from '../../../src/commands/doctor/webhook-address.js';
import { DAY_MS } from '../../../src/platform/kernel/clock.js';
import { createOutbound } from '../../../src/platform/net/fetch.js';
import { protocolNames } from '../../../src/protocol/names.js';
import { CHECKS } from '../../../src/registry/assessment/checks/index.js';
import { type Evidence, SENT_CONTEXT } from '../../../src/registry/assessment/evidence.js';
import { forecastBadge } from '../../../src/registry/assessment/storyboards.js';
import { afterUse } from '../../kit/after-use.js';
import { boot } from '../../kit/boot.js';
import { runCommand } from '../../kit/command-line.js';
import { freePort } from '../../kit/http.js';
import { temporaryFolder } from '../../kit/surroundings.js';

const NOW_MS = Date.UTC(2026, 10, 26);
const SUBJECT = {
  names: protocolNames('adcp'),
  url: 'https://a.example/mcp',
  nowMs: NOW_MS,
  isLocal: false,
  hasKey: true,
};

function judge(id: string, evidence: Partial<Evidence>) {
  return CHECKS.find((check) => check.id === id)?.judge({ ...SUBJECT, ...evidence });
}

describe('a check of the way to an agent', () => {
  it.each([
    [{ validToMs: NOW_MS + 90 * DAY_MS, distrusted: undefined }, []],
    [{ validToMs: NOW_MS + 3 * DAY_MS, distrusted: undefined }, ['It ends in 3 days.']],
    [
      { validToMs: NOW_MS - DAY_MS, distrusted: 'CERT_HAS_EXPIRED' },
      ['It is not trusted: it has expired.', 'It has expired.'],
    ],
    [{ fault: 'no answer in time' }, ['There is no TLS 1.2 or newer: no answer in time.']],
  ])('judges a certificate: %j', (certificate, seen) => {
    expect(judge('reach.certificate', { certificate })).toEqual(seen);
  });

  it('wants https of all but agents of this machine, in development mode', () => {
    expect(judge('reach.https', {})).toEqual([]);
    expect(judge('reach.https', { url: 'http://a.example/mcp' })).toEqual(['The address begins with http://.']);
    expect(judge('reach.https', { url: 'http://127.0.0.1:3000/mcp', isLocal: true })).toBe('not_applicable');
    expect(judge('reach.https', { url: 'http://127.0.0.1:3000/mcp' })).toEqual(['The address begins with http://.']);
  });
});

describe('a check of webhooks', () => {
  const exchange = { ok: true, status: 200, headers: {}, bytes: 2, tookMs: 1 } as const;
  const answer = { task: 'sync_accounts', exchange, isError: false, payload: { accounts: [{ action: 'updated' }] } };
  const arrived = [{ verdict: 'unsigned', why: 'webhook_signature_invalid. It does not fit.' }] as const;

  it('wants a challenge of who takes a subscription', () => {
    const says = ['The subscription was taken, and nothing came to the address.'];
    expect(judge('webhooks.challenge', { subscription: { answer, arrived: [] } })).toEqual(says);
    expect(judge('webhooks.challenge', { subscription: { answer, arrived } })).toEqual([]);
    const refused = { ...answer, payload: { accounts: [{ action: 'failed' }] } };
    expect(judge('webhooks.challenge', { subscription: { answer: refused, arrived: [] } })).toBe('not_applicable');
  });

  it('says what a receiver has against a webhook', () => {
    const says = ['The receiver refuses it: webhook_signature_invalid. It does not fit.'];
    expect(judge('webhooks.signature', { subscription: { answer, arrived } })).toEqual(says);
    expect(judge('webhooks.envelope', { subscription: { answer, arrived } })).toEqual([]);
  });

  it.each([
    [{}, []],
    [{ status: 'done' }, [expect.stringMatching(/^status is "done", and has to be one of submitted, /)]],
    [
      { timestamp: '2026-11-27T08:00:00' },
      ['timestamp is "2026-11-27T08:00:00", and has to be a time with its offset, such as 2026-01-31T00:00:00Z.'],
    ],
    [{ result: undefined }, ['The task is completed, and its result is "nothing".']],
    [{ status: 'working', result: undefined }, []],
  ])('wants the words, the times and the results of the protocol in a webhook of a task: %j', (changes, seen) => {
    const registration = { taskId: 'one', operationId: 'op', url: 'https://buyer.example/hooks' };
    const sound = { task_id: 'one', task_type: 'sync_accounts', operation_id: 'op', context: SENT_CONTEXT };
    const event = { ...sound, status: 'completed', timestamp: '2026-11-27T08:00:00Z', result: {}, ...changes };
    const held = { registration, answer: { ...answer, payload: { status: 'submitted', task_id: 'one' } } };
    const webhook = { verdict: 'proven', payload: event } as const;
    expect(judge('webhooks.task-envelope', { heldTask: { ...held, arrived: [webhook] } })).toEqual(seen);
  });

  it('is fed by a receiver that takes no unsigned webhook, and is gone when it is closed', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/hooks`;
    const agentUrl = 'http://127.0.0.1:1/mcp';
    const outbound = createOutbound({ development: true });
    afterUse(() => outbound.close());
    const options = { outbound, agentUrl, url, port, protocolName: 'adcp', local: true, patienceMs: 1 };
    const address = await openWebhookAddress(options);
    const body = JSON.stringify({ type: 'webhook.challenge', challenge: 'c'.repeat(40), subscriber_id: 'doctor' });
    const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    expect((await fetch(address.urlFor('task'), sent)).status).toBe(401);
    const unsigned = [
      { verdict: 'unsigned', why: expect.stringMatching(/^webhook_signature_header_malformed\. Signature/) },
    ];
    expect(await address.awaitArrival('task')).toEqual(unsigned);
    expect(await address.awaitArrival('another')).toEqual([]);
    await address.close();
    await expect(fetch(url, sent)).rejects.toThrow();
  });
});

describe('the outlook of the public badge', () => {
  const SELLER = { protocols: ['media_buy'], specialisms: ['sales-guaranteed'], findings: [] };
  const TASKS = ['get_products', 'create_media_buy', 'update_media_buy', 'get_media_buys', 'get_media_buy_delivery'];

  it('names the storyboards of the protocols and claims of an agent, and passes over those without a task', () => {
    const { isPossible, storyboards } = forecastBadge({ ...SELLER, tools: TASKS });
    expect(isPossible).toBe(true);
    expect(storyboards).toContainEqual({ storyboard: 'media_buy_seller', outcome: 'open' });
    expect(storyboards).toContainEqual({
      storyboard: 'sales_guaranteed',
      specialism: 'sales-guaranteed',
      outcome: 'open',
    });
    expect(storyboards).toContainEqual({
      storyboard: 'creative_sales_agent',
      outcome: 'skipped',
      why: 'there is no sync_creatives',
    });
    expect(storyboards.map(({ storyboard }) => storyboard)).not.toContain('signals_baseline');
  });

  it('says which would fail, by the errors that were seen and the tasks that a claim needs', () => {
    const findings = [
      { check: 'auth.challenge', severity: 'error' },
      { check: 'errors.field', severity: 'warning' },
    ] as const;
    const { isPossible, storyboards } = forecastBadge({ ...SELLER, tools: TASKS.slice(0, 4), findings });
    expect(isPossible).toBe(false);
    expect(storyboards.filter(({ outcome }) => outcome === 'fails')).toEqual([
      { storyboard: 'security_baseline', outcome: 'fails', why: 'auth.challenge' },
      {
        storyboard: 'sales_guaranteed',
        specialism: 'sales-guaranteed',
        outcome: 'fails',
        why: 'there is no get_media_buy_delivery',
      },
    ]);
  });
});

describe('doctor of a URL', () => {
  it('says what was seen in lines, JSON and a page, and ends with 1 where a rule is broken and with 0 where none is', async () => {
    // The receiver judges signatures by the clock of the machine.
    const server = await boot({ at: new Date().toISOString() });
    const cwd = temporaryFolder();
    const env = { SELLER_AGENT_KEY: 'sandbox-token' };
    const hook = `http://127.0.0.1:${await freePort()}/hooks`;
    const sandbox = ['--sandbox', 'brand.example,agency.example', '--webhook-url', hook];
    const args = ['doctor', server.url(), '--html', 'report.html', ...sandbox];
    const sound = await runCommand(args, { cwd, env });
    expect(sound).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\d{2} ok, 0 failed, 0 to look at, \d noted/),
    });
    expect(sound.stdout).not.toMatch(/sandbox-token|Not asked.*(idempotency|webhooks\.|a2a\.)/);
    const page = readFileSync(path.join(cwd, 'report.html'), 'utf8');
    expect(page).toContain('Northlight Media Network, seen from outside');
    expect(page).not.toMatch(/<script|<link|sandbox-token/);
    const refused = await runCommand(['doctor', server.url(), '--json', '--key', 'no-such-key'], { cwd });
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      ok: false,
      findings: expect.arrayContaining([expect.objectContaining({ check: 'auth.own-key' })]),
    });
  });

  it('refuses what is no URL with what to send', async () => {
    const { code, stderr } = await runCommand(['doctor', 'sales.example'], { cwd: temporaryFolder() });
    expect(code).toBe(1);
    expect(stderr).toContain('Name its MCP endpoint, such as https://sales.example/mcp.');
  });
});
