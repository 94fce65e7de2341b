import { z } from 'zod';
import { isUrl } from '../../../platform/net/url.js';
import { TaskError } from '../../../protocol/errors.js';
import type { Destination } from '../../domain/signal/deployment.js';
import type { SignalReference } from '../../domain/signal/signal.js';

const address = z.string().min(1).max(2048).optional();
const domain = z.string().min(1).max(253).optional();
const id = z.string().min(1).max(255);

/** A destination in the arguments; `readDestination` reads which of the two it is. */
export const destination = z
  .looseObject({
    type: z.enum(['platform', 'agent']),
    platform: z.string().min(1).max(128).optional(),
    agent_url: address,
    account: z.string().min(1).max(255).optional(),
  })
  .describe('{type:"platform", platform, account?} or {type:"agent", agent_url, account?}; account is your seat there');

/** A destination as it was sent. */
export type GivenDestination = z.output<typeof destination>;

/** A signal by 3.0's `signal_id`. */
export const signalId = z
  .looseObject({ source: z.enum(['catalog', 'agent']), data_provider_domain: domain, agent_url: address, id })
  .describe('signal_id of an earlier answer');

/** A signal by 3.1's `signal_ref`. */
export const signalRef = z
  .looseObject({
    scope: z.enum(['data_provider', 'signal_source', 'product']),
    data_provider_domain: domain,
    signal_source_url: address,
    signal_id: id,
  })
  .describe('signal_ref of an earlier answer');

/** Reads a destination. Throws INVALID_REQUEST for one that names no place, or an agent by what is no web address. */
export function readDestination(given: GivenDestination, field: string): Destination {
  const { type, platform, agent_url, account } = given;
  const seat = account === undefined ? {} : { account };
  if (type === 'platform') {
    if (platform === undefined) throw refuseMissing(`${field}.platform`);
    return { type, platform, ...seat };
  }
  if (agent_url === undefined) throw refuseMissing(`${field}.agent_url`);
  const url = isUrl(agent_url) ? new URL(agent_url) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new TaskError('INVALID_REQUEST', `${field}.agent_url: is not the address of an agent`, {
      field: `${field}.agent_url`,
      suggestion: "Send the agent's https address as its operator publishes it, without user name and password.",
    });
  }
  return { type, agent_url, ...seat };
}

/** Reads a `signal_id`. Throws INVALID_REQUEST for one that says too little. */
export function readSignalId(given: z.output<typeof signalId>, field: string): SignalReference {
  const { source, data_provider_domain, agent_url } = given;
  if (source === 'catalog') {
    if (data_provider_domain === undefined) throw refuseMissing(`${field}.data_provider_domain`);
    return { source, data_provider_domain, id: given.id };
  }
  if (agent_url === undefined) throw refuseMissing(`${field}.agent_url`);
  return { source, agent_url, id: given.id };
}

/** Reads a `signal_ref`; undefined for one within a product, which is found nowhere else. Throws INVALID_REQUEST for one that says too little. */
export function readSignalRef(given: z.output<typeof signalRef>, field: string): SignalReference | undefined {
  const { scope, data_provider_domain, signal_source_url, signal_id } = given;
  if (scope === 'product') return undefined;
  if (scope === 'data_provider') {
    if (data_provider_domain === undefined) throw refuseMissing(`${field}.data_provider_domain`);
    return { scope, data_provider_domain, signal_id };
  }
  if (signal_source_url === undefined) throw refuseMissing(`${field}.signal_source_url`);
  return { scope, signal_source_url, signal_id };
}

function refuseMissing(field: string): TaskError {
  return new TaskError('INVALID_REQUEST', `${field}: is required`, {
    field,
    suggestion: 'Send the object exactly as get_signals answers it.',
    issues: [{ pointer: `/${field.replaceAll(/[.[\]]+/g, '/')}`, message: 'is required', keyword: 'required' }],
  });
}
