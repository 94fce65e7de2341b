import { describeMore, type Summary, unitPrice } from './outcomes.js';
import {
  amountText,
  countNoun,
  type Facts,
  idText,
  joinParts,
  listOf,
  nameSome,
  objectOf,
  quoteText,
  rowsOf,
  valuesOf,
} from './words.js';

/** Returns the products of a catalog with the price of each, and the plans that can be bought whole. */
export function describeProducts(answer: Facts): Summary {
  if (answer.unchanged === true) return UNCHANGED;
  const products = listOf(answer, 'products');
  const plans = listOf(answer, 'proposals');
  const [plan] = plans;
  const bought: Summary['steps'] = [
    [
      'create_media_buy',
      'with product_id, pricing_option_id and budget of each package, dates, and a fresh idempotency_key',
    ],
  ];
  return {
    lines: [
      `Found ${countNoun(products.length, 'product')}.`,
      ...rowsOf(products, describeProduct),
      plan === undefined ? '' : `${countNoun(plans.length, 'plan')} to buy whole by proposal_id: ${describePlan(plan)}`,
      describeMore(answer),
    ],
    steps: products.length === 0 ? [['get_products', 'with a wider brief or fewer filters']] : bought,
  };
}

const UNCHANGED: Summary = { lines: ['Nothing has changed since the version that you have.'] };

function describeProduct(product: Facts): string {
  const options = listOf(product, 'pricing_options');
  const option = options.find(({ fixed_price }) => typeof fixed_price === 'number') ?? options[0];
  return joinParts([
    `${idText(product.product_id)} ${quoteText(product.name)}`,
    option === undefined ? '' : costOf(option),
  ]);
}

function costOf({ currency, fixed_price, floor_price, ...option }: Facts): string {
  const model = option.pricing_model;
  const fixed = unitPrice(fixed_price, currency, model);
  const floor = unitPrice(floor_price, currency, model);
  const least = amountText(option.min_spend_per_package, currency);
  return joinParts([
    fixed,
    fixed === '' && floor !== '' ? `bids from ${floor}` : '',
    least === '' ? '' : `at least ${least} a package`,
    `pricing_option_id ${idText(option.pricing_option_id)}`,
  ]);
}

function describePlan(plan: Facts): string {
  const { currency, recommended } = objectOf(plan, 'total_budget_guidance');
  const budget = amountText(recommended, currency);
  return joinParts([
    `${idText(plan.proposal_id)} ${quoteText(plan.name)}`,
    budget === '' ? '' : `recommended budget ${budget}`,
  ]);
}

/** Returns the signals that were found with what each costs, and where they are live. */
export function describeSignals(answer: Facts): Summary {
  if (answer.unchanged === true) return UNCHANGED;
  const signals = listOf(answer, 'signals');
  return {
    lines: [`Found ${countNoun(signals.length, 'signal')}.`, ...rowsOf(signals, describeSignal), describeMore(answer)],
    steps:
      signals.length === 0
        ? [['get_signals', 'with other words or fewer filters']]
        : [
            [
              'activate_signal',
              'with signal_agent_segment_id, pricing_option_id, destinations, and a fresh idempotency_key',
            ],
          ],
  };
}

function describeSignal(signal: Facts): string {
  const [option] = listOf(signal, 'pricing_options');
  const { coverage_percentage: coverage } = signal;
  const live = listOf(signal, 'deployments').filter(({ is_live }) => is_live === true);
  return joinParts([
    `${idText(signal.signal_agent_segment_id)} ${quoteText(signal.name)}`,
    typeof coverage === 'number' ? `covers ${coverage} %` : '',
    option === undefined ? '' : signalCost(option),
    live.length === 0 ? '' : `live in ${countNoun(live.length, 'place')}`,
  ]);
}

function signalCost({ cpm, currency, ...option }: Facts): string {
  return joinParts([unitPrice(cpm, currency, 'cpm'), `pricing_option_id ${idText(option.pricing_option_id)}`]);
}

/** Returns where a signal is live now, and where it will be. */
export function describeActivation(answer: Facts): Summary {
  const deployments = listOf(answer, 'deployments');
  const live = deployments.filter(({ is_live }) => is_live === true);
  return {
    lines: [
      `The signal is live in ${live.length} of ${countNoun(deployments.length, 'place')}.`,
      ...rowsOf(deployments, describeDeployment),
    ],
    steps:
      live.length === deployments.length
        ? [['create_media_buy', 'with the activation_key of a deployment in the targeting of its packages']]
        : [['get_signals', 'for this signal and its destinations, until each is live']],
  };
}

function describeDeployment(deployment: Facts): string {
  const minutes = deployment.estimated_activation_duration_minutes;
  const where = idText(deployment.platform ?? deployment.agent_url);
  if (deployment.is_live === true) return `${where}: live`;
  return `${where}: not live${typeof minutes === 'number' ? `, in about ${countNoun(minutes, 'minute')}` : ''}`;
}

/** Returns what an agent does, in which releases. */
export function describeCapabilities(answer: Facts): Summary {
  const models = valuesOf(objectOf(answer, 'media_buy'), 'supported_pricing_models');
  return {
    lines: [
      `This agent serves ${nameSome(valuesOf(answer, 'supported_protocols'))}.`,
      models.length === 0 ? '' : `Pricing models: ${nameSome(models)}.`,
    ],
    steps: [
      ['get_products', 'with a brief of what is to be advertised, to whom and where'],
      ['get_signals', 'with the audience in words as signal_spec'],
      ['list_creative_formats', 'without arguments'],
    ],
  };
}
