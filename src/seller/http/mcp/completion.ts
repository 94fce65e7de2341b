import { isObject, Written } from '../../../platform/kernel/json/json.js';
import type { McpFeature } from '../../../platform/mcp/methods.js';
import { McpRefusal } from '../../../platform/mcp/refusal.js';
import type { App, Caller } from '../../context.js';
import { MEDIA_BUY_STATUSES } from '../../domain/media-buy/media-buy.js';
import type { Seller } from '../../domain/tenant/seller.js';
import { listUsable } from '../../tasks/creative/list-creative-formats.js';
import { findTool } from '../../tasks/index.js';
import { receiveCall } from '../../tasks/pipeline/receive.js';
import { isOnSale } from '../../tasks/product/on-sale.js';
import type { Limits } from '../limits.js';
import { callTool } from './call-tool.js';
import { canCall } from './may-call.js';
import { findPrompt } from './prompts/prompts.js';
import { resourcesFor } from './resources/resources.js';
import { templateOf, variablesIn } from './resources/uri.js';

/** Most values of an answer, as the protocol has it. */
const MAX_VALUES = 100;
/** Longest beginning that is completed. */
const MAX_BEGINNING_CHARACTERS = 255;

/** Where the values of a variable come from: a task that the caller has to be allowed to call, and what there is by it. */
type Source = {
  readonly task: string;
  readonly values: (app: App, limits: Limits, caller: Caller) => Iterable<string> | Promise<Iterable<string>>;
};

/** The variables of resources and arguments of prompts that can be completed; all others are what their user says. */
const SOURCES: Readonly<Record<string, Source>> = {
  product_id: {
    task: 'get_products',
    values: (app, _limits, caller) => productsOnSale(app, caller).map((one) => one.product_id),
  },
  channels: {
    task: 'get_products',
    values: (app, _limits, caller) => new Set(productsOnSale(app, caller).flatMap((one) => one.channels)),
  },
  countries: { task: 'get_products', values: (_app, _limits, { seller }) => seller.tenant.portfolio.primary_countries },
  format_id: {
    task: 'list_creative_formats',
    values: (_app, _limits, { seller }) => listUsable(seller).map(({ format_id }) => format_id.id),
  },
  media_buy_id: { task: 'get_media_buys', values: newestBuys },
};

/** Returns the completion of arguments of prompts and of variables of resources, among what the caller may see; none where there are neither. */
export function serveCompletion(app: App, limits: Limits, seller: Seller): readonly McpFeature<Caller>[] {
  if (!Object.values(SOURCES).some(({ task }) => findTool(seller, task) !== undefined)) return [];
  const answer = async (caller: Caller, params: unknown): Promise<Readonly<Record<string, unknown>>> => {
    const { name, value } = readQuestion(caller, isObject(params) ? params : {});
    const source = SOURCES[name];
    const isAllowed = source !== undefined && canCall(caller, source.task) && value.length <= MAX_BEGINNING_CHARACTERS;
    return { completion: completeValue(isAllowed ? await source.values(app, limits, caller) : [], value) };
  };
  return [{ capability: 'completions', methods: { 'completion/complete': answer } }];
}

type Question = { readonly name: string; readonly value: string };

/** Reads what is completed. Throws -32602 for a prompt, a resource or an argument that there is none of. */
function readQuestion(caller: Caller, { argument, ref }: Readonly<Record<string, unknown>>): Question {
  if (!isObject(argument) || typeof argument.name !== 'string' || typeof argument.value !== 'string')
    throw new McpRefusal(400, -32602, 'params.argument has to be {name, value}, two texts.');
  const names = namesOf(caller, isObject(ref) ? ref : {});
  if (!names.includes(argument.name))
    throw new McpRefusal(400, -32602, `There is no such argument. There are ${names.join(', ')}.`);
  return { name: argument.name, value: argument.value };
}

function namesOf(caller: Caller, { name, type, uri }: Readonly<Record<string, unknown>>): readonly string[] {
  if (type === 'ref/prompt') return findPrompt(caller, name).arguments.map((one) => one.name);
  const resource = resourcesFor(caller).find((one) => templateOf(one) === uri);
  if (type !== 'ref/resource' || resource === undefined)
    throw new McpRefusal(
      400,
      -32602,
      'params.ref has to name a prompt of prompts/list, or a template of resources/templates/list.',
    );
  return resource.isPaged === true ? ['cursor'] : variablesIn(resource);
}

/** Returns the values that begin as the last of a list begins, then those that hold it. */
function completeValue(all: Iterable<string>, value: string): object {
  const at = value.lastIndexOf(',') + 1;
  const before = at === 0 ? '' : `${value.slice(0, at)} `;
  const wanted = value.slice(at).trim().toLowerCase();
  const matches = [...all].filter((one) => one.toLowerCase().includes(wanted));
  const isFirst = (one: string): boolean => one.toLowerCase().startsWith(wanted);
  const values = [...matches.filter(isFirst), ...matches.filter((one) => !isFirst(one))];
  return {
    values: values.slice(0, MAX_VALUES).map((one) => `${before}${one}`),
    total: values.length,
    hasMore: values.length > MAX_VALUES,
  };
}

function productsOnSale(app: App, caller: Caller) {
  const { now, seller } = receiveCall(app, caller, {});
  return seller.tenant.products.filter((product) => isOnSale(product, now.ms));
}

/** Returns the ids of a caller's newest media buys, in any state, as the task answers them to it. */
async function newestBuys(app: App, limits: Limits, caller: Caller): Promise<readonly string[]> {
  const args = { status_filter: MEDIA_BUY_STATUSES, pagination: { max_results: MAX_VALUES } };
  const { payload } = await callTool(app, limits, caller, { name: 'get_media_buys', arguments: args });
  const { media_buys: buys } = (payload instanceof Written ? payload.toJSON() : payload) as {
    readonly media_buys?: readonly { readonly media_buy_id: string }[];
  };
  return (buys ?? []).map((buy) => buy.media_buy_id);
}
