import { z } from 'zod';
import { isoTime, MINUTE_MS } from '../../../platform/kernel/clock.js';
import type { App, Call } from '../../context.js';
import { checkAccountUse } from '../../domain/account/account.js';
import { signalCommitment } from '../../domain/governance/commitment.js';
import {
  type Deployment,
  type Destination,
  deactivateDeployment,
  deploymentState,
  deploymentWire,
  destinationNotOffered,
  findIntake,
  listDestinations,
  orderDeployment,
} from '../../domain/signal/deployment.js';
import { choosePrice, findOpenSignal, type Signal, signalNotFound } from '../../domain/signal/signal.js';
import type { Writer } from '../../store/store.js';
import { requireSomeLeft } from '../grant/limit-spending.js';
import { accountRef, envelopeFields, governanceFields, keyField, pushNotificationConfig } from '../pipeline/shapes.js';
import { mutation } from '../pipeline/tool.js';
import { openActivation } from './activation-task.js';
import { destination, readDestination } from './shapes.js';

const input = z.looseObject({
  ...keyField,
  signal_agent_segment_id: z.string().min(1).max(255),
  destinations: z.array(destination).min(1).max(100),
  action: z
    .enum(['activate', 'deactivate'])
    .optional()
    .describe('activate unless set; deactivate takes the signal back'),
  pricing_option_id: z.string().max(255).optional().describe('From get_signals; needed to activate what has a price'),
  account: accountRef.optional(),
  push_notification_config: pushNotificationConfig.optional(),
  ...governanceFields,
  ...envelopeFields,
});

/** activate_signal: sends a signal to platforms and agents, or takes it back. */
export const activateSignal = mutation({
  name: 'activate_signal',
  title: 'Activate a signal',
  description:
    'Sends a signal to platforms (your seat there) or sales agents, or takes it back with action "deactivate". Where is_live is true, target by the activation_key; where it is false, ask get_signals again after the estimated minutes, or have it told by push_notification_config.',
  kinds: ['signals'],
  input,
  // Taking data back is never refused to somebody who has not paid; activating is judged below.
  account: { use: 'read_buys', required: false },
  commits:
    async ({ call, args, account, db }) =>
    async () => {
      const signal = findOpenSignal(call.seller.signals, args.signal_agent_segment_id, call.principal?.id);
      if (account === undefined || signal === undefined || args.action === 'deactivate') return undefined;
      const price = choosePrice(signal, args.pricing_option_id, 'pricing_option_id');
      if (price?.currency !== undefined && price.model !== 'flat_fee') await requireSomeLeft(call, db, price.currency);
      return signalCommitment(account.account_id, signal, price, args.destinations);
    },
  run: async ({ app, call, args, db, account }) => {
    const { signal_agent_segment_id: id, action = 'activate' } = args;
    const sandbox = account?.sandbox ?? call.principal?.sandbox ?? false;
    const targets = args.destinations.map((each, index) => readDestination(each, `destinations[${index}]`));
    const signal = findOpenSignal(call.seller.signals, id, call.principal?.id);
    if (action === 'deactivate') {
      if (signal === undefined && !(await db.signals.wasUsed(call.owner, id)))
        throw signalNotFound('signal_agent_segment_id');
      const taken: TakenBack[] = [];
      for (const target of targets) taken.push(await takeBack({ call, db }, account?.account_id, id, target));
      return { deployments: taken.map(({ deployment }) => deployment), message: describeTaken(taken), sandbox };
    }
    if (account !== undefined) checkAccountUse(account, 'buy');
    if (signal === undefined) throw signalNotFound('signal_agent_segment_id');
    const price = choosePrice(signal, args.pricing_option_id, 'pricing_option_id');
    const terms = {
      account_id: account?.account_id,
      price,
    };
    const sent: Deployment[] = [];
    for (const [index, target] of targets.entries())
      sent.push(await activateAt({ app, call, db }, signal, terms, { target, field: `destinations[${index}]` }));
    const answer = {
      deployments: sent.map((deployment) => deploymentWire(deployment, true, call.now.ms)),
      message: messageOf(sent, call.now.ms),
      sandbox,
    };
    const liveAt = lastLive(sent);
    const hasRegistration =
      call.principal !== undefined && (args.push_notification_config !== undefined || call.isPushed === true);
    if (!hasRegistration || Date.parse(liveAt) <= call.now.ms) return answer;
    return openActivation({ app, call, db, account, request: args }, answer, liveAt);
  },
});

/** A destination and the field that names it. */
type AskedTarget = { readonly target: Destination; readonly field: string };

/** Orders a signal at a destination; one that is there or on its way stays as it is, at the price that is now chosen. */
async function activateAt(
  { app, call, db }: { readonly app: App; readonly call: Call; readonly db: Writer },
  signal: Signal,
  terms: Pick<Deployment, 'account_id' | 'price'>,
  { target, field }: AskedTarget,
): Promise<Deployment> {
  const { destinations } = call.seller.tenant;
  const intake = findIntake(destinations, signal, target);
  if (intake === undefined) {
    const choices = listDestinations(destinations, signal).flatMap((each) => nameOf(each, target.type));
    throw destinationNotOffered(target, choices, field);
  }
  const before = await db.signals.find(call.owner, terms.account_id, signal.signal_agent_segment_id, target);
  const isActive = before !== undefined && deploymentState(before, call.now.ms) !== 'deactivated';
  const after = isActive
    ? { ...before, ...terms }
    : orderDeployment(signal, target, intake, { terms, keyText: app.ids.next('seg'), nowMs: call.now.ms });
  await db.signals.save(call.owner, after);
  return after;
}

function nameOf(destination: Destination, type: Destination['type']): readonly string[] {
  if (destination.type !== type) return [];
  return [destination.type === 'platform' ? destination.platform : destination.agent_url];
}

/** Takes a signal back from a destination; where it never was, it is not either. */
async function takeBack(
  { call, db }: { readonly call: Call; readonly db: Writer },
  accountId: string | undefined,
  segmentId: string,
  target: Destination,
): Promise<TakenBack> {
  const before = await db.signals.find(call.owner, accountId, segmentId, target);
  if (before === undefined) return { deployment: { ...target, is_live: false }, isTaken: false };
  const after = deactivateDeployment(before, call.now.ms);
  if (after !== before) await db.signals.save(call.owner, after);
  return { deployment: deploymentWire(after, false, call.now.ms), isTaken: after !== before };
}

/** A destination after a signal was taken back from it, and whether it had it until then. */
type TakenBack = { readonly deployment: object; readonly isTaken: boolean };

/** Says where nothing was taken back: the signal was not active there, so that the caller may have named another account. */
function describeTaken(taken: readonly TakenBack[]): string {
  const idle = taken.flatMap(({ isTaken }, index) => (isTaken ? [] : `destinations[${index}]`));
  if (idle.length === 0) return 'Deactivated.';
  const where = `It was not active at ${idle.slice(0, MAX_NAMED_DESTINATIONS).join(', ')}${idle.length > MAX_NAMED_DESTINATIONS ? ' and more' : ''}; get_signals shows where it is.`;
  return idle.length === taken.length ? where : `Deactivated. ${where}`;
}

/** Most destinations that a sentence names. */
const MAX_NAMED_DESTINATIONS = 10;

/** Returns when the last of some deployments is live (ISO 8601). */
function lastLive(deployments: readonly Deployment[]): string {
  return isoTime(Math.max(...deployments.map(({ live_at }) => Date.parse(live_at))));
}

function messageOf(deployments: readonly Deployment[], nowMs: number): string {
  const longest = Math.ceil((Date.parse(lastLive(deployments)) - nowMs) / MINUTE_MS);
  if (longest <= 0) return 'Live. Target by the activation_key of each deployment.';
  return `Live everywhere in about ${longest} minutes. Ask get_signals for this signal and its destinations then; it answers the activation_key.`;
}
