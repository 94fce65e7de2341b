import { canonicalUrl } from '../../../creative/formats/format-id.js';
import { isoTime, MINUTE_MS } from '../../../platform/kernel/clock.js';
import { TaskError } from '../../../protocol/errors.js';
import type { Signal, SignalPrice } from './signal.js';

/** A destination of signals: a seat on a platform, or at an agent by its URL. `account` is the buyer's there. */
export type Destination =
  | { readonly type: 'platform'; readonly platform: string; readonly account?: string }
  | { readonly type: 'agent'; readonly agent_url: string; readonly account?: string };

/** The forms of an activation key: the platform's own id of the segment, or a pair to target by. */
export const KEY_TYPES = ['segment_id', 'key_value'] as const;

/** The key that a buyer targets with once a signal is live. */
export type ActivationKey =
  | { readonly type: 'segment_id'; readonly segment_id: string }
  | { readonly type: 'key_value'; readonly key: string; readonly value: string };

/** How segments are handed over to a destination. */
export type Intake = {
  /** Minutes that handing a segment over takes. */
  readonly activation_minutes: number;
  readonly key_type: (typeof KEY_TYPES)[number];
  /** The key of a key_value pair. */
  readonly key: string;
};

/** A platform that this agent hands segments to. */
type Platform = Intake & { readonly platform: string };

/** The destinations that this agent's signals can go to. */
export type Destinations = {
  readonly platforms: readonly Platform[];
  /** Agents: any, or those of these URLs. */
  readonly agents: Intake & { readonly agent_urls?: readonly string[] };
};

/**
 * A signal at a destination as it was ordered, at the price of that time; instants are ISO 8601 in UTC. Whether it is live follows from
 * these facts and the clock.
 */
export type Deployment = {
  readonly signal_agent_segment_id: string;
  /** Whose it is; a deployment that was made for no account belongs to the principal alone. */
  readonly account_id?: string;
  readonly destination: Destination;
  readonly price?: SignalPrice;
  readonly activation_key: ActivationKey;
  readonly activated_at: string;
  readonly live_at: string;
  readonly deactivated_at?: string;
};

/** The state of a deployment: on its way, in use, or taken back. */
type DeploymentState = 'activating' | 'live' | 'deactivated';

/** Returns the state of a deployment at `nowMs`. */
export function deploymentState(
  { live_at, deactivated_at }: Pick<Deployment, 'live_at' | 'deactivated_at'>,
  nowMs: number,
): DeploymentState {
  if (deactivated_at !== undefined) return 'deactivated';
  return Date.parse(live_at) <= nowMs ? 'live' : 'activating';
}

/** Returns the key that all ways to write one platform or agent share; seats are not told apart. */
export function destinationKey(destination: Destination): string {
  return destination.type === 'platform'
    ? `platform:${destination.platform}`
    : `agent:${canonicalUrl(destination.agent_url)}`;
}

/** Returns how a signal is handed over to a destination; undefined where it cannot go there. */
export function findIntake(
  { platforms, agents }: Destinations,
  { access }: Pick<Signal, 'access'>,
  destination: Destination,
): Intake | undefined {
  if (destination.type === 'platform') {
    const { platform } = destination;
    if (access.platforms?.includes(platform) === false) return undefined;
    return platforms.find((row) => row.platform === platform);
  }
  const url = canonicalUrl(destination.agent_url);
  const isTaken = (urls: readonly string[] | undefined): boolean =>
    urls === undefined || urls.some((listed) => canonicalUrl(listed) === url);
  return isTaken(agents.agent_urls) && isTaken(access.agents) ? agents : undefined;
}

/** Returns the destinations of a signal that can be named without asking the buyer: every platform that takes it, every agent that is listed. */
export function listDestinations(destinations: Destinations, signal: Pick<Signal, 'access'>): readonly Destination[] {
  const { platforms, agents } = destinations;
  const listed = agents.agent_urls ?? signal.access.agents ?? [];
  return [
    ...platforms.map(({ platform }) => ({ type: 'platform', platform }) as const),
    ...listed.map((agent_url) => ({ type: 'agent', agent_url }) as const),
  ].filter((destination) => findIntake(destinations, signal, destination) !== undefined);
}

/** Returns the minutes from the order of a signal until it is live at a destination with this intake. */
export function activationMinutes({ access }: Pick<Signal, 'access'>, intake: Intake): number {
  return access.activation_minutes + intake.activation_minutes;
}

/** For whom and at what price a signal is ordered, and when; `keyText` is an id that no other deployment has. */
type DeploymentOrder = {
  readonly terms: Pick<Deployment, 'account_id' | 'price'>;
  readonly keyText: string;
  readonly nowMs: number;
};

/** Returns a deployment as it is ordered. */
export function orderDeployment(
  signal: Signal,
  destination: Destination,
  intake: Intake,
  { terms, keyText, nowMs }: DeploymentOrder,
): Deployment {
  return {
    signal_agent_segment_id: signal.signal_agent_segment_id,
    ...terms,
    destination,
    activation_key:
      intake.key_type === 'segment_id'
        ? { type: 'segment_id', segment_id: keyText }
        : { type: 'key_value', key: intake.key, value: keyText },
    activated_at: isoTime(nowMs),
    live_at: isoTime(nowMs + activationMinutes(signal, intake) * MINUTE_MS),
  };
}

/** Returns a deployment as taken back; one that was taken back before stays as it is. */
export function deactivateDeployment(deployment: Deployment, nowMs: number): Deployment {
  return deployment.deactivated_at === undefined ? { ...deployment, deactivated_at: isoTime(nowMs) } : deployment;
}

/** Returns a deployment as an answer shows it. The key is shown only where it is live and `permitted` says that the caller may target by it. */
export function deploymentWire(deployment: Deployment, permitted: boolean, nowMs: number): object {
  const { destination, activation_key, live_at } = deployment;
  switch (deploymentState(deployment, nowMs)) {
    case 'live':
      return {
        ...destination,
        is_live: true,
        activation_key: permitted ? activation_key : undefined,
        deployed_at: live_at,
      };
    case 'activating':
      return {
        ...destination,
        is_live: false,
        estimated_activation_duration_minutes: Math.ceil((Date.parse(live_at) - nowMs) / MINUTE_MS),
      };
    case 'deactivated':
      return { ...destination, is_live: false };
  }
}

/** Returns a destination that a signal is not at, with the minutes until it would be live there. */
export function offerWire(destination: Destination, signal: Pick<Signal, 'access'>, intake: Intake): object {
  const minutes = activationMinutes(signal, intake);
  return { ...destination, is_live: false, estimated_activation_duration_minutes: minutes };
}

/** Returns where a signal could go, as whoever has activated it nowhere sees it. */
export function offeredDeployments(destinations: Destinations, signal: Pick<Signal, 'access'>): readonly object[] {
  return listDestinations(destinations, signal).flatMap((destination) => {
    const intake = findIntake(destinations, signal, destination);
    return intake === undefined ? [] : [offerWire(destination, signal, intake)];
  });
}

/** Returns the error of a destination that a signal cannot go to. `offered` are the names of those it can. */
export function destinationNotOffered(destination: Destination, offered: readonly string[], field: string): TaskError {
  const isPlatform = destination.type === 'platform';
  const shown = offered.slice(0, 10);
  const choice = shown.length === 0 ? '' : ` It goes to: ${shown.join(', ')}.`;
  return new TaskError(
    'VALIDATION_ERROR',
    `The signal cannot be activated on this ${isPlatform ? 'platform' : 'agent'}.`,
    {
      field: `${field}.${isPlatform ? 'platform' : 'agent_url'}`,
      suggestion: `Use a destination that get_signals shows for this signal.${choice}`,
      details: shown.length === 0 ? undefined : { allowed_values: shown },
    },
  );
}
