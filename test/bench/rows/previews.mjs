/** Rows preview_html, preview_again and preview_batch: what previews cost beside a list of formats, and one call beside many. */
import { listTwelveFormats, previewAgain, previewBatch, previewHtml, previewUrl } from '../creatives.mjs';
import { openFarAway } from '../delay.mjs';
import { connect, median } from '../driver.mjs';
import { compareLanes, measureCell, medianOf, ratioOf, rotate } from '../measure.mjs';
import { startTarget, stopTarget, tenantOf } from '../targets.mjs';

/** The public test agent spends 4.8 ms of CPU on a preview as markup. */
const publicAgentMicros = 4800;

/** The CPU of one preview beside that of a list of twelve formats, under the same load. */
async function besideTheList(bench, workload, concurrency) {
  const lane = (workloadOf) => ({ target: 'ours', tenant: 'creative', workloadFor: (_, target) => workloadOf(target) });
  const { list, preview } = await compareLanes(
    bench,
    { list: lane(listTwelveFormats), preview: lane(workload) },
    concurrency,
  );
  const micros = (cells) => `${medianOf(cells, 'cpuMicros').toFixed(0)} us`;
  const kilobytes = (cells) => `${(medianOf(cells, 'bytes') / 1000).toFixed(1)} KB`;
  return {
    cpuMicros: medianOf(preview, 'cpuMicros'),
    value: ratioOf(preview, list, 'cpuMicros'),
    unit: 'x',
    detail: `${micros(preview)} and ${micros(list)}; answers of ${kilobytes(preview)} and ${kilobytes(list)}`,
  };
}

export const previewHtmlRow = {
  name: 'preview_html',
  async measure(bench) {
    const { cpuMicros, ...many } = await besideTheList(bench, previewHtml, 16);
    const { cpuMicros: alone, ...one } = await besideTheList(bench, previewHtml, 1);
    return [
      {
        what: 'preview_creative html, a new manifest each: server CPU per call at 16 / list of 12 formats',
        aim: { atMost: 3 },
        ...many,
      },
      { what: 'the same with one caller', aim: { atMost: 3 }, ...one },
      {
        what: 'preview_creative html, a new manifest each: server CPU per call at 16 / that of the public test agent',
        aim: { atMost: 0.1 },
        value: cpuMicros / publicAgentMicros,
        unit: 'x',
        detail: `${cpuMicros.toFixed(0)} us, and ${alone.toFixed(0)} us with one caller, against ${publicAgentMicros} us`,
      },
    ];
  },
};

export const previewAgainRow = {
  name: 'preview_again',
  async measure(bench) {
    const { cpuMicros: _, ...again } = await besideTheList(bench, previewAgain, 16);
    return [
      {
        what: 'preview_creative html, the same manifest again: server CPU per call at 16 / list of 12 formats',
        aim: { atMost: 1.5 },
        ...again,
      },
    ];
  },
};

const batchSize = 50;
const roundTripMs = 20;

/** Previews per second in batches and in single calls one after the other, round by round; `target` is near or far. */
async function compareBatches(bench, target, say, form = 'url') {
  const connection = connect(target, 1);
  const kinds = [
    { name: 'batch', workload: previewBatch(target, batchSize, form), count: bench.plan.batches, items: batchSize },
    { name: 'single', workload: form === 'url' ? previewUrl(target) : previewHtml(target), count: batchSize, items: 1 },
  ];
  const rates = { batch: [], single: [] };
  try {
    for (let round = -1; round < bench.plan.rounds; round++) {
      for (const { name, workload, count, items } of rotate(kinds, round + 1)) {
        bench.say(`${say}, round ${round + 1} of ${bench.plan.rounds}: ${name}`);
        const cell = await measureCell(bench, target, connection, workload, { concurrency: 1, count });
        if (round >= 0) rates[name].push(cell.perSecond * items);
      }
    }
  } finally {
    await connection.close();
  }
  return {
    value: median(rates.batch.map((rate, round) => rate / rates.single[round])),
    unit: 'x',
    detail: `${median(rates.batch).toFixed(0)} and ${median(rates.single).toFixed(0)} previews per second${form === 'url' ? ', all kept on disk' : ''}`,
  };
}

export const previewBatchRow = {
  name: 'preview_batch',
  async measure(bench) {
    const target = tenantOf(await startTarget('ours'), 'creative');
    const far = await openFarAway(target, roundTripMs);
    try {
      return [
        {
          what: `preview_creative url: a batch of ${batchSize} / ${batchSize} single calls in turn, client ${roundTripMs} ms away`,
          aim: { atLeast: 5 },
          ...(await compareBatches(bench, far.target, 'far away')),
        },
        {
          what: `preview_creative html: a batch of ${batchSize} / ${batchSize} single calls in turn, client ${roundTripMs} ms away`,
          aim: { atLeast: 5 },
          ...(await compareBatches(bench, far.target, 'far away, html', 'html')),
        },
        { what: 'url from a client on this machine', ...(await compareBatches(bench, target, 'near')) },
      ];
    } finally {
      far.close();
      await stopTarget(target);
    }
  },
};
