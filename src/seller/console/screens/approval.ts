import { isDeepStrictEqual } from 'node:util';
import { DAY_MS } from '../../../platform/kernel/clock.js';
import { isObject } from '../../../platform/kernel/json/json.js';
import { type Html, html } from '../../../platform/web/html.js';
import { isAtLeast } from '../../domain/console/access.js';
import { listDays, midnightOf } from '../../domain/inventory/hold.js';
import type { MediaBuy } from '../../domain/media-buy/media-buy.js';
import { moneyText, type Stake, type StakeLine } from '../../domain/task/approval.js';
import type { Task } from '../../domain/task/task.js';
import { readOwner } from '../../domain/tenant/principal.js';
import { bookScope } from '../../lifecycle/inventory.js';
import type { Outcome, PendingDecision, Waiting } from '../../tasks/task/pending-decisions.js';
import { buyerName, productName, tenantName } from '../names.js';
import { CONSOLE_PATH } from '../page/assets.js';
import { csrfField } from '../page/forms.js';
import { asSentence, badge, card, count, day, facts, instant, percent, relative, table } from '../page/pieces.js';
import { previewPage, previewSlot } from '../preview.js';
import type { ConsolePage, Visit } from '../visit.js';
import { priceText, showTargeting } from './terms.js';

const PATH = `${CONSOLE_PATH}/approvals`;
/** Creatives of an order that are shown in place. */
const MAX_SHOWN = 12;
const MAX_REASON_CHARS = 1000;
/** Acts about one thing among which its decision is looked for. */
const MAX_ACTS = 20;

/** Returns the page of one thing that waits or was decided: the order or creative, with everything that it is judged by, and the decision. */
export async function showApproval(visit: Visit, { outcome, waiting }: PendingDecision): Promise<ConsolePage> {
  const { app, nowMs } = visit;
  const { order } = waiting;
  const task = waiting.kind === 'task' ? await app.store.read.tasks.findAnywhere(waiting.id) : undefined;
  const creatives = waiting.kind === 'creative' ? [waitingCreative(waiting)] : orderedCreatives(task, waiting.id);
  return {
    title: waiting.what,
    lead: html`${buyerName(app, waiting.tenant, waiting.principal)} at ${tenantName(app, waiting.tenant)}, ${relative(waiting.since, nowMs)}`,
    body: html`${outcome !== undefined && showDecided(outcome, await findDecider(app, waiting.id))}
${outcome === undefined && waiting.asked !== undefined && html`<p class="notice" role="status">The buyer was asked: ${waiting.asked} The order comes again with the answer; you may decide before.</p>`}
<div class="columns"><div>
${card({ id: 'facts', title: 'What is asked', body: describeOrder(visit, waiting, task) })}
${order !== undefined && card({ id: 'lines', title: 'Packages', body: showPackages(order) })}
${order !== undefined && task !== undefined && card({ id: 'terms', title: 'Price and targeting', body: await showTerms(visit, task, order) })}
${order !== undefined && task !== undefined && (await showAvailability(visit, order, task))}
${creatives.length > 0 && card({ id: 'creatives', title: 'Creatives', body: html`<div class="previews">${creatives.slice(0, MAX_SHOWN)}</div>` })}
</div><div class="decide">${outcome === undefined && showDecision(visit, waiting)}</div></div>`,
  };
}

/** Shows a creative that comes with an order which waits. */
export async function showOrderedCreative({ app, params }: Visit): Promise<ConsolePage | undefined> {
  const task = await app.store.read.tasks.findAnywhere(params.id ?? '');
  const manifest = task && inlineCreatives(task)[Number(params.index)];
  if (task === undefined || manifest === undefined) return undefined;
  return previewPage(app, task.owner, { manifest, name: nameOf(manifest) });
}

/** Returns who decided about something that waited; undefined where that was no person with a name, such as a timeout or whoever had the link. */
export async function findDecider({ store }: Visit['app'], id: string): Promise<string | undefined> {
  const acts = await store.read.audit.about(id, MAX_ACTS);
  return acts.find(({ action, phase }) => phase === 'done' && action.startsWith('approv'))?.actor;
}

/** How a decision is put into words, by the state that it leaves. */
const OUTCOMES: Readonly<Record<string, string>> = {
  completed: 'Approved',
  'input-required': 'The buyer was asked',
  failed: 'Approved, but it could not be carried out',
};

/** Returns a decision in words, by the state that it leaves. */
export function outcomeText(status: string): string {
  return OUTCOMES[status] ?? asSentence(status);
}

function showDecided({ decided_at, reason, status }: Outcome, by: string | undefined): Html {
  const isGood = status === 'completed' || status === 'approved';
  return html`<p class="notice ${isGood ? 'good' : 'problem'}" role="status"><b>${outcomeText(status)}</b> ${instant(decided_at)}${by !== undefined && ` by ${by}`}${reason !== undefined && html`<br>${reason}`}</p>`;
}

function describeOrder({ app }: Visit, waiting: Waiting, task: Task | undefined): Html {
  const { po_number } = task?.request ?? {};
  const { account_id, because, creative, order, principal, sandbox, tenant } = waiting;
  return facts([
    ['Buyer', buyerName(app, tenant, principal)],
    ['Account', account_id],
    ['Advertiser', order?.advertiser],
    ['Order number', typeof po_number === 'string' ? po_number : undefined],
    [
      'Media buy',
      order?.media_buy_id !== undefined &&
        html`<a href="${CONSOLE_PATH}/buys/${order.media_buy_id}">${order.media_buy_id}</a>`,
    ],
    [
      'Budget',
      order &&
        showChange(
          moneyText(order.total, order.currency),
          order.total_before === undefined ? undefined : moneyText(order.total_before, order.currency),
        ),
    ],
    ['Runs', order && html`${instant(order.start_time)} to ${instant(order.end_time)}`],
    ['Creative', creative && `${creative.name} (${creative.creative_id})`],
    ['Format', creative?.format_id.id],
    ['Topics', order?.topics?.join(', ')],
    ['Asked because', because],
    ['Since', instant(waiting.since)],
    ['Sandbox', sandbox === true && 'Nothing of it is real'],
  ]);
}

/** Returns what something becomes, with what it was where that differs. */
function showChange(after: string, before: string | undefined): Html {
  return before === undefined || before === after
    ? html`<b>${after}</b>`
    : html`<del>${before}</del> <ins>${after}</ins>`;
}

function showPackages({ currency, lines }: Stake): Html {
  return table({
    caption: 'Table of packages',
    empty: 'There is no package.',
    rows: lines,
    columns: [
      { title: 'Product', cell: (line) => html`${line.name}<small>${line.product_id}</small>` },
      {
        title: 'Delivery',
        cell: (line) => badge(line.delivery_type === 'guaranteed' ? 'guaranteed' : 'not guaranteed'),
      },
      {
        title: 'Budget',
        isNumber: true,
        cell: (line) =>
          showChange(
            moneyText(line.budget, currency),
            line.budget_before === undefined ? undefined : moneyText(line.budget_before, currency),
          ),
      },
      { title: 'Runs', cell: (line) => html`${day(line.start_time)} to ${day(line.end_time)}` },
    ],
  });
}

/** Returns the packages of a request as they came: for what an order does not repeat. */
function requestedPackages({ request }: Task): readonly Readonly<Record<string, unknown>>[] {
  return [request.packages, request.new_packages].flatMap((list) => (Array.isArray(list) ? list.filter(isObject) : []));
}

async function showTerms({ app }: Visit, task: Task, { media_buy_id }: Stake): Promise<Html> {
  const buy = media_buy_id === undefined ? undefined : await app.store.read.mediaBuys.find(task.owner, media_buy_id);
  const before = (id: unknown) => buy?.packages.find(({ package_id }) => package_id === id);
  const { tenant } = readOwner(task.owner);
  const products = app.sellers().get(tenant)?.products;
  const nameOfLine = ({ package_id, product_id }: Readonly<Record<string, unknown>>): string => {
    const sold = product_id ?? before(package_id)?.product_id;
    return sold === undefined ? String(package_id ?? 'a package') : productName(app, tenant, String(sold));
  };
  return table({
    caption: 'Price and targeting of each package',
    empty: 'The request names no package.',
    rows: requestedPackages(task),
    columns: [
      { title: 'Product', cell: nameOfLine },
      {
        title: 'Price',
        cell: (line) => {
          const product = products?.get(String(line.product_id));
          const option = product?.pricing_options.find((one) => one.pricing_option_id === line.pricing_option_id);
          return option === undefined ? 'as it is' : priceText(option, line.bid_price);
        },
      },
      {
        title: 'Targeting',
        cell: (line) => targetingChange(line.targeting_overlay, before(line.package_id)),
      },
    ],
  });
}

/** Returns what a package targets; of one that is changed, with what it targeted before where that differs. */
function targetingChange(after: unknown, before: MediaBuy['packages'][number] | undefined): Html {
  if (before === undefined) return showTargeting(after);
  if (after === undefined || isDeepStrictEqual(after, before.targeting_overlay)) return html`as it is`;
  return html`<del>${showTargeting(before.targeting_overlay)}</del> <ins>${showTargeting(after)}</ins>`;
}

/** Returns how much of its products the order would take: what waits is held already. */
async function showAvailability({ app }: Visit, order: Stake, task: Task): Promise<Html | false> {
  const guaranteed = order.lines.filter(({ delivery_type }) => delivery_type === 'guaranteed');
  if (guaranteed.length === 0) return false;
  const own = await app.store.read.inventory.heldBy(task.task_id);
  const products = app.sellers().get(readOwner(task.owner).tenant)?.products;
  const scope = bookScope(task.owner, task.sandbox);
  const rows = await Promise.all(
    guaranteed.map(async (line) => {
      const [first, last] = daysOf(line);
      const held = await app.store.read.inventory.days({ scope, product_id: line.product_id }, first, last);
      const daily = products?.get(line.product_id)?.inventory.daily_impressions ?? 0;
      const mine = own.filter(({ product_id }) => product_id === line.product_id).flatMap(({ runs }) => listDays(runs));
      return {
        line,
        mine: mine.reduce((sum, [, amount]) => sum + amount, 0),
        fullest: Math.max(0, ...held.values()),
        daily,
      };
    }),
  );
  const body = table({
    caption: 'What is left of guaranteed products',
    empty: '',
    rows,
    columns: [
      { title: 'Product', cell: ({ line }) => line.name },
      { title: 'Held for this', isNumber: true, cell: ({ mine }) => count(mine) },
      {
        title: 'Fullest day with it',
        isNumber: true,
        cell: ({ daily, fullest }) => (daily > 0 ? `${percent(fullest / daily)} of ${count(daily)}` : 'unknown'),
      },
    ],
  });
  return card({ id: 'availability', title: 'Availability', body });
}

function daysOf({ end_time, start_time }: StakeLine): readonly [first: number, last: number] {
  return [midnightOf(Date.parse(start_time)), midnightOf(Date.parse(end_time) - 1) + DAY_MS - 1];
}

function inlineCreatives(task: Task): readonly Readonly<Record<string, unknown>>[] {
  return requestedPackages(task).flatMap(({ creatives }) =>
    Array.isArray(creatives) ? creatives.filter(isObject) : [],
  );
}

function nameOf(manifest: Readonly<Record<string, unknown>>): string {
  const { creative_id, name } = manifest;
  return String(name ?? creative_id ?? 'creative');
}

function orderedCreatives(task: Task | undefined, id: string): readonly Html[] {
  if (task === undefined) return [];
  return inlineCreatives(task).map(
    (manifest, index) =>
      html`<figure>${previewSlot(`${PATH}/${id}/creatives/${index}`, nameOf(manifest))}<figcaption>${nameOf(manifest)}</figcaption></figure>`,
  );
}

function waitingCreative({ creative, id }: Waiting): Html {
  const name = creative?.name ?? 'creative';
  const seq = /^creative-(\d+)\./.exec(id)?.[1] ?? '';
  return html`<figure>${previewSlot(`${CONSOLE_PATH}/creatives/${seq}/preview`, name)}<figcaption>${name}</figcaption></figure>`;
}

const BOOK_LATER = html`<button name="book_later" value="yes">Approve, book later</button>`;

function showDecision({ nowMs, visitor }: Visit, waiting: Waiting): Html {
  const { acts_at, asked, id, kind, on_timeout, order } = waiting;
  const byItself = asked === undefined && on_timeout === 'approve' ? 'approved' : 'rejected';
  const deadline =
    acts_at !== undefined &&
    html`<p class="deadline">If nobody ${asked === undefined ? 'decides' : 'answers or decides'}, it is ${byItself} ${relative(acts_at, nowMs)}.</p>`;
  if (!isAtLeast(visitor.role, 'operate'))
    return card({
      id: 'decide',
      title: 'Decision',
      body: html`${deadline}<p>Your role looks on; who has the role operate decides.</p>`,
    });
  const form = (value: string, content: Html): Html =>
    html`<form method="post" action="${PATH}/${id}">${csrfField(visitor)}<input type="hidden" name="decision" value="${value}">${content}</form>`;
  const isByHand = order?.fulfillment === 'manual';
  const orderId =
    isByHand &&
    html`<label class="field"><span>Order id in your ad server <small>Book the order there first; leave this empty without an ad server.</small></span><input type="text" name="order_id" maxlength="200" autocomplete="off"></label>`;
  const body = html`${deadline}
${form('approve', html`${orderId}<button class="primary">Approve</button>${isByHand && BOOK_LATER}`)}
${form('reject', html`<label class="field"><span>Reason for a rejection <small>The buyer reads it.</small></span><textarea name="reason" rows="3" maxlength="${MAX_REASON_CHARS}" required></textarea></label><button class="danger">Reject</button>`)}
${kind === 'task' && asked === undefined && form('ask', html`<label class="field"><span>Question to the buyer <small>The buyer sends the order again.</small></span><textarea name="question" rows="2" maxlength="${MAX_REASON_CHARS}" required></textarea></label><button>Ask the buyer</button>`)}
<p class="hint">You decide as ${visitor.actor}.</p>`;
  return card({ id: 'decide', title: 'Your decision', body });
}
