import type { Environment } from '../../seller/config/draft.js';
import type { Settings } from '../../seller/config/settings.js';
import { asOperator } from '../operator.js';

/** Shows the master keys, or rotates them: in the running server, which seals the stored secrets again bit by bit, else here at once. */
export async function operateMasterKeys(
  settings: Settings,
  env: Environment,
  operation: 'list' | 'rotate',
): Promise<string> {
  const request = { path: '/master-keys', body: { operation } };
  const { active, isComplete, older } = await asOperator(settings, env, request, async ({ app: { store } }) => {
    if (operation === 'rotate') await store.sealing.rotate();
    if (operation === 'rotate') await store.sealing.run(() => false);
    return store.sealing.state;
  });
  const rest = isComplete
    ? 'Every stored secret is sealed with it.'
    : `Stored secrets are being sealed with it; until then ${older.join(', ') || 'no other'} opens them.`;
  return `${active} seals what is stored from now on. ${rest}`;
}
