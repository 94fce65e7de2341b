import type { Host } from '../host/host.js';
import type { ToolAnswer } from '../host/messages.js';
import { el } from '../view/dom.js';
import { badge } from '../view/parts.js';
import { day, money, plain } from '../view/words.js';

/** A media buy, or the task of one that waits, as create_media_buy answers it. */
type Booked = {
  readonly status?: string;
  readonly media_buy_id?: string;
  readonly task_id?: string;
  readonly message?: string;
  readonly currency?: string;
  readonly total_budget?: number;
  readonly start_time?: string;
  readonly end_time?: string;
};

/** Returns what became of an order. */
export function receipt(_host: Host, { structuredContent = {} }: ToolAnswer): HTMLElement {
  const booked = structuredContent as Booked;
  const waits = booked.media_buy_id === undefined;
  return el(
    'section',
    { class: 'receipt' },
    el(
      'div',
      { class: 'row' },
      badge(plain(booked.status), waits ? 'wait' : 'good'),
      el('code', {}, booked.media_buy_id ?? booked.task_id),
    ),
    booked.total_budget === undefined
      ? undefined
      : el('p', { class: 'figure' }, money(booked.total_budget, booked.currency)),
    booked.end_time === undefined
      ? undefined
      : el('p', { class: 'lead' }, `${day(booked.start_time)} to ${day(booked.end_time)}`),
    booked.message === undefined ? undefined : el('p', { class: 'lead' }, booked.message),
  );
}
