/** What the targets are asked: one workload `{ body(), accept?(answer) }` per task, the same for every target. */
import { randomUUID } from 'node:crypto';

const account = { account_id: 'acct_sandbox' };
const everyStatus = ['pending_creatives', 'pending_start', 'active', 'paused', 'completed', 'rejected', 'canceled'];

/** Flights end 90 days from now, so that no run ever books into the past. */
const endTime = new Date(Date.now() + 90 * 86_400_000).toISOString();

/** The text of one JSON-RPC request. */
function request(method, params) {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}

/** A workload that sends the same tools/call every time. */
export function toolCall(name, args) {
  const body = request('tools/call', { name, arguments: args });
  return { body: () => body };
}

/** The text of a create_media_buy call with this key. */
function createBody(key) {
  return request('tools/call', {
    name: 'create_media_buy',
    arguments: {
      idempotency_key: key,
      account,
      brand: { domain: 'acme.example' },
      start_time: 'asap',
      end_time: endTime,
      packages: [{ product_id: 'test-product', budget: 5000, pricing_option_id: 'default' }],
    },
  });
}

/** True when the answer carries the id of a media buy. */
const booked = (answer) => typeof answer.result.structuredContent?.media_buy_id === 'string';

const toolsListBody = request('tools/list', {});

/** The MCP list of tools. */
export const toolsList = { body: () => toolsListBody };

export const getCapabilities = toolCall('get_adcp_capabilities', {});
export const getProducts = toolCall('get_products', {
  buying_mode: 'brief',
  brief: 'Display on news pages for a spring campaign',
  account,
});

/** Books one media buy, then reads products, by turns: each answer is made anew, for the books have changed. */
export function productsBetweenBuys() {
  let calls = 0;
  return {
    body: () => {
      calls += 1;
      return calls % 2 === 1 ? createBody(randomUUID()) : getProducts.body();
    },
  };
}

export const listCreativeFormats = toolCall('list_creative_formats', {});
export const listAccounts = toolCall('list_accounts', {});

/** Books one media buy per call, each under a key of its own. */
export const createMediaBuy = { body: () => createBody(randomUUID()), accept: booked };

/** Books like `createMediaBuy` over A2A, by a method that sends a message. */
export function createOverA2a(method) {
  const body = () => {
    const { arguments: input, name: skill } = JSON.parse(createBody(randomUUID())).params;
    const parts = [{ kind: 'data', data: { skill, input } }];
    return request(method, { message: { kind: 'message', role: 'user', messageId: randomUUID(), parts } });
  };
  // The last event of a stream says no more than that the Task is completed.
  const accept = ({ result, text }) => result.status?.state === 'completed' && text.includes('"media_buy_id":"mb_');
  return { body, accept };
}

/** Books like `createMediaBuy` from tomorrow on, each buy with this URL for its webhooks: its confirmation is told. */
export function createWithWebhook(url) {
  const body = () => {
    const message = JSON.parse(createBody(randomUUID()));
    message.params.arguments.start_time = new Date(Date.now() + 24 * 3_600_000).toISOString();
    message.params.arguments.push_notification_config = { url };
    return JSON.stringify(message);
  };
  return { body, accept: booked };
}

/** A page of at most 50 of the account's media buys, whatever their status. `expected`: how many must be in it. */
export function getMediaBuys(expected) {
  return {
    ...toolCall('get_media_buys', { account, status_filter: everyStatus, pagination: { max_results: 50 } }),
    accept: (answer) => {
      const page = answer.result.structuredContent?.media_buys;
      return Array.isArray(page) && (expected === undefined || page.length === expected);
    },
  };
}

/**
 * Books one media buy on this connection, then answers the workload that repeats exactly that call.
 * Every repetition must answer the first one's media_buy_id. Throws when the first call fails.
 */
export async function replayOfOneCreate(connection) {
  const body = createBody(randomUUID());
  const first = await connection.call(body);
  if (!first.ok || !booked(first)) throw new Error(`the create to be replayed failed: ${first.text.slice(0, 400)}`);
  const mediaBuyId = first.result.structuredContent.media_buy_id;
  return { body: () => body, accept: (answer) => answer.result.structuredContent?.media_buy_id === mediaBuyId };
}
