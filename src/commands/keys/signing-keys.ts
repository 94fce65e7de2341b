import { secondText } from '../../platform/kernel/clock.js';
import {
  type KeyAnswer,
  type KeyOperation,
  operateKeys,
  readKeyOperation,
} from '../../platform/signing/keys/key-operations.js';
import type { KeySummary } from '../../platform/signing/keys/key-ring.js';
import type { Environment } from '../../seller/config/draft.js';
import type { Settings } from '../../seller/config/settings.js';
import { asOperator } from '../operator.js';

/** An operation as the command line gives it: its words are not checked yet. */
type SigningKeysFlags = Readonly<Record<Exclude<keyof KeyOperation, 'now'>, string | undefined>> & {
  readonly now: boolean | undefined;
};

/**
 * Carries out an operation on the signing keys: in the running server, which signs with the outcome at once, else on the data folder.
 * Returns the text to show; `ok` is false when a key failed a check. Throws TaskError for words that mean nothing.
 */
export async function operateSigningKeys(
  settings: Settings,
  env: Environment,
  flags: Partial<SigningKeysFlags>,
): Promise<{ readonly ok: boolean; readonly text: string }> {
  const operation = readKeyOperation(flags);
  const answer = await asOperator(settings, env, { path: '/keys', body: operation }, ({ app }) =>
    operateKeys(app.keys, operation),
  );
  return describeKeys(operation, answer);
}

function describeKeys({ operation }: KeyOperation, answer: KeyAnswer): { readonly ok: boolean; readonly text: string } {
  if ('checks' in answer) {
    const lines = answer.checks.map(({ check, kid, ok }) => `${ok ? 'ok    ' : 'FAILED'}  ${kid}  ${check}`);
    return { ok: answer.checks.every(({ ok }) => ok), text: lines.join('\n') || NO_KEYS };
  }
  if (operation === 'list') return { ok: true, text: answer.keys.map(line).join('\n') || NO_KEYS };
  return { ok: true, text: answer.keys.map((key) => OUTCOMES[key.state](key)).join('\n') };
}

const NO_KEYS = 'No keys yet: serve makes one, or keys signing generate.';

const OUTCOMES: Readonly<Record<KeySummary['state'], (key: KeySummary) => string>> = {
  active: (key) => `${key.kid} signs for ${key.purpose} from now on.`,
  next: (key) => `${key.kid} is published and takes over for ${key.purpose} at ${instantText(key.activate_at)}.`,
  retiring: (key) => `${key.kid} signs no more and is published until ${instantText(key.publish_until)}.`,
  retired: (key) => `${key.kid} is retired: it is published no more.`,
};

/** When a key does what it does next, or did what it did last. */
const INSTANTS: Readonly<Record<KeySummary['state'], (key: KeySummary) => string>> = {
  active: (key) =>
    `since ${instantText(key.activated_at)}${key.last_used_at === undefined ? '' : `, last used ${instantText(key.last_used_at)}`}`,
  next: (key) => `takes over ${instantText(key.activate_at)}`,
  retiring: (key) => `published until ${instantText(key.publish_until)}`,
  retired: (key) =>
    key.revoked_at === undefined ? `since ${instantText(key.retired_at)}` : `revoked ${instantText(key.revoked_at)}`,
};

/** Returns an instant of a key to the second; nothing where it has none. */
function instantText(at = ''): string {
  return secondText(at);
}

function line(key: KeySummary): string {
  return [key.kid, key.purpose, key.alg, key.state.padEnd('retiring'.length), INSTANTS[key.state](key)].join('  ');
}
