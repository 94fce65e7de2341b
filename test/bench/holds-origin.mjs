/** Hosts with the worst files and agents that a registry may be sent to, on one loopback origin. */
import http from 'node:http';
import { hugeBrandJson } from './registry-data.mjs';

const KIB = 1024;

/** An adagents.json of at most so many bytes, which names an agent that answers. */
function adagents(domain, bytes) {
  const file = (count) =>
    JSON.stringify({
      authorized_agents: [
        {
          url: 'https://agent.files.example/mcp',
          authorized_for: 'all',
          authorization_type: 'property_tags',
          property_tags: ['all'],
        },
      ],
      properties: Array.from({ length: count }, (_, at) => ({
        property_id: `p${at}`,
        property_type: 'website',
        name: `Site ${at}`,
        identifiers: [{ type: 'domain', value: `s${at}.${domain}` }],
        tags: ['all', `t${at % 50}`],
        publisher_domain: domain,
      })),
      tags: { all: { name: 'All', description: 'All of them' } },
    });
  const perProperty = (file(1100).length - file(100).length) / 1000 + 2;
  return file(Math.floor((bytes - 2 * KIB) / perProperty));
}

const nested = (bytes) => `${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`;
const many = (bytes) => `[${'1,'.repeat(bytes / 2 - 2)}1]`;

/** What each host serves at /.well-known/adagents.json and /.well-known/brand.json. */
const FILES = {
  'near.files.example': [
    adagents('near.files.example', 31 * KIB),
    JSON.stringify(hugeBrandJson('near.files.example', 30 * KIB)),
  ],
  'far.files.example': [
    adagents('far.files.example', 4900 * KIB),
    JSON.stringify(hugeBrandJson('far.files.example', 250 * KIB)),
  ],
  'deep.files.example': [nested(31 * KIB), nested(250 * KIB)],
  'deeper.files.example': [nested(4000 * KIB), nested(31 * KIB)],
  'many.files.example': [`{"authorized_agents":${many(31 * KIB)}}`, `{"brands":${many(31 * KIB)}}`],
  'more.files.example': [`{"authorized_agents":${many(4000 * KIB)}}`, `{"brands":${many(250 * KIB)}}`],
};
/** The hosts of the files. */
export const FILE_HOSTS = Object.keys(FILES);
/** An agent whose answers are as long as they may be. */
export const LONG_AGENT = 'https://agent.files.example/mcp';

const LONG = 'x'.repeat(1000);
const listOf = (bytes, item) =>
  Array.from({ length: Math.floor(bytes / JSON.stringify(item(0)).length) - 1 }, (_, at) => item(at));

function resultOf({ method, params }) {
  if (method === 'initialize') {
    return { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'long', version: '1' } };
  }
  if (method === 'tools/list') {
    const names = ['get_adcp_capabilities', 'get_products', 'list_creative_formats', 'list_authorized_properties'];
    const others = listOf(900 * KIB, (at) => ({
      name: `tool_${at}`,
      description: LONG,
      inputSchema: { type: 'object' },
    }));
    return {
      tools: [...names.map((name) => ({ name, description: name, inputSchema: { type: 'object' } })), ...others],
    };
  }
  const structuredContent = {
    get_products: { products: listOf(900 * KIB, (at) => ({ product_id: `p${at}`, name: 'A product', n: [1, 2, 3] })) },
    list_creative_formats: {
      formats: listOf(900 * KIB, (at) => ({ format_id: { agent_url: LONG_AGENT, id: `f${at}` } })),
    },
  }[params?.name] ?? { values: Array.from({ length: 300_000 }, () => 1) };
  return { content: [], structuredContent };
}

/** Serves them; answers the origin, the `hosts` that stand for it, and `close`. */
export async function openOrigin() {
  const server = http.createServer(async (request, response) => {
    const host = request.headers.host ?? '';
    const [file, brand] = FILES[host] ?? [];
    let text =
      request.url === '/.well-known/adagents.json'
        ? file
        : request.url === '/.well-known/brand.json'
          ? brand
          : undefined;
    if (request.method === 'POST') {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      const asked = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      if (asked.id === undefined) return void response.writeHead(202).end();
      text = JSON.stringify({ jsonrpc: '2.0', id: asked.id, result: resultOf(asked) });
    }
    if (text === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'application/json' }).end(text);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  const names = [...FILE_HOSTS, new URL(LONG_AGENT).host, 'nothing.files.example'];
  return {
    hosts: Object.fromEntries(names.map((name) => [name, origin])),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
