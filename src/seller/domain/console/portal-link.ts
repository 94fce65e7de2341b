/** A link by which a buyer looks at its own things. Times in ms since the epoch. */
export type PortalLink = {
  readonly link_id: string;
  /** The tenant and principal whose things are shown. */
  readonly owner: string;
  readonly created_by: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly revoked_at: number | null;
};

/** Whether a link opens the portal at a moment (ms). */
export function isOpenLink({ expires_at, revoked_at }: PortalLink, nowMs: number): boolean {
  return revoked_at === null && nowMs < expires_at;
}
