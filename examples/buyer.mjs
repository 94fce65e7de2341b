// A buyer in thirty lines: finds a product, buys it, hears of it by a signed webhook, reads what it delivers.
//   SELLER=http://127.0.0.1:3000 TOKEN=sandbox-token node examples/buyer.mjs
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createBuyerClient } from 'seller-agent/client';
import { createReceiver, openReceiverFolder, openSenderKeys } from 'seller-agent/receiver';

const { DATA = 'buyer-data', SELLER = 'http://127.0.0.1:3000', TOKEN: token = 'sandbox-token' } = process.env;
const agent = `${SELLER}/sales/mcp`;
const server = createServer().listen(0, '127.0.0.1');
await once(server, 'listening');
const webhook = { url: `http://127.0.0.1:${server.address().port}/webhooks`, operation_id: 'first-buy' };
const keys = openSenderKeys({ local: true });
const agents = [{ url: agent, jwksUri: `${SELLER}/.well-known/jwks.json` }];
const handler = (event) => server.emit('event', event);
const endpoints = [{ url: webhook.url, mode: 'rfc9421', agents }];
const receiver = createReceiver({ store: await openReceiverFolder(DATA), keys, endpoints, handler });
server.on('request', receiver.listener);
const heard = once(server, 'event');

const seller = createBuyerClient({ url: agent, token, webhook, local: true });
const { products } = await seller.getProducts({ buying_mode: 'brief', brief: 'display on news pages' });
const [product] = products.filter(({ pricing_options: [price] }) => price.fixed_price !== undefined);
const packages = [
  { product_id: product.product_id, pricing_option_id: product.pricing_options[0].pricing_option_id, budget: 50000 },
];
const order = { account: { account_id: 'acct_sandbox' }, brand: { domain: 'acme.example' }, packages };
const day = (days) => new Date(Date.now() + days * 86_400_000).toISOString();
const { media_buy_id } = await seller.createMediaBuy({ ...order, start_time: day(1), end_time: day(31) });
const [event] = await heard;
const { aggregated_totals } = await seller.getMediaBuyDelivery({ media_buy_ids: [media_buy_id] });
process.stdout.write(
  `${JSON.stringify({ media_buy_id, heard: event.kind, from: event.sender, delivered: aggregated_totals })}\n`,
);
await Promise.all([seller.close(), receiver.close(), keys.close()]);
server.close();
server.closeAllConnections();
