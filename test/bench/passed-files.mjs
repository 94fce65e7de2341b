/**
 * Prints the files of src that a warm create_media_buy passes: 20 buys to warm up, then every file of which the same functions
 * ran in each of ten more, so that what the clock does beside them does not count. Counted by the inspector over what tsc writes.
 *
 *   node test/bench/passed-files.mjs [--functions]
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createMediaBuy } from './calls.mjs';
import { connect } from './driver.mjs';
import { cleanUp, endWithRun, freePort, newFolder, pause, projectRoot } from './targets.mjs';

process.once('exit', cleanUp);
const built = path.join(newFolder('passed'), 'dist');
const tsc = path.join(projectRoot, 'node_modules/typescript/bin/tsc');
spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', built], {
  cwd: projectRoot,
  stdio: 'inherit',
});

const port = await freePort();
const hook = new URL('coverage-hook.mjs', import.meta.url).href;
const args = [
  '--import',
  hook,
  path.join(built, 'cli.js'),
  'serve',
  '--port',
  String(port),
  '--data',
  newFolder('data'),
];
const child = spawn(process.execPath, args, { cwd: projectRoot, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
endWithRun(child);

const connection = connect({ url: `http://127.0.0.1:${port}/sales/mcp`, token: 'sandbox-token' }, 1);

/** Books a media buy; throws where the server refuses it. */
async function buy() {
  const answer = await connection.call(createMediaBuy.body());
  if (!answer.ok) throw new Error(answer.text);
}

/** Asks the server's hook, and answers what it says. */
async function ask(what) {
  child.send(what);
  const [answer] = await once(child, 'message');
  return answer;
}

while ((await connection.status('/readyz').catch(() => 0)) !== 200) await pause(50);
for (let count = 0; count < 20; count++) await buy();
const root = `${pathToFileURL(built).href}/`;
let files;
for (let count = 0; count < 10; count++) {
  await pause(100);
  await ask('reset');
  await buy();
  const ran = new Map((await ask('take')).map(({ url, functions }) => [url, functions]));
  files ??= [...ran].filter(([url]) => url.startsWith(root)).map(([url, functions]) => ({ url, functions }));
  files = files
    .map(({ url, functions }) => ({ url, functions: functions.filter((name) => ran.get(url)?.includes(name)) }))
    .filter(({ functions }) => functions.length > 0);
}
for (const { url, functions } of files) {
  const names = process.argv.includes('--functions') ? `: ${functions.join(' ')}` : '';
  console.log(`${url.slice(root.length).replace(/\.js$/, '.ts')}${names}`);
}
console.log(`${files.length} files`);
process.exit(0);
