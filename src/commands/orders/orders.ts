import { secondText } from '../../platform/kernel/clock.js';
import { writeCsv } from '../../platform/web/csv.js';
import type { Settings } from '../../seller/config/settings.js';
import { tabulateSheets } from '../../seller/domain/booking/sheet.js';
import { recordIds } from '../../seller/tasks/order/ids.js';
import { readOrders, recordBooking } from '../../seller/tasks/order/orders.js';
import { readSheets } from '../../seller/tasks/order/sheets.js';
import type { CommandContext } from '../command.js';
import { asOperator, OperatorError } from '../operator.js';
import { plain, plainLines } from '../terminal.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the orders that a person has to book as text. */
export async function listOrders(settings: Settings, env: Environment): Promise<string> {
  const { orders } = await asOperator(settings, env, { path: '/orders' }, ({ app }) => readOrders(app));
  if (orders.length === 0) return 'Every order is booked as it is.';
  return orders
    .flatMap(({ media_buy_id, tenant, principal, advertiser, status, revision, budget, currency, ...order }) => [
      `${media_buy_id}  /${tenant}/mcp  ${principal}  ${advertiser}  ${status}  revision ${revision}  ${budget} ${currency}${order.order_id === undefined ? '' : `  order ${order.order_id}`}`,
      ...(order.waiting_since === undefined ? [] : [`  waits since ${secondText(order.waiting_since)}`]),
      ...[order.trouble, order.todo].flatMap((line) => (line === undefined ? [] : [`  ${line}`])),
      ...order.packages.map((line) => `  ${line}`),
      ...order.creatives.map((line) => `  ${line}`),
      ...order.changes.map((line) => `  ${line}`),
    ])
    .map(plain)
    .join('\n');
}

/** Returns the trafficking sheet of an order, or without an id those of the orders that wait, as CSV or JSON. */
export async function writeSheets(
  settings: Settings,
  { env, err }: Pick<CommandContext, 'env' | 'err'>,
  mediaBuyId: string | undefined,
  { json = false }: { readonly json?: boolean | undefined },
): Promise<string> {
  const path = mediaBuyId === undefined ? '/sheets' : `/sheets/${encodeURIComponent(mediaBuyId)}`;
  const read = await asOperator(settings, env, { path }, ({ app }) => readSheets(app, mediaBuyId));
  if (read.more) err('Not all sheets fit: book these orders first, or name an order.');
  if (json) return plainLines(JSON.stringify(read, undefined, 2));
  return writeCsv(tabulateSheets(read.sheets)).trimEnd();
}

/** The flags of a booking that a person made. */
type BookedFlags = {
  readonly lines?: string | undefined;
  readonly orderId?: string | undefined;
  readonly revision?: string | undefined;
};

/** Records the ids of an order's packages in the ad server; returns them as text. */
export async function enterIds(
  settings: Settings,
  env: Environment,
  mediaBuyId: string,
  { deals, lines }: { readonly deals?: string | undefined; readonly lines?: string | undefined },
): Promise<string> {
  const body = { lines: readIdPairs(lines), deals: readIdPairs(deals) };
  const request = { path: `/orders/${encodeURIComponent(mediaBuyId)}/ids`, body };
  const entered = await asOperator(settings, env, request, ({ app }) => recordIds(app, mediaBuyId, body));
  const sentences = [
    ...Object.entries(entered.lines).map(([line, id]) => `${line} is line ${id}.`),
    ...Object.entries(entered.deals).map(([key, id]) => `${key} is deal ${id}.`),
  ];
  return sentences.length === 0 ? 'Nothing of it has an id in the ad server.' : sentences.map(plain).join('\n');
}

const MAX_PAIRS_CHARS = 100_000;

/** Reads `pkg_1=4711,pkg_2=4712`. Throws OperatorError for what it cannot be. */
function readIdPairs(text: string | undefined): Readonly<Record<string, string>> | undefined {
  if (text === undefined) return undefined;
  const pairs = text
    .slice(0, MAX_PAIRS_CHARS)
    .split(',')
    .map((pair) => pair.trim());
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new OperatorError(`"${pair}" names nothing. Write "pkg_1=4711,pkg_2=4712".`);
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    }),
  );
}

/** Records that a person has booked an order as it is now; returns that as text. */
export async function bookOrder(
  settings: Settings,
  env: Environment,
  mediaBuyId: string,
  { lines, orderId, revision }: BookedFlags,
): Promise<string> {
  const body = {
    order_id: orderId,
    revision: revision === undefined ? undefined : Number(revision),
    lines: readIdPairs(lines),
  };
  const request = { path: `/orders/${encodeURIComponent(mediaBuyId)}`, body };
  const booked = await asOperator(settings, env, request, ({ app }) => recordBooking(app, mediaBuyId, body));
  const as = booked.order_id === undefined ? '' : ` as order ${booked.order_id}`;
  const todo = booked.todo === undefined ? '' : ` ${booked.todo}`;
  return plain(`${booked.media_buy_id} is booked at revision ${booked.revision}${as}.${todo}`);
}
