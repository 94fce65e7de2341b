/** Row campaign: one campaign in ten sizes, the first one of a process told apart, in which the fonts are read. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { median } from '../driver.mjs';
import { projectRoot } from '../targets.mjs';

const run = promisify(execFile);

async function drawIn(language) {
  const { stdout } = await run(process.execPath, [path.join(projectRoot, 'test/bench/draw-set.mjs'), language]);
  return JSON.parse(stdout);
}

async function measureLanguage(bench, language) {
  const rounds = [];
  for (let round = 0; round < bench.plan.rounds; round++) {
    bench.say(`${language}, round ${round + 1} of ${bench.plan.rounds}`);
    rounds.push(await drawIn(language));
  }
  const of = (which, name) => median(rounds.map((one) => one[which][name]));
  return {
    first: of('first', 'ms'),
    firstCpu: of('first', 'cpuMs'),
    again: of('again', 'ms'),
    againCpu: of('again', 'cpuMs'),
  };
}

export const campaignRow = {
  name: 'campaign',
  async measure(bench) {
    const en = await measureLanguage(bench, 'en');
    const ja = await measureLanguage(bench, 'ja');
    const cpu = ({ firstCpu, againCpu }) =>
      `CPU ${againCpu.toFixed(0)} ms; the first of a process ${firstCpu.toFixed(0)} ms`;
    return [
      {
        what: 'a campaign in ten sizes as pictures, once its fonts are read',
        value: en.again,
        unit: 'ms',
        aim: { atMost: 1500 },
        detail: cpu(en),
      },
      { what: 'the same in Japanese', value: ja.again, unit: 'ms', aim: { atMost: 1500 }, detail: cpu(ja) },
      {
        what: 'the first one of a process in Japanese, which reads a font of 5 MB',
        value: ja.first,
        unit: 'ms',
        detail: cpu(ja),
      },
    ];
  },
};
