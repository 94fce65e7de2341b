/** What is let in, told or left readable by a server that is set up carelessly, or asked at the wrong door. */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { goodOrder } from './connections.mjs';

const SECRET = 'a-secret-of-the-buyer-0123456789-abcdefghijkl';

/** The command line without the folder of tenants. */
const withoutTenants = (command) =>
  command.filter((word, at) => word !== '--tenants' && command[at - 1] !== '--tenants');

/** Server set-ups that must not start outside development, with what the refusal has to name. */
const CARELESS = {
  'public tokens without the mark': [
    { bend: (tenant) => tenant.principals.push({ id: 'anybody', sandbox: true, public_token: 'anybody-token' }) },
    /public_sandbox/,
  ],
  'no tenants of its own, on every address': [
    { args: ['--host', '0.0.0.0'], wrap: withoutTenants, isEmpty: true },
    /init/,
  ],
};

/** Every file and folder below a folder, itself included. */
function entriesBelow(folder) {
  const below = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return [folder, ...below.map((name) => path.join(folder, name))];
}

/** Requests at the public address for what is not there for the public, with the statuses that they may have. */
const DOORS = [
  [{ path: '/metrics' }, [404]],
  [{ path: '/api/operator/webhooks' }, [404]],
  [{ path: '/nothing/mcp', method: 'POST', body: '{}' }, [404]],
  [{ path: '/nothing/.well-known/agent.json' }, [404]],
  [{ path: '/previews/%ff' }, [400]],
  [{ path: '/sales/mcp', method: 'POST', body: '{}', headers: { host: 'evil.example' } }, [403, 421]],
];

export const rows = [
  {
    id: 'careless-start',
    what: 'A server with public tokens that nobody marked, and one without own tenants on every address, outside development',
    short: true,
    target: 'own',
    async run(context) {
      await context.watch(await context.launch({}));
      const wrong = [];
      for (const [name, [{ isEmpty, ...options }, named]] of Object.entries(CARELESS)) {
        const folder = isEmpty === true ? { folder: context.folder('empty') } : {};
        const { code, said } = await context.launchRefused({ ...options, ...folder });
        if (code === 0 || code === null || !named.test(said)) wrong.push(`${name}: exit ${code}, ${said.slice(-300)}`);
      }
      return {
        held: wrong.length === 0,
        figures: wrong.join('; ') || `${Object.keys(CARELESS).length} refused to start`,
      };
    },
  },
  {
    id: 'left-readable',
    what: 'The data folder is read by another user of the machine: modes of all files, and secrets of webhooks in the database and its log',
    short: true,
    target: 'own',
    async run(context) {
      const server = await context.launch({});
      await context.watch(server);
      const order = await goodOrder(context);
      const push_notification_config = {
        url: `https://hooks.buyer.example/events?token=${SECRET}`,
        authentication: { schemes: ['HMAC-SHA256'], credentials: SECRET },
      };
      const { answer, text } = await context.call('create_media_buy', {
        ...order,
        idempotency_key: randomUUID(),
        push_notification_config,
      });
      if (answer?.media_buy_id === undefined) throw new Error(text.slice(0, 400));
      const entries = entriesBelow(server.dataDir);
      const open = entries.filter((entry) => (statSync(entry).mode & 0o077) !== 0);
      const files = entries.filter((entry) => statSync(entry).isFile());
      const telling = files.filter((file) => readFileSync(file).includes(SECRET));
      return {
        held: open.length === 0 && telling.length === 0,
        figures:
          [...open, ...telling].join(', ') || `${entries.length} files and folders, none for others; 0 hold the secret`,
      };
    },
  },
  {
    id: 'wrong-door',
    what: 'Metrics, the operator API, tenants that are not there and other hosts are asked for at the public address by strangers',
    short: true,
    target: 'seller',
    async run(context) {
      const wrong = [];
      for (const [options, statuses] of DOORS) {
        const { status, text } = await context.send({ method: 'GET', ...options });
        const names = ['sales', 'creative', 'signals'].filter(
          (name) => text.includes(`"${name}"`) || text.includes(`/${name}`),
        );
        if (!statuses.includes(status) || (status === 404 && names.length > 0))
          wrong.push(`${options.path}: ${status} ${text.slice(0, 200)}`);
      }
      return { held: wrong.length === 0, figures: wrong.join('; ') || `${DOORS.length} turned away, no tenant named` };
    },
  },
];
