/** Row replica: the start of a registry on PostgreSQL, with the copy of the records that its last start left, and without. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startPostgres } from '../../../scripts/cluster/postgres.mjs';
import { newFolder } from '../targets.mjs';

const script = fileURLToPath(new URL('../replica-work.mjs', import.meta.url));

export const replicaRow = {
  name: 'replica',
  async measure(bench) {
    const count = bench.plan.sharedProperties;
    const server = await startPostgres({ flags: ['max_connections=60', 'shared_buffers=256MB'] });
    try {
      bench.say(`${count} properties`);
      const args = [script, server.url, `${count}`, newFolder('replica')];
      const { stdout } = await promisify(execFile)(process.execPath, args);
      const { again, anew, properties } = JSON.parse(stdout);
      if (properties !== count) bench.failedCalls.push(`${properties} of ${count} properties are looked up`);
      return [
        {
          what: `start of a registry on PostgreSQL with ${count} properties, CPU`,
          value: again.cpuMs,
          unit: ' ms',
          aim: { atMost: 150 },
          detail: `${again.ms} ms in all; ${(anew.ms / 1000).toFixed(1)} s where the data folder is empty, ${(anew.cpuMs / 1000).toFixed(1)} s of CPU`,
        },
      ];
    } finally {
      await server.stop();
    }
  },
};
