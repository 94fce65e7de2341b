/** A tool's answer as the host hands it on: its structured content, and whether it is an error. */
export type ToolAnswer = {
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
};

/** A message of JSON-RPC, as it comes from the host. */
export type Message = {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: { readonly message?: string };
};

/** Whether what came is a message of JSON-RPC. */
export function isMessage(data: unknown): data is Message {
  return typeof data === 'object' && data !== null && 'jsonrpc' in data && data.jsonrpc === '2.0';
}
