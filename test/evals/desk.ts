import type { Booted } from '../kit/boot.js';
import { rpc, toolCall } from '../kit/boot.js';

/** A task of a seller as `tools/list` shows it. */
export type ListedTool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: { readonly readOnlyHint?: boolean };
  readonly inputSchema: {
    readonly required?: readonly string[];
    readonly properties: Readonly<Record<string, ArgumentSchema>>;
  };
};

/** The schema of an argument, as far as a model reads it. */
export type ArgumentSchema = {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly items?: ArgumentSchema;
  readonly anyOf?: readonly ArgumentSchema[];
};

/** What a call answered: every text of it, as a model is given them. */
export type Reply = { readonly text: string; readonly isError: boolean };

/** One call and its answer. */
export type Step = { readonly name: string; readonly args: object; readonly reply: Reply };

/** The seat that a driver has at a seller: it lists tools and calls them, and all that it reads is counted. */
export class Desk {
  readonly steps: Step[] = [];
  readonly #server: Booted;
  readonly #tenant: string;
  readonly #token: string;
  #listedBytes = 0;

  constructor(server: Booted, tenant: string, token: string) {
    this.#server = server;
    this.#tenant = tenant;
    this.#token = token;
  }

  /** Reads the list of tools. */
  async list(): Promise<readonly ListedTool[]> {
    const { tools } = (await this.#ask({ jsonrpc: '2.0', id: 1, method: 'tools/list' })) as { tools: ListedTool[] };
    this.#listedBytes += Buffer.byteLength(JSON.stringify(tools));
    return tools;
  }

  /** Calls a tool. */
  async call(name: string, args: object): Promise<Reply> {
    const result = (await this.#ask(toolCall(name, args))) as {
      readonly content: readonly { readonly text: string }[];
      readonly isError?: boolean;
    };
    const reply = { text: result.content.map(({ text }) => text).join('\n'), isError: result.isError === true };
    this.steps.push({ name, args, reply });
    return reply;
  }

  /** The bytes that were read: of the list of tools, and of it and every answer. */
  get bytes(): { readonly listed: number; readonly read: number } {
    const answers = this.steps.reduce((sum, { reply }) => sum + Buffer.byteLength(reply.text), 0);
    return { listed: this.#listedBytes, read: this.#listedBytes + answers };
  }

  async #ask(message: object): Promise<unknown> {
    const headers = { authorization: `Bearer ${this.#token}`, prefer: 'return=minimal' };
    const answer = await this.#server.raw(message, headers, this.#tenant);
    const { error, result } = rpc(answer);
    if (result === undefined) throw new Error(`the seller answered ${answer.status}: ${JSON.stringify(error)}`);
    return result;
  }
}
