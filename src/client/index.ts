/** A buyer's client of sellers' agents: usable without a seller. */
export {
  type BuyerClient,
  type BuyerClientOptions,
  createBuyerClient,
  type TaskArguments,
  type Webhook,
} from './client.js';
export { TaskFailure } from './task-failure.js';
export {
  type Answer,
  CLIENT_TASKS,
  type Creative,
  type Envelope,
  type MediaBuy,
  type Package,
  type Pagination,
  type PricingOption,
  type Product,
  type ResultOf,
  type TaskMethod,
  type TaskResults,
  type Totals,
} from './tasks.js';
