import type { IncomingHttpHeaders } from 'node:http';
import type { Context, Span, Tracer } from '@opentelemetry/api';
import type { Log } from '../kernel/log.js';

/** The headers by which a caller names the trace that its request belongs to (https://www.w3.org/TR/trace-context/). */
export type TraceHeaders = { readonly traceparent?: string | undefined; readonly tracestate?: string | undefined };

/** Returns the trace that the headers of a request name; undefined for none. */
export function readTrace({ traceparent, tracestate }: IncomingHttpHeaders): TraceHeaders | undefined {
  if (typeof traceparent !== 'string') return undefined;
  return { traceparent, tracestate: typeof tracestate === 'string' ? tracestate : undefined };
}

/** An action with the name and attributes of its span. */
type Action<Result> = {
  readonly name: string;
  readonly headers: TraceHeaders;
  readonly attributes: Readonly<Record<string, string | undefined>>;
  readonly run: () => Promise<Result>;
  /** Returns the code of a result that is a refusal. */
  readonly refusalOf: (result: Result) => string | undefined;
};

type Api = typeof import('@opentelemetry/api');

/** Spans of work, in the trace of whoever asked for it. The program that loads an SDK decides where they go. */
export class Traces {
  readonly #api: Api;
  readonly #tracer: Tracer;

  constructor(api: Api, version: string) {
    this.#api = api;
    this.#tracer = api.trace.getTracer('seller-agent', version);
  }

  /** Runs work within a span of its own. */
  async span<Result>(action: Action<Result>): Promise<Result> {
    const { SpanKind } = this.#api;
    const options = { kind: SpanKind.SERVER, attributes: { ...action.attributes } };
    return this.#tracer.startActiveSpan(action.name, options, this.#parentOf(action.headers), async (span) => {
      try {
        return this.#finish(span, action, await action.run());
      } finally {
        span.end();
      }
    });
  }

  #parentOf(headers: TraceHeaders): Context {
    const { context, propagation, trace } = this.#api;
    const isWithinSpan = trace.getActiveSpan() !== undefined;
    // What traces HTTP has a span of the request, in the caller's trace.
    if (isWithinSpan || headers.traceparent === undefined) return context.active();
    return propagation.extract(context.active(), { ...headers });
  }

  #finish<Result>(span: Span, { refusalOf }: Action<Result>, result: Result): Result {
    const code = refusalOf(result);
    if (code !== undefined) {
      span.setAttribute('error.type', code);
      span.setStatus({ code: this.#api.SpanStatusCode.ERROR, message: code });
    }
    return result;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether the standard variables ask for traces (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/). */
function asksForTraces(env: Environment): boolean {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || env.OTEL_TRACES_EXPORTER === 'none') return false;
  return Object.keys(env).some((name) => name.startsWith('OTEL_'));
}

/** Opens the traces of a process; undefined, and nothing is loaded, where no variable of OpenTelemetry is set. */
export async function openTraces(env: Environment, version: string, log: Log): Promise<Traces | undefined> {
  if (!asksForTraces(env)) return undefined;
  const api = await import('@opentelemetry/api');
  if (!hasSdk(api))
    log.warn(
      'a variable OTEL_… is set, but no SDK of OpenTelemetry is loaded: calls are not traced; docs/operations.md says how',
    );
  return new Traces(api, version);
}

/** Whether an SDK has registered that this API reaches: one of an older API than ours is not reached. */
function hasSdk({ isSpanContextValid, trace }: Api): boolean {
  // A span that is never ended is never exported.
  return isSpanContextValid(trace.getTracer('seller-agent').startSpan('start', { root: true }).spanContext());
}
