import { checkCallbackHost, checkCallbackUrl } from '../../../../platform/net/callback-url.js';
import type { App, Call } from '../../../context.js';
import type { ListSubscriber } from '../../../domain/governance/lists/inventory-list.js';
import { canNameLocal } from '../../pipeline/order-context.js';

/** Whether a call names an address that has to be judged; an empty one takes the address away. */
export function namesSubscriber({ webhook_url: url }: { readonly webhook_url?: string | undefined }): boolean {
  return url !== undefined && url !== '';
}

/** Returns who hears of the changes of a list, once its host is judged; it belongs before the transaction. Throws INVALID_REQUEST. */
export async function readSubscriber(
  app: App,
  call: Call,
  url: string | undefined,
): Promise<ListSubscriber | undefined> {
  if (url === undefined || url === '') return undefined;
  const local = canNameLocal(app, call);
  checkCallbackUrl(url, 'webhook_url', { local, what: 'webhook' });
  await checkCallbackHost(url, 'webhook_url', { local, what: 'webhook' }, app.renderer().outbound);
  return { url, local };
}
