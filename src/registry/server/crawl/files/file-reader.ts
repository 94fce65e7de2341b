import type { Worker } from 'node:worker_threads';
import { packageFile } from '../../../../platform/kernel/files/package-files.js';
import type { Log } from '../../../../platform/kernel/log.js';
import type { Outbound } from '../../../../platform/net/fetch.js';
import type { StepAnswer, StepRequest } from '../../../documents/steps.js';
import { fetchStep } from '../../../documents/walk.js';
import { RegistryProblem } from '../../service/problem.js';
import { type FileJob, type FileResults, startJob } from './jobs.js';
import { packedBytes, packedMemory } from './packed-rows.js';
import type { WorkerReply, WorkerRequest } from './worker.js';

/** Is called with every document that came, as it was served. */
type DocumentListener = (request: StepRequest, answer: Extract<StepAnswer, { ok: true }>) => void;

/** Bytes of a file that is read on the event loop: some ten milliseconds of it. */
const MAX_LOOP_BYTES = 32 * 1024;
/** Memory of the thread in MiB: a file of 20 MB takes a tenth of it. */
const THREAD_MIB = 1024;
/** The thread's program. The command is folded into few files, and this one stays beside them. */
const PROGRAM = 'dist/registry/server/crawl/files/worker.js';

type Waiting = { readonly resolve: (reply: WorkerReply) => void; readonly reject: (error: Error) => void };
type FetchOne = (wanted: StepRequest) => Promise<StepAnswer>;

/**
 * Reads files on behalf of callers. Small ones are read at once; a file that would hold the event loop is read by a thread, which asks back
 * for what has to be fetched: nothing goes out but through the guarded fetch.
 */
export class FileReader {
  readonly #outbound: Pick<Outbound, 'fetch'>;
  readonly #log: Log;
  readonly #waiting = new Map<number, Waiting>();
  /** Begins with the first large file. */
  #thread: Promise<Worker> | undefined;
  #count = 0;

  constructor(outbound: Pick<Outbound, 'fetch'>, log: Log) {
    this.#outbound = outbound;
    this.#log = log;
  }

  /** Does a job; what it wants is fetched with `outbound` where given. Throws unavailable when the thread dies of it. */
  async run<K extends FileJob['kind']>(
    job: FileJob & { readonly kind: K },
    onDocument?: DocumentListener,
    outbound: Pick<Outbound, 'fetch'> = this.#outbound,
  ): Promise<FileResults[K]> {
    const fetchOne: FetchOne = async (wanted) => {
      const answer = await fetchStep(outbound, wanted, job.local);
      if (answer.ok) onDocument?.(wanted, answer);
      return answer;
    };
    // The kind of a job decides the type of its result.
    return (await this.#read(job, fetchOne)) as FileResults[K];
  }

  async close(): Promise<void> {
    await (await this.#thread)?.terminate();
  }

  async #read(job: FileJob, fetchOne: FetchOne): Promise<unknown> {
    const isLarge = ('text' in job && job.text.length > MAX_LOOP_BYTES) || packedBytes(job) > MAX_LOOP_BYTES;
    if (isLarge) return this.#readInThread(job, [], fetchOne);
    const steps = startJob(job);
    const answers: StepAnswer[] = [];
    let step = steps.next();
    while (!step.done) {
      const answer = await fetchOne(step.value);
      answers.push(answer);
      if (answer.ok && answer.bytes.length > MAX_LOOP_BYTES) return this.#readInThread(job, answers, fetchOne);
      step = steps.next(answer);
    }
    return step.value;
  }

  async #readInThread(job: FileJob, answers: readonly StepAnswer[], fetchOne: FetchOne): Promise<unknown> {
    this.#count += 1;
    const id = this.#count;
    let reply = await this.#ask({ id, job, answers });
    while ('fetch' in reply) {
      const answer = await fetchOne(reply.fetch).catch(async (error: unknown) => {
        (await this.#thread)?.postMessage({ id, cancel: true } satisfies WorkerRequest);
        throw error;
      });
      reply = await this.#ask({ id, answer });
    }
    if ('result' in reply) return reply.result;
    this.#log.error({ job: job.kind, domain: job.domain, failed: reply.error }, 'a file could not be read');
    throw refuseUnreadable();
  }

  async #ask(request: WorkerRequest): Promise<WorkerReply> {
    this.#thread ??= this.#startThread();
    const worker = await this.#thread;
    return new Promise((resolve, reject) => {
      this.#waiting.set(request.id, { resolve, reject });
      // A command has nothing else that keeps it alive until the thread answers.
      worker.ref();
      worker.postMessage(request, packedMemory(request));
    });
  }

  async #startThread(): Promise<Worker> {
    const { Worker: Thread } = await import('node:worker_threads');
    const worker = new Thread(packageFile(PROGRAM), { resourceLimits: { maxOldGenerationSizeMb: THREAD_MIB } });
    worker.on('message', (reply: WorkerReply) => {
      const one = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      if (this.#waiting.size === 0) worker.unref();
      one?.resolve(reply);
    });
    worker.on('error', (error) =>
      this.#log.error({ err: error }, 'the thread that reads files died; the next file begins another'),
    );
    worker.on('exit', () => {
      this.#thread = undefined;
      for (const { reject } of this.#waiting.values()) reject(refuseUnreadable());
      this.#waiting.clear();
    });
    // An idle thread keeps no process alive.
    worker.unref();
    return worker;
  }
}

function refuseUnreadable(): RegistryProblem {
  return new RegistryProblem('unavailable', 'The file could not be read here.', {
    retryAfter: 60,
    suggestion: 'Check it on your own machine with "registry validate <file>", or serve a smaller one.',
  });
}
