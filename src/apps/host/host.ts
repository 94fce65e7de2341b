import type {
  McpUiHostContext,
  McpUiInitializeResult,
  McpUiToolInputNotification,
} from '@modelcontextprotocol/ext-apps';
import { isMessage, type Message, type ToolAnswer } from './messages.js';
import { followTheme } from './theme.js';

/** The revision of MCP Apps that is spoken. https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx */
const PROTOCOL_VERSION = '2026-01-26';

/** Arguments of a tool, as the model called it. */
export type ToolArguments = NonNullable<McpUiToolInputNotification['params']['arguments']>;

/** The handlers of an app for the messages of its host. */
type HostEvents = {
  readonly onInput?: (args: ToolArguments) => void;
  readonly onResult: (answer: ToolAnswer) => void;
  readonly onCanceled: () => void;
};

type Waiting = { readonly resolve: (result: unknown) => void; readonly reject: (error: Error) => void };

/** The host that shows an app: it passes on what the model asked and was answered, and calls the server for the app. */
export class Host {
  readonly #events: HostEvents;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #capabilities: McpUiInitializeResult['hostCapabilities'] = {};
  #context: McpUiHostContext = {};

  private constructor(events: HostEvents) {
    this.#events = events;
  }

  /** Greets the host and begins to take what it tells. */
  static async connect(title: string, events: HostEvents): Promise<Host> {
    const host = new Host(events);
    window.addEventListener('message', ({ data, source }) => {
      if (source === window.parent && isMessage(data)) host.#take(data);
    });
    const greeting = {
      appInfo: { name: title, version: '1' },
      appCapabilities: {},
      protocolVersion: PROTOCOL_VERSION,
    };
    const { hostCapabilities, hostContext } = (await host.#ask('ui/initialize', greeting)) as McpUiInitializeResult;
    host.#capabilities = hostCapabilities;
    host.#learn(hostContext);
    host.#tell('ui/notifications/initialized', {});
    new ResizeObserver(() => host.#tellSize()).observe(document.documentElement);
    return host;
  }

  /** Whether the host opens links for an app. */
  get canOpenLinks(): boolean {
    return this.#capabilities.openLinks !== undefined;
  }

  /** Whether the host reads resources of the server for an app. */
  get canRead(): boolean {
    return this.#capabilities.serverResources !== undefined;
  }

  /** Calls a tool of the server. Throws what the host says when it does not. */
  async callTool(name: string, args: Readonly<Record<string, unknown>>): Promise<ToolAnswer> {
    return (await this.#ask('tools/call', { name, arguments: args })) as ToolAnswer;
  }

  /** Reads a resource of the server. Throws what the host says when there is none. */
  async readResource(uri: string): Promise<ResourceContent | undefined> {
    const { contents } = (await this.#ask('resources/read', { uri })) as { contents?: readonly ResourceContent[] };
    return contents?.[0];
  }

  /** Asks the host to open a link. */
  async openLink(url: string): Promise<void> {
    await this.#ask('ui/open-link', { url });
  }

  /** Tells the model what was done in the app, where the host takes that; it reads it with its next turn. */
  async tellModel(text: string): Promise<void> {
    if (this.#capabilities.updateModelContext === undefined) return;
    await this.#ask('ui/update-model-context', { content: [{ type: 'text', text }] });
  }

  #take(message: Message): void {
    const { id, method, params = {} } = message;
    if (method === undefined) this.#settle(message);
    else if (id !== undefined) this.#answer(id, method);
    else if (method === 'ui/notifications/tool-input')
      this.#events.onInput?.({ ...(params.arguments as ToolArguments) });
    else if (method === 'ui/notifications/tool-result') this.#events.onResult(params);
    else if (method === 'ui/notifications/tool-cancelled') this.#events.onCanceled();
    else if (method === 'ui/notifications/host-context-changed') this.#learn(params);
  }

  #settle({ error, id, result }: Message): void {
    const waiting = typeof id === 'number' ? this.#waiting.get(id) : undefined;
    if (waiting === undefined) return;
    this.#waiting.delete(Number(id));
    if (error === undefined) waiting.resolve(result);
    else waiting.reject(new Error(error.message ?? 'The host refused.'));
  }

  /** Answers a request of the host: an app has nothing to save before it goes. */
  #answer(id: string | number, method: string): void {
    const isKnown = method === 'ping' || method === 'ui/resource-teardown';
    this.#send(isKnown ? { id, result: {} } : { id, error: { code: -32601, message: 'Method not found' } });
  }

  #learn(context: McpUiHostContext): void {
    this.#context = { ...this.#context, ...context };
    followTheme(this.#context);
  }

  #tellSize(): void {
    const { height } = document.documentElement.getBoundingClientRect();
    this.#tell('ui/notifications/size-changed', { height: Math.ceil(height) });
  }

  #ask(method: string, params: object): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = new Promise<unknown>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#send({ id, method, params });
    return answer;
  }

  #tell(method: string, params: object): void {
    this.#send({ method, params });
  }

  #send(message: object): void {
    // A document without an origin cannot know its host's; it says nothing that a page around it may not hear.
    window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  }
}

/** A resource of the server as the host read it. */
type ResourceContent = {
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
};
