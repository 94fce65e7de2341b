// An adapter for the example ad server of `seller-agent adapter test`, step by step in docs/extending.md.
import { AdServerSettingsError, OrderRefusedError, RestClient, RestRefusedError, RetryLaterError } from 'seller-agent';

/** @type {import('seller-agent').AdServerModule} */
export default {
  name: 'example',
  declare(settings) {
    const faults = ['base_url', 'api_key', 'currency']
      .filter((field) => typeof settings[field] !== 'string')
      .map((field) => ({ field, message: 'is missing', fix: `Write "${field}": "…".` }));
    if (faults.length > 0) throw new AdServerSettingsError(faults);
    return {
      targeting: [],
      formats: ['display_*_image'],
      pricing_models: ['cpm'],
      delivery_types: ['guaranteed', 'non_guaranteed'],
      pacings: ['even'],
      metrics: [],
      has_creative_delivery: true,
      currency: settings.currency,
      time_zone: 'UTC',
      reports: { every_minutes: 60, corrected_days: 2 },
    };
  },
  judgeProduct({ adapter }) {
    if (Number.isInteger(adapter.placement)) return [];
    return [{ field: 'placement', message: 'is missing', fix: 'Write the number of one; GET /placements lists them.' }];
  },
  open(options) {
    return new ExampleAdapter(this.declare(options.settings), options);
  },
};

const STATUS = { running: 'active', paused: 'paused', canceled: 'ended', completed: 'ended' };

export class ExampleAdapter {
  name = 'example';

  constructor(declaration, { settings, outbound, clock, pace }) {
    this.declaration = declaration;
    this.client = new RestClient({
      name: 'The example ad server',
      baseUrl: settings.base_url,
      fetch: outbound.fetch,
      clock,
      pace: () => pace(`example:${settings.base_url}`, 50),
      authorize: async () => ({ authorization: `Bearer ${settings.api_key}` }),
      secrets: () => [settings.api_key],
      keyHelp: 'Set ad_server.api_key.',
    });
  }

  /** Brings the order and each of its lines to what they should be; `foreign` and `find` say what is there. */
  async book(order, { foreign, saveIds, signal }) {
    const ids = { order: foreign?.order, packages: { ...foreign?.packages } };
    try {
      const there = await this.look(order, signal);
      const members = { reference: order.media_buy_id, name: order.name, status: STATUS[order.state] };
      if (there === undefined && members.status === 'ended') return ids;
      const made = await this.put('/orders', there?.order, members, signal);
      ids.order = `${made.id}`;
      await saveIds({ order: ids.order });
      for (const line of order.packages) {
        const present = there?.lines.find(({ reference }) => reference === referenceOf(order, line));
        if (present === undefined && STATUS[line.state] === 'ended') continue;
        const { id } = await this.put('/lines', present, lineOf(order, line, made.id), signal);
        ids.packages[line.package_id] = `${id}`;
        await saveIds({ packages: { [line.package_id]: `${id}` } });
      }
      return ids;
    } catch (error) {
      throw translate(error, ids);
    }
  }

  async find(order, { signal }) {
    const there = await this.look(order, signal);
    if (there === undefined) return undefined;
    const packages = there.lines.map(({ id, reference }) => [reference.split('/')[1], `${id}`]);
    return { order: `${there.order.id}`, packages: Object.fromEntries(packages) };
  }

  async delivery({ orders, from_date: from, to_date: to }, { job, signal }) {
    const owners = new Map(
      orders.flatMap(({ foreign }) => Object.entries(foreign.packages ?? {}).map(([name, id]) => [Number(id), name])),
    );
    if (owners.size === 0) return { kind: 'rows', rows: [] };
    const report = job === undefined ? undefined : await this.call({ path: `/reports/${job}`, signal });
    if (report?.status === 'done') {
      const rows = report.rows.map(({ creative, date, impressions, line_id }) => ({
        package_id: owners.get(line_id),
        creative_id: creative || undefined,
        date,
        impressions,
      }));
      return { kind: 'rows', rows };
    }
    const json = { line_ids: [...owners.keys()], from, to };
    const { id } = report ?? (await this.call({ method: 'POST', path: '/reports', json, effect: 'none', signal }));
    return { kind: 'pending', job: `${id}`, retry_after_ms: 5000 };
  }

  async inspect(orders, { signal }) {
    const inspected = [];
    for (const { order } of orders) {
      const there = await this.look(order, signal);
      const packages = there === undefined ? [] : order.packages.map((line) => packageAsItIs(order, line, there));
      inspected.push({ media_buy_id: order.media_buy_id, packages });
    }
    return inspected;
  }

  async ping(products, { signal }) {
    const there = (await this.call({ path: '/placements', signal })).map(({ id }) => id);
    const problems = products
      .filter(({ adapter }) => !there.includes(adapter.placement))
      .map(({ product_id }) => ({ product_id, message: 'Its placement is not there.', fix: `Write one of ${there}.` }));
    return { network: 'the example', problems };
  }

  /** The order and its lines by our ids, whatever was answered when they were made. */
  async look({ media_buy_id }, signal) {
    const [order] = await this.call({ path: '/orders', query: { reference: media_buy_id }, signal });
    return order && { order, lines: await this.call({ path: '/lines', query: { order_id: order.id }, signal }) };
  }

  /** Makes what is not there, and changes what differs. */
  async put(path, present, json, signal) {
    if (present === undefined) return this.call({ method: 'POST', path, json, signal });
    if (JSON.stringify({ ...present, ...json }) === JSON.stringify(present)) return present;
    return this.call({ method: 'PUT', path: `${path}/${present.id}`, json, signal });
  }

  async call(request) {
    return (await this.client.send(request)).body;
  }
}

const referenceOf = (order, line) => `${order.media_buy_id}/${line.package_id}`;

function lineOf(order, line, order_id) {
  const mayRun = line.creatives.length > 0 || !line.needs_creative;
  const status = STATUS[line.state] === 'active' && !mayRun ? 'paused' : STATUS[line.state];
  const creatives = line.creatives.map(({ assets, click_urls: [click], creative_id }) => {
    const image = Object.values(assets).find(({ asset_type }) => asset_type === 'image');
    return { reference: creative_id, image: image?.url, click };
  });
  const { adapter, end_time: end, start_time: start } = line;
  const terms = { placement: adapter.placement, goal: line.goal?.count, price: line.price.amount, start, end };
  return { reference: referenceOf(order, line), order_id, ...terms, status, creatives };
}

const STATE = { active: 'running', paused: 'paused', ended: 'canceled' };

/** What people see there of a package: paused or ended with its order, waiting where it has nothing to show. */
function packageAsItIs(order, { package_id }, { order: whole, lines }) {
  const line = lines.find(({ reference }) => reference === referenceOf(order, { package_id }));
  if (line === undefined) return { package_id, state: 'missing' };
  const state = STATE[whole.status === 'active' ? line.status : whole.status] ?? 'unknown';
  return {
    package_id,
    state: state === 'paused' && line.creatives.length === 0 ? 'waiting' : state,
    start_time: line.start,
    end_time: line.end,
    goal: line.goal,
    price: line.price,
    creative_ids: line.creatives.map(({ reference }) => reference),
  };
}

/** 422: the order cannot be. Any other refusal: what the tenant file says, or what somebody has just taken away. */
function translate(error, foreign) {
  if (error instanceof RestRefusedError) {
    const Refused = error.status === 422 ? OrderRefusedError : RetryLaterError;
    return new Refused(error.message, { foreign });
  }
  return Object.assign(error, { foreign });
}
