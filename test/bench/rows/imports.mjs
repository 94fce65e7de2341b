/** Row registry_import: how many publishers a second a registry takes in from local files. */
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { finished } from 'node:stream/promises';
import { endWithRun, newFolder, projectRoot } from '../targets.mjs';

const PROPERTIES = 10;
const AGENTS = 200;

/** One publisher of ten properties, three of which rows of three agents name. */
function publisherOf(index) {
  const domain = `publisher-${index}.example`;
  const properties = Array.from({ length: PROPERTIES }, (_, at) => ({
    property_id: `p${at}`,
    property_type: at < 7 ? 'website' : 'mobile_app',
    name: `Property ${at} of ${index}`,
    identifiers: [
      at < 7
        ? { type: 'domain', value: at === 0 ? domain : `s${at}.${domain}` }
        : { type: 'ios_bundle', value: `example.p${index}.a${at}` },
    ],
    tags: at % 2 === 0 ? ['news', 'sports'] : ['news'],
  }));
  const authorized_agents = [0, 1, 2].map((at) => ({
    url: `https://ads-${(index * 7 + at * 13) % AGENTS}.example/mcp`,
    authorized_for: `Part ${at}`,
    ...(at === 0
      ? { authorization_type: 'property_tags', property_tags: ['news'] }
      : { authorization_type: 'property_ids', property_ids: [`p${at}`, `p${at + 3}`] }),
  }));
  return { domain, adagents: { properties, authorized_agents } };
}

async function writePublishers(file, count) {
  const stream = createWriteStream(file);
  for (let index = 0; index < count; index += 1) stream.write(`${JSON.stringify(publisherOf(index))}\n`);
  stream.end();
  await finished(stream);
}

/** Runs the command to its end; answers the seconds that it took, and what it wrote. */
async function runImport(file, data) {
  const began = performance.now();
  const args = ['dist/cli.js', 'registry', 'import', file, '--data', data];
  const child = spawn(process.execPath, args, { cwd: projectRoot, stdio: ['ignore', 'pipe', 'ignore'] });
  endWithRun(child);
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  await new Promise((resolve) => child.on('close', resolve));
  return { seconds: (performance.now() - began) / 1000, text };
}

export const importRow = {
  name: 'registry_import',
  async measure(bench) {
    const count = bench.plan.importedPublishers;
    const folder = newFolder('import');
    const file = path.join(folder, 'publishers.ndjson');
    await writePublishers(file, count);
    bench.say(`${count} publishers`);
    const { seconds, text } = await runImport(file, path.join(folder, 'data'));
    if (!text.startsWith(`${count} publishers were read`)) throw new Error(`not all were taken in: ${text}`);
    return [
      {
        what: 'registry import: publishers of 10 properties a second',
        value: count / seconds,
        unit: '/s',
        aim: { atLeast: 20_000 / 120 },
        detail: `${count} publishers in ${seconds.toFixed(1)} s with the start of the command, durable, into an empty data folder`,
      },
    ];
  },
};
