/** An app: a page that shows the answer of a task beside the conversation, by its URI. https://github.com/modelcontextprotocol/ext-apps */
export type AppEntry = {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The task whose answers it shows. */
  readonly task: string;
};

/** The table of apps. What `tools/list` and `resources/list` say of them to clients that show apps derives from it. */
export const APPS: readonly AppEntry[] = [
  {
    uri: 'ui://seller-agent/products',
    name: 'products',
    title: 'Products and plans',
    description: 'Cards of products, and plans with sliders that have the seller refine them; a form that buys either.',
    task: 'get_products',
  },
  {
    uri: 'ui://seller-agent/buy',
    name: 'buy',
    title: 'Order',
    description: 'What was booked, or what it waits for, and how it delivers.',
    task: 'create_media_buy',
  },
  {
    uri: 'ui://seller-agent/previews',
    name: 'previews',
    title: 'Previews of creatives',
    description: 'Creatives side by side, each with a link to its page.',
    task: 'preview_creative',
  },
  {
    uri: 'ui://seller-agent/delivery',
    name: 'delivery',
    title: 'Delivery',
    description: 'Totals, a chart over time and packages of media buys.',
    task: 'get_media_buy_delivery',
  },
];
