/** The state of a resource that each kind of impairment names. */
const IMPAIRMENT_STATES = {
  audience: ['suspended'],
  creative: ['suspended', 'rejected'],
  catalog_item: ['withdrawn'],
  event_source: ['insufficient'],
  property: ['depublished'],
} as const satisfies Record<string, readonly string[]>;

/** Why a resource went offline, and whether the buyer has to hear of it at once: what touches fraud, safety or consent does. */
export const IMPAIRMENT_REASONS = {
  policy_violation: { urgent: true },
  consent_expired: { urgent: true },
  ttl_expired: { urgent: false },
  pii_audit_failed: { urgent: true },
  seller_removed: { urgent: false },
  content_rejected: { urgent: true },
  identity_authorization_revoked: { urgent: true },
  identity_authorization_expired: { urgent: false },
  source_private: { urgent: false },
  source_offline: { urgent: false },
  property_depublished: { urgent: true },
} as const satisfies Record<string, { readonly urgent: boolean }>;

type ResourceType = keyof typeof IMPAIRMENT_STATES;

/** The loss of a resource that a buy needs: which, and why. */
export type ResourceLoss = {
  readonly [R in ResourceType]: {
    readonly resource_type: R;
    readonly resource_id: string;
    readonly transition: { readonly from?: string; readonly to: (typeof IMPAIRMENT_STATES)[R][number] };
    readonly reason_code: keyof typeof IMPAIRMENT_REASONS;
    readonly reason?: string | undefined;
    readonly remediation?: string;
  };
}[ResourceType];

/** One open impairment of a buy. Its id is the event's notification_id, in every emission and in the closing one. */
export type Impairment = ResourceLoss & {
  readonly impairment_id: string;
  /** At least one: what degrades no package is no impairment. */
  readonly package_ids: readonly [string, ...string[]];
  /** ISO 8601. */
  readonly observed_at: string;
};
