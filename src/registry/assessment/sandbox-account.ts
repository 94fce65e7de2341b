/** A sandbox account in which changes may be tried: by its id, or by its brand and operator. */
export type SandboxAccount =
  | { readonly account_id: string }
  | { readonly brand: { readonly domain: string }; readonly operator: string; readonly sandbox: true };
