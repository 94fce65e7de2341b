import { hasSimulatedBuys } from '../../domain/tenant/callers.js';
import type { Visit } from '../visit.js';

/** One thing to do before real buyers come. */
export type Check = { readonly title: string; readonly says: string; readonly isDone: boolean };

/** Returns what has to be done before real buyers come, and how far it is. */
export function checkReadiness({ app, settings }: Pick<Visit, 'app' | 'settings'>): readonly Check[] {
  const sellers = [...app.sellers().values()];
  const live = sellers.flatMap(({ callers }) => callers.filter(({ sandbox }) => !sandbox));
  const madeUp = sellers.filter(({ tenant }) => hasSimulatedBuys(tenant)).map(({ tenant }) => tenant.name);
  const url = new URL(app.renderer().baseUrl);
  return [
    {
      title: 'Tenants of your own',
      isDone: !settings.hasExampleTenants,
      says: settings.hasExampleTenants
        ? 'The shipped examples are served, whose tokens everybody knows: run seller-agent init.'
        : `${sellers.length} served from ${settings.tenantsDir}.`,
    },
    {
      title: 'A public address with TLS',
      isDone: url.protocol === 'https:',
      says:
        url.protocol === 'https:' ? url.origin : `It is ${url.origin}: set base_url to the address that buyers call.`,
    },
    {
      title: 'Who runs the agents',
      isDone: settings.operator.name !== undefined,
      says: settings.operator.name ?? 'Set operator.domain and operator.name, which brand.json and the console show.',
    },
    {
      title: 'A live buyer',
      isDone: live.length > 0,
      says:
        live.length > 0
          ? `${live.length} may buy with real money.`
          : 'Every key is a sandbox one: add one with seller-agent keys new.',
    },
    {
      title: 'Delivery by an ad server, or by hand',
      isDone: madeUp.length === 0,
      says:
        madeUp.length === 0
          ? 'No delivery of live buys is made up.'
          : `Made up at ${madeUp.join(', ')}: set fulfillment.`,
    },
    {
      title: 'Signing keys',
      isDone: app.keys.publicJwks().keys.length > 0,
      says:
        app.keys.publicJwks().keys.length > 0
          ? 'Webhooks are signed, and the keys are published.'
          : 'Run seller-agent keys signing generate.',
    },
  ];
}
