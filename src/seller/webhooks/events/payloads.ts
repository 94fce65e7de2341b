import type { TaskUpdate } from '../../../protocol/webhook-envelope.js';
import type { AccountEvent } from '../../domain/account/subscriber.js';
import type { Impairment } from '../../domain/media-buy/impairment.js';
import type { MediaBuyStatus } from '../../domain/media-buy/media-buy.js';

/** Kinds of delivery reports: on cadence, the last, late data announced, numbers corrected. */
export const REPORT_TYPES = ['scheduled', 'final', 'delayed', 'adjusted'] as const;

/** The kind of a delivery report. */
export type ReportType = (typeof REPORT_TYPES)[number];

/** The kinds of events that name themselves to their receiver; plain task events do not. */
export type NotificationType = ReportType | 'impairment' | AccountEvent | ListEvent;

/** The delivery in the period; `spend` in the report's currency. */
type ReportTotals = {
  readonly impressions: number;
  readonly spend: number;
  readonly clicks?: number;
} & Readonly<Record<string, unknown>>;

/** A buy's row in a report. A row whose numbers are late says `reporting_delayed`, and when they are expected. */
export type ReportRow = {
  readonly media_buy_id: string;
  readonly status: MediaBuyStatus | 'reporting_delayed';
  /** Zeros where there are no numbers. */
  readonly totals?: ReportTotals;
  readonly by_package?: readonly ({ readonly package_id: string; readonly spend: number } & Readonly<
    Record<string, unknown>
  >)[];
  /** ISO 8601, with `reporting_delayed`. */
  readonly expected_availability?: string;
  /** In a final report, and of each of its packages too. */
  readonly is_final?: boolean;
  /** ISO 8601, with `is_final`. */
  readonly finalized_at?: string;
};

/** One delivery report. Instants are ISO 8601 in UTC. */
export type Report = {
  readonly type: ReportType;
  /** From 1 in its stream (`OutboxWriter.nextSequence`). */
  readonly sequence: number;
  readonly period: { readonly start: string; readonly end: string };
  /** ISO 4217. */
  readonly currency: string;
  readonly rows: readonly ReportRow[];
  /** When the next report is due; a final one has no next. */
  readonly nextExpectedAt?: string;
  readonly sandbox?: boolean;
  readonly ext?: object | undefined;
};

/**
 * Returns the `result` of a delivery report. It has every member that the schemas require, with zeros and empty lists where there is
 * nothing to report; `aggregated_totals` belongs to the API alone and is never in a report.
 */
export function reportResult(report: Report): Readonly<Record<string, unknown>> {
  const late = report.rows.filter((row) => row.status === 'reporting_delayed').length;
  return {
    notification_type: report.type,
    sequence_number: report.sequence,
    reporting_period: report.period,
    currency: report.currency,
    partial_data: late === 0 ? undefined : true,
    unavailable_count: late === 0 ? undefined : late,
    next_expected_at: report.type === 'final' ? undefined : report.nextExpectedAt,
    media_buy_deliveries: report.rows.map((row) => reportRow(row, report)),
    sandbox: report.sandbox,
    ext: report.ext,
  };
}

function reportRow(row: ReportRow, { type }: Report): Readonly<Record<string, unknown>> {
  const { media_buy_id, status, totals = { impressions: 0, spend: 0 }, by_package = [] } = row;
  const { expected_availability, is_final, finalized_at } = row;
  return {
    media_buy_id,
    status,
    expected_availability,
    is_adjusted: type === 'adjusted' ? true : undefined,
    is_final,
    finalized_at,
    totals,
    by_package,
  };
}

/** Returns the update of a delivery report for its envelope. The stream of a buy's reports is a task that goes on as long as the buy. */
export function reportUpdate(mediaBuyId: string, report: Report, timestamp: string): TaskUpdate {
  return {
    taskId: mediaBuyId,
    taskType: 'media_buy_delivery',
    status: 'completed',
    timestamp,
    result: reportResult(report),
  };
}

/** The `result` of an impairment event: the buy's revision and health with the impairment or, once resolved, without it. */
export type ImpairmentResult = {
  readonly notification_type: 'impairment';
  readonly media_buy_id: string;
  readonly revision: number;
  readonly health: 'ok' | 'impaired';
  readonly impairment: Impairment;
  readonly resolved: boolean;
};

/** Returns the update of an impairment event. */
export function impairmentUpdate(
  mediaBuyId: string,
  impairment: Impairment,
  { revision, health, resolved }: Pick<ImpairmentResult, 'revision' | 'health' | 'resolved'>,
  timestamp: string,
): TaskUpdate {
  const result: ImpairmentResult = {
    notification_type: 'impairment',
    media_buy_id: mediaBuyId,
    revision,
    health,
    impairment,
    resolved,
  };
  return {
    taskId: mediaBuyId,
    taskType: 'create_media_buy',
    status: 'completed',
    timestamp,
    notificationId: impairment.impairment_id,
    result,
  };
}

/** A list whose resolved content changed; a summary, the list itself is read by its task. */
type ListChange = {
  readonly list_id: string;
  readonly list_name?: string;
  readonly added?: number;
  readonly removed?: number;
  readonly total?: number;
  /** ISO 8601. */
  readonly resolved_at: string;
  readonly cache_valid_until?: string;
};

const LISTS = { collection_list_changed: 'collections', property_list_changed: 'properties' } as const;

/** The kinds of events of lists. */
type ListEvent = keyof typeof LISTS;

/** Returns the body of a list-change webhook. It is signed by its headers; the member that the schema demands says so. */
export function listChangeBody(key: string, event: keyof typeof LISTS, change: ListChange): object {
  const { list_id, list_name, added, removed, total, resolved_at, cache_valid_until } = change;
  const noun = LISTS[event];
  const counts = Object.entries({
    [`${noun}_added`]: added,
    [`${noun}_removed`]: removed,
    [`total_${noun}`]: total,
  }).filter(([, count]) => count !== undefined);
  return {
    idempotency_key: key,
    event,
    list_id,
    list_name,
    change_summary: counts.length === 0 ? undefined : Object.fromEntries(counts),
    resolved_at,
    cache_valid_until,
    signature: 'rfc9421',
  };
}

/** A batch of content that a buy's ads ran beside. Instants are ISO 8601. */
type ArtifactBatch = {
  readonly media_buy_id: string;
  /** Does not change when the batch is emitted again. */
  readonly batch_id: string;
  readonly timestamp: string;
  readonly artifacts: readonly {
    readonly artifact: object;
    readonly delivered_at: string;
    readonly impression_id?: string;
    readonly package_id?: string;
  }[];
  readonly pagination?: {
    readonly total_artifacts?: number;
    readonly batch_number?: number;
    readonly total_batches?: number;
  };
};

/** Returns the body of an artifact push. */
export function artifactBody(key: string, batch: ArtifactBatch): object {
  return { idempotency_key: key, ...batch };
}

/** Rights that end, wholly or for some uses. `effective_at` is ISO 8601. */
export type Revocation = {
  readonly rights_id: string;
  readonly brand_id: string;
  readonly reason: string;
  readonly effective_at: string;
  readonly revoked_uses?: readonly [string, ...string[]] | undefined;
  readonly context?: object | undefined;
};

/** Returns the body of a revocation notification. */
export function revocationBody(key: string, revocation: Revocation): object {
  return { idempotency_key: key, ...revocation };
}
