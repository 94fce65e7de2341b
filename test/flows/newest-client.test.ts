import { expect, it } from 'vitest';
import { freshKey, SANDBOX_ACCOUNT } from '../kit/buyer.js';
import { makeCreative, type Option } from '../kit/canonical-creative.js';
import { newestClient, overA2a, overMcp } from '../kit/newest-client.js';
import { operatorOf } from '../kit/operator.js';
import { startServe } from '../kit/process.js';
import { type Receiver, startReceiver } from '../kit/receiver.js';
import { HIGH_LTV, TRADE_DESK } from '../kit/signals.js';
import { temporaryFolder } from '../kit/surroundings.js';
import { SHIPPED, shippedTenant, writeTenant } from '../kit/tenants.js';

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
type Any = any;

const DAY = 86_400_000;
const ACCOUNT = { account_id: SANDBOX_ACCOUNT };
const BRAND = { domain: 'acme-outdoor.example' };
const NATIVE = 'northlight_native_stories';

/** The shipped tenants, of which the seller has a person look at every order. */
function tenants(): string {
  const folder = temporaryFolder();
  for (const name of SHIPPED) {
    const approvals = name === 'sales' ? { approvals: [{ tasks: ['create_media_buy'] }] } : {};
    writeTenant(folder, { ...shippedTenant(name), ...approvals }, name);
  }
  return folder;
}

/** Waits for a POST about something, and returns its body. */
async function hear(receiver: Receiver, fits: (json: Any) => boolean): Promise<Any> {
  const find = () => receiver.posts.find(({ json }) => fits(json))?.json;
  await expect.poll(find, { timeout: 30_000 }).toBeDefined();
  return find();
}

it.each([
  ['MCP', overMcp],
  ['A2A', overA2a],
] as const)(
  'a client that reads the shapes of 3.1 alone goes from products to a canceled buy over %s',
  async (_name, wire) => {
    const receiver = await startReceiver();
    const server = await startServe({ args: ['--tenants', tenants()] });
    const operator = operatorOf(server);
    const client = newestClient(wire(server.baseUrl), 'sandbox-token');
    const call = (task: string, args: object, tenant?: string): Promise<Any> =>
      client.call(task, /^(get|list)_/.test(task) ? args : { idempotency_key: freshKey(), ...args }, tenant);
    const advance = (advance_ms: number) =>
      operator.post('/clock', { advance_ms, tenant: 'sales', principal: 'sandbox' });

    // Discovery, and a proposal that is held.
    const brief = 'video on sports in the US, 20000 USD for the next 30 days';
    const found = await call('get_products', { buying_mode: 'brief', brief, account: ACCOUNT, brand: BRAND });
    const whole = await call('get_products', { buying_mode: 'wholesale', account: ACCOUNT });
    const optionsOf = (id: string): readonly Option[] =>
      whole.products.find(({ product_id }: Any) => product_id === id).format_options;
    expect(whole.products.every(({ format_options }: Any) => format_options.length > 0)).toBe(true);
    let [proposal] = found.proposals;
    if (proposal.proposal_status === 'draft') {
      const refine = [{ scope: 'proposal', proposal_id: proposal.proposal_id, action: 'finalize' }];
      [proposal] = (await call('get_products', { buying_mode: 'refine', account: ACCOUNT, refine })).proposals;
    }

    // The buy: a person decides, and the task's webhook says what came of it.
    const submitted = await call('create_media_buy', {
      account: ACCOUNT,
      brand: BRAND,
      start_time: 'asap',
      end_time: new Date(Date.now() + 30 * DAY).toISOString(),
      proposal_id: proposal.proposal_id,
      total_budget: { amount: 20_000, currency: 'USD' },
      push_notification_config: { url: `${receiver.url}/hooks`, operation_id: 'op-buy' },
      reporting_webhook: { url: `${receiver.url}/reports`, reporting_frequency: 'daily' },
    });
    expect(submitted).toMatchObject({ status: 'submitted', task_id: expect.any(String) });
    await operator.post(`/approvals/${submitted.task_id}`, { decision: 'approve' });
    const told = await hear(receiver, ({ task_id, status }) => task_id === submitted.task_id && status === 'completed');
    const bought = client.read(told.result);
    expect(bought).toMatchObject({
      media_buy_status: expect.stringMatching(/^(active|pending_creatives|pending_start)$/),
      revision: 1,
    });
    const { media_buy_id } = bought;
    const asked = await call('get_task_status', { task_id: submitted.task_id, include_result: true });
    expect(asked.result.media_buy_id).toBe(media_buy_id);

    // An update brings a package of a native format.
    const native = whole.products.find(({ product_id }: Any) => product_id === NATIVE);
    const option = optionsOf(NATIVE).find(({ format_option_id }) => format_option_id === 'native_in_feed') as Option;
    const price = native.pricing_options.find(({ currency }: Any) => currency === 'USD');
    const changed = await call('update_media_buy', {
      account: ACCOUNT,
      media_buy_id,
      revision: bought.revision,
      new_packages: [
        {
          product_id: NATIVE,
          pricing_option_id: price.pricing_option_id,
          budget: 9000,
          ...(price.fixed_price === undefined ? { bid_price: price.floor_price * 2 } : {}),
          format_option_refs: [{ scope: 'product', format_option_id: option.format_option_id }],
        },
      ],
    });
    expect(changed).toMatchObject({ status: 'completed', revision: 2, media_buy_status: expect.any(String) });

    // Creatives in canonical terms alone, the native one with all that its format requires.
    const read = async (): Promise<Any> =>
      (await call('get_media_buys', { account: ACCOUNT, media_buy_ids: [media_buy_id] })).media_buys[0];
    const { packages } = await read();
    const made = packages.map(({ package_id, product_id }: Any, index: number) => {
      const own = product_id === NATIVE ? option : (optionsOf(product_id)[0] as Option);
      const format_option_ref = { scope: 'product', format_option_id: own.format_option_id };
      return { package_id, creative: { ...makeCreative(`made_${index}`, own), format_option_ref } };
    });
    expect(made.map(({ creative }: Any) => creative.format_kind)).toContain(option.format_kind);
    const synced = await call('sync_creatives', {
      account: ACCOUNT,
      creatives: made.map(({ creative }: Any) => creative),
      assignments: made.map(({ package_id, creative }: Any) => ({ package_id, creative_id: creative.creative_id })),
    });
    expect(synced.creatives.map(({ action }: Any) => action)).not.toContain('failed');

    // Signals, at their own agent.
    const { signals } = await call('get_signals', { signal_spec: 'in-market car buyers' }, 'signals');
    expect(signals.length).toBeGreaterThan(0);
    const activated = await call('activate_signal', { ...HIGH_LTV, destinations: [TRADE_DESK] }, 'signals');
    expect(activated.deployments).toHaveLength(1);

    // Delivery, and its report.
    await advance(DAY);
    for (const { kind, id } of await operator.waiting())
      if (kind === 'creative') await operator.post(`/approvals/${id}`, { decision: 'approve' });
    await advance(3 * DAY);
    const { media_buy_deliveries } = await call('get_media_buy_delivery', {
      account: ACCOUNT,
      media_buy_ids: [media_buy_id],
    });
    expect(media_buy_deliveries[0].totals.impressions).toBeGreaterThan(0);
    const report = await hear(
      receiver,
      ({ notification_type, result }) => (notification_type ?? result?.notification_type) === 'scheduled',
    );
    expect(JSON.stringify(report)).toContain(media_buy_id);

    // And its end.
    const { revision } = await read();
    const ended = await call('update_media_buy', { account: ACCOUNT, media_buy_id, revision, canceled: true });
    expect(ended).toMatchObject({ status: 'completed', media_buy_status: 'canceled' });
  },
);
