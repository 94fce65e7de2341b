/** Parts of a product's supply, each 0 to 1, by the value that a buyer targets: `{US: 0.8, CA: 0.2}`. */
export type Shares = Readonly<Record<string, number>>;
