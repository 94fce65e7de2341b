import { CLIENT_TASKS, createBuyerClient, TaskFailure } from 'seller-agent/client';

/** Builds a client. */
const client = createBuyerClient({ url: 'https://seller.example/sales/mcp' });
const tasks = Object.keys(CLIENT_TASKS).every((method) => typeof client[method] === 'function');
process.stdout.write(JSON.stringify({ client: typeof client.getProducts, failure: typeof TaskFailure, tasks }));
await client.close();
