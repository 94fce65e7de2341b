import { isDeepStrictEqual } from 'node:util';
import { wantedState } from '../../../domain/booking/drift.js';
import type { ForeignIds } from '../../../domain/booking/foreign-ids.js';
import type { LiveOrder } from '../../../domain/booking/live-order.js';
import { OrderRefusedError } from '../../errors.js';
import type { CallContext } from '../../port/adapter.js';
import type { BookContext } from '../../port/answers.js';
import { TermsError } from '../mapping/errors.js';
import { idOf } from '../mapping/names.js';
import type { RestLine } from '../mapping/rest-line.js';
import type { GamNetwork } from '../network.js';
import type { Resource } from '../rest.js';
import { bringCompany } from './company.js';
import { bringCreatives, creativesOf } from './creatives.js';
import { changeLine, createLine, findLines, isOver, termsOf } from './lines.js';
import { approveOrder, createOrder, findOrder } from './order.js';
import { bringState, requireState, stateOf } from './states.js';

/**
 * Brings an order to where it is to be: the order, its line items, their creatives, then the approval, and then what is paused or ended. Each
 * step looks for what is there, so that it may be killed anywhere. Throws the port's errors.
 */
export async function bookOrder(
  network: GamNetwork,
  order: LiveOrder,
  context: BookContext,
): Promise<ForeignIds | undefined> {
  try {
    return await new Booking(network, order, context).run();
  } catch (error) {
    if (error instanceof TermsError)
      throw new OrderRefusedError(`${error.message} ${error.objection.suggestion ?? ''}`.trim());
    throw error;
  }
}

/** Returns the ids of what the network has of an order; undefined where that is nothing. */
export async function findBooked(
  network: GamNetwork,
  { media_buy_id }: LiveOrder,
  { signal }: CallContext,
): Promise<ForeignIds | undefined> {
  const order = await findOrder(network, media_buy_id, signal);
  if (order === undefined) return undefined;
  const lines = await findLines(network, idOf(order.name), signal);
  return {
    order: idOf(order.name),
    packages: Object.fromEntries([...lines].map(([packageId, { name }]) => [packageId, idOf(name)])),
  };
}

class Booking {
  readonly #network: GamNetwork;
  readonly #order: LiveOrder;
  readonly #context: BookContext;
  #ids: ForeignIds = {};

  constructor(network: GamNetwork, order: LiveOrder, context: BookContext) {
    this.#network = network;
    this.#order = order;
    this.#context = context;
  }

  async run(): Promise<ForeignIds | undefined> {
    const { signal } = this.#context;
    const present = await this.#findOrder();
    if (present === undefined && this.#isEnded()) return undefined;
    // What has no terms is refused before anything is created.
    for (const line of this.#running()) {
      creativesOf(this.#order, line);
      termsOf(this.#network, this.#order, line);
    }
    const companyId =
      present === undefined ? await bringCompany(this.#network, this.#order, signal) : advertiserOf(present);
    const order = present ?? (await createOrder(this.#network, this.#order, companyId, signal));
    const orderId = idOf(order.name);
    await this.#save({ order: orderId });
    const isNew = await this.#bringLines(orderId);
    if (!this.#isEnded()) {
      await this.#bringCreatives(companyId);
      await approveOrder(this.#network, orderId, isNew, signal);
    }
    await this.#bringStates(orderId);
    return this.#ids;
  }

  async #findOrder(): Promise<Resource | undefined> {
    const { foreign, signal } = this.#context;
    const { media_buy_id } = this.#order;
    const byId =
      foreign?.order === undefined ? undefined : await this.#network.rest.find('orders', foreign.order, signal);
    return byId ?? findOrder(this.#network, media_buy_id, signal);
  }

  #isEnded(): boolean {
    return this.#running().length === 0 && this.#order.packages.every((line) => this.#wanted(line) !== 'paused');
  }

  #running() {
    return this.#order.packages.filter((line) => this.#wanted(line) === 'running');
  }

  #wanted(line: LiveOrder['packages'][number]) {
    return wantedState(this.#order, line);
  }

  async #save(ids: ForeignIds): Promise<void> {
    const { creatives, order, others, packages } = this.#ids;
    this.#ids = {
      order: ids.order ?? order,
      packages: { ...packages, ...ids.packages },
      creatives: { ...creatives, ...ids.creatives },
      others: { ...others, ...ids.others },
    };
    await this.#context.saveIds(ids);
  }

  /** Creates and changes line items; returns whether any of them still has to be approved. */
  async #bringLines(orderId: string): Promise<boolean> {
    const { booked, signal } = this.#context;
    const { clock } = this.#network;
    const lines = await findLines(this.#network, orderId, signal);
    let isNew = false;
    for (const line of this.#order.packages) {
      const wanted = this.#wanted(line);
      const present = lines.get(line.package_id);
      const isEnding = wanted === 'canceled' || wanted === 'completed';
      if (present === undefined && isEnding) continue;
      if (present === undefined) {
        const id = await createLine(this.#network, orderId, termsOf(this.#network, this.#order, line), signal);
        await this.#save({ packages: { [line.package_id]: id } });
        isNew = true;
        continue;
      }
      isNew ||= stateOf(present) === 'waiting';
      await this.#save({ packages: { [line.package_id]: idOf(present.name) } });
      if (isEnding || present.archived === true || isOver(present, clock.now())) continue;
      const before = booked?.packages.find(({ package_id }) => package_id === line.package_id)?.targeting
        .daypart_targets;
      const areDayPartsNew = booked !== undefined && !isDeepStrictEqual(before, line.targeting.daypart_targets);
      const terms = termsOf(this.#network, this.#order, line);
      await changeLine(this.#network, present, terms, { areDayPartsNew, signal });
    }
    return isNew;
  }

  async #bringCreatives(companyId: string): Promise<void> {
    const { signal } = this.#context;
    const lines = this.#order.packages.flatMap((line) => {
      const lineItemId = this.#ids.packages?.[line.package_id];
      const wanted = this.#wanted(line);
      const isEnding = wanted === 'canceled' || wanted === 'completed';
      return lineItemId === undefined || isEnding ? [] : [{ line, lineItemId }];
    });
    const save = (creativeId: string, id: string) =>
      // The numbers of a creative that was replaced come under its old id.
      this.#save({ creatives: { [creativeId]: id }, others: { [`creative:${id}`]: creativeId } });
    await bringCreatives(this.#network, this.#order, lines, { companyId, signal, save });
  }

  async #bringStates(orderId: string): Promise<void> {
    const { signal } = this.#context;
    const before = await findLines(this.#network, orderId, signal);
    for (const [line, wanted] of this.#withLines(before)) await bringState(this.#network, line, wanted, signal);
    const after = await findLines(this.#network, orderId, signal);
    for (const [line, wanted] of this.#withLines(after)) requireState(line, wanted, this.#network.clock.now());
  }

  #withLines(lines: ReadonlyMap<string, RestLine>) {
    return this.#order.packages.flatMap((line) => {
      const present = lines.get(line.package_id);
      return present === undefined ? [] : [[present, this.#wanted(line)] as const];
    });
  }
}

function advertiserOf({ advertiser }: Resource): string {
  return idOf(String(advertiser));
}
