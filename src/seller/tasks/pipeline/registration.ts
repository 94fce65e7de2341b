import { toJson } from '../../../platform/kernel/json/json.js';
import { TaskError } from '../../../protocol/errors.js';
import { RELEASE_TABLE } from '../../../protocol/releases.js';
import type { App, Call } from '../../context.js';
import { checkChannelHost, readChannel } from '../../webhooks/delivery/channel.js';
import { MAX_ECHOED_CONTEXT_BYTES } from '../../webhooks/events/event-size.js';
import { canNameLocal } from './order-context.js';

/** A registration in the arguments of a call. */
type GivenRegistration = {
  readonly field: string;
  readonly config: unknown;
  /** Whether the task changes something. */
  readonly mutating: boolean;
};

/**
 * Judges a registration, whichever task brought it: its shape, its scheme, its address and where its host leads. Asks a name server, so
 * it belongs before the transaction. Throws INVALID_REQUEST or UNSUPPORTED_FEATURE with the field.
 */
export async function judgeRegistration(app: App, call: Call, given: GivenRegistration): Promise<void> {
  const { field, config, mutating } = given;
  const { seller, principal } = call;
  const { registration } = seller.tenant.webhooks;
  const isOfTask = field === 'push_notification_config' && RELEASE_TABLE[call.to.release].needsOperationId;
  const policy = { ...registration, requireOperationId: isOfTask || registration.requireOperationId };
  const rules = { field, mutating, policy, local: canNameLocal(app, call) };
  const channel = readChannel(config, rules);
  checkEchoedContext(call.to.context);
  await checkChannelHost(channel, field, app.renderer().outbound);
  if (channel.mode === 'rfc9421') return;
  app.log.warn(
    { tenant: seller.tenant.path, principal: principal?.id, mode: channel.mode, field },
    'a buyer registered a webhook with a deprecated scheme; 4.0 ends it',
  );
}

/** Refuses a context that leaves no room in the events that echo it. Throws INVALID_REQUEST. */
export function checkEchoedContext(context: unknown): void {
  if (context === undefined || Buffer.byteLength(toJson(context)) <= MAX_ECHOED_CONTEXT_BYTES) return;
  throw new TaskError('INVALID_REQUEST', 'context: is too long to be sent back with every webhook.', {
    field: 'context',
    suggestion: `Send a context of at most ${MAX_ECHOED_CONTEXT_BYTES} bytes with a registration, an id of your own data for example.`,
  });
}
