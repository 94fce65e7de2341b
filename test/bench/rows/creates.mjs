/** Rows create_media_buy, a2a, syncs and replay: booking under load, over A2A too, how often the disk is asked, and repeating a call. */
import { createMediaBuy, createOverA2a, replayOfOneCreate } from '../calls.mjs';
import { connect } from '../driver.mjs';
import { compare, compareLanes, measureCell, medianOf, ratioOf } from '../measure.mjs';
import { countSyncs, fdatasyncMs } from '../syncs.mjs';
import { startTarget, stopTarget } from '../targets.mjs';

const concurrency = 64;

export const createRow = {
  name: 'create_media_buy',
  async measure(bench) {
    const { ours, peer } = await compare(bench, ['ours', 'peer'], () => createMediaBuy, concurrency);
    const rate = (cells) => `${medianOf(cells, 'perSecond').toFixed(0)}/s`;
    const p50 = (cells) => `${medianOf(cells, 'p50').toFixed(1)} ms`;
    const driverCores = medianOf(ours, 'driverCores');
    return [
      {
        what: 'create_media_buy: throughput at 64, ours (synced to disk) / peer (memory only)',
        value: ratioOf(ours, peer, 'perSecond'),
        unit: 'x',
        aim: { atLeast: 4 },
        detail:
          `ours ${rate(ours)}, p50 ${p50(ours)}; peer ${rate(peer)}, p50 ${p50(peer)}` +
          (driverCores > 0.9 ? `; the driver was the bottleneck (${driverCores.toFixed(2)} cores)` : ''),
      },
      {
        what: 'create_media_buy: server CPU per call at 64',
        value: medianOf(ours, 'cpuMicros'),
        unit: ' us',
        aim: { atMost: 220 },
        detail: 'holds for this machine alone, with nothing else running',
      },
      {
        what: 'create_media_buy: server CPU per call at 64, ours / peer',
        value: ratioOf(ours, peer, 'cpuMicros'),
        unit: 'x',
        detail: `ours ${medianOf(ours, 'cpuMicros').toFixed(0)} us, peer ${medianOf(peer, 'cpuMicros').toFixed(0)} us`,
      },
    ];
  },
};

export const a2aRow = {
  name: 'a2a',
  async measure(bench) {
    const over = (method) => ({ target: 'ours', path: '/sales/a2a', workloadFor: () => createOverA2a(method) });
    const lanes = {
      mcp: { target: 'ours', workloadFor: () => createMediaBuy },
      send: over('message/send'),
      stream: over('message/stream'),
    };
    const cells = await compareLanes(bench, lanes, concurrency);
    const micros = (name) => `${medianOf(cells[name], 'cpuMicros').toFixed(0)} us`;
    return [
      ['message/send', 'send'],
      ['message/stream', 'stream'],
    ].map(([method, name]) => ({
      what: `create_media_buy over A2A, ${method}: server CPU per call at 64, A2A / MCP`,
      value: ratioOf(cells[name], cells.mcp, 'cpuMicros'),
      unit: 'x',
      detail: `A2A ${micros(name)}, MCP ${micros('mcp')}; A2A stores the answer a second time, for tasks/get`,
    }));
  },
};

export const syncsRow = {
  name: 'syncs',
  async measure(bench) {
    const count = bench.plan.syncedCreates;
    const target = await startTarget('ours');
    const connection = connect(target, concurrency);
    try {
      bench.say('warming up');
      await measureCell(bench, target, connection, createMediaBuy, { concurrency, count: 1000 });
      bench.say(`${count} creates`);
      const { traced, commits } = await countSyncs(target, () =>
        measureCell(bench, target, connection, createMediaBuy, { concurrency, count }),
      );
      const per1000 = (number) => ((number * 1000) / count).toFixed(0);
      const seen = traced === undefined ? 'counted by the store, strace is not available' : 'counted by strace';
      const told =
        traced !== undefined && commits !== undefined ? `; the store counts ${per1000(commits)} commits` : '';
      return [
        {
          what: 'create_media_buy: fdatasync and fsync per 1000 creates at 64',
          value: ((traced ?? commits) * 1000) / count,
          unit: '',
          aim: { atMost: 100 },
          detail: `${seen}${told}; one fdatasync of this disk takes ${fdatasyncMs().toFixed(2)} ms`,
        },
      ];
    } finally {
      await connection.close();
      await stopTarget(target);
    }
  },
};

export const replayRow = {
  name: 'replay',
  async measure(bench) {
    const { ours, peer } = await compare(bench, ['ours', 'peer'], replayOfOneCreate, 16);
    return [
      {
        what: 'replay of a create_media_buy: server CPU per call at 16, ours / peer',
        value: ratioOf(ours, peer, 'cpuMicros'),
        unit: 'x',
        aim: { atMost: 0.25 },
        detail: `ours ${medianOf(ours, 'cpuMicros').toFixed(0)} us, peer ${medianOf(peer, 'cpuMicros').toFixed(0)} us`,
      },
    ];
  },
};
