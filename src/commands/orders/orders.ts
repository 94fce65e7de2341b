import { writeCsv } from '../../platform/web/csv.js';
import type { Settings } from '../../seller/config/settings.js';
import { tabulateSheets } from '../../seller/domain/booking/sheet.js';
import { readOrders, recordBooking } from '../../seller/tasks/order/orders.js';
import { readSheets } from '../../seller/tasks/order/sheets.js';
import type { CommandContext } from '../command.js';
import { asOperator } from '../operator.js';
import { plain, plainLines } from '../terminal.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the orders that a person has to book as text. */
export async function listOrders(settings: Settings, env: Environment): Promise<string> {
  const { orders } = await asOperator(settings, env, { path: '/orders' }, ({ app }) => readOrders(app));
  if (orders.length === 0) return 'Every order is booked as it is.';
  return orders
    .flatMap(({ media_buy_id, tenant, principal, advertiser, status, revision, budget, currency, ...order }) => [
      `${media_buy_id}  /${tenant}/mcp  ${principal}  ${advertiser}  ${status}  revision ${revision}  ${budget} ${currency}${order.order_id === undefined ? '' : `  order ${order.order_id}`}`,
      ...(order.trouble === undefined ? [] : [`  ${order.trouble}`]),
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

/** Records that a person has booked an order as it is now; returns that as text. */
export async function bookOrder(
  settings: Settings,
  env: Environment,
  mediaBuyId: string,
  { orderId, revision }: { readonly orderId?: string | undefined; readonly revision?: string | undefined },
): Promise<string> {
  const body = { order_id: orderId, revision: revision === undefined ? undefined : Number(revision) };
  const request = { path: `/orders/${encodeURIComponent(mediaBuyId)}`, body };
  const booked = await asOperator(settings, env, request, ({ app }) => recordBooking(app, mediaBuyId, body));
  const as = booked.order_id === undefined ? '' : ` as order ${booked.order_id}`;
  return plain(`${booked.media_buy_id} is booked at revision ${booked.revision}${as}.`);
}
