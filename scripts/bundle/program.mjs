/** The program of the desktop bundle: carries MCP between an assistant's standard input and the endpoint that its settings name. */
import { StdioBridge } from '../../dist/commands/mcp/bridge.js';

const { SELLER_AGENT_KEY: key = '', SELLER_AGENT_URL: url = '' } = process.env;
if (!/^https?:\/\/\S+$/.test(url)) {
  console.error('Set the endpoint of a seller in the settings, such as https://ads.example.com/sales/mcp.');
  process.exit(2);
}
await new StdioBridge({ url, key: key === '' ? undefined : key }).run(process.stdin, (text) => console.error(text));
