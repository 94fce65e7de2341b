import { z } from 'zod';
import { bindList, pageArray, readPage } from '../../../platform/kernel/cursor.js';
import { TaskError } from '../../../protocol/errors.js';
import type { Release } from '../../../protocol/releases.js';
import type { Call } from '../../context.js';
import type { Account } from '../../domain/account/account.js';
import { checkConditions, type FeedVersion, feedVersion, isUnchanged } from '../../domain/feed/feed.js';
import { explainNothing, type ListWords } from '../../domain/search/ranking/explain.js';
import {
  type Deployment,
  type Destination,
  deploymentState,
  deploymentWire,
  destinationKey,
  findIntake,
  listDestinations,
  offerWire,
} from '../../domain/signal/deployment.js';
import { explainNoSignals, filterSignals } from '../../domain/signal/filters.js';
import { rankSignals } from '../../domain/signal/search.js';
import {
  DEFINITION_FIELDS,
  isOpenTo,
  printSignal,
  referenceKey,
  SIGNAL_FIELDS,
  SIGNAL_TYPES,
  type Signal,
  type SignalReference,
  signalIdentity,
  signalWire,
} from '../../domain/signal/signal.js';
import type { Seller } from '../../domain/tenant/seller.js';
import type { Reader } from '../../store/store.js';
import {
  accountRef,
  amount,
  country,
  envelopeFields,
  feedConditions,
  pagination,
  pushNotificationConfig,
} from '../pipeline/shapes.js';
import { query } from '../pipeline/tool.js';
import { describeMissing } from '../pipeline/unknown-ids.js';
import { destination, readDestination, readSignalId, readSignalRef, signalId, signalRef } from './shapes.js';

const percentage = z.number().min(0).max(100);

const input = z.looseObject({
  signal_spec: z
    .string()
    .max(20_000)
    .optional()
    .describe('The audience in plain words: who, doing what, where. Left out: the whole catalog'),
  signal_ids: z
    .array(signalId)
    .min(1)
    .max(100)
    .optional()
    .describe('Exactly these signals; with signal_spec, these first'),
  signal_refs: z.array(signalRef).min(1).max(100).optional().describe('The same by signal_ref'),
  discovery_mode: z.enum(['brief', 'wholesale']).optional().describe('wholesale: the whole catalog'),
  account: accountRef.optional(),
  destinations: z.array(destination).min(1).max(100).optional().describe('Only signals that can go to one of these'),
  countries: z.array(country).max(250).optional().describe('ISO 3166-1 alpha-2, such as "US"'),
  filters: z
    .looseObject({
      catalog_types: z.array(z.enum(SIGNAL_TYPES)).optional(),
      data_providers: z.array(z.string().max(255)).optional().describe('Names or domains'),
      max_cpm: amount.optional(),
      max_percent: percentage.optional(),
      min_coverage_percentage: percentage.optional(),
    })
    .optional(),
  fields: z
    .array(z.enum(SIGNAL_FIELDS))
    .min(1)
    .max(64)
    .optional()
    .meta({ type: 'array', brief: true })
    .describe(`Only these fields; ${DEFINITION_FIELDS.join(', ')} come only when named`),
  max_results: z.int().min(1).optional(),
  pagination: pagination.optional(),
  push_notification_config: pushNotificationConfig.optional(),
  ...feedConditions,
  ...envelopeFields,
});
type Input = z.output<typeof input>;

/** get_signals: the segments that a caller may use, found by a spec or by id, and where each is live. */
export const getSignals = query({
  name: 'get_signals',
  title: 'Find signals',
  description:
    'Finds segments of data to target by. Describe the audience in signal_spec, or name signal_ids; filters narrow hard. deployments tell where a signal is live for you: name the account that you activated it under. Next: activate_signal with a signal_agent_segment_id and pricing_option_id.',
  kinds: ['signals'],
  rows: 'signals',
  isTakenTimeFor: true,
  input,
  account: { use: 'read_catalog', required: false },
  empty: { signals: [] },
  run: async ({ call, args, db, account, accountIsNew }) => {
    checkMode(args);
    checkConditions(args, isWholesale(args), 'discovery_mode');
    const { seller, principal, to } = call;
    const wanted = args.destinations?.map((each, index) => readDestination(each, `destinations[${index}]`));
    const candidates = seller.tenant.signals.filter(
      (signal) => isOpenTo(signal, principal?.id) && isListedIn(signal, to.release),
    );
    const narrowed = { ...args.filters, countries: args.countries, destinations: wanted };
    const { passed, diagnostics } = filterSignals(candidates, narrowed, seller.tenant.destinations);
    const { matches, whyNothing } = searchSignals(seller, args, passed);
    const { signal_spec, signal_ids, signal_refs, filters } = args;
    const list = bindList('signals', call.owner, signal_spec, signal_ids, signal_refs, narrowed, filters);
    const page = pageArray(list, matches, readPage(list, pageArgument(args)));
    const signals = page.rows.map(({ signal }) => signal);
    const reader = { call, db, account, wanted };
    const deployed = accountIsNew ? [] : await readDeployments(reader, signals);
    const cache_scope = args.account === undefined ? 'public' : 'account';
    const version =
      isWholesale(args) && to.release !== '3.0'
        ? await versionOf({ ...reader, account: accountIsNew ? undefined : account }, matches)
        : undefined;
    if (version !== undefined && isUnchanged(args, version))
      return { unchanged: true, ...version, cache_scope, sandbox: account?.sandbox ?? principal?.sandbox ?? false };
    const shown = shownFields(args.fields, to.release);
    return {
      message: messageOf(matches, passed.length === 0 ? explainNoSignals(diagnostics) : whyNothing),
      signals: page.rows.map(({ signal, relevance }) => ({
        ...pickShown({ ...signalWire(signal, seller.url), brief_relevance: relevance }, shown),
        deployments: wireDeployments(reader, signal, deployed),
      })),
      ...version,
      cache_scope,
      pagination: page.info,
      sandbox: account?.sandbox ?? principal?.sandbox ?? false,
    };
  },
});

/** Whether a request reads the whole catalog: it says so, or asks for nothing. */
function isWholesale({ discovery_mode: mode, signal_spec, signal_ids, signal_refs }: Input): boolean {
  const isAsked = [signal_spec, signal_ids, signal_refs].some((value) => value !== undefined);
  return mode === 'wholesale' || (mode === undefined && !isAsked);
}

/** Who reads a feed of signals, and where they could go. */
type FeedReader = {
  readonly call: Call;
  readonly db: Reader;
  readonly account: Account | undefined;
  readonly wanted: readonly Destination[] | undefined;
};

/** Returns the version of signals, with where each is live for the account. */
async function versionOf(reader: FeedReader, matches: readonly Match[]): Promise<FeedVersion> {
  const { account, call } = reader;
  const { seller, now } = call;
  const signals = matches.map(({ signal }) => signal);
  const deployed = account === undefined ? [] : await readDeployments(reader, signals);
  const live = deployed.map((row) => deploymentWire(row, account?.status === 'active', now.ms));
  const prints = signals.map((signal) => printSignal(signal, seller.url));
  return feedVersion(prints, live.length === 0 ? '' : JSON.stringify(live));
}

/** Returns the spec of a request; one that says nothing is none. */
function specOf({ signal_spec: spec }: Input): string | undefined {
  return spec?.trim() === '' ? undefined : spec;
}

/** Checks which discovery mode goes with which fields. Throws INVALID_REQUEST. */
function checkMode(args: Input): void {
  const { discovery_mode: mode, signal_ids, signal_refs } = args;
  const questions = Object.entries({ signal_spec: specOf(args), signal_ids, signal_refs });
  const [asked] = questions.find(([, value]) => value !== undefined) ?? [];
  if (mode === 'wholesale' && asked !== undefined) {
    throw new TaskError('INVALID_REQUEST', `A wholesale request takes no ${asked}.`, {
      field: asked,
      suggestion: `Leave ${asked} out, or use discovery_mode "brief".`,
    });
  }
  if (mode === 'brief' && asked === undefined) {
    throw new TaskError('INVALID_REQUEST', 'A brief request needs a signal_spec, or signals by id.', {
      field: 'signal_spec',
      suggestion: 'Describe the audience in signal_spec, or use discovery_mode "wholesale" for the whole catalog.',
    });
  }
}

/** Releases before 3.1 cannot say that a signal has no price of its own. */
function isListedIn({ pricing_options }: Signal, release: Release): boolean {
  return release !== '3.0' || pricing_options.length > 0;
}

/** Returns the page of a request, whose size may also stand beside `pagination`, as it did before there was one. */
function pageArgument({ pagination: page, max_results }: Input): Input['pagination'] {
  return page ?? (max_results === undefined ? undefined : { max_results: Math.min(max_results, 100) });
}

type Match = { readonly signal: Signal; readonly relevance?: string };

const SIGNAL_WORDS: ListWords<Signal> = {
  noun: 'signal',
  everything: 'discovery_mode "wholesale"',
  nameOf: ({ signal_agent_segment_id, name }) => `${signal_agent_segment_id} (${name})`,
};

/**
 * Returns the signals that are named, in the order they are named in; then what the spec finds. `whyNothing` explains a spec that finds
 * none.
 */
function searchSignals(
  seller: Seller,
  args: Input,
  candidates: readonly Signal[],
): { readonly matches: readonly Match[]; readonly whyNothing?: string | undefined } {
  const spec = specOf(args);
  const ranking = spec === undefined ? undefined : rankSignals(seller.signalIndex, spec, candidates);
  const ranked: readonly Match[] = (ranking?.matches ?? []).map(({ item, relevance }) => ({ signal: item, relevance }));
  const whyNothing =
    ranking === undefined || ranked.length > 0 || candidates.length === 0
      ? undefined
      : explainNothing(ranking, SIGNAL_WORDS);
  if (args.signal_ids === undefined && args.signal_refs === undefined)
    return { matches: spec === undefined ? candidates.map((signal) => ({ signal })) : ranked, whyNothing };
  const byKey = new Map(
    candidates.map((signal) => [referenceKey(signalIdentity(signal, seller.url).signal_ref), signal]),
  );
  const references = namedSignals(args);
  const named = new Set(references.flatMap(({ key = '' }) => byKey.get(key) ?? []));
  const missing = references.filter(({ key = '' }) => !byKey.has(key)).map(({ field }) => field);
  const byIds = new Map(ranked.map((entry) => [entry.signal, entry]));
  return {
    matches: [
      ...[...named].map((signal) => byIds.get(signal) ?? { signal }),
      ...ranked.filter(({ signal }) => !named.has(signal)),
    ],
    whyNothing: named.size + ranked.length === 0 ? undefined : describeMissing(missing),
  };
}

/** A signal that a request names: the key of its reference, and where it stands. One within a product has no key. */
type NamedSignal = { readonly key: string | undefined; readonly field: string };

function namedSignals({ signal_ids = [], signal_refs = [] }: Input): readonly NamedSignal[] {
  const keyed = (field: string, reference: SignalReference | undefined): NamedSignal => ({
    key: reference && referenceKey(reference),
    field,
  });
  return [
    ...signal_refs.map((each, index) => {
      const field = `signal_refs[${index}]`;
      return keyed(field, readSignalRef(each, field));
    }),
    ...signal_ids.map((each, index) => {
      const field = `signal_ids[${index}]`;
      return keyed(field, readSignalId(each, field));
    }),
  ];
}

function messageOf(matches: readonly Match[], whyNothing: string | undefined): string | undefined {
  if (whyNothing !== undefined || matches.length > 0) return whyNothing;
  return 'None of the named signals is offered here. Describe the audience in signal_spec instead.';
}

async function readDeployments(
  { account, call, db, wanted }: FeedReader,
  signals: readonly Signal[],
): Promise<readonly Deployment[]> {
  const { owner, now } = call;
  const ids = signals.map((signal) => signal.signal_agent_segment_id);
  const rows = await db.signals.list(owner, account?.account_id, ids, wanted?.map(destinationKey));
  return rows.filter((row) => deploymentState(row, now.ms) !== 'deactivated');
}

/** Returns where a signal is, and where else it could go: of the destinations that are asked for, else of all that can be named. */
function wireDeployments(
  { account, call: { now, seller }, wanted }: FeedReader,
  signal: Signal,
  deployed: readonly Deployment[],
): readonly object[] {
  const { destinations } = seller.tenant;
  const own = deployed.filter((row) => row.signal_agent_segment_id === signal.signal_agent_segment_id);
  const isPermitted = account === undefined || account.status === 'active';
  const isAt = (asked: Destination) => (row: Deployment) =>
    destinationKey(row.destination) === destinationKey(asked) &&
    (asked.account === undefined || row.destination.account === asked.account);
  const asked = wanted ?? listDestinations(destinations, signal);
  const present = own.filter((row) => wanted === undefined || asked.some((each) => isAt(each)(row)));
  const absent = asked.filter((each) => !own.some(isAt(each)));
  return [
    ...present.map((row) => deploymentWire(row, isPermitted, now.ms)),
    ...absent.flatMap((each) => {
      const intake = findIntake(destinations, signal, each);
      return intake === undefined ? [] : [offerWire(each, signal, intake)];
    }),
  ];
}

/** Members that a listing has whatever is asked for, because a schema wants them. */
const ALWAYS: Readonly<Record<Release, readonly string[]>> = {
  '3.0': ['data_provider', 'pricing_options'],
  '3.1': [],
  '3.2-beta.5': [],
};
const IDENTITY = [
  'signal_agent_segment_id',
  'signal_id',
  'signal_ref',
  'name',
  'description',
  'signal_type',
  'coverage_percentage',
];

/** Returns the test of which members of a listing are shown. */
function shownFields(fields: readonly string[] | undefined, release: Release): (name: string) => boolean {
  if (fields === undefined) return (name) => !DEFINITION_FIELDS.some((field) => field === name);
  const names = new Set([...IDENTITY, ...ALWAYS[release], ...fields]);
  return (name) => names.has(name);
}

function pickShown(object: Readonly<Record<string, unknown>>, shown: (name: string) => boolean): object {
  return Object.fromEntries(Object.entries(object).filter(([name, value]) => value !== undefined && shown(name)));
}
