import { z } from 'zod';
import { isObject } from '../../../platform/kernel/json/json.js';
import { TaskError } from '../../../protocol/errors.js';
import type { App } from '../../context.js';
import { type EntryOutcome, enterDelivery } from '../../lifecycle/deliveries.js';

/** So many rows of delivery are entered in one request. */
export const MAX_ENTRIES = 200;

const count = z.int().min(0).max(1e12);
const name = z.string().min(1).max(255);

const entry = z.strictObject({
  package_id: name.optional(),
  line_id: name.optional(),
  order_id: name.optional(),
  date: z.iso.date(),
  creative_id: z.string().max(255).default(''),
  impressions: count,
  spend: z.number().min(0).max(1e9).multipleOf(0.01).optional(),
  currency: name.optional(),
  clicks: count.optional(),
  views: count.optional(),
  completed_views: count.optional(),
  conversions: count.optional(),
  vendor_metrics: z.string().min(1).max(4000).optional(),
});

/** The columns of entered delivery, those of numbers apart; what cannot be read is refused row by row. */
export const ENTRY_NUMBERS = ['impressions', 'spend', 'clicks', 'views', 'completed_views', 'conversions'] as const;
export const ENTRY_COLUMNS = Object.keys(entry.shape) as readonly (keyof z.input<typeof entry>)[];

/** Enters rows of delivery, or with `dry_run` none of them; answers what became of each, in order. Throws INVALID_REQUEST for a body without rows. */
export async function recordDelivery(app: App, body: unknown): Promise<{ readonly rows: readonly EntryOutcome[] }> {
  const { rows, dry_run }: Readonly<Record<string, unknown>> = isObject(body) ? body : {};
  if (!Array.isArray(rows) || rows.length > MAX_ENTRIES) {
    throw new TaskError('INVALID_REQUEST', `Send {"rows": […]} with at most ${MAX_ENTRIES} rows.`, { field: 'rows' });
  }
  const read = rows.map(readEntry);
  const entries = read.flatMap((row) => ('why' in row ? [] : [row.entry]));
  const outcomes = (await enterDelivery(app, entries, dry_run === true)).values();
  return { rows: read.map((row) => ('why' in row ? row : (outcomes.next().value ?? NO_OUTCOME))) };
}

const NO_OUTCOME: EntryOutcome = { action: 'refused', why: 'it was not looked at. Send it again' };

type ReadRow = { readonly entry: z.output<typeof entry> } | (EntryOutcome & { readonly why: string });

function readEntry(row: unknown): ReadRow {
  const refused = (why: string): ReadRow => ({ action: 'refused', why });
  const parsed = entry.safeParse(row);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return refused(`${issue?.path.join('.') || 'the row'}: ${issue?.message}. Columns: ${ENTRY_COLUMNS.join(', ')}`);
  }
  const { line_id, order_id, package_id } = parsed.data;
  if ((package_id ?? line_id ?? order_id) === undefined)
    return refused('package_id, or line_id or order_id of the ad server, is needed');
  return { entry: parsed.data };
}
