import { isoTime } from '../../../platform/kernel/clock.js';
import { type Html, html } from '../../../platform/web/html.js';
import type { AttemptRecord } from '../../store/webhooks/outbox/rows.js';
import { badge, instant, table } from './pieces.js';

/** Characters of a body that are shown. */
const MAX_BODY_CHARS = 20_000;

/** Returns the attempts on an event as a table. */
export function attemptTable(attempts: readonly AttemptRecord[]): Html {
  return table({
    caption: 'Attempts, newest first',
    empty: 'It was not tried yet.',
    rows: attempts,
    columns: [
      { title: 'Attempt', cell: (one) => String(one.attempt) },
      { title: 'When', cell: (one) => instant(isoTime(one.fired_at)) },
      {
        title: 'Outcome',
        cell: (one) =>
          html`${badge(one.status, one.status === 'success' ? 'good' : 'bad')}${one.error_message !== null && html`<small>${one.error_message}</small>`}`,
      },
      {
        title: 'Status',
        isNumber: true,
        cell: (one) => (one.http_status_code === null ? '–' : String(one.http_status_code)),
      },
      {
        title: 'Took',
        isNumber: true,
        cell: (one) => (one.response_time_ms === null ? '–' : `${one.response_time_ms} ms`),
      },
      { title: 'Endpoint', cell: (one) => one.url },
    ],
  });
}

/** Returns a body as people read it. What a receiver checks the sender by is not shown. */
export function bodyText(body: string): string {
  const text = JSON.stringify(
    JSON.parse(body),
    (name, value: unknown) => (name === 'token' ? '(not shown)' : value),
    2,
  );
  return text.length > MAX_BODY_CHARS ? `${text.slice(0, MAX_BODY_CHARS)}…` : text;
}
