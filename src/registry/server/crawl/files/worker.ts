import { parentPort } from 'node:worker_threads';
import type { StepAnswer, StepRequest, Steps } from '../../../documents/steps.js';
import { type FileJob, startJob } from './jobs.js';
import { packedMemory } from './packed-rows.js';

/** A message to the thread: a job with the answers that came so far, the next answer of a job, or that nobody waits for a job any more. */
export type WorkerRequest = { readonly id: number } & (
  | { readonly job: FileJob; readonly answers: readonly StepAnswer[] }
  | { readonly answer: StepAnswer }
  | { readonly cancel: true }
);

/** A message of the thread: a document that a job needs, the result of a job, or how it failed. */
export type WorkerReply = { readonly id: number } & (
  | { readonly fetch: StepRequest }
  | { readonly result: unknown }
  | { readonly error: string }
);

/** The jobs of one thread that wait for a document. */
class WorkerJobs {
  readonly #running = new Map<number, Steps<unknown>>();

  cancel(id: number): void {
    this.#running.delete(id);
  }

  /** Begins a job, or goes on with the one that waits; never throws. */
  advance(request: Exclude<WorkerRequest, { readonly cancel: true }>): WorkerReply {
    const { id } = request;
    try {
      const steps = 'job' in request ? startJob(request.job) : this.#running.get(id);
      if (steps === undefined) return { id, error: 'the job is not known' };
      let step = 'job' in request ? steps.next() : steps.next(request.answer);
      for (const answer of 'job' in request ? request.answers : []) step = steps.next(answer);
      if (step.done) this.#running.delete(id);
      else this.#running.set(id, steps);
      return step.done ? { id, result: step.value } : { id, fetch: step.value };
    } catch (error) {
      this.#running.delete(id);
      return { id, error: error instanceof Error ? error.message : String(error) };
    }
  }
}

const jobs = new WorkerJobs();

parentPort?.on('message', (request: WorkerRequest) => {
  if ('cancel' in request) jobs.cancel(request.id);
  else {
    const reply = jobs.advance(request);
    parentPort?.postMessage(reply, packedMemory(reply));
  }
});
