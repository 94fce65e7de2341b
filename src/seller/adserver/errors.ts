import type { ForeignIds } from '../domain/booking/foreign-ids.js';
import type { SettingsFault } from './port/adapter.js';

/** The ids that an order which could not be booked has in the ad server nevertheless. */
type PartlyBooked = { readonly foreign?: ForeignIds };

/** Thrown by an adapter: the ad server will never take the order as it is. `message` is for the buyer too. */
export class OrderRefusedError extends Error {
  override readonly name = 'OrderRefusedError';
  readonly foreign: ForeignIds | undefined;

  constructor(message: string, { foreign }: PartlyBooked = {}) {
    super(message);
    this.foreign = foreign;
  }
}

/** Thrown by an adapter: nothing was changed that is not in `foreign`, and the same may work later. */
export class RetryLaterError extends Error {
  override readonly name = 'RetryLaterError';
  readonly foreign: ForeignIds | undefined;
  /** The pause that the ad server asked for. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, { foreign, retryAfterMs }: PartlyBooked & { readonly retryAfterMs?: number } = {}) {
    super(message);
    this.foreign = foreign;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Thrown by an adapter, and how every error without a type is taken: nobody knows whether the ad server did it. */
export class UnknownOutcomeError extends Error {
  override readonly name = 'UnknownOutcomeError';
  readonly foreign: ForeignIds | undefined;

  constructor(message: string, { foreign }: PartlyBooked = {}) {
    super(message);
    this.foreign = foreign;
  }
}

/** Thrown by the module of an adapter: the settings of the tenant file cannot be as they are. */
export class AdServerSettingsError extends Error {
  override readonly name = 'AdServerSettingsError';
  readonly faults: readonly SettingsFault[];

  constructor(faults: readonly SettingsFault[]) {
    super(faults.map(({ field, message }) => `${field}: ${message}`).join('; '));
    this.faults = faults;
  }
}
