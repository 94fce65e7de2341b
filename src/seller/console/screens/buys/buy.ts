import { DAY_MS, isoTime } from '../../../../platform/kernel/clock.js';
import { type Html, html } from '../../../../platform/web/html.js';
import { type Account, isUsable } from '../../../domain/account/account.js';
import {
  adviseOn,
  BY_HAND_REMEDY,
  DELIVERY_REMEDY,
  isByHand,
  isForPeople,
  type OrderBooking,
} from '../../../domain/booking/booking.js';
import { dealKey } from '../../../domain/booking/deals.js';
import { DRIFT_REMEDY, describeDrift } from '../../../domain/booking/drift.js';
import { isAtLeast } from '../../../domain/console/access.js';
import { type ActionName, validActions } from '../../../domain/media-buy/actions.js';
import { fulfillmentOf } from '../../../domain/media-buy/fulfillment.js';
import { isTerminal, type MediaBuy, type Package, totalBudget } from '../../../domain/media-buy/media-buy.js';
import { moneyText } from '../../../domain/task/approval.js';
import { departedPrincipal, findPrincipal } from '../../../domain/tenant/callers.js';
import { type Principal, readOwner } from '../../../domain/tenant/principal.js';
import type { OwnedBuy } from '../../../store/media-buys/media-buys.js';
import { ownerName, productName, tenantName } from '../../names.js';
import { CONSOLE_PATH } from '../../page/assets.js';
import { buttonForm, csrfField, textField } from '../../page/forms.js';
import { badge, card, count, day, facts, instant, percent, relative, table } from '../../page/pieces.js';
import { previewSlot } from '../../preview.js';
import type { ConsolePage, Visit } from '../../visit.js';
import { priceText, showTargeting } from '../terms.js';
import { type BuyDelivery, deliveryOf, MAX_DAYS, seriesOf } from './delivery-series.js';
import { storyOf } from './story.js';

const PATH = `${CONSOLE_PATH}/buys`;
const MAX_SHOWN = 8;

/** Returns the page of one media buy: what was bought, what it delivered against its plan, its story, and what can be done. */
export async function showBuy(visit: Visit): Promise<ConsolePage | undefined> {
  const { app, params } = visit;
  const owned = await app.store.read.mediaBuys.findAnywhere(params.id ?? '');
  if (owned === undefined) return undefined;
  const { buy, owner } = owned;
  const nowMs = app.clock.nowOf(owner);
  const delivery = await deliveryOf(app, buy, nowMs);
  const { actions, account, why } = await findActions(app, owned);
  return {
    title: buy.brand.domain,
    hasChart: true,
    lead: html`${badge(buy.status)} ${buy.media_buy_id}, revision ${buy.revision}${buy.sandbox && ', sandbox'}`,
    actions: actionForms(visit, buy, actions),
    body: html`${buyFigures(buy, delivery, nowMs)}
<div class="columns"><div>
${card({ id: 'delivery', title: 'Delivery against plan', body: deliveryChart(buy, delivery, nowMs) })}
${card({ id: 'lines', title: 'Packages', body: packageTable(app, owned, delivery) })}
${await showCreatives(visit, buy, owner)}
${card({ id: 'story', title: 'What happened', body: await storyOf(visit, buy, owner) })}
</div><div>
${card({ id: 'facts', title: 'The order', body: describeBuy(visit, owned, { account, why }) })}
${await adServer(visit, buy)}
</div></div>`,
  };
}

/** The actions on a buy that are open to the visitor, the state of its account, and why no more are open. */
type Actions = {
  readonly actions: readonly ActionName[];
  readonly account: Account['status'] | undefined;
  readonly why?: string | undefined;
};

async function findActions(app: Visit['app'], { buy, owner }: OwnedBuy): Promise<Actions> {
  const account = await app.store.read.accounts.findById(owner, buy.account_id);
  const { principal: id, tenant } = readOwner(owner);
  if (account === undefined) return { actions: [], account: undefined, why: 'Its account is not there any more.' };
  const served = app.sellers().get(tenant);
  const seller = served ?? app.openDeparted(tenant);
  const present = served && findPrincipal(served, id, app.development);
  const principal = present ?? departedPrincipal(seller, id, buy.sandbox);
  const actions = validActions(buy, { account, principal, isOperator: true });
  return {
    actions,
    account: account.status,
    why: isTerminal(buy.status)
      ? undefined
      : describeBound({ account, principal: present, isServed: served !== undefined }),
  };
}

type Bound = {
  readonly account: Account;
  readonly principal: Principal | undefined;
  /** Whether the tenant has a file. */
  readonly isServed: boolean;
};

function describeBound({ account: { status }, isServed, principal }: Bound): string | undefined {
  if (!isServed)
    return 'Its tenant has no file any more: it can be paused and canceled here, and has to be stopped by hand where it is booked. Put the file back to do anything else.';
  if (principal === undefined)
    return 'Its buyer is no longer in the tenant’s file: it can be paused and canceled. Put the buyer back to do anything else.';
  if (isUsable({ status }, 'change_buy')) return undefined;
  return 'Its buyer cannot change it while the account is so. It can be paused and canceled here.';
}

function actionForms({ visitor }: Visit, buy: MediaBuy, actions: readonly ActionName[]): Html {
  const fields = { revision: String(buy.revision) };
  const form = (name: 'pause' | 'resume' | 'cancel', label: string, look?: 'danger') =>
    actions.includes(name) &&
    buttonForm(visitor, { action: `${PATH}/${buy.media_buy_id}/${name}`, label, role: 'operate', look, fields });
  return html`${buy.held ? form('resume', 'Resume') : form('pause', 'Pause')}${form('cancel', 'Cancel', 'danger')}`;
}

/** Returns the figures of a buy: budget, spend, impressions, how far its flight is. */
export function buyFigures(buy: MediaBuy, delivery: BuyDelivery | undefined, nowMs: number): Html {
  const budget = totalBudget(buy);
  const start = Date.parse(buy.start_time);
  const elapsed = Math.min(1, Math.max(0, (nowMs - start) / (Date.parse(buy.end_time) - start)));
  const spent = delivery?.spend;
  const shown: readonly (readonly [string, string])[] = [
    ['Budget', moneyText(budget, buy.currency)],
    [
      'Spent',
      spent === undefined
        ? 'not known'
        : `${moneyText(spent, buy.currency)} · ${percent(budget > 0 ? spent / budget : 0)}`,
    ],
    ['Impressions', delivery === undefined ? 'not known' : count(delivery.impressions)],
    ['Of the flight', percent(elapsed)],
  ];
  return html`<ul class="figures spaced" aria-label="Figures">${shown.map(([name, value]) => html`<li><div><b>${value}</b><span>${name}</span></div></li>`)}</ul>`;
}

/** Returns what a buy spent by day against its plan, as a chart with its table. */
export function deliveryChart(buy: MediaBuy, delivery: BuyDelivery | undefined, nowMs: number): Html {
  if (delivery === undefined) return html`<p class="empty">The ad server does not say what was delivered just now.</p>`;
  const series = seriesOf(buy, delivery, nowMs);
  if (series.length === 0) return html`<p class="empty">It has not begun to run.</p>`;
  const rows = series.map(
    ({ dayMs, planned, spent }) =>
      html`<tr><th scope="row" data-value="${dayMs / 1000}">${day(isoTime(dayMs))}</th><td class="number" data-value="${spent ?? ''}">${spent === undefined ? '–' : count(spent)}</td><td class="number" data-value="${planned}">${count(planned)}</td></tr>`,
  );
  const isCut = Date.parse(buy.end_time) - Date.parse(buy.start_time) > MAX_DAYS * DAY_MS;
  return html`${isCut && html`<p class="hint">${MAX_DAYS} days of a longer flight are shown.</p>`}<div class="chart" data-table="series" aria-hidden="true"></div><details><summary>Show as a table</summary><div class="scroll" tabindex="0" role="region" aria-label="Spend by day"><table id="series"><caption class="unseen">Spend by day, in ${buy.currency}</caption><thead><tr><th scope="col">Day</th><th scope="col" class="number">Spent so far</th><th scope="col" class="number">Planned so far</th></tr></thead><tbody>${rows}</tbody></table></div></details>`;
}

/** Returns the state of a package; undefined where it has none but that of its buy. */
function packageState({ canceled, package_id, paused }: Package, delivery: BuyDelivery | undefined) {
  if (canceled) return 'canceled';
  return paused ? 'paused' : delivery?.stateOf(package_id);
}

/** Returns the packages of a buy with what each spent. */
export function packageTable(app: Visit['app'], { buy, owner }: OwnedBuy, delivery: BuyDelivery | undefined): Html {
  const { tenant } = readOwner(owner);
  return table({
    caption: 'Table of packages',
    empty: 'There is no package.',
    rows: buy.packages,
    columns: [
      {
        title: 'Package',
        cell: (line) => html`${productName(app, tenant, line.product_id)}<small>${line.package_id}</small>`,
      },
      {
        title: 'State',
        cell: (line) => badge(packageState(line, delivery) ?? buy.status),
      },
      {
        title: 'Budget',
        isNumber: true,
        cell: (line) =>
          html`${moneyText(line.budget, buy.currency)}<small>${priceText(line.sold.option, line.bid_price)}</small>`,
      },
      {
        title: 'Spent',
        isNumber: true,
        cell: (line) => {
          const spent = delivery?.spentOf(line.package_id);
          return spent === undefined
            ? '–'
            : html`${moneyText(spent, buy.currency)}<progress class="meter" max="100" value="${line.budget > 0 ? Math.round((100 * spent) / line.budget) : 0}" aria-label="Part of the budget"></progress>`;
        },
      },
      { title: 'Targeting', cell: (line) => showTargeting(line.targeting_overlay) },
    ],
  });
}

async function showCreatives({ app }: Visit, buy: MediaBuy, owner: string): Promise<Html | false> {
  const assigned = await app.store.read.creatives.assignedTo([buy.media_buy_id]);
  const ids = [...new Set(assigned.map(({ creative_id }) => creative_id))].slice(0, MAX_SHOWN);
  if (ids.length === 0) return false;
  const page = { limit: MAX_SHOWN, after: undefined };
  const order = { field: 'created_date', direction: 'asc' } as const;
  const rows = await app.store.read.creatives.list(owner, page, { creativeIds: ids, accountId: buy.account_id }, order);
  const shown = rows.map(
    ({ creative, seq }) =>
      html`<figure>${previewSlot(`${CONSOLE_PATH}/creatives/${seq}/preview`, creative.name)}<figcaption>${badge(creative.status)} ${creative.name}</figcaption></figure>`,
  );
  return card({ id: 'creatives', title: 'Creatives', body: html`<div class="previews">${shown}</div>` });
}

function describeBuy({ app }: Visit, { buy, owner }: OwnedBuy, { account, why }: Omit<Actions, 'actions'>): Html {
  const { po_number } = buy.echoed;
  return facts([
    ['Buyer', ownerName(app, owner)],
    ['Tenant', tenantName(app, readOwner(owner).tenant)],
    [
      'Account',
      account === undefined || account === 'active' ? buy.account_id : html`${buy.account_id} ${badge(account)}`,
    ],
    ['What can be done', why],
    ['Order number', typeof po_number === 'string' ? po_number : undefined],
    ['From', instant(buy.start_time)],
    ['To', instant(buy.end_time)],
    ['Carried out', fulfillmentOf(buy)],
    ['Confirmed', buy.confirmed_at !== undefined && instant(buy.confirmed_at)],
    [
      'Canceled',
      buy.cancellation &&
        `by the ${buy.cancellation.canceled_by}${buy.cancellation.reason === undefined ? '' : `: ${buy.cancellation.reason}`}`,
    ],
    ['Rejected', buy.rejection_reason],
    ['Impaired', buy.impairments && `${buy.impairments.length} impairments`],
  ]);
}

/** Packages whose ids can be entered on the page; the others are entered with `orders ids`. */
const MAX_LINES = 20;

function bookingForm(visitor: Visit['visitor'], buy: MediaBuy, lines: Readonly<Record<string, string>>): Html {
  const path = `${PATH}/${buy.media_buy_id}`;
  const fields = buy.packages
    .slice(0, MAX_LINES)
    .flatMap(({ deals = [], package_id: id }) => [
      textField(`line_${id}`, `Id of ${id} in your ad server`, lines[id]),
      ...deals.map((deal) =>
        textField(`deal_${dealKey(id, deal.dsp)}`, `Id of the deal of ${id} for ${deal.dsp}`, deal.id),
      ),
    ]);
  return html`<form method="post" action="${path}/booked" class="spaced">${csrfField(visitor)}<input type="hidden" name="revision" value="${buy.revision}">${textField('order_id', 'Order id in your ad server', buy.booked_by_hand?.order_id)}${fields}<button>It is booked as it is now</button> <button formaction="${path}/ids">Save the ids alone</button></form>`;
}

/** Returns when an order is tried again, which is now where that is due. */
function nextTry(booking: OrderBooking | undefined, nowMs: number): Html | string | undefined {
  const at = booking?.next_at ?? undefined;
  if (at === undefined) return undefined;
  return at > nowMs ? relative(isoTime(at), nowMs) : 'now';
}

/** Returns where the order is on its way into the ad server, and the form that says that a person has booked it. */
async function adServer({ app, nowMs, visitor }: Visit, buy: MediaBuy): Promise<Html | false> {
  const booking = await app.store.read.orderBookings.find(buy.media_buy_id);
  const inspection = await app.store.read.orderInspections.find(buy.media_buy_id);
  const drift = inspection?.drift_since ? describeDrift(inspection.drift) : undefined;
  const unread = (await app.store.read.deliveryPulls.find(buy.media_buy_id))?.trouble ?? undefined;
  const isManual = fulfillmentOf(buy) === 'manual';
  const byHand = isByHand(buy, booking) ? BY_HAND_REMEDY : undefined;
  if (booking === undefined && !isManual) return false;
  const ids = Object.entries(booking?.foreign ?? {}).flatMap(([kind, value]) =>
    typeof value === 'string'
      ? [[`Id of the ${kind}`, value] as const]
      : Object.entries(value ?? {}).map(([ours, theirs]) => [ours, String(theirs)] as const),
  );
  const canBook = isAtLeast(visitor.role, 'operate') && (isManual || isForPeople(buy, booking));
  const lines = canBook ? await app.store.read.orderLines.ofBuy(buy.media_buy_id) : {};
  const form = canBook && bookingForm(visitor, buy, lines);
  const body = html`${facts([
    ['State', booking && badge(booking.state)],
    ['Order', buy.booked_by_hand?.order_id],
    ['Revision', booking && `${booking.revision} of ${buy.revision}`],
    ['Attempts', booking && String(booking.attempts)],
    ['Next', nextTry(booking, nowMs)],
    ['Why', booking?.reason],
    ['Changed there', drift],
    ['Delivery cannot be read', unread],
    ['What to do', booking && (adviseOn(booking) ?? (drift && DRIFT_REMEDY) ?? (unread && DELIVERY_REMEDY) ?? byHand)],
    ...ids.slice(0, 20),
  ])}<p>Trafficking sheet: <a href="${PATH}/${buy.media_buy_id}/sheet">CSV</a>, <a href="${PATH}/${buy.media_buy_id}/sheet?as=json">JSON</a></p>${form}`;
  return card({ id: 'ad-server', title: 'Ad server', body });
}
