/** Names and servers that look public and lead inside. */
import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { endWithRun, freePort } from '../bench/targets.mjs';
import { goodOrder } from './connections.mjs';

const DOMAIN = 'attacked-files.com';

/** Where the redirects lead. */
const INSIDE = [
  'https://127.0.0.1/',
  'http://127.0.0.1/',
  'https://localhost/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://2130706433/',
  'http://169.254.169.254/latest/meta-data/iam/',
  'https://169.254.169.254/latest/meta-data/iam/',
  'https://10.0.0.1/',
  `https://inside.${DOMAIN}/`,
  `https://mixed.${DOMAIN}/`,
  '//127.0.0.1/',
  'file:///etc/passwd',
];

/** Opens a network that lies, starts a seller in it, and has it watched. Returns what was seen in that network, when asked. */
async function openLyingNetwork(context) {
  const folder = context.folder('network');
  const certificate = path.join(folder, 'certificate.pem');
  execFileSync(
    'openssl',
    `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=attack -addext subjectAltName=DNS:*.${DOMAIN} -keyout ${folder}/key.pem -out ${certificate}`.split(
      ' ',
    ),
    { stdio: 'ignore' },
  );
  writeFileSync(path.join(folder, 'resolv.conf'), 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n');
  const namespace = await context.namespace({
    net: true,
    setup: [
      'ip link set lo up',
      ...['93.184.215.14', '169.254.169.254', '10.0.0.1'].map((address) => `ip address add ${address}/32 dev lo`),
      `mount --bind ${folder}/resolv.conf "$(readlink -f /etc/resolv.conf)"`,
    ].join(' && '),
  });
  const port = await freePort();
  const script = fileURLToPath(new URL('kit/inside.mjs', import.meta.url));
  const [program, ...args] = namespace.wrap([process.execPath, script, folder, String(port), JSON.stringify(INSIDE)]);
  const inside = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  endWithRun(inside);
  await once(inside.stdout, 'data');
  // The same port out here leads to the one in there.
  const door = net.createServer((socket) => {
    const onward = net.connect(path.join(folder, 'door'));
    for (const one of [socket, onward]) one.on('error', () => socket.destroy() && onward.destroy());
    socket.pipe(onward).pipe(socket);
  });
  await new Promise((resolve) => door.listen(port, '127.0.0.1', resolve));
  const env = { NODE_EXTRA_CA_CERTS: certificate };
  const server = await context.launch({ port, wrap: namespace.wrap, env });
  await context.watch(server);
  const seen = async () => {
    const chunks = await net.connect(path.join(folder, 'seen')).toArray();
    return JSON.parse(Buffer.concat(chunks));
  };
  context.atEnd(() => door.close());
  return { seen };
}

/** Has the seller ask for an address in each way in which a caller can, and for the brand.json of a host. */
function askFor(context, order, url, host = new URL(url).hostname) {
  const { account } = context.principals.attacker;
  const key = { idempotency_key: randomUUID() };
  const id = randomUUID();
  const format_id = { agent_url: 'https://ads.attacked.example/creative/mcp', id: 'display_300x250_image' };
  const assets = {
    banner_image: { asset_type: 'image', url, width: 300, height: 250 },
    click_url: { asset_type: 'url', url: 'https://buyer.example/' },
  };
  return Promise.all([
    context.call(
      'preview_creative',
      { request_type: 'single', creative_manifest: { format_id, assets } },
      { tenant: 'creative' },
    ),
    context.call('sync_catalogs', {
      ...key,
      account: { account_id: account },
      catalogs: [{ catalog_id: id, name: 'Feed', type: 'product', url }],
    }),
    context.call('create_media_buy', {
      ...order,
      idempotency_key: randomUUID(),
      push_notification_config: { url, operation_id: id },
    }),
    context.call('get_products', { buying_mode: 'wholesale', property_list: { agent_url: url, list_id: id } }),
    context.call('create_media_buy', {
      ...order,
      idempotency_key: randomUUID(),
      packages: order.packages.map((line) => ({
        ...line,
        targeting_overlay: { property_list: { agent_url: url, list_id: id } },
      })),
    }),
    context.call(
      'build_creative',
      { idempotency_key: randomUUID(), message: 'Boots.', target_format_id: format_id, brand: { domain: host } },
      { tenant: 'creative' },
    ),
  ]);
}

/** Whether the brand.json of every host that leads away was asked for. */
const isAsked = (hits, length) =>
  Array.from({ length }, (_, at) => hits[`away-${at}.${DOMAIN}`]).every((asked) => asked > 0);

const count = (hits) => Object.values(hits).reduce((sum, one) => sum + one, 0);

export const rows = [
  {
    id: 'redirects-inside',
    what: `Public servers that redirect inside, to ${INSIDE.length} addresses and names, with three statuses and over a second hop: files, lists, webhooks, brand.json`,
    short: false,
    target: 'own',
    needs: 'namespaces',
    async run(context) {
      const network = await openLyingNetwork(context);
      const order = await goodOrder(context);
      const lead = (to, status) => `https://cdn.${DOMAIN}/to/${status}/${encodeURIComponent(to)}`;
      await askFor(context, order, `https://cdn.${DOMAIN}/feed.json`);
      const before = count((await network.seen()).hits);
      const addresses = INSIDE.flatMap((to) => [302, 307, 308].map((status) => lead(to, status)));
      const twice = INSIDE.map((to) => lead(lead(to, 302), 302));
      await context.inTurn(addresses.length + twice.length, 4, (at) =>
        // A host has one brand.json: each of these leads to an address of its own.
        askFor(context, order, [...addresses, ...twice][at], `away-${at % INSIDE.length}.${DOMAIN}`),
      );
      await context.pause(2000);
      const { hits, reached } = await network.seen();
      return {
        held: reached === 0 && before >= 2 && count(hits) > addresses.length && isAsked(hits, INSIDE.length),
        figures: `${count(hits)} requests reached the public servers, ${reached} the listeners inside`,
      };
    },
  },
  {
    id: 'dns-rebinding',
    what: 'Names that are public when they are first asked for and 127.0.0.1 from then on, or both at once',
    short: false,
    target: 'own',
    needs: 'namespaces',
    async run(context) {
      const network = await openLyingNetwork(context);
      const order = await goodOrder(context);
      const names = ['rebind', 'mixed', 'inside'].flatMap((kind) =>
        [1, 2, 3, 4, 5].map((at) => `${kind}-${at}.${DOMAIN}`),
      );
      for (let round = 0; round < 3; round += 1) {
        for (const name of names) await askFor(context, order, `https://${name}/feed.json`);
      }
      await context.pause(3000);
      const { asked, hits, reached } = await network.seen();
      const again = names.filter((name) => asked[name] > 1).length;
      return {
        held: reached === 0 && again === names.length && count(hits) > 0,
        figures: `${again} of ${names.length} names were asked for again; ${count(hits)} requests went to the public address, ${reached} inside`,
      };
    },
  },
];
