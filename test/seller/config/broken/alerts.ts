import type { Bendable } from '../fixture.js';
import type { Variant } from '../variant.js';

const alerting =
  (alerts: object) =>
  (tenant: Bendable): void =>
    Object.assign(tenant, { alerts });
const MAIL = { server: 'smtps://mail.example', from: 'seller@news.example', to: ['ops@news.example'] };

/** Faults of what people are alerted of, and how. */
export const BROKEN_ALERTS: readonly Variant[] = [
  { what: 'alerts that go nowhere', bend: alerting({}), pointer: '/alerts', line: '"alerts"', says: /Add "webhook"/ },
  {
    what: 'an unknown kind of alert',
    bend: alerting({ about: ['rain'], email: MAIL }),
    pointer: '/alerts/about/0',
    line: '"rain"',
    says: /"endpoint_failing"/,
  },
  {
    what: 'alerts over plain http',
    bend: alerting({ webhook: { url: 'http://chat.example/hook' } }),
    pointer: '/alerts/webhook/url',
    line: '"url": "http://chat.example/hook"',
    says: /Use an https/,
  },
  {
    what: 'an address of alerts that is not set',
    bend: alerting({ webhook: { url: { env: 'CHAT_URL' } } }),
    pointer: '/alerts/webhook/url/env',
    line: '"env": "CHAT_URL"',
    says: /CHAT_URL is not set/,
  },
  {
    what: 'an address of alerts that is none',
    bend: alerting({ webhook: { url: { env: 'CHAT_URL' } } }),
    pointer: '/alerts/webhook/url',
    line: '"url": {',
    says: /no web address/,
    options: { env: { CHAT_URL: 'chat' } },
  },
  {
    what: 'a short secret of alerts',
    bend: alerting({ webhook: { url: 'https://chat.example/hook', secret: { env: 'CHAT_SECRET' } } }),
    pointer: '/alerts/webhook/secret/env',
    line: '"env": "CHAT_SECRET"',
    says: /too few to be safe/,
    options: { env: { CHAT_SECRET: 'short' } },
  },
  {
    what: 'a mail user without a password',
    bend: alerting({ email: { ...MAIL, user: 'seller' } }),
    pointer: '/alerts/email',
    line: '"email"',
    says: /come together/,
  },
  {
    what: 'a mail server that is a web server',
    bend: alerting({ email: { ...MAIL, server: 'https://mail.example' } }),
    pointer: '/alerts/email/server',
    line: '"server"',
    says: /pattern|smtp/,
  },
];
