import { askForDelivery, deliveryView } from '../delivery/view.js';
import type { Host } from '../host/host.js';
import type { ToolAnswer } from '../host/messages.js';
import { button, el, show } from '../view/dom.js';
import { badge, failureOf, remark } from '../view/parts.js';
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
  readonly io_acceptance?: { readonly io_id: string; readonly signatory: string };
  readonly packages?: readonly { readonly product_id?: string; readonly budget?: number }[];
};

/** Returns what became of an order: what was booked and how it delivers, or what it waits for. */
export function receipt(host: Host, answer: ToolAnswer): HTMLElement {
  const section = el('section', { class: 'receipt', 'aria-label': 'Order' });
  drawReceipt(section, host, (answer.structuredContent ?? {}) as Booked);
  return section;
}

/** Returns what a task waits for, the message's first sentence; how it is asked about is the button's to do. */
function firstSentence(message: string): string {
  return message.split(/(?<=\.)\s/, 1)[0] ?? message;
}

function drawReceipt(section: HTMLElement, host: Host, booked: Booked): void {
  const {
    currency,
    end_time,
    io_acceptance: accepted,
    media_buy_id,
    message,
    packages = [],
    start_time,
    status,
    task_id,
    total_budget,
  } = booked;
  const waits = media_buy_id === undefined;
  const note = remark();
  const more = el('div', {});
  const follow = waits
    ? button('Check again', { class: 'ask' }, () => void checkTask(section, host, task_id, note))
    : button('Show delivery', { class: 'ask' }, () => {
        void askForDelivery(host, [media_buy_id])
          .then((answer) => {
            follow.hidden = true;
            show(more, deliveryView(host, answer, [media_buy_id]));
          })
          .catch((error: Error) => show(note, error.message));
      });
  show(
    section,
    el('div', { class: 'row' }, badge(plain(status), waits ? 'wait' : 'good'), el('code', {}, media_buy_id ?? task_id)),
    total_budget === undefined ? undefined : el('p', { class: 'figure' }, money(total_budget, currency)),
    end_time === undefined ? undefined : el('p', { class: 'lead' }, `${day(start_time)} to ${day(end_time)}`),
    packages.length === 0
      ? undefined
      : el(
          'ul',
          { class: 'lines' },
          packages.map(({ budget, product_id }) =>
            el('li', {}, el('span', {}, product_id), el('strong', {}, money(budget, currency))),
          ),
        ),
    accepted === undefined
      ? undefined
      : el('p', { class: 'lead' }, `Insertion order ${accepted.io_id}, accepted by ${accepted.signatory}`),
    message === undefined ? undefined : el('p', { class: 'lead' }, waits ? firstSentence(message) : message),
    el('div', { class: 'row after' }, follow),
    note,
    more,
  );
}

/** Asks what became of the order that waits, and shows it once it is decided. */
async function checkTask(
  section: HTMLElement,
  host: Host,
  taskId: string | undefined,
  note: HTMLElement,
): Promise<void> {
  try {
    const answer = await host.callTool('get_task_status', { task_id: taskId, include_result: true });
    if (answer.isError === true) {
      show(note, failureOf(answer));
      return;
    }
    const { result, status } = (answer.structuredContent ?? {}) as { status?: string; result?: Booked };
    if (result?.media_buy_id === undefined) {
      show(note, `${plain(status)}: the seller has not decided yet.`);
      return;
    }
    drawReceipt(section, host, result);
  } catch (error) {
    show(note, error instanceof Error ? error.message : 'The host did not answer.');
  }
}
