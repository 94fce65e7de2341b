import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Booted, boot, toolCall } from '../kit/boot.js';
import { tenantsFolder } from '../kit/tenants.js';

const PLENTY = { per_second: 1_000_000_000, burst: 1_000_000_000 };
const UNLIMITED = { reads: PLENTY, writes: PLENTY, bytes: PLENTY };

let seller: Booted;

beforeAll(async () => {
  // What is measured here is what a caller may send, not how often.
  const tenants = tenantsFolder((tenant) => {
    tenant.policies = { ...(tenant.policies as object), rate_limits: { ...UNLIMITED } };
  });
  seller = await boot({ tenants });
});

const MIB = 1024 * 1024;
const ACCOUNT = { account_id: 'acct_sandbox' };
const key = (): string => crypto.randomUUID();
const listOf = <T>(count: number, item: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => item(at));
const AUTHORIZED = { authorization: 'Bearer sandbox-token' };

/** A call as text, so that arguments may be written that no object holds. */
const callText = (tool: string, args: string): string =>
  `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"${tool}","arguments":${args}}}`;

describe('the values of a body', () => {
  const names = `{${listOf(250_000, (at) => `"k${at}":1`).join(',')}}`;
  const nested = `${'['.repeat(1_900_000)}${']'.repeat(1_900_000)}`;
  const lists = `[${'[],'.repeat(900_000)}1]`;

  it.each([
    ['names in the arguments', 'get_products', names],
    ['names in the context', 'get_products', `{"context":${names}}`],
    ['names in an extension of an upload', 'sync_audiences', `{"ext":{"a":${names}}}`],
    ['lists in one another', 'list_creative_formats', `{"ext":${nested}}`],
    ['lists beside one another', 'create_media_buy', `{"packages":${lists}}`],
  ])('are refused before they are read: %s', async (_what, tool, args) => {
    const { status, json } = await seller.raw(callText(tool, args), AUTHORIZED);
    expect(status).toBe(400);
    expect(json()).toMatchObject({
      error: {
        code: -32600,
        data: { code: 'INVALID_REQUEST', field: 'params.arguments', suggestion: expect.any(String) },
      },
    });
  });

  it('are refused by name beyond what the task takes, with the id of the message', async () => {
    const args = { brief: 'video', ext: { n: listOf(20_000, () => 1) }, context: { trace: 'a' } };
    const answer = await seller.call('get_products', args);
    expect(answer.isError).toBe(true);
    expect(answer.payload).toMatchObject({
      errors: [{ code: 'INVALID_REQUEST', field: 'arguments', details: { max_values: 10_000 } }],
      context: { trace: 'a' },
    });
  });

  it('are more where a task is meant for long lists, though not for what it only carries', async () => {
    const add = listOf(30_000, (at) => ({ external_id: `p${at}`, hashed_email: `${at}`.padStart(64, 'a') }));
    const upload = { idempotency_key: key(), account: ACCOUNT, audiences: [{ audience_id: 'many', add }] };
    const { payload } = await seller.call('sync_audiences', upload);
    expect(payload).toMatchObject({ audiences: [{ uploaded_count: 30_000, total_uploaded_count: 30_000 }] });

    const carried = { ...upload, idempotency_key: key(), context: { n: listOf(20_000, () => 1) } };
    const refused = await seller.call('sync_audiences', carried);
    expect(refused.payload).toMatchObject({ errors: [{ code: 'INVALID_REQUEST', field: 'context' }] });
  });

  it('of a batch are those of one usual call', async () => {
    const message = toolCall('sync_audiences', { account: ACCOUNT, ext: { n: listOf(6000, () => 1) } });
    const { json } = await seller.raw([message, message], AUTHORIZED);
    for (const answer of json() as { result: { structuredContent: object } }[])
      expect(answer.result.structuredContent).toMatchObject({
        errors: [{ code: 'INVALID_REQUEST', field: 'arguments' }],
      });
  });

  it('are explained one by one in a usual call, and by the first fault in a long one', async () => {
    const faults = async (count: number) => {
      const { payload } = await seller.call('get_products', { filters: { channels: listOf(count, () => 'nothing') } });
      return payload.errors?.[0]?.issues?.length;
    };
    expect(await faults(5)).toBe(5);
    expect(await faults(9000)).toBe(1);
  });

  it('and a context that is too long to be sent back is refused', async () => {
    const { payload } = await seller.call('get_products', { brief: 'video', context: { text: 'x'.repeat(MIB) } });
    expect(payload).toMatchObject({ errors: [{ code: 'INVALID_REQUEST', field: 'context' }] });
    expect(payload).not.toHaveProperty('context');
  });
});

describe('caches of answers', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;

  it('hold nothing of what a caller sends beside the question', async () => {
    const ask = async (tool: string, at: number) => {
      const large = { text: `${at}`.padEnd(MIB, 'x') };
      const beside = [{ ext: large }, { unknown: large }, { brand: { domain: 'a.example', ext: large } }];
      await seller.call(tool, { brief: 'video', ...beside[at % beside.length] });
    };
    for (const tool of ['get_products', 'list_creative_formats']) {
      for (let at = 0; at < 6; at += 1) await ask(tool, at);
      collect();
      const before = process.memoryUsage().heapUsed;
      for (let at = 0; at < 60; at += 1) await ask(tool, at);
      collect();
      expect(process.memoryUsage().heapUsed - before).toBeLessThan(20 * MIB);
    }
  });
});
