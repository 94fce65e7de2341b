import { html } from '../../../../platform/web/html.js';
import { TaskError } from '../../../../protocol/errors.js';
import { readOwner } from '../../../domain/tenant/principal.js';
import { recordIds } from '../../../tasks/order/ids.js';
import { recordBooking } from '../../../tasks/order/orders.js';
import { callInName } from '../../call.js';
import { ownerName } from '../../names.js';
import { CONSOLE_PATH } from '../../page/assets.js';
import { textField } from '../../page/forms.js';
import type { Asked, ConsoleAct, Visit } from '../../visit.js';

const PATH = `${CONSOLE_PATH}/buys`;

/** A change of a buy, the words for it, and whether the buyer is given a reason. */
type BuyChange = {
  readonly change: object;
  readonly title: string;
  readonly yes: string;
  readonly says: string;
  readonly hasReason?: true;
};

/** What people of the seller change of a buy, in the name of its buyer. */
const CHANGES: Readonly<Record<string, BuyChange>> = {
  pause: { change: { paused: true }, title: 'Pause this media buy?', yes: 'Pause it', says: 'is paused' },
  resume: { change: { paused: false }, title: 'Let this media buy run again?', yes: 'Resume it', says: 'runs again' },
  cancel: {
    change: { canceled: true },
    title: 'Cancel this media buy?',
    yes: 'Cancel it for good',
    says: 'is canceled',
    hasReason: true,
  },
};

const backTo = ({ params }: Asked): string => `${PATH}/${params.id}`;
const subject = ({ params }: Visit): string => params.id ?? '';

/** What can be done to a media buy. */
export const CHANGE_BUY: readonly ConsoleAct[] = [
  ...Object.entries(CHANGES).map(
    ([name, { change, hasReason, says, title, yes }]): ConsoleAct => ({
      path: `${PATH}/:id/${name}`,
      role: 'operate',
      action: `buy.${name}`,
      subject,
      detail: ({ form }) => form.text('reason'),
      back: backTo,
      confirm: async ({ app, params }) => {
        const owned = await app.store.read.mediaBuys.findAnywhere(params.id ?? '');
        if (owned === undefined) return undefined;
        return {
          title,
          yes,
          field: hasReason && textField('reason', 'Reason, which the buyer reads', undefined),
          says: html`<p>${owned.buy.brand.domain}, ${params.id}. This is done in the name of ${ownerName(app, owned.owner)}, who is told by webhook and finds it in the history.</p>`,
        };
      },
      run: async (visit) => {
        const cancellation_reason = hasReason && visit.form.text('reason');
        await updateForBuyer(visit, cancellation_reason ? { ...change, cancellation_reason } : change);
        return { to: backTo(visit), says: `${visit.params.id} ${says}.` };
      },
    }),
  ),
  {
    path: `${PATH}/:id/booked`,
    role: 'operate',
    action: 'order.booked',
    subject,
    detail: ({ form }) => [form.text('order_id'), describeIds(form)].filter(Boolean).join(', '),
    back: backTo,
    run: async (visit) => {
      const revision = Number(visit.form.text('revision'));
      const body = { order_id: visit.form.text('order_id'), revision, lines: readIds(visit.form, LINE_FIELD) };
      const booked = await recordBooking(visit.app, subject(visit), body);
      return { to: backTo(visit), says: `It is booked at revision ${booked.revision}.` };
    },
  },
  {
    path: `${PATH}/:id/ids`,
    role: 'operate',
    action: 'order.ids',
    subject,
    detail: ({ form }) => describeIds(form),
    back: backTo,
    run: async (visit) => {
      await recordIds(visit.app, subject(visit), {
        lines: readIds(visit.form, LINE_FIELD),
        deals: readIds(visit.form, DEAL_FIELD),
      });
      return { to: backTo(visit), says: 'The ids are saved.' };
    },
  },
];

const LINE_FIELD = 'line_';

const DEAL_FIELD = 'deal_';

/** Returns the ids of packages or deals that a form brought, those that were emptied too. */
function readIds(form: Visit['form'], prefix: string): Readonly<Record<string, string>> {
  const fields = form.entries().filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(fields.map(([name, value]) => [name.slice(prefix.length), value.trim()]));
}

function describeIds(form: Visit['form']): string {
  return Object.entries({ ...readIds(form, LINE_FIELD), ...readIds(form, DEAL_FIELD) })
    .map(([line, id]) => `${line}=${id}`)
    .join(' ');
}

/** Changes a buy as its buyer would. Throws a TaskError with what it is refused for. */
async function updateForBuyer(visit: Visit, change: object): Promise<void> {
  const { app, form, params } = visit;
  const owned = await app.store.read.mediaBuys.findAnywhere(params.id ?? '');
  if (owned === undefined) throw new TaskError('MEDIA_BUY_NOT_FOUND', 'There is no media buy of this id.');
  const { buy, owner } = owned;
  await callInName(visit, {
    ...readOwner(owner),
    tool: 'update_media_buy',
    arguments: {
      idempotency_key: app.ids.uuid(),
      media_buy_id: buy.media_buy_id,
      revision: Number(form.text('revision') ?? buy.revision),
      ...change,
    },
  });
}
