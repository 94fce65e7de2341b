import { Host } from './host/host.js';
import { receipt } from './order/receipt.js';
import { el, show } from './view/dom.js';
import { failureOf, notice, stage } from './view/parts.js';

const host = await Host.connect('Order', {
  onResult: (answer) => {
    if (answer.isError === true) {
      show(stage(), notice('Nothing was bought', failureOf(answer)));
      return;
    }
    const isBooked = answer.structuredContent?.media_buy_id !== undefined;
    const title = isBooked ? 'Booked' : 'Waiting for the seller';
    show(stage(), el('header', { class: 'top' }, el('h1', {}, title)), receipt(host, answer));
  },
  onCanceled: () => show(stage(), notice('The order was canceled.')),
});
