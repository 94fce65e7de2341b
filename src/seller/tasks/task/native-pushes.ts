import { canonicalHash } from '../../../platform/kernel/canonical.js';
import { isObject } from '../../../platform/kernel/json/json.js';
import { HEADER_TOKEN } from '../../../platform/net/url.js';
import { TaskError } from '../../../protocol/errors.js';
import type { App, Caller } from '../../context.js';
import { type A2aPush, type A2aRevision, MAX_TASK_PUSHES } from '../../domain/task/a2a.js';
import type { Writer } from '../../store/store.js';
import { checkChannelHost, readChannel } from '../../webhooks/delivery/channel.js';

/** The registration as refusals name it. */
const FIELD = 'pushNotificationConfig';
const MAX_ID_CHARACTERS = 255;
/** A registration without an id gets one that follows from it, so that a repeated message registers nothing more. */
const ID_CHARACTERS = 32;

/**
 * Reads a native registration as the argument of a task would be read: its address goes through the same guard, its authentication is
 * of the same schemes. Asks a name server. Throws INVALID_REQUEST or UNSUPPORTED_FEATURE with the field.
 */
export async function readPush(app: App, caller: Caller, given: unknown, revision: A2aRevision): Promise<A2aPush> {
  const { principal, seller } = caller;
  if (principal === undefined)
    throw new TaskError('AUTH_MISSING', 'A registration needs a credential.', { field: FIELD });
  if (!isObject(given)) throw refusal('must be an object', 'Send {"url": "https://…"}.');
  const { id, url } = given;
  const config = {
    url,
    operation_id: withoutEmpty(given.operation_id),
    token: withoutEmpty(given.token),
    authentication: readAuthentication(given.authentication),
  };
  const local = app.development && principal.sandbox;
  const policy = seller.tenant.webhooks.registration;
  const channel = readChannel(config, { field: FIELD, mutating: true, policy, local });
  // Receivers of A2A look for it in a header.
  if (channel.token !== undefined && !HEADER_TOKEN.test(channel.token))
    throw refusal('cannot be sent in a header', 'Send letters, digits and signs without spaces.', '.token');
  await checkChannelHost(channel, FIELD, app.renderer().outbound);
  const config_id = withoutEmpty(id) ?? canonicalHash(config).slice(0, ID_CHARACTERS);
  if (typeof config_id !== 'string' || config_id.length > MAX_ID_CHARACTERS)
    throw refusal('has an id that is no text of at most 255 characters', 'Leave the id out, or send a UUID.', '.id');
  return { config_id, revision, config, local };
}

/** Stores a registration with its task. Throws INVALID_REQUEST where the task has as many as it may. */
export async function storePush(tx: Writer, taskId: string, push: A2aPush): Promise<void> {
  const present = await tx.a2a.pushes(taskId);
  const isNew = !present.some(({ config_id }) => config_id === push.config_id);
  if (isNew && present.length >= MAX_TASK_PUSHES)
    throw refusal(`is one more than the ${MAX_TASK_PUSHES} of a task`, 'Delete one that is not needed any more.');
  tx.a2a.savePush(taskId, push);
}

/** Reads authentication, of which revision 1.0 names one scheme and leaves what is absent empty. */
function readAuthentication(given: unknown): unknown {
  if (!isObject(given) || given.scheme === undefined) return given ?? undefined;
  return { schemes: [given.scheme], credentials: given.credentials };
}

function withoutEmpty(value: unknown): unknown {
  return value === '' || value === null ? undefined : value;
}

function refusal(fault: string, suggestion: string, member = ''): TaskError {
  return new TaskError('INVALID_REQUEST', `${FIELD}${member}: ${fault}`, { field: `${FIELD}${member}`, suggestion });
}
