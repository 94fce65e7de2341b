import { DAY_MS } from '../../../platform/kernel/clock.js';

type PeriodRow = { readonly days: number; readonly minimumDays: number; readonly description: string };

/** Every period of the seller's retention: its days unless set, the fewest that may be set, and what it is about. */
export const PERIODS = {
  finished_buys: {
    days: 2557,
    minimumDays: 31,
    description: 'Days that a media buy is stored after it ended; books have to be shown for years.',
  },
  idempotency_keys: {
    days: 90,
    minimumDays: 1,
    description: 'Days that an idempotency key is known after its stored answer expired.',
  },
  ended_proposals: {
    days: 90,
    minimumDays: 1,
    description: 'Days that a proposal is known after its offer ended.',
  },
  finished_tasks: { days: 365, minimumDays: 31, description: 'Days that a task is listed after it was over.' },
  delivered_webhooks: {
    days: 30,
    minimumDays: 1,
    description: 'Days that a delivered webhook is listed; also those of attempts.',
  },
  dead_webhooks: {
    days: 365,
    minimumDays: 31,
    description: 'Days that a webhook that was given up can be sent again.',
  },
  logged_events: { days: 395, minimumDays: 31, description: 'Days that events of an event source are stored.' },
  reported_usage: { days: 2557, minimumDays: 31, description: 'Days that usage that a buyer reported is stored.' },
  governance_approvals: {
    days: 2557,
    minimumDays: 31,
    description: 'Days that the decisions of governance agents are stored.',
  },
  audit_entries: {
    days: 2557,
    minimumDays: 365,
    description: 'Days that it is stored what people did in the console and on the command line.',
  },
} as const satisfies Readonly<Record<string, PeriodRow>>;

/** The name of a period, as the settings file writes it with `_days` at its end. */
export type PeriodName = keyof typeof PERIODS;

/** The names of all periods. */
export const PERIOD_NAMES = Object.keys(PERIODS) as readonly PeriodName[];

/** The periods of a seller in milliseconds. */
export type SellerPeriods = Readonly<Record<PeriodName, number>>;

/** Returns the periods where some are set otherwise, in days. */
export function periodsOf(days: Partial<Readonly<Record<PeriodName, number | undefined>>> = {}): SellerPeriods {
  const periods = PERIOD_NAMES.map((name) => [name, (days[name] ?? PERIODS[name].days) * DAY_MS]);
  return Object.fromEntries(periods) as SellerPeriods;
}
