import { type Command, command, SETTINGS_OPTIONS } from '../command.js';
import type { ListenFlags } from './listen.js';
import type { WebhookFlags } from './webhooks.js';

const FILTERS = [
  ['--tenant <path>', 'of one tenant'],
  ['--principal <id>', 'of one buyer'],
  ['--endpoint <url>', 'posted to one host, or to one path there'],
  ['--media-buy <id>', 'about one media buy'],
] as const;

/** The commands of `webhooks`. */
export const WEBHOOK_COMMANDS: readonly Command[] = [
  command<WebhookFlags>({
    usage: 'webhooks list',
    description: 'the newest events and what became of them',
    options: [...FILTERS, ['--state <name>', 'pending, delivered, dead or dropped'], ...SETTINGS_OPTIONS],
    run: async ({ env, settings }, { flags }) =>
      (await import('./webhooks.js')).listWebhooks(await settings(flags), env, flags),
  }),
  command({
    usage: 'webhooks replay <key>',
    description: 'send an event again, by its idempotency_key from the list',
    options: SETTINGS_OPTIONS,
    run: async ({ env, settings }, { args: [key = ''], flags }) => {
      const { actOnWebhooks } = await import('./webhooks.js');
      return actOnWebhooks(await settings(flags), env, { do: 'replay', idempotency_key: key });
    },
  }),
  command<WebhookFlags & { readonly since?: string }>({
    usage: 'webhooks recover',
    description: 'send again what expired or was given up, except what a later event tells better',
    options: [
      ['--since <time>', 'given up at or after this instant, or 90m, 24h, 7d ago'],
      ...FILTERS,
      ...SETTINGS_OPTIONS,
    ],
    run: async ({ env, settings }, { flags }) => {
      const { actOnWebhooks, filterOf } = await import('./webhooks.js');
      const action = { do: 'recover', since: flags.since ?? '', ...filterOf(flags) } as const;
      return actOnWebhooks(await settings(flags), env, action);
    },
  }),
  command({
    usage: 'webhooks test <media_buy_id>',
    description: 'send an event of a media buy with a webhook that says nothing but that the webhook works',
    options: SETTINGS_OPTIONS,
    run: async ({ env, settings }, { args: [id = ''], flags }) => {
      const { actOnWebhooks } = await import('./webhooks.js');
      return actOnWebhooks(await settings(flags), env, { do: 'test', media_buy_id: id });
    },
  }),
  command<ListenFlags>({
    usage: 'webhooks listen',
    description: 'receive webhooks as a buyer: verified, once each, on disk before they are acknowledged',
    options: [
      ['--agent <url>', 'the seller’s agent; its operator’s brand.json leads to its keys'],
      ['--brand-json <url>', 'where that brand.json is; alone, every agent that it lists is believed'],
      ['--jwks <url>', 'where the keys are (default: a seller-agent on this machine, port 3000)'],
      ['--publisher <domain>', 'believe only the keys that this publisher’s adagents.json pins for the agent'],
      ['--secret <text>', 'the shared secret of a registration with HMAC-SHA256'],
      ['--bearer <text>', 'the token of a registration with Bearer'],
      ['--port <number>', 'port (default: 4000)'],
      ['--host <address>', 'address to bind (default: 127.0.0.1)'],
      ['--url <url>', 'address that senders call, where a proxy or tunnel leads here'],
      ['--data <dir>', 'folder of what was received (default: ./webhooks-data)'],
      ['--fail <number>', 'answer 503 so often first, to see retries'],
      ['--protocol-name <name>', 'the protocol’s name on the wire (default: adcp)'],
      ['--json', 'one JSON object per line'],
    ],
    run: async ({ cwd, log, out, untilStopped }, { flags }) => {
      const { listenForWebhooks } = await import('./listen.js');
      await listenForWebhooks(flags, { cwd, write: out, log: await log('warn'), stopped: untilStopped() });
      return undefined;
    },
  }),
];
