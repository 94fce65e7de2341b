import { isObject, QuotedText, toJson, Written, writeOnce } from '../../../../platform/kernel/json/json.js';
import { findNearest } from '../../../../platform/kernel/nearest.js';
import { type McpFeature, onlyPage } from '../../../../platform/mcp/methods.js';
import { McpRefusal } from '../../../../platform/mcp/refusal.js';
import type { Payload } from '../../../../protocol/envelope.js';
import type { App, Caller } from '../../../context.js';
import type { Seller } from '../../../domain/tenant/seller.js';
import { findTool } from '../../../tasks/index.js';
import type { Answer } from '../../../tasks/pipeline/receive.js';
import type { Limits } from '../../limits.js';
import { rpcErrorOf } from '../../rpc-error.js';
import { findApp, listApps, readApp, readMedia } from '../apps/apps.js';
import { callTool } from '../call-tool.js';
import { canCall } from '../may-call.js';
import { taskNeededBy } from '../tasks/needs.js';
import { RESOURCES, type Resource, type Variables } from './table.js';
import { matchUri, templateOf, variablesIn } from './uri.js';

/** The code of a resource that there is none of. The newest revision has -32602 for it, as which the SDK's server writes it there. */
const NOT_FOUND = -32_002;

const MEDIA_TYPE = 'application/json';

/** Returns the resources of a tenant's endpoint: what its tasks answer, by URI, to whoever may call the tasks. */
export function serveResources(app: App, limits: Limits): McpFeature<Caller> {
  return {
    capability: 'resources',
    methods: {
      'resources/list': (caller, params, client) =>
        onlyPage(params, {
          resources: [
            ...resourcesFor(caller)
              .filter((resource) => variablesIn(resource).length === 0)
              .map((resource) => ({ uri: resource.uri, ...describeResource(resource) })),
            ...(client?.canShowApps === true ? listApps(caller) : []),
          ],
        }),
      'resources/templates/list': (caller, params) =>
        onlyPage(params, {
          resourceTemplates: resourcesFor(caller).flatMap((resource) => {
            const uriTemplate = templateOf(resource);
            return uriTemplate === undefined ? [] : [{ uriTemplate, ...describeResource(resource) }];
          }),
        }),
      'resources/read': async (caller, params) => {
        const uri = isObject(params) ? params.uri : undefined;
        const shown = typeof uri === 'string' ? findApp(uri) : undefined;
        if (shown !== undefined) return readApp(shown);
        const media = typeof uri === 'string' ? await readMedia(app, uri) : undefined;
        return media ?? readResource(app, limits, caller, uri);
      },
    },
  };
}

function describeResource({ description, isPaged, name, title }: Resource): object {
  const more = isPaged === true ? ' Further pages: ?cursor= with the cursor of pagination.' : '';
  return { name, title, description: `${description}${more}`, mimeType: MEDIA_TYPE };
}

/** Returns the task whose answer a resource is. */
function taskOf({ task }: Resource, { names }: Seller): string {
  return typeof task === 'string' ? task : task(names);
}

function isServed(resource: Resource, seller: Seller): boolean {
  if (resource.kind !== undefined && !seller.tenant.kinds.includes(resource.kind)) return false;
  return findTool(seller, taskOf(resource, seller)) !== undefined;
}

/** Returns the resources that a caller may read: those whose tasks it may call. */
export function resourcesFor(caller: Caller): readonly Resource[] {
  const { seller } = caller;
  return RESOURCES.filter((resource) => isServed(resource, seller) && canCall(caller, taskOf(resource, seller)));
}

type ResourceMatch = { readonly resource: Resource; readonly variables: Variables };

function findResource(seller: Seller, uri: string): ResourceMatch | undefined {
  for (const resource of RESOURCES) {
    const variables = isServed(resource, seller) ? matchUri(resource, uri) : undefined;
    if (variables !== undefined) return { resource, variables };
  }
  return undefined;
}

/** Returns the call of a tool that a message comes to: what reads a resource or is about a task needs what calling the task would need. */
export function asToolCall(seller: Seller, message: unknown): unknown {
  if (!isObject(message)) return message;
  const name = taskNeededBy(message.method);
  if (name !== undefined) return { ...message, method: 'tools/call', params: { name } };
  if (message.method !== 'resources/read') return message;
  const uri = isObject(message.params) ? message.params.uri : undefined;
  // An app holds nothing of anybody's: it is read as a list is.
  if (typeof uri === 'string' && findApp(uri) !== undefined) return message;
  const match = typeof uri === 'string' ? findResource(seller, uri) : undefined;
  return { ...message, method: 'tools/call', params: match === undefined ? {} : callOf(seller, match) };
}

function callOf(seller: Seller, { resource, variables }: ResourceMatch) {
  return { name: taskOf(resource, seller), arguments: resource.ask(variables, seller) };
}

/** Returns what a URI names, as the task says it. Throws the refusal of a URI that names nothing, and the task's own. */
async function readResource(
  app: App,
  limits: Limits,
  caller: Caller,
  uri: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  if (typeof uri !== 'string')
    throw new McpRefusal(400, -32602, 'params.uri is missing or no text: send the URI of a resource.');
  const match = findResource(caller.seller, uri);
  if (match === undefined) throw unknownUri(caller, uri);
  const answer = await callTool(app, limits, caller, leaveSizeOpen(caller, callOf(caller.seller, match)));
  if (answer.isError) throw refusalOf(answer);
  const text = textOf(answer, match);
  if (text === undefined) throw nothingThere(uri);
  return { contents: [{ uri, mimeType: MEDIA_TYPE, text }] };
}

/** Returns a call whose answer may be as long as a language model takes it, where one reads it: whatever names a size is whole. */
function leaveSizeOpen({ isForModel }: Caller, call: ReturnType<typeof callOf>): ReturnType<typeof callOf> {
  const { pagination } = call.arguments;
  if (isForModel !== true || !isObject(pagination)) return call;
  const { max_results: _size, ...page } = pagination as { readonly max_results?: number };
  return { ...call, arguments: { ...call.arguments, pagination: page } };
}

function textOf({ payload }: Answer, { resource, variables }: ResourceMatch): QuotedText | string | undefined {
  if (resource.part === undefined) return new QuotedText(writeOnce(payload));
  const members: unknown = payload instanceof Written ? payload.toJSON() : payload;
  if (!isObject(members)) return undefined;
  const part = resource.part(members, variables);
  return part && toJson({ ...noteIn(members), ...part });
}

/** Returns what an answer says of what was left out of it, which a part of it has to say too; nothing where it is whole. */
function noteIn({ ext, message }: Payload): object {
  const own = isObject(ext) && isObject(ext.seller_agent) ? ext.seller_agent : {};
  return own.left_out === undefined ? {} : { message, ext: { seller_agent: { left_out: own.left_out } } };
}

/** Returns a failed answer as the refusal of a read. */
function refusalOf(answer: Answer): McpRefusal {
  const { code, message, data } = rpcErrorOf(answer);
  return new McpRefusal(200, code, message, data);
}

/** Longest part of a URI that is repeated. */
const MAX_SHOWN_CHARACTERS = 200;

function unknownUri(caller: Caller, uri: string): McpRefusal {
  const shown = uri.slice(0, MAX_SHOWN_CHARACTERS);
  const there = resourcesFor(caller).map((resource) => resource.uri);
  const meant = findNearest(uri, there);
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  const message = `There is no resource ${shown}.${hint} resources/list and resources/templates/list show what there is.`;
  return new McpRefusal(404, NOT_FOUND, message, { uri: shown });
}

function nothingThere(uri: string): McpRefusal {
  const list = uri.slice(0, uri.indexOf('/', 'seller://'.length));
  const shown = uri.slice(0, MAX_SHOWN_CHARACTERS);
  const message = `There is nothing at ${shown}, or it is not yours. Read ${list} for what there is.`;
  return new McpRefusal(404, NOT_FOUND, message, { uri: shown });
}
