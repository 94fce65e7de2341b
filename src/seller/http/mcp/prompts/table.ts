import type { ProtocolNames } from '../../../../protocol/names.js';

/** The arguments of a prompt as they were filled in; those that were left empty are not there. */
type Filled = Readonly<Record<string, string | undefined>>;

/** The context of a prompt's text beside its arguments: the names of the protocol, and the tasks of the caller. */
type Around = { readonly names: ProtocolNames; readonly offers: (task: string) => boolean };

/** A request in words that a person picks and fills in, and a model carries out with the tools. */
export type Prompt = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description: string;
    readonly required?: true;
  }[];
  /** The tasks that it cannot do without: tenants that do not offer them do not have the prompt. */
  readonly tasks: readonly string[];
  readonly text: (filled: Filled, around: Around) => string;
};

/** The table of prompts. `prompts/list`, `prompts/get` and the completion of their arguments derive from it. */
export const PROMPTS: readonly Prompt[] = [
  {
    name: 'plan_campaign',
    title: 'Plan a campaign',
    description: 'From a goal and a budget to packages that can be bought, without buying yet.',
    arguments: [
      { name: 'goal', description: 'What is advertised, to whom, and what for', required: true },
      { name: 'budget', description: 'With its currency, such as 20000 EUR' },
      { name: 'countries', description: 'Two-letter codes, such as DE, AT' },
      { name: 'channels', description: 'Such as ctv, display' },
      { name: 'flight', description: 'From when until when' },
    ],
    tasks: ['get_products', 'list_accounts', 'create_media_buy'],
    text: (filled, { names }) =>
      lines(
        'Plan a campaign with this seller. Buy nothing before I say so.',
        writeLabelled('Goal', filled.goal),
        writeLabelled('Budget', filled.budget),
        writeLabelled('Countries', filled.countries),
        writeLabelled('Channels', filled.channels),
        writeLabelled('Flight', filled.flight),
        '',
        `1. Call \`${names.capabilitiesTool}\` once, for what the seller can do, and \`list_accounts\` for the account to buy in.`,
        '2. Call `get_products` with all of the above as `brief`, the `account`, and `filters` for what must hold (`countries`, `channels`, `start_date`, `end_date`). With an account there are `proposals` too: ready plans.',
        '3. Compare what fits: price and unit of each `pricing_options` entry, `delivery_type`, minimum spend, formats. Say what does not fit, and why.',
        '4. Propose packages: `product_id`, `pricing_option_id` and `budget` of each, one currency, summing up to no more than my budget. Say what each is expected to bring.',
        '5. Show me the total and the dates and ask. Only when I agree, call `create_media_buy` with a fresh `idempotency_key`; repeat a call that failed in transit with the same one.',
      ),
  },
  {
    name: 'why_under_delivering',
    title: 'Why is this under-delivering?',
    description: 'Finds out why a media buy is behind its plan, and what may be done about it.',
    arguments: [{ name: 'media_buy_id', description: 'The media buy', required: true }],
    tasks: ['get_media_buys', 'get_media_buy_delivery', 'update_media_buy'],
    text: ({ media_buy_id: id }) =>
      lines(
        `Find out why the media buy ${JSON.stringify(id)} delivers less than planned. Change nothing before I say so.`,
        '',
        '1. Call `get_media_buys` with its id in `media_buy_ids`, `include_snapshot` true and `include_history` 20. Look at `status`, the dates, `health` and `impairments`; of each package at `paused`, `creative_approvals`, `format_ids_pending` and the `pacing_index` of its `snapshot` (below 1 is behind).',
        '2. Call `get_media_buy_delivery` for the same id with `include_package_daily_breakdown` true. See since when it is behind, and in which package.',
        '3. Name the cause that the figures show: not started, paused, no approved creative, a budget or bid too small, targeting too narrow, or none of these. Say what you cannot see.',
        '4. Propose at most three changes that `valid_actions` of the buy allows, with what each costs. Only when I agree, call `update_media_buy` with the `revision` that you saw and a fresh `idempotency_key`.',
      ),
  },
  {
    name: 'prepare_creatives',
    title: 'Prepare creatives',
    description: 'From what is advertised to creatives that fit the formats.',
    arguments: [
      { name: 'message', description: 'What the ads say, and for which brand', required: true },
      { name: 'format_id', description: 'The id of a format; several with commas' },
    ],
    tasks: ['list_creative_formats'],
    text: (filled, { offers }) =>
      lines(
        'Prepare creatives.',
        writeLabelled('Message', filled.message),
        writeLabelled('Formats', filled.format_id),
        '',
        ...numberSteps([
          'Call `list_creative_formats` for the formats in question, and note the `assets` of each: which are required, sizes in pixels, files, longest texts.',
          offers('build_creative')
            ? 'Call `build_creative` with the message and `target_format_ids`, and a fresh `idempotency_key`.'
            : 'Ask me for the assets that are missing. Invent no addresses of pictures or videos.',
          offers('preview_creative')
            ? 'Call `preview_creative` with each `creative_manifest`, and give me the `preview_url` of each page.'
            : undefined,
          offers('sync_creatives')
            ? 'When I agree, call `sync_creatives` with `dry_run` true, mend what is refused, then call it for good with a fresh `idempotency_key`; `assignments` put creatives into packages.'
            : undefined,
        ]),
      ),
  },
  {
    name: 'find_audience',
    title: 'Find an audience',
    description: 'From an audience in words to a signal that is live where it is needed.',
    arguments: [
      { name: 'audience', description: 'Who is to be reached, doing what', required: true },
      { name: 'destination', description: 'The platform where it is needed' },
    ],
    tasks: ['get_signals', 'activate_signal'],
    text: (filled) =>
      lines(
        'Find an audience with this agent. Activate nothing before I say so.',
        writeLabelled('Audience', filled.audience),
        writeLabelled('Destination', filled.destination),
        '',
        '1. Call `get_signals` with the audience as `signal_spec`, and with `destinations` where one is named.',
        '2. Compare at most three: `coverage_percentage`, what each costs by its `pricing_options`, where its `deployments` are live already. Say what does not fit.',
        '3. Only when I agree, call `activate_signal` with the `signal_agent_segment_id`, the `pricing_option_id`, the `destinations` and a fresh `idempotency_key`; then call `get_signals` again until the deployment is live.',
      ),
  },
];

function lines(...texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined).join('\n');
}

function writeLabelled(label: string, value: string | undefined): string | undefined {
  return value === undefined ? undefined : `${label}: ${value}`;
}

function numberSteps(steps: readonly (string | undefined)[]): readonly string[] {
  return steps.filter((step) => step !== undefined).map((step, index) => `${index + 1}. ${step}`);
}
