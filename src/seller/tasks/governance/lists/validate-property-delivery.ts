import { z } from 'zod';
import { startPace } from '../../../../platform/kernel/event-loop.js';
import { isUrl } from '../../../../platform/net/url.js';
import type { AuthorizationStatus, DeliveryStatus } from '../../../domain/governance/lists/delivery.js';
import { accountRef, envelopeFields } from '../../pipeline/shapes.js';
import { MAX_VALUES_OF_LISTS, query } from '../../pipeline/tool.js';
import { findOwnList } from './find-list.js';
import { identifier, listId } from './list-shapes.js';

/** Most impressions of a record: those of all records of a call are a number that JSON carries exactly. */
const MAX_IMPRESSIONS = 900_000_000_000;

const record = z.strictObject({
  identifier,
  impressions: z.int().min(0).max(MAX_IMPRESSIONS),
  record_id: z.string().max(255).optional(),
  sales_agent_url: z.string().max(2048).refine(isUrl, 'is no URL').optional(),
  ext: z.looseObject({}).optional(),
});

const input = z.looseObject({
  list_id: listId,
  account: accountRef.optional(),
  records: z
    .array(record)
    .min(1)
    .max(10_000)
    .meta({ brief: true, description: '[{identifier: {type, value}, impressions, record_id, sales_agent_url}]' }),
  include_compliant: z.boolean().optional().describe('true: results name what is on the list too'),
  ...envelopeFields,
});

/** validate_property_delivery: what a property list says of each record of delivery, and whether its seller was authorized. */
export const validatePropertyDelivery = query({
  name: 'validate_property_delivery',
  title: 'Hold delivery against a property list',
  description:
    'Judges where ads were delivered, record by record, by a property list of yours; a sales_agent_url is held against the publisher’s adagents.json.',
  kinds: ['governance'],
  input,
  maxValues: MAX_VALUES_OF_LISTS,
  account: { use: 'read_buys', required: false },
  run: async ({ app, args, call, db, scope }) => {
    const { include_compliant: all = false, list_id, records } = args;
    const row = await findOwnList(db, { call, kind: 'property', scope }, list_id);
    const judge = app.inventoryLists.judgeDelivery(await db.inventoryLists.content(row.seq));
    const authority = app.sellerAuthority(call.now);
    const tally = new Tally<DeliveryStatus>(['compliant', 'non_compliant', 'not_covered', 'unidentified']);
    const sellers = new Tally<AuthorizationStatus>(['authorized', 'unauthorized', 'unknown']);
    const results: object[] = [];
    const pace = startPace();
    for (const { identifier: id, impressions, record_id, sales_agent_url: agent } of records) {
      const { features, publisher, status } = judge.judge(id);
      const authorization = agent === undefined ? undefined : authority.judge(agent, id, publisher);
      tally.add(status, impressions);
      if (authorization !== undefined) sellers.add(authorization.status, impressions);
      if (all || status !== 'compliant')
        results.push({ identifier: id, record_id, status, impressions, features, authorization });
      if (pace.isDue()) await pace.rest();
    }
    return {
      compliant: isCompliant(tally),
      list_id,
      summary: { total_records: tally.records, total_impressions: tally.impressions, ...tally.counts() },
      authorization_summary:
        sellers.records === 0
          ? undefined
          : { records_checked: sellers.records, impressions_checked: sellers.impressions, ...sellers.counts() },
      results,
      validated_at: call.now.iso,
      list_resolved_at: row.list.resolved_at,
    };
  },
});

/** Whether every record is on the list; undefined where some could not be judged, and none is known not to be. */
function isCompliant(tally: Tally<DeliveryStatus>): boolean | undefined {
  if (tally.of('non_compliant') > 0) return false;
  return tally.of('compliant') === tally.records ? true : undefined;
}

/** Counts records and their impressions by status. */
class Tally<Status extends string> {
  readonly #records: Map<Status, number>;
  readonly #impressions: Map<Status, number>;
  records = 0;
  impressions = 0;

  constructor(statuses: readonly Status[]) {
    this.#records = new Map(statuses.map((status) => [status, 0]));
    this.#impressions = new Map(this.#records);
  }

  add(status: Status, impressions: number): void {
    this.records += 1;
    this.impressions += impressions;
    this.#records.set(status, this.of(status) + 1);
    this.#impressions.set(status, (this.#impressions.get(status) ?? 0) + impressions);
  }

  /** Returns how many records have a status. */
  of(status: Status): number {
    return this.#records.get(status) ?? 0;
  }

  /** Returns the counts of every status, in the members of the wire. */
  counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(
      [...this.#records].flatMap(([status, records]) => [
        [`${status}_records`, records],
        [`${status}_impressions`, this.#impressions.get(status) ?? 0],
      ]),
    );
  }
}
