/** Streams of A2A that are opened by the hundred, held, never read, or asked for tasks of others. */
import { goodOrder } from './connections.mjs';
import { pause } from './kit/wire.mjs';

const ATTACKED = '/sales/a2a';

/** The text of one HTTP request of the attacker with this message. */
function requestOf({ principals }, method, params) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  return [
    `POST ${ATTACKED} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${principals.attacker.token}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}

function callOf(skill, input) {
  return { message: { role: 'user', messageId: 'm', parts: [{ kind: 'data', data: { skill, input } }] } };
}

async function rpc(context, method, params, as = context.principals.attacker) {
  const answer = await context.send({
    method: 'POST',
    path: ATTACKED,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${as.token}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return JSON.parse(answer.text);
}

/** Starts a seller that asks about every order, has it watched, and returns the id of a task that goes on there. */
async function openTask(context) {
  const bend = (tenant, name) => {
    if (name === 'sales') tenant.approvals = [{}];
  };
  await context.watch(await context.launch({ bend }));
  const { attacker } = context.principals;
  const order = { ...(await goodOrder(context)), idempotency_key: `attack-${context.id}-${Date.now()}` };
  const { result } = await rpc(context, 'message/send', callOf('create_media_buy', order), attacker);
  if (result?.status?.state !== 'submitted') throw new Error(`no task: ${JSON.stringify(result).slice(0, 400)}`);
  return result.id;
}

/** Counts of what the connections that were opened have received. */
function countAnswers(opened) {
  const texts = opened.map(({ received }) => received());
  return {
    streams: texts.filter((text) => text.includes('text/event-stream')).length,
    refused: texts.filter((text) => text.includes('Too many streams')).length,
  };
}

export const rows = [
  {
    id: 'streams-held',
    what: '500 streams of a task that goes on, from 4 addresses, held open',
    short: true,
    target: 'own',
    async run(context) {
      const id = await openTask(context);
      const text = requestOf(context, 'tasks/resubscribe', { id });
      const opened = Array.from({ length: 500 }, (_, index) =>
        context.open({ text, from: `127.0.2.${1 + (index % 4)}` }),
      );
      await pause(context.size(20_000, 6000));
      const { refused, streams } = countAnswers(opened);
      for (const { socket } of opened) socket.destroy();
      await pause(1000);
      const again = context.open({ text });
      await pause(1000);
      const isFree = again.received().includes('text/event-stream');
      const held = streams === 128 && refused === 500 - streams && isFree;
      return {
        held,
        figures: `${streams} streams, ${refused} refused; ${isFree ? 'a new one once they are closed' : 'none later'}`,
      };
    },
  },
  {
    id: 'streams-never-read',
    what: '100 connections ask 30 times each for a stream with a long answer, and never read',
    short: true,
    async run(context) {
      const text = requestOf(
        context,
        'message/stream',
        callOf('get_products', { brief: 'video', buying_mode: 'brief' }),
      );
      const before = context.memory();
      const opened = Array.from({ length: 100 }, () => context.open({ text: text.repeat(30), reads: false }));
      await pause(context.size(20_000, 8000));
      const grown = context.memory() - before;
      for (const { socket } of opened) socket.destroy();
      await pause(1000);
      const { result } = await rpc(context, 'message/send', callOf('get_media_buys', {}));
      const held = grown < 200 && result?.status.state === 'completed';
      return { held, figures: `memory +${grown.toFixed(0)} MiB at the end; ${result?.status.state} afterwards` };
    },
  },
  {
    id: 'streams-of-others',
    what: '2,000 subscriptions to a task of somebody else, and to ids that nobody has',
    short: true,
    target: 'own',
    async run(context) {
      const id = await openTask(context);
      const { innocent } = context.principals;
      const answers = await context.inTurn(2000, 16, (index) =>
        rpc(
          context,
          index % 2 === 0 ? 'tasks/resubscribe' : 'SubscribeToTask',
          { id: index % 4 < 2 ? id : `${id}-${index}` },
          innocent,
        ),
      );
      const codes = new Set(answers.map(({ error }) => error?.code));
      const told = answers.filter(({ result }) => result !== undefined).length;
      const held = told === 0 && [...codes].every((code) => code === -32001 || code === -32000);
      return { held, figures: `${told} answered, codes ${[...codes].join(', ')}` };
    },
  },
  {
    id: 'streams-giant-params',
    what: 'streams with ids of 1 MB, 3.9 MB of parts, values by the hundred thousand and 5,000 levels',
    short: true,
    async run(context) {
      const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
      const giant = [
        ['tasks/resubscribe', { id: 'x'.repeat(1_000_000) }],
        ['SubscribeToTask', { id: Array(100_000).fill('x') }],
        ['message/stream', callOf('get_products', { brief: 'x'.repeat(3_900_000) })],
        ['message/stream', { message: { role: 'user', messageId: 'm', parts: Array(100_000).fill({ kind: 'data' }) } }],
        ['message/stream', { message: { role: 'user', messageId: 'm', parts: ['DEEP'] } }],
        ['SendStreamingMessage', { message: { role: 'ROLE_USER', messageId: 'x'.repeat(1_000_000), parts: [{}] } }],
      ];
      const bodies = giant.map(([method, params]) =>
        JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }).replace('"DEEP"', deep),
      );
      const answers = await context.inTurn(context.size(120, 36), 6, (index) =>
        context.send({
          method: 'POST',
          path: ATTACKED,
          headers: {
            'content-type': 'application/json',
            authorization: `Bearer ${context.principals.attacker.token}`,
          },
          body: bodies[index % 6],
        }),
      );
      const bad = answers.filter(({ status }) => status >= 500 && status !== 503);
      const streamed = answers.filter(({ headers }) => headers['content-type']?.includes('event-stream')).length;
      const statuses = [...new Set(answers.map(({ status }) => status))].join(', ');
      return { held: bad.length === 0, figures: `statuses ${statuses}; ${streamed} streams` };
    },
  },
];
