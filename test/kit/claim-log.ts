import type pg from 'pg';
import { expect } from 'vitest';

/** What a database writes down about every claim of a webhook, by itself. */
const LOG_CLAIMS = `
  CREATE TABLE claim_log (number bigserial, seq bigint, media_buy_id text, before text, after text, attempts int, was_over boolean);
  CREATE FUNCTION log_claim() RETURNS trigger LANGUAGE plpgsql AS $body$ BEGIN
    INSERT INTO claim_log (seq, media_buy_id, before, after, attempts, was_over) VALUES (new.seq, new.media_buy_id, old.claim, new.claim,
      new.attempts, old.claimed_until <= extract(epoch from clock_timestamp()) * 1000);
    RETURN NULL;
  END $body$;
  CREATE TRIGGER claim_logged AFTER UPDATE ON webhook_event FOR EACH ROW
    WHEN (old.claim IS DISTINCT FROM new.claim) EXECUTE FUNCTION log_claim();`;

/** A step of a claim: taken where there is a name after it, given back where there is none. */
type ClaimStep = {
  readonly seq: number;
  readonly media_buy_id: string | null;
  readonly before: string | null;
  readonly after: string | null;
  readonly attempts: number;
  readonly was_over: boolean | null;
};

/** How many claims there were, and how many of them took an event over from a process that had it. */
type ClaimCounts = { readonly claims: number; readonly takenOver: number };

/** Makes a seller's database write down every claim from now on. */
export async function logClaims(database: pg.Client): Promise<void> {
  await database.query(LOG_CLAIMS);
}

/**
 * Judges the log of all claims: each began when the one before it was given back or had ended, an event of a buy was claimed only when all
 * before it were tried that were not dropped for a later one, and none is left.
 */
export async function checkClaims(database: pg.Client): Promise<ClaimCounts> {
  const { rows } = await database.query<ClaimStep>('SELECT * FROM claim_log ORDER BY number');
  const untried = await eventsOfBuys(database);
  const held = new Map<number, string | null>();
  let takenOver = 0;
  for (const step of rows) {
    expect(held.get(step.seq) ?? null, `the claim of event ${step.seq}`).toBe(step.before);
    held.set(step.seq, step.after);
    if (step.before !== null && step.after !== null) {
      expect(step.was_over, `event ${step.seq} was taken away`).toBe(true);
      takenOver += 1;
    }
    checkTurn(step, untried);
  }
  expect([...held.values()].filter((claim) => claim !== null)).toEqual([]);
  return { claims: rows.filter(({ after }) => after !== null).length, takenOver };
}

/** Notes an event as tried when its first attempt is stored, and wants it to be the first of its buy until then. */
function checkTurn({ after, attempts, media_buy_id, seq }: ClaimStep, untried: ReadonlyMap<string, number[]>): void {
  const waiting = untried.get(media_buy_id ?? '') ?? [];
  if (!waiting.includes(seq)) return;
  if (after !== null) expect(waiting[0], `the turn of event ${seq} of ${media_buy_id}`).toBe(seq);
  else if (attempts > 0) waiting.splice(waiting.indexOf(seq), 1);
}

async function eventsOfBuys(database: pg.Client): Promise<ReadonlyMap<string, number[]>> {
  const { rows } = await database.query<{ media_buy_id: string; seqs: number[] }>(
    "SELECT media_buy_id, array_agg(seq ORDER BY seq) AS seqs FROM webhook_event WHERE media_buy_id IS NOT NULL AND state <> 'dropped' GROUP BY 1",
  );
  return new Map(rows.map(({ media_buy_id, seqs }) => [media_buy_id, seqs]));
}
