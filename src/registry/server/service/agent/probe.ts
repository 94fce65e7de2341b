import type PQueue from 'p-queue';
import { SECOND_MS } from '../../../../platform/kernel/clock.js';
import { isObject, toJson } from '../../../../platform/kernel/json/json.js';
import type { Outbound } from '../../../../platform/net/fetch.js';
import { isUrl } from '../../../../platform/net/url.js';
import type { ProtocolNames } from '../../../../protocol/names.js';
import { type ProblemCode, RegistryProblem } from '../problem.js';
import { type AgentReading, readAgent, readDeclaredOffer } from './reading.js';
import { type AgentAnswer, type AgentCallOptions, type AgentFault, openAgentSession } from './session.js';

/** The parts of the registry that a probe uses. */
type ProbeContext = {
  readonly outbound: Outbound;
  readonly names: ProtocolNames;
  readonly clock: { readonly now: () => number };
  readonly probes: ProbeQueue;
  /** Lets http and loopback through, in development mode only. */
  readonly isDevelopment: boolean;
};

/** An agent as a probe finds it. */
type DiscoveredAgent = {
  readonly name: string;
  readonly description?: string;
  readonly protocols: readonly string[];
  readonly type: string;
  readonly tools_count: number;
  readonly tools: AgentReading['tools'];
  readonly stats: {
    readonly format_count?: number;
    readonly product_count?: number;
    readonly publisher_count?: number;
  };
};

/** Milliseconds for one probe, all of its calls together. */
const PROBE_MS = 10 * SECOND_MS;
const CONCURRENCY = 8;
const MAX_WAITING = 64;
/** Items and bytes of a list that is passed on. */
const MAX_ITEMS = 200;
const MAX_BYTES = 512 * 1024;

/** The problem that each fault of an agent is answered as: the caller's mistake, or the agent's. */
const PROBLEMS_OF_FAULTS: Readonly<Partial<Record<AgentFault, ProblemCode>>> = {
  not_a_url: 'invalid_request',
  not_https: 'invalid_request',
  credentials: 'invalid_request',
  private_address: 'invalid_request',
  rate_limited: 'rate_limited',
  timeout: 'timeout',
};

/** Runs probes of agents, a bounded number at once, whoever asks for them. */
export class ProbeQueue {
  readonly #concurrency: number;
  readonly #maxWaiting: number;
  /** Loaded with the first probe. */
  #queue: Promise<PQueue> | undefined;
  #pending = 0;

  constructor(concurrency = CONCURRENCY, maxWaiting = MAX_WAITING) {
    this.#concurrency = concurrency;
    this.#maxWaiting = maxWaiting;
  }

  /** The number of probes that run or wait. */
  get pending(): number {
    return this.#pending;
  }

  /** Runs a probe when there is room. Throws `unavailable` when too many wait. */
  async run<T>(probe: () => Promise<T>): Promise<T> {
    if (this.#pending >= this.#concurrency + this.#maxWaiting) {
      throw new RegistryProblem('unavailable', 'Too many agents are being probed just now.', {
        retryAfter: PROBE_MS / SECOND_MS,
        suggestion: 'Try again in some seconds.',
      });
    }
    this.#pending += 1;
    try {
      const concurrency = this.#concurrency;
      this.#queue ??= import('p-queue').then(({ default: Queue }) => new Queue({ concurrency }));
      return await (await this.#queue).add(probe);
    } finally {
      this.#pending -= 1;
    }
  }
}

/** Probes an agent: who it is and what it can do. Throws invalid_request, timeout, rate_limited or bad_gateway. */
export async function discoverAgent(registry: ProbeContext, url: string): Promise<DiscoveredAgent> {
  const { identity, tools, type, capabilities } = await visitAgent(registry, url, (options) =>
    readAgent(url, registry.names, options),
  );
  const publishers = readDeclaredOffer(capabilities).publisher_domains.length;
  return {
    name: identity.name ?? new URL(url).hostname,
    description: identity.instructions,
    protocols: ['mcp'],
    type,
    tools_count: tools.length,
    tools,
    stats: publishers === 0 ? {} : { publisher_count: publishers },
  };
}

/** Returns the creative formats that an agent lists, at most 200. Throws like `discoverAgent`. */
export async function agentFormats(registry: ProbeContext, url: string): Promise<readonly object[]> {
  return listAnswered(registry, url, { task: 'list_creative_formats', args: {}, member: 'formats' });
}

/** Returns the products that a sales agent offers to anybody, at most 200. Throws like `discoverAgent`. */
export async function agentProducts(registry: ProbeContext, url: string): Promise<readonly object[]> {
  const args = { buying_mode: 'brief', brief: 'all products' };
  return listAnswered(registry, url, { task: 'get_products', args, member: 'products' });
}

/** A task that answers with a list, and the member that has it. */
type ListTask = { readonly task: string; readonly args: object; readonly member: string };

async function listAnswered(
  registry: ProbeContext,
  url: string,
  { task, args, member }: ListTask,
): Promise<readonly object[]> {
  const answer = await visitAgent(registry, url, async (options): Promise<AgentAnswer> => {
    const opened = await openAgentSession(url, options);
    return opened.ok ? opened.value.call(task, args) : opened;
  });
  const list = answer[member];
  return Array.isArray(list) ? takeItems((list as readonly unknown[]).filter(isObject)) : [];
}

/** Returns the first items, as many as an answer may hold. */
function takeItems(items: readonly object[]): readonly object[] {
  let bytes = 0;
  const products: object[] = [];
  for (const item of items.slice(0, MAX_ITEMS)) {
    bytes += Buffer.byteLength(toJson(item));
    if (bytes > MAX_BYTES) break;
    products.push(item);
  }
  return products;
}

async function visitAgent<T>(
  { clock, isDevelopment, outbound, probes }: ProbeContext,
  url: string,
  ask: (options: AgentCallOptions) => Promise<AgentAnswer<T>>,
): Promise<T> {
  if (!isUrl(url)) throw problemOf('not_a_url', 'This is not an absolute URL.');
  const answer = await probes.run(() =>
    ask({ outbound, now: clock.now, deadline: clock.now() + PROBE_MS, local: isDevelopment }),
  );
  if (answer.ok) return answer.value;
  throw problemOf(answer.fault, answer.message);
}

function problemOf(fault: AgentFault, message: string): RegistryProblem {
  const code = PROBLEMS_OF_FAULTS[fault] ?? 'bad_gateway';
  if (code === 'timeout') {
    // The public registry says this in two members.
    return new RegistryProblem(code, 'Connection timeout', {
      suggestion: 'Send the request again in a moment; the agent may be slow just now.',
      details: { message, reason: fault },
    });
  }
  return new RegistryProblem(code, message, {
    ...(code === 'invalid_request' ? { field: 'url' } : {}),
    ...(code === 'rate_limited' ? { retryAfter: PROBE_MS / SECOND_MS } : {}),
    suggestion:
      code === 'invalid_request'
        ? 'Send the public https URL of an MCP endpoint, such as https://sales.example/mcp.'
        : 'Check that the agent answers MCP over HTTP at this URL, and try again.',
    details: { reason: fault },
  });
}
