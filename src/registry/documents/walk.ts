import type { Outbound } from '../../platform/net/fetch.js';
import { type FetchReason, fetchReason } from '../../platform/net/fetch-error.js';
import type { StepAnswer, StepRequest, Steps } from './steps.js';

/** How a discovery is walked. */
type WalkOptions = {
  /** Lets plain http and loopback through, in development mode only. */
  readonly local?: boolean;
  /** Told of every document that came, as it was served. */
  readonly seen?: (request: StepRequest, answer: Extract<StepAnswer, { ok: true }>) => void;
};

/** Runs a discovery over the guarded way out. Never throws for what the other side does. */
export async function walkSteps<T>(
  steps: Steps<T>,
  outbound: Pick<Outbound, 'fetch'>,
  options: WalkOptions = {},
): Promise<T> {
  let step = steps.next();
  while (!step.done) {
    const answer = await fetchStep(outbound, step.value, options.local ?? false);
    if (answer.ok) options.seen?.(step.value, answer);
    step = steps.next(answer);
  }
  return step.value;
}

/** Fetches one document that a discovery wants. Throws for what is no fault of the other side. */
export async function fetchStep(
  outbound: Pick<Outbound, 'fetch'>,
  { accept, maxBytes, timeoutMs, url }: StepRequest,
  local: boolean,
): Promise<StepAnswer> {
  try {
    const options = { maxBytes, timeoutMs, local, maxRedirects: 0, headers: { accept } };
    const { bytes, headers, status } = await outbound.fetch(url, options);
    return { ok: true, status, headers, bytes };
  } catch (error) {
    const reason: FetchReason | undefined = fetchReason(error);
    if (reason === undefined) throw error;
    return { ok: false, reason };
  }
}
