import { isObject } from '../../../../platform/kernel/json/json.js';
import { type McpFeature, onlyPage } from '../../../../platform/mcp/methods.js';
import { McpRefusal } from '../../../../platform/mcp/refusal.js';
import type { Caller } from '../../../context.js';
import type { Seller } from '../../../domain/tenant/seller.js';
import { findTool } from '../../../tasks/index.js';
import { canCall } from '../may-call.js';
import { PROMPTS, type Prompt } from './table.js';

/** Longest value of an argument. */
const MAX_ARGUMENT_CHARACTERS = 4000;

/** Returns the prompts of a tenant's endpoint, to whoever may call the tasks that they need; none for a tenant that has no prompt. */
export function servePrompts(seller: Seller): readonly McpFeature<Caller>[] {
  if (!PROMPTS.some(({ tasks }) => tasks.every((task) => findTool(seller, task) !== undefined))) return [];
  return [
    {
      capability: 'prompts',
      methods: {
        'prompts/list': (caller, params) =>
          onlyPage(params, { prompts: promptsFor(caller).map(({ tasks: _tasks, text: _text, ...shown }) => shown) }),
        'prompts/get': (caller, params) => fillPrompt(caller, isObject(params) ? params : {}),
      },
    },
  ];
}

function promptsFor(caller: Caller): readonly Prompt[] {
  return PROMPTS.filter(({ tasks }) => tasks.every((task) => canCall(caller, task)));
}

/** Returns the prompt of a name that a caller has. Throws -32602 with those that there are. */
export function findPrompt(caller: Caller, name: unknown): Prompt {
  const prompts = promptsFor(caller);
  const prompt = prompts.find((one) => one.name === name);
  if (prompt !== undefined) return prompt;
  const there =
    prompts.length === 0 ? 'There is none here.' : `There are ${prompts.map((one) => one.name).join(', ')}.`;
  throw new McpRefusal(400, -32602, `Unknown prompt. ${there}`);
}

function fillPrompt(caller: Caller, params: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const prompt = findPrompt(caller, params.name);
  const { names } = caller.seller;
  const filled = readFilled(prompt, params.arguments);
  const offers = (task: string): boolean => findTool(caller.seller, task, caller.principal) !== undefined;
  const text = prompt.text(filled, { names, offers });
  return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}

/** Reads the arguments of a prompt. Throws -32602 with the one that is wrong. */
function readFilled(prompt: Prompt, given: unknown): Readonly<Record<string, string>> {
  const values = isObject(given) ? given : {};
  const filled: Record<string, string> = {};
  for (const { name, required } of prompt.arguments) {
    const value = values[name];
    if (value !== undefined && typeof value !== 'string') throw refuseArgument(name, 'has to be a text');
    if (value !== undefined && value.length > MAX_ARGUMENT_CHARACTERS)
      throw refuseArgument(name, `has to be at most ${MAX_ARGUMENT_CHARACTERS} characters long`);
    if (value !== undefined && value.trim() !== '') filled[name] = value.trim();
    else if (required === true) throw refuseArgument(name, 'is required');
  }
  return filled;
}

function refuseArgument(name: string, what: string): McpRefusal {
  return new McpRefusal(400, -32602, `arguments.${name} ${what}.`);
}
