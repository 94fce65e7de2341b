import { html } from '../../../platform/web/html.js';
import { CONSOLE_PATH } from '../page/assets.js';
import { badge, card, count, table } from '../page/pieces.js';
import type { ConsolePage, Screen, Visit } from '../visit.js';

const PATH = `${CONSOLE_PATH}/buyers`;

/** Who may buy at each tenant, and how each proves itself. */
export const BUYERS: Screen = {
  path: PATH,
  title: 'Buyers',
  views: [{ path: PATH, run: listBuyers }],
  acts: [],
};

async function listBuyers({ app }: Visit): Promise<ConsolePage> {
  const counts = await app.store.read.mediaBuys.countByStatus();
  const ofOwner = (owner: string): number =>
    counts.filter((one) => one.owner === owner).reduce((sum, { total }) => sum + total, 0);
  const cards = [...app.sellers().values()].map(({ tenant }, index) =>
    card({
      id: `tenant-${index}`,
      title: tenant.name,
      aside: html`<small>${tenant.path}</small>`,
      body: table({
        caption: `Buyers of ${tenant.path}`,
        empty: 'Nobody may call it.',
        rows: tenant.principals,
        columns: [
          { title: 'Buyer', cell: ({ id, name }) => html`${name}<small>${id}</small>` },
          { title: 'Kind', cell: ({ sandbox }) => badge(sandbox ? 'sandbox' : 'live', sandbox ? 'calm' : 'good') },
          {
            title: 'Proves itself by',
            cell: ({ credentials, signer }) => {
              const shown = credentials.map((one) =>
                one.kind === 'sha256' ? `a key with hash ${one.digest.slice(0, 8)}…` : 'a public token',
              );
              return [...shown, ...(signer === undefined ? [] : ['signatures'])].join(', ') || 'nothing';
            },
          },
          {
            title: 'Buys',
            isNumber: true,
            cell: ({ id }) =>
              html`<a href="${CONSOLE_PATH}/buys?buyer=${`${tenant.path}#${id}`}">${count(ofOwner(`${tenant.path}#${id}`))}</a>`,
          },
        ],
      }),
    }),
  );
  return {
    title: 'Buyers',
    lead: html`A key is added with <code>seller-agent keys new TENANT BUYER</code>, and taken away by removing its hash from the tenant file.`,
    body: html`${cards}`,
  };
}
