// Packs what connects an assistant on the desktop to a seller that runs, with the form of its settings: node scripts/bundle.mjs OUT.mcpb
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { packExtension } from '@anthropic-ai/mcpb';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const [out] = process.argv.slice(2);
if (out === undefined) {
  process.stderr.write('usage: node scripts/bundle.mjs OUT.mcpb\n');
  process.exit(2);
}
const readJson = (file) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
const { description, engines, license, name, version } = readJson('package.json');
const { title, packages, ...listing } = readJson('server.json');
const PROGRAM = path.join(root, 'scripts/bundle/program.mjs');
/** Where the program lies in the bundle. */
const ENTRY = 'server/index.mjs';
/** A bundle has no server of its own: the endpoint is asked for. */
const REQUIRED = 'SELLER_AGENT_URL';
const TITLES = { SELLER_AGENT_URL: 'Endpoint', SELLER_AGENT_KEY: 'Key' };

/** The settings form: what the listing says of the variables. */
const variables = packages[0].environmentVariables.map((variable) => [variable.name.toLowerCase(), variable]);
const manifest = {
  manifest_version: '0.3',
  name,
  display_name: title,
  version,
  description: listing.description,
  long_description: description,
  author: { name: title },
  license,
  server: {
    type: 'node',
    entry_point: ENTRY,
    mcp_config: {
      command: 'node',
      args: [`\${__dirname}/${ENTRY}`],
      env: Object.fromEntries(variables.map(([key, variable]) => [variable.name, `\${user_config.${key}}`])),
    },
  },
  tools_generated: true,
  prompts_generated: true,
  compatibility: { runtimes: { node: engines.node } },
  user_config: Object.fromEntries(
    variables.map(([key, variable]) => [
      key,
      {
        type: 'string',
        title: TITLES[variable.name],
        description: variable.description.split(';')[0],
        required: variable.name === REQUIRED,
        sensitive: variable.isSecret === true,
      },
    ]),
  ),
};

const folder = mkdtempSync(path.join(tmpdir(), 'bundle-'));
try {
  writeFileSync(path.join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const build = await rolldown({ input: PROGRAM, platform: 'node', logLevel: 'silent' });
  await build.write({ file: path.join(folder, ENTRY), format: 'esm', codeSplitting: false });
  mkdirSync(path.dirname(path.resolve(out)), { recursive: true });
  const isPacked = await packExtension({ extensionPath: folder, outputPath: path.resolve(out), silent: true });
  if (!isPacked) process.exit(1);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`${out}\n`);
