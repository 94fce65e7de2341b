/** What a seller's people can be alerted of. */
export const ALERT_KINDS = [
  'approval_waiting',
  'order_waiting',
  'order_refused',
  'order_drifted',
  'delivery_failing',
  'endpoint_failing',
  'edit_rejected',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** How an alert goes out. */
export type AlertChannel = 'webhook' | 'email';

/** Where alerts are posted. The address of a chat tool is a secret, as whoever has it may post there. */
export type AlertWebhook = {
  readonly url: string;
  /** The shared secret of HMAC-SHA256; signed with the seller's published key unless set. */
  readonly secret?: string | undefined;
};

/** The mail server that alerts go to, and who gets them. The password is a secret. */
export type AlertMail = {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte on; otherwise by STARTTLS, which is demanded unless the host is near. */
  readonly isSecure: boolean;
  readonly isNear: boolean;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly from: string;
  readonly to: readonly string[];
};

/** A tenant's settings of alerts: about what, how, and how often of the same. */
export type AlertSettings = {
  readonly about: readonly AlertKind[];
  readonly repeatMs: number;
  /** Whether what sandbox principals do counts too. */
  readonly sandboxes: boolean;
  readonly webhook?: AlertWebhook | undefined;
  readonly email?: AlertMail | undefined;
};

/** Something that people are to know of, for as long as it holds. */
export type AlertCondition = {
  readonly kind: AlertKind;
  /** The id of what it is about; with the kind it is one thing. */
  readonly subject: string;
  /** One line for people, in words that a buyer may have chosen. */
  readonly says: string;
  /** Where somebody can act on it. */
  readonly link?: string | undefined;
};

/**
 * The stored state of one condition on one channel: when its people were alerted, and when they are to be. Times in ms
 * since the epoch.
 */
export type Alert = Pick<AlertCondition, 'kind' | 'subject'> & {
  readonly tenant: string;
  readonly channel: AlertChannel;
  /** Another one each time that it is sent. */
  readonly event_id: string;
  readonly told_at: number | null;
  /** When it is sent, or tried again; null where nothing is to be sent. */
  readonly next_at: number | null;
  readonly attempts: number;
  readonly expires_at: number;
};
