import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLog } from '../../platform/kernel/log.js';
import type { Receipt } from '../../receiver/answers.js';
import { openReceiverFolder } from '../../receiver/folder.js';
import { openSenderKeys } from '../../receiver/keys.js';
import { createReceiver } from '../../receiver/receiver.js';
import type { ArrivedWebhook } from '../../registry/assessment/evidence.js';
import type { WebhookAddress } from '../../registry/assessment/gather/stage.js';

/** Where a receiver listens, how the agent reaches it, and who that is. */
type WebhookAddressOptions = {
  readonly agentUrl: string;
  readonly url: string;
  readonly port: number;
  readonly protocolName: string;
  readonly local: boolean;
};

/** Webhooks that are looked at. */
const MAX_ARRIVED = 20;

/** Opens a receiver for the webhooks of an agent, with a folder of its own that `close` removes. Throws where the port is taken. */
export async function openWebhookAddress({
  agentUrl,
  local,
  port,
  protocolName,
  url,
}: WebhookAddressOptions): Promise<WebhookAddress & { readonly close: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'seller-agent-doctor-'));
  const store = await openReceiverFolder(folder);
  const keys = openSenderKeys({ protocolName, local });
  const endpoints = [{ url, mode: 'rfc9421', agents: [{ url: agentUrl }] }] as const;
  const log = createLog('silent');
  const receiver = createReceiver({ store, keys, log, endpoints, protocolName, handler: () => undefined });
  const arrived: ArrivedWebhook[] = [];
  const server = createServer((request, response) => {
    void receiver.handle(request, response).then((receipt) => {
      const webhook = readReceipt(receipt);
      if (webhook !== undefined && arrived.length < MAX_ARRIVED) arrived.push(webhook);
    });
  });
  server.listen(port);
  await once(server, 'listening');
  return {
    url,
    arrived: () => [...arrived],
    close: async () => {
      server.close();
      server.closeAllConnections();
      await receiver.close();
      await keys.close();
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function readReceipt(receipt: Receipt): ArrivedWebhook | undefined {
  if (receipt.kind === 'gone') return undefined;
  if (receipt.kind === 'unproven') return { verdict: 'unsigned', why: receipt.code };
  if (receipt.kind !== 'refused') return { verdict: 'proven' };
  const { field, refusal } = receipt;
  const why = `${refusal.replaceAll('_', ' ')}${field === undefined ? '' : ` at ${field}`}`;
  return { verdict: refusal === 'keys_unavailable' ? 'unsigned' : 'malformed', why };
}
