import { dayText } from '../../../platform/kernel/clock.js';
import { type Html, type HtmlPart, html } from '../../../platform/web/html.js';
import { humanizeDate, humanizeTimeLeft } from '../../../platform/web/humanize.js';

/** A column of a table. */
export type Column<Row> = {
  readonly title: string;
  readonly isNumber?: boolean;
  readonly cell: (row: Row) => HtmlPart;
};

/** A table: its caption for who does not see it, and what is said where there is no row. */
type Table<Row> = {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly empty: string | Html;
};

/** Returns a table that becomes a list of cards where there is no room for it. The first column names the row. */
export function table<Row>({ caption, columns, empty, rows }: Table<Row>): Html {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`;
  const [first, ...others] = columns;
  const head = columns.map(
    ({ isNumber, title }) => html`<th scope="col"${isNumber === true && html` class="number"`}>${title}</th>`,
  );
  const body = rows.map(
    (row) =>
      html`<tr><th scope="row">${first?.cell(row)}</th>${others.map(
        ({ cell, isNumber, title }) =>
          html`<td data-label="${title}"${isNumber === true && html` class="number"`}><div>${cell(row)}</div></td>`,
      )}</tr>`,
  );
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table class="stack"><caption class="unseen">${caption}</caption><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

/** Returns a list of names and values; what has no value is left out. */
export function facts(rows: readonly (readonly [name: string, value: HtmlPart])[]): Html {
  const shown = rows.filter(([, value]) => value !== undefined && value !== false && value !== '');
  return html`<dl class="facts">${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** A part of a page. */
type Card = { readonly title: string; readonly body: Html; readonly id: string; readonly aside?: HtmlPart };

/** Returns a part of a page with its heading. */
export function card({ aside, body, id, title }: Card): Html {
  return html`<section class="card" aria-labelledby="${id}"><div class="card-head"><h2 id="${id}">${title}</h2>${aside}</div>${body}</section>`;
}

/** How a state looks. */
type Tone = 'good' | 'bad' | 'wait' | 'calm';

/** The tone of every state that is shown; others are calm. */
const TONES: Readonly<Record<string, Tone>> = {
  active: 'good',
  approved: 'good',
  completed: 'calm',
  delivered: 'good',
  done: 'good',
  booked: 'good',
  rejected: 'bad',
  failed: 'bad',
  refused: 'bad',
  dead: 'bad',
  overdue: 'bad',
  timeout: 'bad',
  connection_error: 'bad',
  pending_review: 'wait',
  pending_creatives: 'wait',
  pending_start: 'wait',
  pending: 'wait',
  processing: 'wait',
  submitted: 'wait',
  'input-required': 'wait',
  paused: 'wait',
  suspended: 'bad',
  waiting: 'wait',
  begun: 'wait',
};

/** The words for states whose names are not for people. */
const WORDS: Readonly<Record<string, string>> = {
  dead: 'given up',
  dropped: 'not sent',
  'input-required': 'buyer asked',
};

/** Returns a state as a badge, in words. */
export function badge(state: string, tone: Tone = TONES[state] ?? 'calm'): Html {
  return html`<span class="badge ${tone}">${WORDS[state] ?? state.replaceAll(/[_-]/g, ' ')}</span>`;
}

/** Returns an instant (ISO 8601) as people read it. */
export function instant(iso: string): Html {
  return html`<time datetime="${iso}">${humanizeDate(Date.parse(iso))}</time>`;
}

/** Returns a day of an instant (ISO 8601). */
export function day(iso: string): Html {
  return html`<time class="day" datetime="${iso}">${dayText(Date.parse(iso))}</time>`;
}

/** Returns how long something is ago or away, with the instant itself for who points at it. */
export function relative(iso: string, nowMs: number): Html {
  const ms = Date.parse(iso) - nowMs;
  const span = humanizeTimeLeft(Math.abs(ms))
    .replace(/ left$/, '')
    .replace('less than a minute', 'under a minute');
  return html`<time datetime="${iso}" title="${humanizeDate(Date.parse(iso))}">${ms > 0 ? `in ${span}` : `${span} ago`}</time>`;
}

/** Returns a count with separators: `12,345`. */
export function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** Returns a share as a percentage without decimals. */
export function percent(share: number): string {
  // No line ends before the sign.
  return `${Math.round(share * 100)}\u00a0%`;
}

/** Returns a name with its words apart, the first with a capital. */
export function asSentence(name: string): string {
  return name.replaceAll(/[_-]/g, ' ').replace(/^./, (first) => first.toUpperCase());
}

/** Returns what an event is about, as people write it; the events of tasks carry no type. */
export function eventText(type: string | null | undefined): string {
  return asSentence(type ?? 'answer of a task');
}
