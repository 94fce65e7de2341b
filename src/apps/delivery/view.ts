import type { Host } from '../host/host.js';
import type { ToolAnswer } from '../host/messages.js';
import { button, drawn, el, show } from '../view/dom.js';
import { badge, failureOf, notice, remark } from '../view/parts.js';
import { count, day, money, percent, plain, short } from '../view/words.js';
import { type BuyDelivery, type Delivery, type Figures, type Point, pointsOf } from './figures.js';

/** Returns a place that shows the delivery of media buys, as answered, and asks for it anew. */
export function deliveryView(host: Host, answer: ToolAnswer, ids: readonly string[] = []): HTMLElement {
  const section = el('div', { class: 'delivery' });
  drawReport(section, host, answer, ids);
  return section;
}

/** Asks for delivery with what the chart needs. */
export function askForDelivery(host: Host, ids: readonly string[]): Promise<ToolAnswer> {
  return host.callTool('get_media_buy_delivery', {
    media_buy_ids: ids.length === 0 ? undefined : ids,
    include_package_daily_breakdown: true,
    // With a size the answer is whole: a chart is not drawn of a shortened one.
    pagination: { max_results: 100 },
  });
}

function drawReport(section: HTMLElement, host: Host, answer: ToolAnswer, before: readonly string[]): void {
  if (answer.isError === true) {
    show(section, notice('No delivery', failureOf(answer)));
    return;
  }
  const delivery = (answer.structuredContent ?? {}) as Delivery;
  const buys = delivery.media_buy_deliveries ?? [];
  const ids = buys.length === 0 ? before : buys.map(({ media_buy_id }) => media_buy_id);
  const note = remark();
  const again = button('Refresh', { class: 'ask small' }, () => {
    again.disabled = true;
    void askForDelivery(host, ids)
      .then((next) => drawReport(section, host, next, ids))
      .catch((error: Error) => show(note, error.message))
      .finally(() => {
        again.disabled = false;
      });
  });
  const { aggregated_totals: totals = {}, currency } = delivery;
  show(
    section,
    el('header', { class: 'top row apart' }, el('h1', {}, 'Delivery'), again),
    buys.length === 0
      ? el('p', { class: 'lead' }, delivery.message ?? 'Nothing is delivering.')
      : tiles(totals, currency),
    buys.map((buy) => buySection(buy, currency)),
    note,
  );
}

function tiles(
  { clicks, completed_views: completed, impressions, spend }: Figures,
  currency: string | undefined,
): HTMLElement {
  const rate = clicks === undefined || !impressions ? undefined : clicks / impressions;
  const shown: readonly (readonly [string, string])[] = [
    ['Impressions', count(impressions)],
    ['Spend', money(spend, currency)],
    ...(clicks === undefined ? [] : [['Clicks', count(clicks)] as const, ['Click rate', percent(rate)] as const]),
    ...(completed === undefined ? [] : [['Completed views', count(completed)] as const]),
  ];
  return el(
    'dl',
    { class: 'tiles' },
    shown.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))),
  );
}

function buySection(buy: BuyDelivery, currency: string | undefined): HTMLElement {
  const points = pointsOf(buy);
  return el(
    'section',
    { class: 'card' },
    el(
      'div',
      { class: 'row' },
      el('h2', {}, el('code', {}, buy.media_buy_id)),
      badge(plain(buy.status), buy.status === 'active' ? 'good' : 'plain'),
    ),
    points.length === 0 ? undefined : chart(points),
    points.length === 0 ? undefined : dayTable(points, currency),
    packages(buy, currency),
  );
}

const CHART = { height: 150, foot: 22, most: 640 };

/** What stands beside a chart in the widths of a page. */
const MARGINS = 66;

/** Returns bars of impressions over time; the table below them says the same. */
function chart(points: readonly Point[]): HTMLElement {
  const most = Math.max(1, ...points.map(({ figures }) => figures.impressions ?? 0));
  // Drawn at the width that it has, so that its figures are read on a phone too.
  const whole = Math.min(CHART.most, document.documentElement.clientWidth - MARGINS);
  const slot = whole / points.length;
  const width = Math.min(56, slot * 0.7);
  const base = CHART.height - CHART.foot;
  const every = Math.ceil((points.length * 90) / whole);
  const bars = points.map(({ at, figures }, index) => {
    const height = Math.max(2, ((figures.impressions ?? 0) / most) * (base - 18));
    const x = index * slot + (slot - width) / 2;
    return drawn(
      'g',
      {},
      drawn('rect', { x, y: base - height, width, height, rx: Math.min(5, width / 2), class: 'bar' }),
      index % every === 0
        ? [
            drawn('text', { x: x + width / 2, y: base - height - 5, class: 'value' }, short(figures.impressions)),
            drawn('text', { x: x + width / 2, y: CHART.height - 5 }, shortDay(at)),
          ]
        : undefined,
    );
  });
  return el(
    'figure',
    {},
    drawn(
      'svg',
      {
        viewBox: `0 0 ${whole} ${CHART.height}`,
        class: 'chart',
        role: 'img',
        'aria-label': 'Impressions over time',
      },
      drawn('line', { x1: 0, x2: whole, y1: base, y2: base, class: 'axis' }),
      bars,
    ),
  );
}

function shortDay(at: string): string {
  return day(at).replace(/, \d{4}$/, '');
}

function dayTable(points: readonly Point[], currency: string | undefined): HTMLElement {
  return el(
    'details',
    {},
    el('summary', {}, 'As a table'),
    el(
      'table',
      {},
      head('Day', 'Impressions', 'Spend'),
      el(
        'tbody',
        {},
        points.map(({ at, figures }) =>
          el(
            'tr',
            {},
            el('th', { scope: 'row' }, day(at)),
            el('td', { class: 'number' }, count(figures.impressions)),
            el('td', { class: 'number' }, money(figures.spend, currency)),
          ),
        ),
      ),
    ),
  );
}

function packages({ by_package = [] }: BuyDelivery, currency: string | undefined): HTMLElement | undefined {
  if (by_package.length === 0) return undefined;
  return el(
    'table',
    {},
    head('Package', 'Impressions', 'Spend', 'Pace'),
    el(
      'tbody',
      {},
      by_package.map(({ delivery_status, impressions, pacing_index, package_id, spend }) =>
        el(
          'tr',
          {},
          el(
            'th',
            { scope: 'row' },
            `…${package_id.slice(-8)}`,
            delivery_status === undefined ? undefined : el('small', {}, ` ${delivery_status.replaceAll('_', ' ')}`),
          ),
          el('td', { class: 'number' }, count(impressions)),
          el('td', { class: 'number' }, money(spend, currency)),
          el('td', { class: 'number' }, percent(pacing_index)),
        ),
      ),
    ),
  );
}

function head(first: string, ...others: readonly string[]): HTMLElement {
  return el(
    'thead',
    {},
    el(
      'tr',
      {},
      el('th', { scope: 'col' }, first),
      others.map((name) => el('th', { scope: 'col', class: 'number' }, name)),
    ),
  );
}
