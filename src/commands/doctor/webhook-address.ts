import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Clock, SECOND_MS, systemClock } from '../../platform/kernel/clock.js';
import { systemIds } from '../../platform/kernel/ids.js';
import { createLog } from '../../platform/kernel/log.js';
import type { Outbound } from '../../platform/net/fetch.js';
import { createKeyDirectory } from '../../platform/signing/directory/key-directory.js';
import { signatureMeaning } from '../../platform/signing/verify/codes.js';
import { protocolNames } from '../../protocol/names.js';
import { type Receipt, sendReceipt } from '../../receiver/answers.js';
import { openReceiverFolder } from '../../receiver/folder.js';
import { createReceiver } from '../../receiver/receiver.js';
import type { ArrivedWebhook } from '../../registry/assessment/evidence.js';
import type { WebhookAddress } from '../../registry/assessment/gather/stage.js';

/** Where a receiver listens, how the agent reaches it, and who that is. */
type WebhookAddressOptions = {
  /** Finds the agent's keys. */
  readonly outbound: Pick<Outbound, 'fetch'>;
  readonly agentUrl: string;
  readonly url: string;
  readonly port: number;
  readonly protocolName: string;
  readonly local: boolean;
  /** Milliseconds that a webhook is waited for; ten seconds unless given. */
  readonly patienceMs?: number;
};

/** Webhooks that are looked at. */
const MAX_ARRIVED = 20;
const PATIENCE_MS = 10 * SECOND_MS;
/** The parameter of the address that tells registrations apart: what is below a path may not lead here. */
const NAME = 'doctor';

/** Opens a receiver for the webhooks of an agent, with a folder of its own that `close` removes. Throws where the port is taken. */
export async function openWebhookAddress(
  options: WebhookAddressOptions,
): Promise<WebhookAddress & { readonly close: () => Promise<void> }> {
  const { patienceMs = PATIENCE_MS, port, url } = options;
  const folder = await mkdtemp(path.join(tmpdir(), 'seller-agent-doctor-'));
  const store = await openReceiverFolder(folder);
  const receiver = createReceiver({ store, handler: () => undefined, ...receiverOptions(options, systemClock) });
  // What an earlier run asked for may still be sent.
  const run = systemIds.uuid();
  const arrived: { readonly name: string | null; readonly webhook: ArrivedWebhook }[] = [];
  const arrivals = new EventEmitter();
  const refusing = new Set<string>();
  const server = createServer((request, response) => {
    const name = new URL(request.url ?? '/', url).searchParams.get(NAME);
    void receiver.receive(request).then((receipt) => {
      // The event is looked at all the same.
      if (receipt.kind === 'accepted' && name !== null && refusing.delete(name)) response.writeHead(503).end();
      else sendReceipt(receipt, response);
      const webhook = readReceipt(receipt);
      if (webhook !== undefined && name?.endsWith(run) === true && arrived.length < MAX_ARRIVED)
        arrived.push({ name, webhook });
      arrivals.emit('webhook');
    });
  });
  server.listen(port);
  await once(server, 'listening');
  const arrivedFor: WebhookAddress['arrived'] = (wanted) =>
    arrived.flatMap(({ name, webhook }) => (name === `${wanted}-${run}` ? webhook : []));
  return {
    urlFor: (name) => namedUrl(url, `${name}-${run}`),
    refuseOnce: (name) => refusing.add(`${name}-${run}`),
    arrived: arrivedFor,
    awaitArrival: async (name, count = 1) => {
      const signal = AbortSignal.timeout(patienceMs);
      while (arrivedFor(name).length < count && !signal.aborted)
        await once(arrivals, 'webhook', { signal }).catch(() => undefined);
      return arrivedFor(name);
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await receiver.close();
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function receiverOptions({ agentUrl, local, outbound, protocolName, url }: WebhookAddressOptions, clock: Clock) {
  const names = protocolNames(protocolName);
  const brandJson = local ? 'well_known' : 'capabilities';
  return {
    clock,
    log: createLog('silent'),
    protocolName,
    keys: createKeyDirectory({ outbound, clock, names, profile: 'webhook', local, brandJson }),
    endpoints: [{ url, mode: 'rfc9421', agents: [{ url: agentUrl }] }] as const,
  };
}

function namedUrl(url: string, name: string): string {
  const named = new URL(url);
  named.searchParams.set(NAME, name);
  return named.href;
}

function readReceipt(receipt: Receipt): ArrivedWebhook | undefined {
  if (receipt.kind === 'gone') return undefined;
  if (receipt.kind === 'unproven')
    return { verdict: 'unsigned', why: `${receipt.code}. ${signatureMeaning(receipt.code)}` };
  if (receipt.kind !== 'refused') return { verdict: 'proven', payload: receipt.payload };
  const { field, refusal } = receipt;
  const why = `${refusal.replaceAll('_', ' ')}${field === undefined ? '' : ` at ${field}`}.`;
  return { verdict: refusal === 'keys_unavailable' ? 'unsigned' : 'malformed', why };
}
