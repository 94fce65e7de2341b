import { parentPort } from 'node:worker_threads';
import type { StepAnswer, StepRequest, Steps } from '../../../documents/steps.js';
import { type FileJob, startJob } from './jobs.js';
import { packedMemory } from './packed-rows.js';

/** What the thread is told: a job with the answers that it has had, the next answer, or that nobody waits any more. */
export type WorkerRequest = { readonly id: number } & (
  | { readonly job: FileJob; readonly answers: readonly StepAnswer[] }
  | { readonly answer: StepAnswer }
  | { readonly gone: true }
);

/** What the thread says: a document that the job wants, what the job came to, or how it failed. */
export type WorkerReply = { readonly id: number } & (
  | { readonly wanted: StepRequest }
  | { readonly result: unknown }
  | { readonly failed: string }
);

const running = new Map<number, Steps<unknown>>();

parentPort?.on('message', (told: WorkerRequest) => {
  if ('gone' in told) running.delete(told.id);
  else {
    const said = goOn(told);
    parentPort?.postMessage(said, packedMemory(said));
  }
});

function goOn(told: Exclude<WorkerRequest, { readonly gone: true }>): WorkerReply {
  const { id } = told;
  try {
    const steps = 'job' in told ? startJob(told.job) : running.get(id);
    if (steps === undefined) return { id, failed: 'the job is not known' };
    let step = 'job' in told ? steps.next() : steps.next(told.answer);
    for (const answer of 'job' in told ? told.answers : []) step = steps.next(answer);
    if (step.done) running.delete(id);
    else running.set(id, steps);
    return step.done ? { id, result: step.value } : { id, wanted: step.value };
  } catch (error) {
    running.delete(id);
    return { id, failed: error instanceof Error ? error.message : String(error) };
  }
}
