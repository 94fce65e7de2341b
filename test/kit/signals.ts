import { type Booted, boot } from './boot.js';
import { freshKey, succeeded } from './buyer.js';
import { temporaryFolder } from './surroundings.js';
import { shippedTenant, type TenantDraft, writeTenant } from './tenants.js';
import type { Answer, Payload } from './wire.js';

/** A signal at a destination as answers show it. */
export type WireDeployment = {
  readonly type: 'platform' | 'agent';
  readonly platform?: string;
  readonly agent_url?: string;
  readonly account?: string;
  readonly is_live: boolean;
  readonly activation_key?: {
    readonly type: string;
    readonly segment_id?: string;
    readonly key?: string;
    readonly value?: string;
  };
  readonly estimated_activation_duration_minutes?: number;
  readonly deployed_at?: string;
};

/** A signal inside get_signals. */
export type WireSignal = Readonly<Record<string, unknown>> & {
  readonly signal_agent_segment_id: string;
  readonly signal_id: object;
  readonly signal_ref: object;
  readonly signal_type: string;
  readonly deployments: readonly WireDeployment[];
  readonly pricing_options?: readonly { readonly pricing_option_id: string; readonly model: string }[];
  readonly brief_relevance?: string;
};

/** The root object of a signal task's answer with the fields that tests read. */
export type SignalPayload = Payload & {
  readonly signals: readonly WireSignal[];
  readonly deployments: readonly WireDeployment[];
  readonly accepted: number;
  readonly sandbox: boolean;
};

/** A destination of a request. */
export const TRADE_DESK = { type: 'platform', platform: 'the-trade-desk', account: 'seat-1' } as const;
/** A platform of the shipped tenant that takes an hour. */
export const AMAZON = { type: 'platform', platform: 'amazon-dsp' } as const;
/** Any sales agent. */
export const AGENT = { type: 'agent', agent_url: 'https://sales.publisher.example/mcp' } as const;

/** A buyer of signals; every call is made with its token. */
export type SignalBuyer = {
  readonly call: (tool: string, args?: object) => Promise<Answer & { readonly payload: SignalPayload }>;
  /** get_signals that must succeed. */
  readonly find: (args?: object) => Promise<SignalPayload>;
  /** The one signal of an id, as get_signals shows it. */
  readonly look: (segmentId: string, args?: object) => Promise<WireSignal>;
  /** activate_signal that must succeed, with a fresh key; the high-value customers at their flat fee unless `changes` say otherwise. */
  readonly activate: (changes?: object) => Promise<SignalPayload>;
};

/** The signal that `activate` activates. */
export const HIGH_LTV = {
  signal_agent_segment_id: 'prism_high_ltv',
  pricing_option_id: 'po_prism_flat_monthly',
} as const;

/** A buyer at the shipped signals tenant: the first sandbox unless a token is given. */
export function signalBuyer(server: Booted, token = 'sandbox-token', version?: string): SignalBuyer {
  const options = { tenant: 'signals', token, ...(version === undefined ? {} : { version }) };
  const call: SignalBuyer['call'] = async (tool, args = {}) => {
    const answer = await server.call(tool, args, options);
    return { ...answer, payload: answer.payload as SignalPayload };
  };
  const must = async (tool: string, args: object): Promise<SignalPayload> =>
    succeeded(await call(tool, args)) as SignalPayload;
  const find: SignalBuyer['find'] = (args = {}) => must('get_signals', args);
  return {
    call,
    find,
    look: async (segmentId, args = {}) => {
      const { signals } = await find({ pagination: { max_results: 100 }, ...args });
      const signal = signals.find((each) => each.signal_agent_segment_id === segmentId);
      if (signal === undefined) throw new Error(`get_signals does not show ${segmentId}`);
      return signal;
    },
    activate: (changes = {}) =>
      must('activate_signal', { idempotency_key: freshKey(), ...HIGH_LTV, destinations: [TRADE_DESK], ...changes }),
  };
}

/** A server whose signals tenant is the shipped one after `bend`, and how to bend it again: it takes a restart. */
export async function bendableSignals(bend: (tenant: TenantDraft) => void = () => undefined) {
  const folder = temporaryFolder('seller-agent-tenants-');
  const write = (again: (tenant: TenantDraft) => void): void => {
    const tenant = shippedTenant('signals');
    bend(tenant);
    again(tenant);
    writeTenant(folder, tenant, 'signals');
  };
  write(() => undefined);
  const server = await boot({ tenants: folder });
  return {
    server,
    rebend: async (again: (tenant: TenantDraft) => void) => {
      write(again);
      await server.restart();
    },
  };
}
