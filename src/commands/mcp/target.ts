import type { SettingsFlags } from '../../seller/config/settings.js';

/** An endpoint of MCP over HTTP, and the key that opens it. */
export type BridgeTarget = { readonly url: string; readonly key: string | undefined };

/** An endpoint that is there until it is closed. */
export type OpenTarget = { readonly target: BridgeTarget; readonly close: () => Promise<void> };

/** Whom the client talks to, and as whom. */
export type StdioFlags = SettingsFlags & {
  readonly url?: string;
  readonly key?: string;
  readonly tenant?: string;
  readonly principal?: string;
};
