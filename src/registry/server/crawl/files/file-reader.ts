import type { Worker } from 'node:worker_threads';
import type { Log } from '../../../../platform/kernel/log.js';
import { packageFile } from '../../../../platform/kernel/package-files.js';
import type { Outbound } from '../../../../platform/net/fetch.js';
import type { StepAnswer, StepRequest } from '../../../documents/steps.js';
import { fetchStep } from '../../../documents/walk.js';
import { RegistryProblem } from '../../service/problem.js';
import { type FileJob, type FileResults, startJob } from './jobs.js';
import { packedBytes, packedMemory } from './packed-rows.js';
import type { WorkerReply, WorkerRequest } from './worker.js';

/** Told of every document that came, as it was served. */
export type DocumentListener = (request: StepRequest, answer: Extract<StepAnswer, { ok: true }>) => void;

/**
 * Reads files on behalf of callers. Small ones are read at once; what would hold the event loop is read by a thread of its own, which
 * asks back for what has to be fetched: nothing goes out but through the guarded way.
 */
export type FileReader = {
  /** Does a job; what it wants is fetched by `way`, or else as the desk does. Throws unavailable when the thread dies of it. */
  readonly run: <K extends FileJob['kind']>(
    job: FileJob & { readonly kind: K },
    seen?: DocumentListener,
    way?: Pick<Outbound, 'fetch'>,
  ) => Promise<FileResults[K]>;
  readonly close: () => Promise<void>;
};

/** Most bytes that are read on the event loop: some ten milliseconds of it. */
const MOST_ON_LOOP = 32 * 1024;
/** Most memory of the thread in MiB: a file of 20 MB takes a tenth of it. */
const THREAD_MIB = 1024;
/** The thread's program. The command is folded into few files, and this one stays beside them. */
const PROGRAM = 'dist/registry/server/crawl/files/worker.js';

type Waiting = { readonly resolve: (said: WorkerReply) => void; readonly reject: (error: Error) => void };

/** Opens the desk. The thread begins with the first large file. */
export function createFileReader(outbound: Pick<Outbound, 'fetch'>, log: Log): FileReader {
  const waiting = new Map<number, Waiting>();
  let thread: Promise<Worker> | undefined;
  let count = 0;

  async function begin(): Promise<Worker> {
    const { Worker: Thread } = await import('node:worker_threads');
    const worker = new Thread(packageFile(PROGRAM), { resourceLimits: { maxOldGenerationSizeMb: THREAD_MIB } });
    worker.on('message', (said: WorkerReply) => {
      const one = waiting.get(said.id);
      waiting.delete(said.id);
      one?.resolve(said);
    });
    worker.on('error', (error) =>
      log.error({ err: error }, 'the thread that reads files died; the next file begins another'),
    );
    worker.on('exit', () => {
      thread = undefined;
      for (const { reject } of waiting.values()) reject(unreadable());
      waiting.clear();
    });
    // An idle thread keeps no process alive.
    worker.unref();
    return worker;
  }

  async function ask(told: WorkerRequest): Promise<WorkerReply> {
    thread ??= begin();
    const worker = await thread;
    return new Promise((resolve, reject) => {
      waiting.set(told.id, { resolve, reject });
      worker.postMessage(told, packedMemory(told));
    });
  }

  async function runApart(job: FileJob, answers: readonly StepAnswer[], obtain: FetchOne): Promise<unknown> {
    count += 1;
    const id = count;
    let said = await ask({ id, job, answers });
    while ('wanted' in said) {
      const { wanted } = said;
      const answer = await obtain(wanted).catch(async (error: unknown) => {
        (await thread)?.postMessage({ id, gone: true } satisfies WorkerRequest);
        throw error;
      });
      said = await ask({ id, answer });
    }
    if ('result' in said) return said.result;
    log.error({ job: job.kind, domain: job.domain, failed: said.failed }, 'a file could not be read');
    throw unreadable();
  }

  async function run(job: FileJob, seen?: DocumentListener, way = outbound): Promise<unknown> {
    const obtain: FetchOne = async (wanted) => {
      const answer = await fetchStep(way, wanted, job.local);
      if (answer.ok) seen?.(wanted, answer);
      return answer;
    };
    const isLarge = ('text' in job && job.text.length > MOST_ON_LOOP) || packedBytes(job) > MOST_ON_LOOP;
    if (isLarge) return runApart(job, [], obtain);
    const steps = startJob(job);
    const answers: StepAnswer[] = [];
    let step = steps.next();
    while (!step.done) {
      const answer = await obtain(step.value);
      answers.push(answer);
      if (answer.ok && answer.bytes.length > MOST_ON_LOOP) return runApart(job, answers, obtain);
      step = steps.next(answer);
    }
    return step.value;
  }

  return {
    // The kind of a job says what it comes to.
    run: run as FileReader['run'],
    close: async () => {
      await (await thread)?.terminate();
    },
  };
}

type FetchOne = (wanted: StepRequest) => Promise<StepAnswer>;

function unreadable(): RegistryProblem {
  return new RegistryProblem('unavailable', 'The file could not be read here.', {
    retryAfter: 60,
    suggestion: 'Check it on your own machine with "registry validate <file>", or serve a smaller one.',
  });
}
