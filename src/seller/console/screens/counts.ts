import { DAY_MS } from '../../../platform/kernel/clock.js';
import { CONSOLE_PATH } from '../page/assets.js';
import type { Visit } from '../visit.js';

/** More than this is shown as many. */
const MANY = 100;

/** Returns how many things wait for a person, by the path of the screen where they are. */
export async function countWaiting({
  app,
  nowMs,
  registry,
}: Pick<Visit, 'app' | 'nowMs' | 'registry'>): Promise<Readonly<Record<string, number>>> {
  const { creatives, tasks, webhookLog } = app.store.read;
  const waiting = await tasks.countWaiting();
  const orders = waiting.reduce((sum, { total }) => sum + Number(total), 0);
  const reviews = (await creatives.waiting(MANY)).length;
  const dead = await webhookLog.givenUp(nowMs - DAY_MS, { limit: MANY, after: undefined }, {});
  return {
    [`${CONSOLE_PATH}/approvals`]: orders + reviews,
    [`${CONSOLE_PATH}/webhooks`]: dead.length,
    [`${CONSOLE_PATH}/registry`]: (await registry?.countReviews()) ?? 0,
  };
}
