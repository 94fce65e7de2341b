/** Rows memory and install_size: what the server holds in memory, and on disk when installed. */
import { execFile } from 'node:child_process';
import { copyFileSync, lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { toolsList } from '../calls.mjs';
import { connect } from '../driver.mjs';
import { measureCell } from '../measure.mjs';
import { newFolder, pause, projectRoot, residentKiB, startTarget, stopTarget } from '../targets.mjs';

const concurrency = 16;

export const memoryRow = {
  name: 'memory',
  async measure(bench) {
    const { listCalls } = bench.plan;
    const target = await startTarget('ours');
    const connection = connect(target, concurrency);
    try {
      bench.say('idle');
      await pause(2000);
      const idle = residentKiB(target.pid) / 1024;
      const tenths = [];
      for (let tenth = 1; tenth <= 10; tenth++) {
        bench.say(`${(tenth * listCalls) / 10} of ${listCalls} tools/list`);
        await measureCell(bench, target, connection, toolsList, { concurrency, count: listCalls / 10 });
        tenths.push(residentKiB(target.pid) / 1024);
      }
      // The heap grows until it is swept, so that one moment tells little: the highest of each half.
      const half = Math.max(...tenths.slice(0, 5));
      const whole = Math.max(...tenths.slice(5));
      return [
        {
          what: 'resident memory, idle after the start',
          value: idle,
          unit: ' MiB',
          aim: { atMost: 100 },
          detail: '2 s after the start, before the first call',
        },
        {
          what: `resident memory, highest in the second half of ${listCalls} tools/list / in the first`,
          value: whole / half,
          unit: 'x',
          aim: { atMost: 1.1 },
          detail: `idle ${idle.toFixed(0)} MiB; after each tenth: ${tenths.map((each) => each.toFixed(0)).join(' ')}`,
        },
      ];
    } finally {
      await connection.close();
      await stopTarget(target);
    }
  },
};

/** Bytes that a folder and all below it take on disk. */
function bytesOnDisk(folder) {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const full = path.join(folder, entry.name);
    return sum + lstatSync(full).blocks * 512 + (entry.isDirectory() ? bytesOnDisk(full) : 0);
  }, 0);
}

export const installSizeRow = {
  name: 'install_size',
  async measure(bench) {
    const folder = newFolder('install');
    for (const file of ['package.json', 'package-lock.json']) {
      copyFileSync(path.join(projectRoot, file), path.join(folder, file));
    }
    bench.say('npm ci');
    const args = ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
    await promisify(execFile)('npm', args, { cwd: folder });
    return [
      {
        what: 'installed dependencies on disk (npm ci --omit=dev)',
        value: bytesOnDisk(path.join(folder, 'node_modules')) / 1e6,
        unit: ' MB',
        aim: { atMost: 70 },
        detail: 'without install scripts; blocks on disk, as du counts them',
      },
    ];
  },
};
