import { hostKind } from '../../../platform/net/address.js';
import { isUrl } from '../../../platform/net/url.js';
import { type Draft, draftAt, isDraft, type Report, type Rule, type RuleOptions, textAt } from '../draft.js';

/** The checks of what people are alerted of, and how. */
export const ALERT_RULES: readonly Rule[] = [alertsGoSomewhere, secretsAreSet, webhookIsSafe, mailSignsInWhole];

/** Fewest characters of a shared secret, as of buyers' webhooks. */
const MIN_SECRET_CHARACTERS = 32;
/** Members that name a variable. */
const SECRETS = [
  ['webhook', 'url'],
  ['webhook', 'secret'],
  ['email', 'password'],
] as const;

function alertsGoSomewhere(draft: Draft, report: Report): void {
  const { alerts } = draft;
  if (!isDraft(alerts) || alerts.webhook !== undefined || alerts.email !== undefined) return;
  report(['alerts'], 'alerts go nowhere', 'Add "webhook" or "email", or remove "alerts".');
}

function secretsAreSet(draft: Draft, report: Report, { env }: RuleOptions): void {
  for (const [channel, member] of SECRETS) {
    const name = textAt(draftAt(draftAt(draftAt(draft, 'alerts'), channel), member), 'env');
    if (name === undefined || (env[name] ?? '') !== '') continue;
    const fix = `Set ${name} before starting the server.`;
    report(['alerts', channel, member, 'env'], `the environment variable ${name} is not set`, fix);
  }
}

function webhookIsSafe(draft: Draft, report: Report, { env }: RuleOptions): void {
  const webhook = draftAt(draftAt(draft, 'alerts'), 'webhook');
  const variable = textAt(draftAt(webhook, 'url'), 'env');
  const url = variable === undefined ? textAt(webhook, 'url') : env[variable];
  const at = ['alerts', 'webhook', 'url'];
  if (url !== undefined && url !== '') {
    const parsed = isUrl(url) ? new URL(url) : undefined;
    if (variable !== undefined && !/^https?:$/.test(parsed?.protocol ?? ''))
      report(
        at,
        `the value of ${variable} is no web address`,
        `Put an address such as https://chat.example/hooks/… into ${variable}.`,
      );
    if (
      parsed?.protocol === 'http:' &&
      hostKind(parsed.hostname) !== 'loopback' &&
      hostKind(parsed.hostname) !== 'private'
    )
      report(at, 'alerts would be sent over plain http, where others can read them', 'Use an https address.');
  }
  const secret = textAt(draftAt(webhook, 'secret'), 'env');
  const value = secret === undefined ? '' : (env[secret] ?? '');
  if (secret !== undefined && value !== '' && value.length < MIN_SECRET_CHARACTERS)
    report(
      ['alerts', 'webhook', 'secret', 'env'],
      `the secret in ${secret} has ${value.length} characters, too few to be safe`,
      `Put at least ${MIN_SECRET_CHARACTERS} random characters into ${secret}; "keys new" makes some.`,
    );
}

function mailSignsInWhole(draft: Draft, report: Report): void {
  const email = draftAt(draftAt(draft, 'alerts'), 'email');
  if ((email.user === undefined) === (email.password === undefined)) return;
  report(['alerts', 'email'], 'a user and a password come together', 'Add the other one, or leave both out.');
}
