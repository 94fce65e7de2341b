/** Row console: the time that the server takes for each screen of the console, with 100,000 buys, creatives and tasks, and as many members, entries and publishers. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fill, fillRegistry, makeOne } from '../large-data.mjs';
import { cpuSeconds, startFilled, stopTarget } from '../targets.mjs';

const SIZE = 100_000;
const AGAIN = 5;

/** The pages of each screen that read what there is many of. */
const PAGES = (mediaBuyId) => ({
  today: '',
  approvals: '/approvals',
  'a page of buys': '/buys',
  'buys of a buyer that run': '/buys?status=active&buyer=sales%23sandbox',
  'a search that finds nothing': '/buys?q=nobody.example',
  'one buy': `/buys/${mediaBuyId}`,
  delivery: '/delivery',
  'delivery by product': '/delivery?by=product',
  'delivery of a product that none has': '/delivery?product=nothing',
  creatives: '/creatives',
  products: '/products?brief=video+for+hikers+in+the+US',
  webhooks: '/webhooks',
  buyers: '/buyers',
  requests: '/requests',
  audit: '/audit',
  registry: '/registry',
  'publishers of the registry': '/registry/publishers',
  'entries of the registry': '/registry/entries',
  'members of the registry': '/registry/members',
});

/** Signs in by the link of this machine, and answers what reads a page of the console. */
async function enter({ dataDir }) {
  const { token, url } = JSON.parse(readFileSync(path.join(dataDir, 'operator.json'), 'utf8'));
  const made = await fetch(`${url}/sign-in-link`, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
  const { link } = await made.json();
  const entered = await fetch(link, { redirect: 'manual' });
  const cookie = entered.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
  return async (route) => {
    const answer = await fetch(`${url}/console${route}`, { headers: { cookie } });
    const text = await answer.text();
    return { status: answer.status, text };
  };
}

export const consoleRow = {
  name: 'console',
  async measure(bench) {
    bench.say(`${SIZE} of each`);
    const withRegistry = { args: ['--registry'] };
    const empty = await startFilled('ours', undefined, withRegistry);
    const mediaBuyId = await makeOne(empty);
    await stopTarget(empty);
    fill(empty.dataDir, mediaBuyId, SIZE);
    fillRegistry(empty.dataDir, SIZE);
    const target = await startFilled('ours', empty.dataDir, withRegistry);
    try {
      const read = await enter(target);
      const measured = [];
      for (const [what, route] of Object.entries(PAGES(mediaBuyId))) {
        bench.say(what);
        const { status } = await read(route);
        if (status !== 200) throw new Error(`${what} answers ${status}`);
        const walls = [];
        const before = cpuSeconds(target.pid);
        for (let time = 0; time < AGAIN; time += 1) {
          const started = performance.now();
          await read(route);
          walls.push(performance.now() - started);
        }
        measured.push({
          what: `console: ${what}, CPU at ${SIZE} buys`,
          value: ((cpuSeconds(target.pid) - before) * 1000) / AGAIN,
          unit: ' ms',
          aim: { atMost: 200 },
          detail: `fastest in ${Math.min(...walls).toFixed(0)} ms`,
        });
      }
      return measured;
    } finally {
      await stopTarget(target);
    }
  },
};
