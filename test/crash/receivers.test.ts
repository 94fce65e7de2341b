import { once } from 'node:events';
import { expect, it, vi } from 'vitest';
import { DAY_MS, isoTime, MINUTE_MS } from '../../src/platform/kernel/clock.js';
import { createMemoryNonces } from '../../src/platform/signing/verify/nonces.js';
import { NO_REVOCATION } from '../../src/platform/signing/verify/revocation.js';
import { createVerifier } from '../../src/platform/signing/verify/verify.js';
import { protocolNames } from '../../src/protocol/names.js';
import { a2aBuyer, dataOf } from '../kit/a2a.js';
import { JSON_HEADERS, readAnswer, toolCall } from '../kit/boot.js';
import { createRequest, succeeded, updateRequest } from '../kit/buyer.js';
import { stateOf } from '../kit/buyer-ledger.js';
import { EndpointLedger, expectNone } from '../kit/endpoint-ledger.js';
import { send } from '../kit/http.js';
import { operatorOf } from '../kit/operator.js';
import { publicKeyOf, sdkVerifier, verifiesByPackage } from '../kit/oracles.js';
import { type Serving, startServe } from '../kit/process.js';
import { type Reaction, type ReceivedPost, type Receiver, startReceiver } from '../kit/receiver.js';
import { killRounds } from '../kit/rounds.js';
import { temporaryFolder } from '../kit/surroundings.js';
import { tenantsFolder } from '../kit/tenants.js';
import type { Payload } from '../kit/wire.js';
import { keysOf } from '../platform/signing/context.js';

/** How often the server is killed, and how many buyers each endpoint has; see docs/operations.md for a long run. */
const ROUNDS = killRounds('receivers');
const BUYERS = 2;
/** The shipped command line has the machine's own clock. */
const END = isoTime(Date.now() + 365 * DAY_MS);
const TOMORROW = isoTime(Date.now() + DAY_MS);

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;
let round = 0;
let isHealed = false;

/** What each kind of endpoint does with a POST until all are well. */
const KINDS: Readonly<Record<string, () => Reaction>> = {
  prompt: () => 200,
  hanging: () => (Math.random() < 0.15 ? 'hang' : 200),
  // Down for two rounds of three.
  failing: () => (round % 3 === 2 ? 200 : pick<Reaction>([503, 500, 'reset'])),
  // Takes the event and dies within its answer.
  dying: () => (Math.random() < 0.4 ? 'break' : 200),
};

const dataDir = temporaryFolder('seller-agent-kill-');
const rules = [{ tasks: ['update_media_buy'], budget_over: { amount: 50_000, currency: 'USD' } }];
const args = ['--tenants', tenantsFolder((tenant) => Object.assign(tenant, { approvals: rules }))];
const operator = operatorOf({ dataDir });
const ledger = new EndpointLedger();
let server: Serving;

async function call(tool: string, request: object): Promise<Payload> {
  const body = JSON.stringify(toolCall(tool, request));
  const answer = readAnswer(await send(`${server.baseUrl}/sales/mcp`, { method: 'POST', headers: JSON_HEADERS, body }));
  // A move that the state of the buy does not allow changes nothing.
  return answer.isError ? ({} as Payload) : succeeded(answer);
}

const isCut = (error: NodeJS.ErrnoException): boolean =>
  ['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(error.code ?? '');

/** Sends a change until it is answered: again under its key where the server went away. */
async function change(attempt: () => Promise<Payload>): Promise<Payload> {
  for (;;) {
    try {
      const payload = await attempt();
      ledger.answer(payload);
      return payload;
    } catch (error) {
      if (!isCut(error as NodeJS.ErrnoException)) throw error;
      await new Promise((resume) => setTimeout(resume, 100));
    }
  }
}

/** One buyer at an endpoint, with a buy at a time, until it is told to stop. */
async function act(receiver: Receiver, kind: string, isOver: () => boolean): Promise<void> {
  const push_notification_config = { url: `${receiver.url}/${kind}`, operation_id: kind };
  const native = { pushNotificationConfig: { url: `${receiver.url}/${kind}/a2a`, token: 'a-token-of-16-chars' } };
  const waiting: string[] = [];
  const create = (): Promise<Payload> => {
    const request = createRequest({ end_time: END, start_time: pick(['asap', TOMORROW]), push_notification_config });
    return change(() => call('create_media_buy', request));
  };
  const update = async (id: string, changes: object, more = {}): Promise<void> => {
    const request = updateRequest(id, changes);
    const byA2a = async (): Promise<Payload> => {
      const task = await a2aBuyer(server).call('update_media_buy', request, { configuration: native });
      return (task.status.state === 'failed' ? {} : dataOf(task)) as Payload;
    };
    const { task_id } = await change(() => pick([byA2a, () => call('update_media_buy', { ...request, ...more })])());
    if (typeof task_id === 'string') waiting.push(task_id);
  };
  const force = (media_buy_id: string): Promise<unknown> => {
    const params = { media_buy_id, status: pick(['active', 'paused', 'paused', 'completed', 'rejected']) };
    return call('comply_test_controller', { scenario: 'force_media_buy_status', params });
  };
  const decide = async (): Promise<void> => {
    const task = waiting.shift();
    const decision = pick([{ decision: 'approve' }, { decision: 'reject', reason: 'No.' }]);
    if (task !== undefined) await operator.post(`/approvals/${task}`, decision);
  };
  let buy = await create();
  while (!isOver()) {
    const id = buy.media_buy_id;
    const line = `${id.replace('mb_', 'pkg_')}_1`;
    const acts = [
      () => update(id, { paused: pick([true, false]) }),
      () => update(id, { packages: [{ package_id: line, budget: 1000 + Math.floor(Math.random() * 5000) }] }),
      () => update(id, { packages: [{ package_id: line, budget: 60_000 + Math.floor(Math.random() * 9) }] }),
      () => update(id, { push_notification_config }),
      () => force(id),
      () => force(id),
      decide,
      decide,
      async () => {
        if (Math.random() < 0.3) await update(id, { canceled: true });
        buy = await create();
      },
    ];
    await pick(acts)().catch((error: NodeJS.ErrnoException) => {
      if (!isCut(error)) throw error;
    });
    await new Promise((resume) => setTimeout(resume, Math.random() * 150));
  }
}

/** Reads where a buy stands by the store. */
async function stored(id: string): Promise<Payload> {
  const { media_buys } = await call('get_media_buys', { media_buy_ids: [id] });
  return (media_buys[0] ?? expect.fail(`${id} is not there`)) as unknown as Payload;
}

/** The events of a buy that the outbox ever had. */
async function eventsOf(id: string): Promise<readonly { readonly idempotency_key: string; readonly state: string }[]> {
  const answer = await operator.get(`/webhooks?media_buy_id=${id}`);
  return (answer.json() as { readonly webhooks: [] }).webhooks;
}

it(
  `${ROUNDS} kills under four kinds of endpoints lose no event, tell nothing stale, change no body, and every POST verifies everywhere`,
  async () => {
    server = await startServe({ dataDir, args });
    const { keys } = (await send(`${server.baseUrl}/.well-known/jwks.json`)).json() as {
      readonly keys: readonly Payload[];
    };
    const verifiers = verifiersWith(keys);
    const verified: Promise<readonly string[]>[] = [];
    const receivers = await Promise.all(
      Object.entries(KINDS).map(async ([kind, react]) => {
        const receiver = await startReceiver();
        receiver.always((post) => {
          const reaction = isHealed ? 200 : react();
          ledger.post(`${kind} ${post.path}`, post, reaction === 200);
          verified.push(verifiers({ ...post, url: `${receiver.url}${post.path}` }));
          return reaction;
        });
        return [kind, receiver] as const;
      }),
    );

    let isOver = false;
    const buyers = Promise.all(
      receivers.flatMap(([kind, receiver]) => Array.from({ length: BUYERS }, () => act(receiver, kind, () => isOver))),
    );
    for (round = 0; round < ROUNDS; round += 1) {
      // Some are killed while events are gathered, others while they are sent.
      await Promise.race([new Promise((resume) => setTimeout(resume, 500 + Math.random() * 3000)), buyers]);
      const gone = once(server.child, 'exit');
      server.child.kill('SIGKILL');
      await gone;
      server = await startServe({ dataDir, args });
    }
    // Without events of both envelopes the test would show little.
    const envelopes = (): ReadonlySet<string> => new Set(ledger.events.map(({ envelope }) => envelope));
    await vi.waitFor(() => expect(envelopes().size).toBe(2), { timeout: 60_000 });
    isOver = true;
    await buyers;
    isHealed = true;
    // What failed several times at an endpoint that is well in between waits for minutes; an operator sends it again.
    const backlog = async (): Promise<number> => {
      const { webhooks } = (await operator.get('/webhooks?state=pending')).json() as {
        readonly webhooks: readonly { readonly idempotency_key: string; readonly next_attempt_at: string }[];
      };
      for (const { idempotency_key, next_attempt_at } of webhooks)
        if (Date.parse(next_attempt_at) > Date.now() + MINUTE_MS)
          await operator.post('/webhooks', { do: 'replay', idempotency_key });
      return webhooks.length;
    };
    await vi.waitFor(async () => expect(await backlog()).toBe(0), { timeout: 150_000, interval: 500 });

    const sent = ledger.events.length;
    const [kept, lost]: [Set<string>, string[]] = [new Set(), []];
    const faults: string[] = [];
    for (const id of ledger.buys) {
      for (const { idempotency_key: key, state } of await eventsOf(id)) {
        kept.add(key);
        if (state === 'delivered' ? !ledger.keys.has(key) : state !== 'dropped') lost.push(`${id}: ${key} is ${state}`);
      }
      faults.push(...ledger.faults(id, stateOf(await stored(id))));
    }
    for (const task_id of ledger.tasks)
      if ((await call('get_task_status', { task_id })).task_id !== task_id) faults.push(`nobody knows ${task_id}`);
    const refused = (await Promise.all(verified)).flat();
    const inA2a = ledger.events.filter(({ envelope }) => envelope === 'a2a').length;
    console.log(
      `${ROUNDS} kills, ${ledger.buys.length} buys: ${sent} POSTs of ${ledger.keys.size} events (${sent - inA2a} in MCP's ` +
        `envelope, ${inA2a} in A2A's); ${lost.length} lost, ${faults.length} stale or repeated, ` +
        `${ledger.changed.length} keys with two bodies, ${refused.length} that a verifier refused`,
    );
    expectNone(lost);
    expectNone(faults);
    expectNone([...ledger.keys].filter((key) => !kept.has(key)));
    expectNone(ledger.changed);
    expectNone(refused);
  },
  240_000 + ROUNDS * 20_000,
);

/** Verification by our receiver's verifier, by `http-message-signatures` and by `@adcp/sdk`; answers who refuses, and why. */
function verifiersWith(keys: readonly Payload[]) {
  const jwks = keys as unknown as readonly Readonly<Record<string, unknown>>[];
  const nowSeconds = (): number => Math.floor(Date.now() / 1000);
  const own = createVerifier({
    profile: 'webhook',
    names: protocolNames('adcp'),
    keys: keysOf(...jwks),
    nonces: createMemoryNonces({ perKey: 100_000, total: 100_000 }),
    revocation: NO_REVOCATION,
    now: nowSeconds,
  });
  const sdk = sdkVerifier(jwks);
  return async (request: ReceivedPost & { readonly url: string }): Promise<readonly string[]> => {
    const verdict = await own(request);
    const byPackage = await verifiesByPackage(request, jwks.map(publicKeyOf)).catch(String);
    const bySdk = await sdk(request, nowSeconds()).catch(String);
    return [
      ...(verdict.ok ? [] : [`ours: ${JSON.stringify(verdict)}`]),
      ...(byPackage === true ? [] : [`http-message-signatures: ${byPackage}`]),
      ...(bySdk === 'verified' ? [] : [`@adcp/sdk: ${bySdk}`]),
    ];
  };
}
