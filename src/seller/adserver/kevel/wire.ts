/** The names and numbers of Kevel's management API: https://dev.kevel.com/reference. */

/** What the goal of a flight counts; its amount is `Impressions` whatever it counts. */
export const GOAL_TYPE = { impressions: 1, percentage: 2, clicks: 3, lifetimeRevenue: 8 } as const;

/** What the price of a flight is for. */
export const RATE_TYPE = { flat: 1, cpm: 2, cpc: 3 } as const;

/** What a cap counts; a goal paces, a cap stops. */
export const CAP_TYPE = { impressions: 1, clicks: 2, revenue: 4 } as const;

/** The unit of a frequency cap, with the longest that it may last. */
export const FREQUENCY_UNITS = {
  minutes: { type: 3, most: 4400 },
  hours: { type: 1, most: 168 },
  days: { type: 2, most: 180 },
} as const;

/** How the ads of a flight share its impressions. */
export const DISTRIBUTION = { balanced: 1, percentage: 2 } as const;

/** The one status of a report that is published. */
export const REPORT_FINISHED = 2;

/** An object as Kevel answers it: what is not read is sent back as it came, since a PUT resets what it leaves out. */
export type KevelObject = { readonly Id: number } & Readonly<Record<string, unknown>>;

/** Members of an object that we set. */
export type Members = Readonly<Record<string, unknown>>;

/** Where a flight runs: `Id` and `LocationId` are Kevel's. */
export type GeoTarget = {
  readonly CountryCode: string;
  readonly Region?: string | undefined;
  readonly IsExclude: boolean;
};

/** A site, or one zone of it. */
export type SiteTarget = { readonly SiteId: number; readonly ZoneId?: number | undefined; readonly IsExclude: boolean };

/** Hours of days of the week. */
export type DayPart = { readonly StartTime: string; readonly EndTime: string; readonly WeekDays: readonly string[] };
