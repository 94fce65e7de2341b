import { deliveryView } from './delivery/view.js';
import { Host } from './host/host.js';
import { show } from './view/dom.js';
import { notice, stage } from './view/parts.js';

const host = await Host.connect('Delivery', {
  onResult: (answer) => show(stage(), deliveryView(host, answer)),
  onCanceled: () => show(stage(), notice('The question was canceled.')),
});
