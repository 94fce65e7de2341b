import { expect, test } from 'vitest';
import { type Booted, boot } from '../../kit/boot.js';
import { createRequest, creative, packageRequest, SANDBOX_ACCOUNT, succeeded, updateRequest } from '../../kit/buyer.js';
import { type ConsoleClient, localConsole } from '../../kit/console.js';
import { settle } from '../../kit/events.js';
import { operatorOf } from '../../kit/operator.js';
import { startReceiver } from '../../kit/receiver.js';
import { tenantsFolder } from '../../kit/tenants.js';

/** Pages that a crawl opens at most. */
const MAX_PAGES = 200;

/** Texts that become an element, an attribute or an end of a script wherever they are not written as text; each has the name of its field. */
class HostileTexts {
  readonly #fields = new Set<string>();

  /** Returns the text for a field. */
  of(field: string): string {
    this.#fields.add(field);
    return `\u202e"'></script></textarea><x-${field} onmouseover=alert(1)><img src=x onerror=alert(2)>`;
  }

  /** Returns the fields whose texts are not in another text, as JSON or HTML has them. */
  missingFrom(text: string): readonly string[] {
    const read = text.replaceAll('%20', ' ');
    return [...this.#fields].filter((field) => !read.includes(`x-${field} onmouseover`));
  }
}

/** Texts in what is stored, and in what is only asked or refused. */
type Sent = { readonly stored: HostileTexts; readonly passing: HostileTexts };

/** Sends orders, creatives and questions in which every free field is an attack: one order runs and is canceled, one waits, one is rejected, which its endpoint does not take. */
async function sendHostileTexts(server: Booted, { passing, stored: hostile }: Sent): Promise<readonly string[]> {
  const failing = await startReceiver();
  failing.always(404);
  const note = (field: string) => ({
    context: { [`key ${hostile.of(`${field}-context-key`)}`]: hostile.of(`${field}-context`) },
  });
  const order = (name: string, budget: number) =>
    createRequest({
      ...note(name),
      ext: { note: hostile.of(`${name}-ext`) },
      po_number: hostile.of(`${name}-po`),
      agency_estimate_number: hostile.of(`${name}-estimate`),
      push_notification_config: {
        // An address holds no blanks.
        url: `${failing.url}/${name}/${hostile.of(`${name}-webhook-url`).replaceAll(' ', '%20')}`,
        operation_id: hostile.of(`${name}-operation`),
      },
      packages: [
        packageRequest({
          budget,
          ...note(`${name}-package`),
          ext: { note: hostile.of(`${name}-package-ext`) },
          agency_estimate_number: hostile.of(`${name}-package-estimate`).slice(0, 100),
          creatives: [creative(hostile.of(`${name}-creative-id`), { name: hostile.of(`${name}-creative-name`) })],
        }),
      ],
    });
  const { media_buy_id } = succeeded(await server.call('create_media_buy', order('buy', 1000)));
  const refused = succeeded(await server.call('create_media_buy', order('refused', 9000)));
  await operatorOf(server).post(`/approvals/${refused.task_id}`, { decision: 'reject', reason: 'No.' });
  const waiting = succeeded(await server.call('create_media_buy', order('waiting', 9000)));
  const { creatives } = succeeded(
    await server.call('sync_creatives', {
      ...updateRequest('', { media_buy_id: undefined }),
      creatives: [
        creative(hostile.of('library-id'), {
          name: hostile.of('library-name'),
          tags: [hostile.of('library-tag').slice(0, 100)],
          assets: {
            banner_image: {
              asset_type: 'image',
              url: `https://cdn.example/b.png?q=${hostile.of('library-asset-url')}`,
              width: 300,
              height: 250,
              alt_text: hostile.of('library-alt'),
            },
            click_url: { asset_type: 'url', url: 'https://acme-outdoor.example/' },
          },
        }),
      ],
    }),
  );
  expect(creatives.map(({ action }) => action)).toEqual(['created']);
  succeeded(await server.call('get_products', { buying_mode: 'brief', brief: passing.of('brief') }));
  await server.call(
    'create_media_buy',
    createRequest({ packages: [packageRequest({ product_id: passing.of('unknown-product') })] }),
  );
  await server.call('get_media_buys', { media_buy_ids: [passing.of('unknown-buy')] });
  const cancel = { canceled: true, cancellation_reason: hostile.of('reason') };
  succeeded(await server.call('update_media_buy', updateRequest(String(media_buy_id), { ...cancel })));
  await settle(server);
  return [String(media_buy_id), String(waiting.task_id), String(refused.task_id)];
}

/** Everything that is stored of what a buyer sent, as JSON. */
async function readStored(server: Booted, [buyId = '', ...taskIds]: readonly string[]): Promise<string> {
  const { store } = server.server().app;
  const account = { account: { account_id: SANDBOX_ACCOUNT } };
  return JSON.stringify([
    succeeded(await server.call('list_creatives', account)),
    await store.read.mediaBuys.findAnywhere(buyId),
    await Promise.all(taskIds.map((id) => store.read.tasks.findAnywhere(id))),
    await store.read.webhookLog.list({ limit: 50, after: undefined }, {}),
  ]);
}

/** Opens every page of the console that a link, form or frame of another leads to. */
async function crawl(client: ConsoleClient): Promise<ReadonlyMap<string, string>> {
  const pages = new Map<string, string>();
  const left = ['/console'];
  for (let route = left.pop(); route !== undefined && pages.size < MAX_PAGES; route = left.pop()) {
    if (pages.has(route)) continue;
    const { status, text } = await client.get(route);
    pages.set(route, status === 200 ? text : '');
    for (const [, found = ''] of text.matchAll(/(?:href|src|hx-get)="(\/console[^"#]*)"/g))
      left.push(found.replaceAll('&amp;', '&'));
  }
  return new Map([...pages].filter(([route]) => !route.startsWith('/console/assets/')));
}

test('Every screen of the console shows what buyers send as text, in every field that takes text', async () => {
  const tenants = tenantsFolder((tenant) =>
    Object.assign(tenant, { approvals: [{ budget_over: { amount: 5000, currency: 'USD' } }] }),
  );
  const server = await boot({ tenants, ids: 'system' });
  const texts = { stored: new HostileTexts(), passing: new HostileTexts() };
  const sent = await sendHostileTexts(server, texts);
  expect(texts.stored.missingFrom(await readStored(server, sent))).toEqual([]);
  const pages = await crawl(await localConsole(server));
  const routes = [...pages.keys()];
  const screens = ['buys', 'approvals', 'creatives', 'webhooks', 'requests'];
  const unopened = screens.filter((screen) => !routes.some((route) => route.startsWith(`/console/${screen}/`)));
  expect(unopened, routes.join('\n')).toEqual([]);
  const everything = [...pages.values()].join('\n');
  expect([...texts.stored.missingFrom(everything), ...texts.passing.missingFrom(everything)]).toEqual([]);
  expect(everything).not.toContain('\u202e');
  const alive = [...pages].filter(([, text]) =>
    /<x-|<img src=x|<\/textarea><x|(?:href|src|action)="(?!\/|https?:|data:|#)/.test(text),
  );
  expect(alive.filter(([route]) => !route.includes('/export')).map(([route]) => route)).toEqual([]);
});
