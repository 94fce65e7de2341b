/** Rows webhooks and black_hole: how fast the outbox delivers, and what an endpoint that never answers costs the others. */
import { createServer } from 'node:net';
import { createMediaBuy, createWithWebhook } from '../calls.mjs';
import { connect, median } from '../driver.mjs';
import { closeLanes, measureCell, medianOf, ratioOf, rotate } from '../measure.mjs';
import { runInFolder, startScript } from '../scripts.mjs';
import { startTarget } from '../targets.mjs';

/** Runs a sender on a fresh store: `{ perSecond, cpuMicros }`. */
const send = (who, count, ports, hole) =>
  runInFolder('sender.mjs', [who, count, JSON.stringify(ports)], hole === undefined ? [] : [hole]);

/** An address that takes connections and never answers. */
async function openHole() {
  const sockets = new Set();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.resume();
    socket.on('error', () => undefined);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: server.address().port,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

export const webhooksRow = {
  name: 'webhooks',
  async measure(bench) {
    const { webhookRounds, webhooks } = bench.plan;
    const receivers = startScript('receivers.mjs', [16]);
    try {
      const { ports } = await receivers.said;
      const ours = [];
      const bare = [];
      for (let round = 0; round < webhookRounds; round++) {
        for (const [who, cells] of rotate(
          [
            ['ours', ours],
            ['bare', bare],
          ],
          round,
        )) {
          bench.say(`round ${round + 1} of ${webhookRounds}: ${who}`);
          cells.push(await send(who, webhooks, ports));
        }
      }
      const rate = (cells) => `${medianOf(cells, 'perSecond').toFixed(0)}/s`;
      const cpu = (cells) => `${medianOf(cells, 'cpuMicros').toFixed(0)} us`;
      return [
        {
          what: 'webhooks: signed deliveries out of the durable outbox / a bare signed undici loop, 64 in flight, 16 receivers',
          value: ratioOf(ours, bare, 'perSecond'),
          unit: 'x',
          aim: { atLeast: 0.65 },
          detail: `ours ${rate(ours)}; bare ${rate(bare)}, ${cpu(bare)} of CPU each`,
        },
        {
          what: 'webhooks: CPU of one signed delivery out of the durable outbox',
          value: medianOf(ours, 'cpuMicros'),
          unit: ' us',
          aim: { atMost: 300 },
          detail: `a bare signed undici loop ${cpu(bare)}`,
        },
      ];
    } finally {
      receivers.done();
    }
  },
};

export const blackHoleRow = {
  name: 'black_hole',
  async measure(bench) {
    return [await besideHole(bench), await createsBesideHole(bench)];
  },
};

/** What others receive while 10,000 events wait for an endpoint that never answers. */
async function besideHole(bench) {
  const { webhookRounds, webhooks } = bench.plan;
  const receivers = startScript('receivers.mjs', [16]);
  const hole = await openHole();
  try {
    const { ports } = await receivers.said;
    const ratios = [];
    for (let round = 0; round < webhookRounds; round++) {
      const cells = {};
      for (const port of rotate([undefined, hole.port], round)) {
        bench.say(`round ${round + 1} of ${webhookRounds}: ${port === undefined ? 'alone' : 'beside a black hole'}`);
        cells[port === undefined ? 'alone' : 'beside'] = await send('ours', webhooks, ports, port);
      }
      ratios.push(cells.beside.perSecond / cells.alone.perSecond);
    }
    return {
      what: 'black hole: deliveries to others beside 10,000 events for an endpoint that never answers / without them',
      value: median(ratios),
      unit: 'x',
      aim: { atLeast: 0.9 },
      detail: `rounds ${ratios.map((ratio) => ratio.toFixed(2)).join(' ')}`,
    };
  } finally {
    hole.close();
    receivers.done();
  }
}

/** What create_media_buy does on a server in the same plight. */
async function createsBesideHole(bench) {
  const { warmUpSeconds, cellSeconds, rounds, queuedWebhooks } = bench.plan;
  const hole = await openHole();
  const open = [];
  try {
    for (const name of ['alone', 'beside']) {
      bench.say(`${name}: warming up`);
      const target = await startTarget('ours');
      const connection = connect(target, 64);
      open.push({ name, target, connection });
      await measureCell(bench, target, connection, createMediaBuy, { concurrency: 64, seconds: warmUpSeconds });
    }
    const beside = open[1];
    bench.say(`${queuedWebhooks} buys whose webhooks go nowhere`);
    const workload = createWithWebhook(`http://127.0.0.1:${hole.port}/webhooks`);
    await measureCell(bench, beside.target, beside.connection, workload, { concurrency: 64, count: queuedWebhooks });
    // Each is confirmed within a second, and that is told after two.
    await new Promise((resolve) => setTimeout(resolve, 4000));
    const cells = { alone: [], beside: [] };
    for (let round = 0; round < rounds; round++) {
      for (const { name, target, connection } of rotate(open, round)) {
        bench.say(`round ${round + 1} of ${rounds}: ${name}`);
        const load = { concurrency: 64, seconds: cellSeconds };
        cells[name].push(await measureCell(bench, target, connection, createMediaBuy, load));
      }
    }
    return {
      what: `black hole: create_media_buy at 64 beside ${queuedWebhooks} such events / without them, throughput`,
      value: ratioOf(cells.beside, cells.alone, 'perSecond'),
      unit: 'x',
      aim: { atLeast: 0.8 },
      detail: `beside ${medianOf(cells.beside, 'perSecond').toFixed(0)}/s, alone ${medianOf(cells.alone, 'perSecond').toFixed(0)}/s`,
    };
  } finally {
    await closeLanes(open);
    hole.close();
  }
}
