import type { Booted, CallOptions } from './boot.js';
import { KIT_TOKEN } from './buyer.js';
import type { Payload } from './wire.js';

/** What the test controller answered. */
export type Arranged = Payload & {
  readonly success: boolean;
  readonly error?: string;
  readonly error_detail?: string;
  readonly field?: string;
  readonly previous_state?: string;
  readonly current_state?: string | null;
  readonly scenarios?: readonly string[];
  readonly forced?: { readonly arm: string; readonly task_id?: string };
  readonly simulated?: Readonly<Record<string, unknown>>;
  readonly cumulative?: Readonly<Record<string, unknown>>;
};

/** The test controller in a buyer's hands; the public test kit's unless another token is named. */
export type Controller = {
  /** What a scenario answers, successful or not. Throws where the call itself failed. */
  readonly run: (scenario: string, params?: object, more?: object) => Promise<Arranged>;
  /** The same for one that has to succeed. */
  readonly arrange: (scenario: string, params?: object) => Promise<Arranged>;
};

/** The test controller of a server. */
export function controllerOf(server: Booted, options: CallOptions = {}): Controller {
  const run: Controller['run'] = async (scenario, params, more = {}) => {
    const args = { scenario, ...(params === undefined ? {} : { params }), ...more };
    const { payload, isError } = await server.call('comply_test_controller', args, { token: KIT_TOKEN, ...options });
    if (isError) throw new Error(`${scenario}: ${JSON.stringify(payload)}`);
    return payload as unknown as Arranged;
  };
  return {
    run,
    arrange: async (scenario, params) => {
      const answer = await run(scenario, params);
      if (!answer.success) throw new Error(`${scenario}: ${JSON.stringify(answer)}`);
      return answer;
    },
  };
}
