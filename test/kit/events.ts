import { SECOND_MS } from '../../src/platform/kernel/clock.js';
import { createMemoryNonces } from '../../src/platform/signing/verify/nonces.js';
import { NO_REVOCATION } from '../../src/platform/signing/verify/revocation.js';
import { createVerifier, type Verdict } from '../../src/platform/signing/verify/verify.js';
import { protocolNames } from '../../src/protocol/names.js';
import { keysOf } from '../platform/signing/context.js';
import type { Booted } from './boot.js';
import { send } from './http.js';
import type { ReceivedPost } from './receiver.js';

/** Lets the server do what is due at this instant, and waits until what goes out has been answered. */
export async function settle(server: Booted): Promise<void> {
  await server.server().tick();
  await server.server().app.outbox.idle();
}

/** Turns the clock forward and settles, in steps of `stepMs` where time has to pass piece by piece. */
export async function pass(server: Booted, ms: number, stepMs = ms): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    server.clock.advance(Math.min(stepMs, ms - passed));
    await settle(server);
  }
}

/** The buyer's verifier with the keys that the server publishes; the URL is what was registered, its origin. */
export async function verifierOf(server: Booted): Promise<(post: ReceivedPost, origin: string) => Promise<Verdict>> {
  const jwks = (await send(`${server.baseUrl}/.well-known/jwks.json`)).json() as { readonly keys: readonly object[] };
  const verify = createVerifier({
    profile: 'webhook',
    names: protocolNames('adcp'),
    keys: keysOf(...jwks.keys),
    nonces: createMemoryNonces({ perKey: 1000, total: 1000 }),
    revocation: NO_REVOCATION,
    now: () => Math.floor(server.clock.now() / SECOND_MS),
  });
  return (post, origin) => verify({ ...post, url: `${origin}${post.path}` });
}

/** Everything that the outbox ever held, oldest first, as the operator's log has it. */
export async function eventsOf(server: Booted, mediaBuyId?: string) {
  const page = { limit: 1000, after: undefined };
  const rows = await server.server().app.store.read.webhookLog.list(page, { mediaBuyId });
  return rows.toReversed();
}
