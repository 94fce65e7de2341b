/** Disks that are full or read-only, and files that were cut or overwritten while nobody looked. */
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  cpSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { goodOrder } from './connections.mjs';
import { Buyers } from './kit/buyers.mjs';

const MIB = 1024 * 1024;
/** The disk of a server that is filled: over the 256 MiB below which `/readyz` is ill. */
const DISK_MIB = 320;

const isTaken = ({ buy }) => buy !== undefined;
const isRefused = ({ refusal }) => refusal !== undefined;

/** Fills a disk to its last byte with one file; returns its path. */
function fillDisk(folder) {
  const file = path.join(folder, 'filler');
  const opened = openSync(file, 'a');
  for (const part of [Buffer.alloc(MIB), Buffer.alloc(4096), Buffer.alloc(1)]) {
    try {
      for (;;) writeSync(opened, part);
    } catch (error) {
      if (error.code !== 'ENOSPC') throw error;
    }
  }
  closeSync(opened);
  return file;
}

/** Returns what `/readyz` says, once it says `wanted` or after some seconds. */
async function readiness(context, wanted, target) {
  for (let tries = 0; ; tries += 1) {
    const { status, text } = await context.send({ path: '/readyz', target });
    if (status === wanted || tries > 50) return { status, ill: JSON.parse(text).ill };
    await context.pause(200);
  }
}

/** A call of 30,000 people, whose transaction is larger than the memory for pages. */
function largeAudience(context) {
  const add = Array.from({ length: 30_000 }, (_, at) => ({
    external_id: `p${at}`,
    hashed_email: `${at}`.padStart(64, 'a'),
  }));
  return {
    idempotency_key: randomUUID(),
    account: { account_id: context.principals.attacker.account },
    audiences: [{ audience_id: 'large', add }],
  };
}

/** Has eight buyers buy so many things, ends the server as a power cut would, and returns the buyers and where it all lies. */
async function sellAndKill(context, count) {
  const server = await context.launch();
  await context.watch(server);
  const buyers = new Buyers(context, await goodOrder(context));
  buyers.start(server);
  await buyers.wait(count, isTaken);
  // Not in the middle of an order: each of them was acknowledged.
  await buyers.end();
  await context.leave();
  await server.kill();
  const { dataDir, folder } = server;
  return { buyers, dataDir, folder, file: path.join(dataDir, 'seller-agent.db') };
}

/** Whether a server ended by itself and said what to do, without a stack. */
const isHelpful = ({ code, said }, advice) => code > 0 && advice.test(said) && !/\n\s+at .*:\d+:\d+/.test(said);

/** Bends the files of a server that was killed in each of these ways, a copy each; whether it refuses to start on all of them. */
async function refusesEach(context, { dataDir, folder, file }, ways) {
  const wrong = [];
  for (const [name, bend] of Object.entries(ways)) {
    const copy = path.join(context.folder('damaged'), 'data');
    cpSync(dataDir, copy, { recursive: true });
    bend(path.join(copy, path.basename(file)));
    const outcome = await context.launchRefused({ folder, dataDir: copy });
    if (!isHelpful(outcome, /restore/i)) wrong.push(`${name}: exit ${outcome.code}, ${outcome.said.slice(-300)}`);
  }
  return wrong;
}

/** Starts a server on files, has every order sent again, and returns the row's result. */
async function judgeRetry(context, buyers, options, refused = []) {
  const acknowledged = buyers.acknowledged.length;
  const server = await context.launch(options);
  await context.watch(server);
  const { doubled, lost } = await buyers.retry(server);
  return {
    held: lost === 0 && doubled === 0 && acknowledged > 0 && refused.length === 0,
    figures: [`${acknowledged} acknowledged, ${lost} lost, ${doubled} doubled`, ...refused].join('; '),
  };
}

/** Returns how many bytes of a write-ahead log count: those before the first frame of an earlier round of it. */
function usedBytes(log) {
  const bytes = readFileSync(log);
  const [head, frame] = [32, 24 + bytes.readUInt32BE(8)];
  const salts = bytes.subarray(16, 24);
  let end = head;
  while (end + frame <= bytes.length && bytes.subarray(end + 8, end + 16).equals(salts)) end += frame;
  return end;
}

function overwrite(file, at, bytes) {
  const opened = openSync(file, 'r+');
  writeSync(opened, bytes, 0, bytes.length, at);
  closeSync(opened);
}

const sizeOf = (file) => statSync(file).size;
const junk = (bytes) => Buffer.alloc(bytes, 0xa5);

export const rows = [
  {
    id: 'disk-full',
    what: 'The disk of the data folder is filled to its last byte under 8 buyers and emptied again, then kill -9',
    short: true,
    target: 'own',
    needs: 'namespaces',
    async run(context) {
      const dataDir = context.folder('disk');
      const disk = await context.namespace({ setup: `mount -t tmpfs -o size=${DISK_MIB}m tmpfs ${dataDir}` });
      const server = await context.launch({ dataDir, wrap: disk.wrap });
      await context.watch(server);
      const buyers = new Buyers(context, await goodOrder(context));
      buyers.start(server);
      await buyers.wait(50, isTaken);
      const filler = fillDisk(disk.seen(dataDir));
      await buyers.wait(50, isRefused);
      const full = await readiness(context, 503);
      const large = await context.call('sync_audiences', largeAudience(context));
      rmSync(filler);
      const empty = await readiness(context, 200);
      await buyers.wait(50, isTaken);
      await buyers.end();
      await context.leave();
      await server.kill();
      const codes = [...new Set(buyers.entries.flatMap(({ refusal }) => refusal ?? []))];
      const refused = buyers.entries.filter(isRefused).length;
      const isClear = codes.join() === 'SERVICE_UNAVAILABLE' && large.text.includes('SERVICE_UNAVAILABLE');
      // The store is ill only where the log has no room of its own left for one row.
      const isSaid = full.status === 503 && full.ill.includes('disk') && empty.status === 200;
      const { folder } = server;
      const { held, figures } = await judgeRetry(context, buyers, { folder, dataDir, wrap: disk.wrap });
      return {
        held: held && isClear && isSaid,
        figures: `${figures}; ${refused} refused with ${codes.join()}; /readyz ${full.status} (${full.ill.join(', ')}), then ${empty.status}`,
      };
    },
  },
  {
    id: 'disk-read-only',
    what: 'The data folder of a server that was killed is read-only at its next start, and writable again at the one after',
    short: false,
    target: 'own',
    needs: 'namespaces',
    async run(context) {
      const { buyers, dataDir, folder } = await sellAndKill(context, 30);
      const disk = await context.namespace({
        setup: `mount --bind ${dataDir} ${dataDir} && mount -o remount,bind,ro ${dataDir}`,
      });
      const outcome = await context.launchRefused({ folder, dataDir, wrap: disk.wrap });
      const wrong = isHelpful(outcome, /writ/i) ? [] : [`exit ${outcome.code}: ${outcome.said.slice(-500)}`];
      return judgeRetry(context, buyers, { folder, dataDir }, wrong);
    },
  },
  {
    id: 'log-cut',
    what: 'The write-ahead log of a server that was killed is cut in the middle, cut to nothing, removed, overwritten',
    short: false,
    target: 'own',
    async run(context) {
      const sold = await sellAndKill(context, 300);
      const refused = await refusesEach(context, sold, {
        'cut in the middle': (file) => truncateSync(`${file}-wal`, Math.floor(usedBytes(`${file}-wal`) / 2)),
        'cut by a byte': (file) => truncateSync(`${file}-wal`, usedBytes(`${file}-wal`) - 1),
        'cut to nothing': (file) => truncateSync(`${file}-wal`, 0),
        removed: (file) => rmSync(`${file}-wal`),
        'overwritten at its head': (file) => overwrite(`${file}-wal`, 0, junk(100)),
        'overwritten in the middle': (file) =>
          overwrite(`${file}-wal`, Math.floor(usedBytes(`${file}-wal`) / 2), junk(100)),
      });
      return judgeRetry(context, sold.buyers, sold, refused);
    },
  },
  {
    id: 'database-damaged',
    what: 'The database of a server that was killed is cut, emptied, removed, overwritten at its head and in the middle',
    short: false,
    target: 'own',
    async run(context) {
      const sold = await sellAndKill(context, 300);
      // So that what was sold lies in the database, and not in its log.
      const closed = await context.launch(sold);
      await closed.stop();
      const size = sizeOf(sold.file);
      const refused = await refusesEach(context, sold, {
        'cut in the middle': (file) => truncateSync(file, Math.floor(size / 2)),
        'cut by a page': (file) => truncateSync(file, size - 4096),
        emptied: (file) => truncateSync(file, 0),
        removed: (file) => rmSync(file),
        'overwritten at its head': (file) => overwrite(file, 0, junk(100)),
        'overwritten in the middle': (file) => overwrite(file, Math.floor(size / 8192) * 4096, junk(4096)),
        'made a text': (file) => writeFileSync(file, 'not a database'.repeat(1000)),
      });
      return judgeRetry(context, sold.buyers, sold, refused);
    },
  },
];
