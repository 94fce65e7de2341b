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
    description: 'Cards of products with a form that buys them.',
    task: 'get_products',
  },
];
