/** Processes that draw (draw.mjs), as lanes of a row. */
import { fork } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { limitDrawing } from '../../dist/creative/compose/pictures/image-processor.js';
import { endWithRun, projectRoot } from './targets.mjs';

/** The cores that our renderer may take: `pictures` at once on `threadsEach` threads. */
export const allowance = limitDrawing(os.availableParallelism());

/**
 * How each is started. `bare` is sharp as it comes, on all cores; `confined` is sharp alone within our renderer's
 * allowance.
 */
const launches = {
  ours: { args: ['ours'], env: {} },
  bare: { args: ['bare'], env: {} },
  confined: {
    args: ['bare', String(allowance.threadsEach)],
    env: { UV_THREADPOOL_SIZE: String(allowance.pictures) },
  },
};

/** The next message of a process; rejects when it ends instead. */
function answerOf(child) {
  return new Promise((resolve, reject) => {
    const ended = (code) => reject(new Error(`a drawing process ended with ${code}`));
    child.once('exit', ended);
    child.once('message', (message) => {
      child.off('exit', ended);
      resolve(message);
    });
  });
}

/** Starts a drawing process. `draw(seconds)` answers `{ perSecond, cpuMicros, hash }`; one call at a time. */
export async function startDrawer(name) {
  const { args, env } = launches[name];
  const child = fork(path.join(projectRoot, 'test/bench/draw.mjs'), args, { env: { ...process.env, ...env } });
  endWithRun(child);
  await answerOf(child);
  return {
    name,
    draw(seconds) {
      child.send({ seconds });
      return answerOf(child);
    },
    stop: () => child.kill(),
  };
}
