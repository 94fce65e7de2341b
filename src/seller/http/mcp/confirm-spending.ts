import { canonicalHashInSlices } from '../../../platform/kernel/canonical.js';
import { isObject } from '../../../platform/kernel/json/json.js';
import type { ClientSide } from '../../../platform/mcp/methods.js';
import type { Payload } from '../../../protocol/envelope.js';
import { TaskError } from '../../../protocol/errors.js';
import type { App, Caller } from '../../context.js';
import type { Seller } from '../../domain/tenant/seller.js';
import { findTool } from '../../tasks/index.js';
import { rehearseTask } from '../../tasks/pipeline/pipeline.js';
import { addressee, answerFailure, ownerOf } from '../../tasks/pipeline/receive.js';
import type { Mutation } from '../../tasks/pipeline/tool.js';
import type { Limits } from '../limits.js';
import { callResult, finishCall } from './call-tool.js';
import { unitPrice } from './summary/outcomes.js';
import { amountText, dayText, type Facts, idText, joined, listOf, quoted } from './summary/words.js';

/** The task that a person is asked about before it is carried out. */
const ASKED = 'create_media_buy';

/** The key of the question, and the member of its form. */
const CONFIRM = 'confirm';

type Result = Readonly<Record<string, unknown>>;

/** A call whose client can ask a person. */
type Asking = { readonly caller: Caller; readonly params: unknown; readonly client: ClientSide };

/**
 * Returns what stands before an order: the question for the client's person, or the refusal of an order that they did not allow. Nothing
 * where they allowed just this, where the client can ask nobody, or the call is no order that could be booked.
 */
export async function confirmSpending(
  app: App,
  limits: Limits,
  { caller, client, params }: Asking,
): Promise<Result | undefined> {
  const { name, arguments: args } = isObject(params) ? params : {};
  if (!client.canAsk || name !== ASKED || !isObject(args)) return undefined;
  const tool = findTool(caller.seller, ASKED, caller.principal);
  if (tool?.kind !== 'mutation') return undefined;
  const answer = client.answers === undefined ? undefined : client.answers[CONFIRM];
  if (isObject(answer) && !isAllowed(answer)) return notAllowed(app, caller, args);
  const message = await describeOrder(app, limits, tool, caller, args);
  if (message === undefined) return undefined;
  // Only what was shown was allowed: other arguments or another price are asked about anew.
  const state = await canonicalHashInSlices({ args, message });
  return isObject(answer) && client.state === state ? undefined : question(message, state);
}

function isAllowed({ action, content }: Readonly<Record<string, unknown>>): boolean {
  return action === 'accept' && isObject(content) && content[CONFIRM] === true;
}

/** Returns the result by which the newest revision asks. https://modelcontextprotocol.io/specification */
function question(message: string, requestState: string): Result {
  const requestedSchema = {
    type: 'object',
    properties: { [CONFIRM]: { type: 'boolean', title: 'Buy this', default: false } },
    required: [CONFIRM],
  };
  const params = { mode: 'form', message, requestedSchema };
  return {
    resultType: 'input_required',
    inputRequests: { [CONFIRM]: { method: 'elicitation/create', params } },
    requestState,
  };
}

/** Returns an order in words, tried and undone; undefined for one that is refused, or done already: the call itself says so. */
async function describeOrder(
  app: App,
  limits: Limits,
  tool: Mutation,
  caller: Caller,
  args: Payload,
): Promise<string | undefined> {
  try {
    if (caller.principal !== undefined) await limits.take(ownerOf(caller), caller.principal, 'writes');
    const { idempotency_key: key } = args;
    if (typeof key !== 'string' || (await app.store.read.keys.find(ownerOf(caller), key)) !== undefined)
      return undefined;
    const { order, seller } = await rehearseTask(app, tool, caller, args);
    return orderText(order, seller, caller.principal?.sandbox === true);
  } catch {
    return undefined;
  }
}

/** Most packages that have a line of their own. */
const MAX_ROWS = 10;

function orderText(order: Facts, { products, tenant }: Seller, isSandbox: boolean): string {
  const packages = listOf(order, 'packages');
  const total = packages.reduce((sum, { budget }) => sum + (typeof budget === 'number' ? budget : 0), 0);
  const rest = packages.length - MAX_ROWS;
  return [
    `Buy from ${quoted(tenant.name)}?`,
    ...packages.slice(0, MAX_ROWS).map(({ budget, pricing_option_id, product_id }) => {
      const product = typeof product_id === 'string' ? products.get(product_id) : undefined;
      const option: Facts | undefined = product?.pricing_options.find(
        (one) => one.pricing_option_id === pricing_option_id,
      );
      const price = option === undefined ? '' : priceOf(option);
      return `- ${joined([`${quoted(product?.name)} (${idText(product_id)})`, price, amountText(budget, order.currency)])}`;
    }),
    ...(rest > 0 ? [`- and ${rest} more packages`] : []),
    `Total: ${amountText(total, order.currency)}, ${dayText(order.start_time)} to ${dayText(order.end_time)}.`,
    ...(isSandbox ? ['This is the sandbox: nothing is charged.'] : []),
  ].join('\n');
}

function priceOf({ currency, fixed_price, floor_price, pricing_model }: Facts): string {
  const fixed = unitPrice(fixed_price, currency, pricing_model);
  const floor = unitPrice(floor_price, currency, pricing_model);
  return fixed === '' && floor !== '' ? `bids from ${floor}` : fixed;
}

function notAllowed(app: App, caller: Caller, args: Payload): Result {
  const startedMs = app.calls.begin();
  const error = new TaskError('PERMISSION_DENIED', 'Whoever was asked did not allow this order. Nothing was bought.', {
    suggestion: 'Ask what should be different, and order that with a fresh idempotency_key.',
  });
  const answer = answerFailure({ app, caller, to: addressee(caller, args) }, error);
  app.calls.record(finishCall(caller, { task: ASKED, args, answer }), startedMs);
  return callResult(answer);
}
