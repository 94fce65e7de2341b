/** Buyers that go on buying whatever happens to the server, and remember what it acknowledged. */
import { randomUUID } from 'node:crypto';

const WIDTH = 8;

/** Orders with what came of them. */
export class Buyers {
  /** `{ order, buy, refusal }` of each: the id of its buy, or the code of the refusal; neither where no answer came. */
  entries = [];
  #context;
  #order;
  #isOver = false;
  #buying = Promise.resolve();

  /** `order` is good as it is but for its idempotency_key. */
  constructor(context, order) {
    this.#context = context;
    this.#order = order;
  }

  /** Ids of the buys that were acknowledged. */
  get acknowledged() {
    return this.entries.flatMap(({ buy }) => buy ?? []);
  }

  /** Begins to buy, until `end`. */
  start(target) {
    const buy = async () => {
      while (!this.#isOver) {
        const entry = { order: { ...this.#order, idempotency_key: randomUUID() } };
        this.entries.push(entry);
        await this.#send(entry, target);
      }
    };
    this.#isOver = false;
    this.#buying = Promise.all(Array.from({ length: WIDTH }, buy));
  }

  /** Ends after the orders under way. */
  async end() {
    this.#isOver = true;
    await this.#buying;
  }

  /** Waits until so many more orders were answered as `isCounted` says. */
  async wait(count, isCounted) {
    const counted = () => this.entries.filter(isCounted).length;
    const enough = counted() + count;
    for (let tries = 0; counted() < enough; tries += 1) {
      if (tries > 400) throw new Error(`of ${this.entries.length} orders only ${counted()} came out as they should`);
      await this.#context.pause(50);
    }
  }

  /**
   * Sends every order again: one that was acknowledged has to name its buy again, as a replay, any other has to be taken now. Returns
   * how many acknowledged ones were lost, and how many buys there are beyond one an order.
   */
  async retry(target) {
    const before = this.entries.map(({ buy }) => buy);
    let lost = 0;
    let firstLost = -1;
    await this.#context.inTurn(this.entries.length, WIDTH, async (at) => {
      const entry = this.entries[at];
      await this.#send(entry, target);
      if (entry.buy === undefined) throw new Error(`a retry was refused: ${entry.refusal}`);
      const isSame = before[at] === undefined || (entry.buy === before[at] && entry.isReplay);
      if (isSame) return;
      lost += 1;
      firstLost = firstLost < 0 ? at : Math.min(firstLost, at);
    });
    const distinct = new Set(this.acknowledged);
    return { lost, doubled: (await this.#count(target)) - distinct.size };
  }

  async #send(entry, target) {
    const { answer, status, text } = await this.#context
      .call('create_media_buy', entry.order, { target })
      .catch((error) => ({ status: 0, text: error.message }));
    entry.buy = answer?.media_buy_id;
    entry.isReplay = answer?.replayed === true;
    const isRefused = status > 0 && entry.buy === undefined;
    entry.refusal = isRefused
      ? (answer?.adcp_error?.code ?? answer?.errors?.[0]?.code ?? `${status} ${text.slice(0, 200)}`)
      : undefined;
  }

  async #count(target) {
    let count = 0;
    for (let cursor; ; ) {
      const { answer, text } = await this.#context.call(
        'get_media_buys',
        { status_filter: STATUSES, pagination: { max_results: 100, cursor } },
        { target },
      );
      if (answer?.media_buys === undefined) throw new Error(`the buys cannot be listed: ${text.slice(0, 200)}`);
      count += answer.media_buys.length;
      if (!answer.pagination.has_more) return count;
      cursor = answer.pagination.cursor;
    }
  }
}

const STATUSES = ['pending_start', 'pending_creatives', 'active', 'paused'];
