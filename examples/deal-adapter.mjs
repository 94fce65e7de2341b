// An adapter that also makes private deals, of an ad server that is an SSP too: docs/extending.md tells how.
import { OrderRefusedError, RestRefusedError, RetryLaterError } from 'seller-agent';
import example, { ExampleAdapter } from './ad-server-adapter.mjs';

/** @type {import('seller-agent').AdServerModule} */
export default {
  ...example,
  name: 'example-deals',
  declare: (settings) => ({ ...example.declare(settings), makes_deals: true }),
  open(options) {
    return new DealAdapter(this.declare(options.settings), options);
  },
};

/** As the Deals API of the IAB Tech Lab numbers them. */
const STATUS = { running: 0, paused: 1, completed: 3, canceled: 4 };

class DealAdapter extends ExampleAdapter {
  name = 'example-deals';

  /** The lines, then a deal of each package for each of its DSPs; what is there is found by our reference. */
  async book(order, context) {
    const { foreign, saveIds, signal } = context;
    const ids = { ...(await super.book(order, context)), deals: { ...foreign?.deals } };
    try {
      const there = await this.lookForDeals(order, signal);
      for (const line of order.packages) {
        for (const deal of line.deals ?? []) {
          const name = `${line.package_id}@${deal.dsp}`;
          const members = dealOf(order, line, deal);
          const present = there.find(({ reference }) => reference === members.reference);
          if (present === undefined && members.sellerstatus >= STATUS.completed) continue;
          const { id } = await this.put('/deals', present, members, signal);
          ids.deals[name] = id;
          await saveIds({ deals: { [name]: id } });
        }
      }
      return ids;
    } catch (error) {
      if (!(error instanceof RestRefusedError)) throw Object.assign(error, { foreign: ids });
      const Refused = error.status === 422 ? OrderRefusedError : RetryLaterError;
      throw new Refused(error.message, { foreign: ids });
    }
  }

  async find(order, context) {
    const ids = await super.find(order, context);
    const there = await this.lookForDeals(order, context.signal);
    if (there.length === 0) return ids;
    return { ...ids, deals: Object.fromEntries(there.map(({ id, reference }) => [reference.split('/')[1], id])) };
  }

  lookForDeals({ media_buy_id }, signal) {
    return this.call({ path: '/deals', query: { order_reference: media_buy_id }, signal });
  }
}

function dealOf(order, line, { at, bidfloor, bidfloorcur, dsp, wadomain, wseat }) {
  return {
    order_reference: order.media_buy_id,
    reference: `${order.media_buy_id}/${line.package_id}@${dsp}`,
    ...{
      name: line.name.slice(0, 100),
      dsp,
      wseat,
      wadomain,
      sellerstatus: Math.max(STATUS[order.state], STATUS[line.state]),
    },
    terms: {
      ...{ startdate: line.start_time, enddate: line.end_time, dealfloor: bidfloor, cur: bidfloorcur, pricetype: at },
      ...{ guar: line.delivery_type === 'guaranteed' ? 1 : 0, units: line.goal?.count },
    },
  };
}
