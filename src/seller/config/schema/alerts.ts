import { z } from 'zod';
import { HOUR_MS } from '../../../platform/kernel/clock.js';
import { hostKind } from '../../../platform/net/address.js';
import { isUrl } from '../../../platform/net/url.js';
import { ALERT_KINDS, type AlertMail, type AlertSettings, type AlertWebhook } from '../../domain/alert/alert.js';
import type { Environment } from '../draft.js';
import { distinct, object, webAddress } from './shapes.js';

const variable = object({
  env: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/)
    .describe('Name of the environment variable.'),
});

const mailAddress = z.string().regex(/^[^\s@<>,;:"]{1,64}@[A-Za-z0-9.-]{1,255}$/);

const webhook = object({
  url: z
    .union([webAddress('Address that takes POSTs.'), variable])
    .describe('Where alerts are posted, such as the address of a chat tool, which belongs into {"env": "NAME"}.'),
  secret: variable
    .optional()
    .describe(
      'A secret that the receiver has too, as {"env": "NAME"}, for HMAC-SHA256; without it alerts are signed with your published key (RFC 9421), as the webhooks of buyers are.',
    ),
});

const email = object({
  server: z
    .string()
    .regex(/^smtps?:\/\/[A-Za-z0-9.[\]:-]+$/)
    .refine(isUrl, {
      error: 'this is no address of a mail server',
      params: { fix: 'Write "smtps://mail.example:465".' },
    })
    .describe(
      'The mail server: "smtps://mail.example:465" (TLS), or "smtp://mail.example:587" (STARTTLS, which is demanded of every host but private ones).',
    ),
  user: z.string().min(1).max(200).optional().describe('Who signs in there; nobody unless set.'),
  password: variable.optional().describe('The password, as {"env": "NAME"}.'),
  from: mailAddress.describe('The sender, such as "seller@news.example".'),
  to: z.array(mailAddress).min(1).max(20).describe('Who gets the alerts, at most 20 addresses.'),
});

/** What the people of a tenant are alerted of, and how. */
export const alertSchema = object({
  about: distinct(z.enum(ALERT_KINDS), 1)
    .default([...ALERT_KINDS])
    .describe(
      'Of what: "approval_waiting", "order_waiting" (for a person, longer than order_reminders says), "order_refused" (by the ad server), "order_drifted" (changed there by hand), "delivery_failing" (not read from the ad server for an hour), "endpoint_failing" (a webhook of a buyer), "edit_rejected" (of the tenant files). All unless set.',
    ),
  repeat_hours: z
    .number()
    .min(1)
    .max(720)
    .default(24)
    .describe('After how many hours people are told again of what still stands, 1 to 720; 24 unless set.'),
  sandboxes: z
    .boolean()
    .default(false)
    .describe('Whether what sandbox principals do counts too; not unless set, as nothing of it is real.'),
  webhook: webhook.optional().describe('Alerts by POST.'),
  email: email.optional().describe('Alerts by mail.'),
});

/** Returns the settings of a file as the tenant holds them, with the secrets of the environment. */
export function buildAlerts(file: z.output<typeof alertSchema>, env: Environment): AlertSettings {
  return {
    about: file.about,
    repeatMs: file.repeat_hours * HOUR_MS,
    sandboxes: file.sandboxes,
    webhook: file.webhook === undefined ? undefined : buildWebhook(file.webhook, env),
    email: file.email === undefined ? undefined : buildMail(file.email, env),
  };
}

function buildWebhook({ secret, url }: z.output<typeof webhook>, env: Environment): AlertWebhook {
  return {
    url: typeof url === 'string' ? url : (env[url.env] ?? ''),
    secret: secret === undefined ? undefined : env[secret.env],
  };
}

function buildMail({ from, password, server, to, user }: z.output<typeof email>, env: Environment): AlertMail {
  const { hostname, port, protocol } = new URL(server);
  const isSecure = protocol === 'smtps:';
  const usualPort = isSecure ? 465 : 587;
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const kind = hostKind(hostname);
  return {
    host,
    port: port === '' ? usualPort : Number(port),
    isSecure,
    isNear: kind === 'loopback' || kind === 'private',
    user,
    password: password === undefined ? undefined : env[password.env],
    from,
    to,
  };
}
