import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';

/** What an app's document may do that asks for nothing: as the specification has it, no network at all. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "media-src 'self' data:",
  "connect-src 'none'",
  "frame-src 'none'",
  "base-uri 'self'",
].join('; ');

const EXTENSIONS = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };

export type Shown = { readonly tool: string; readonly args: Record<string, unknown>; readonly theme: 'light' | 'dark' };

/** A program with a language model, as far as apps need one: it calls tools and shows their apps, by the package's own bridge. */
class AppHost {
  readonly #client: Client;
  readonly said: { opened: string[]; told: string[]; called: { name: string; arguments?: unknown }[] } = {
    opened: [],
    told: [],
    called: [],
  };
  #bridge: AppBridge | undefined;
  #lost: string | undefined;

  constructor(client: Client) {
    this.#client = client;
  }

  static async connect(url: string, token: string, mode: 'auto' | 'legacy'): Promise<AppHost> {
    const client = new Client(
      { name: 'app-host', version: '1' },
      { versionNegotiation: { mode }, capabilities: { extensions: EXTENSIONS } },
    );
    const headers = { authorization: `Bearer ${token}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
    return new AppHost(client);
  }

  /** Calls a tool and shows the app of its answer, in a frame without an origin. */
  async show({ args, theme, tool }: Shown): Promise<void> {
    const { tools } = await this.#client.listTools();
    const called = tools.find(({ name }) => name === tool);
    const uri = (called?._meta?.ui as { resourceUri?: string } | undefined)?.resourceUri;
    if (called === undefined || uri === undefined) throw new Error(`${tool} has no app`);
    const { contents } = await this.#client.readResource({ uri });
    const content = contents[0];
    if (content === undefined || !('text' in content)) throw new Error(`${uri} is no document`);
    const result = await this.#client.callTool({ name: tool, arguments: args });
    const frame = document.createElement('iframe');
    frame.title = called.title ?? tool;
    frame.setAttribute('sandbox', 'allow-scripts');
    document.documentElement.style.colorScheme = theme;
    document.body.replaceChildren(frame);
    const target = frame.contentWindow;
    if (target === null) throw new Error('The frame has no window');
    const bridge = new AppBridge(
      this.#client,
      { name: 'app-host', version: '1' },
      { openLinks: {}, serverTools: {}, serverResources: {}, updateModelContext: { text: {} } },
      { hostContext: { theme, displayMode: 'inline' } },
    );
    const ready = new Promise<void>((resolve) => bridge.addEventListener('initialized', () => resolve()));
    await bridge.connect(new PostMessageTransport(target, target));
    // The bridge has set its own answer to calls by then, which would go before the one that is watched.
    this.#watch(bridge, frame);
    frame.srcdoc = content.text.replace(
      '<head>',
      `<head><meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    );
    await ready;
    await bridge.sendToolInput({ arguments: args });
    await bridge.sendToolResult(result as Parameters<AppBridge['sendToolResult']>[0]);
    this.#bridge = bridge;
  }

  setTheme(theme: 'light' | 'dark'): void {
    document.documentElement.style.colorScheme = theme;
    this.#bridge?.setHostContext({ theme, displayMode: 'inline' });
  }

  /** Loses the answer of the next call of a tool: the server has carried it out, and the app is told that it took too long. */
  loseAnswer(tool: string): void {
    this.#lost = tool;
  }

  #watch(bridge: AppBridge, frame: HTMLIFrameElement): void {
    bridge.addEventListener('sizechange', ({ height }) => {
      if (height !== undefined) frame.style.height = `${height}px`;
    });
    bridge.onopenlink = async ({ url }) => {
      this.said.opened.push(url);
      return {};
    };
    bridge.onupdatemodelcontext = async ({ content = [] }) => {
      this.said.told.push(...content.flatMap((block) => (block.type === 'text' ? block.text : [])));
      return {};
    };
    bridge.oncalltool = async (params) => {
      this.said.called.push(params);
      const answer = await this.#client.callTool(params);
      if (this.#lost === params.name) {
        this.#lost = undefined;
        throw new Error('Request timed out');
      }
      return answer as Awaited<ReturnType<NonNullable<AppBridge['oncalltool']>>>;
    };
  }
}

declare global {
  interface Window {
    host: AppHost;
    connectHost: (url: string, token: string, mode: 'auto' | 'legacy') => Promise<void>;
  }
}

window.connectHost = async (url, token, mode) => {
  window.host = await AppHost.connect(url, token, mode);
};
