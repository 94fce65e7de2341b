/** How often a server asks the disk to make data durable, and what one such request costs here. */
import { spawn } from 'node:child_process';
import { closeSync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { median } from './driver.mjs';
import { newFolder, pause } from './targets.mjs';

/** The median time in ms of making a 4 KB append durable with fdatasync, of 100, on the disk of the checkout. */
export function fdatasyncMs() {
  const file = openSync(path.join(newFolder('fdatasync'), 'append'), 'a');
  const page = Buffer.alloc(4096, 1);
  const times = Array.from({ length: 100 }, () => {
    writeSync(file, page);
    const begin = performance.now();
    fdatasyncSync(file);
    return performance.now() - begin;
  });
  closeSync(file);
  return median(times);
}

/** The store's own count of commits from GET /readyz, or undefined when the server does not tell. */
export async function commitCount(target) {
  const response = await fetch(`${target.origin}/readyz`, { headers: { authorization: `Bearer ${target.token}` } });
  const body = await response.json().catch(() => undefined);
  return body?.store?.commits;
}

/**
 * Attaches strace to a running process. Answers undefined where strace is absent or may not attach, else a
 * function that detaches and answers the number of fdatasync and fsync calls since.
 */
async function traceSyncs(pid) {
  const log = path.join(newFolder('strace'), 'calls.log');
  const args = ['-f', '-e', 'trace=fdatasync,fsync', '-o', log, '-p', String(pid)];
  const tracer = spawn('strace', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise((resolve) => tracer.once('exit', resolve).once('error', resolve));
  const attached = await new Promise((resolve) => {
    let told = '';
    tracer.stderr.on('data', (text) => {
      told += text;
      if (/attached/.test(told) && !/ptrace|not permitted/.test(told)) resolve(true);
    });
    ended.then(() => resolve(false));
    setTimeout(resolve, 5000, false).unref();
  });
  if (!attached) {
    tracer.kill('SIGKILL');
    return undefined;
  }
  await pause(200); // Every thread of the process is attached by then.
  return async () => {
    tracer.kill('SIGINT');
    await ended;
    return readFileSync(log, 'utf8').match(/\b(fdatasync|fsync)\(/g)?.length ?? 0;
  };
}

/**
 * Runs `work` and answers `{ traced, commits }`: the fdatasync and fsync calls that strace saw meanwhile, and the
 * difference of the store's commit counter. Either is undefined where it cannot be had; throws when both are.
 */
export async function countSyncs(target, work) {
  const commitsBefore = await commitCount(target);
  const detach = await traceSyncs(target.pid);
  if (detach === undefined && commitsBefore === undefined) {
    throw new Error('neither strace nor a commit counter in /readyz is there to count the syncs');
  }
  await work();
  const traced = await detach?.();
  const commits = commitsBefore === undefined ? undefined : (await commitCount(target)) - commitsBefore;
  return { traced, commits };
}
