/** Runs the bench's own scripts, each of which says its result as one line of JSON. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));

/** Starts a script of the bench and answers its first line of JSON; `done` ends it. */
export function startScript(script, args) {
  const child = spawn(process.execPath, [path.join(here, script), ...args.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said = new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      if (text.includes('\n')) resolve(JSON.parse(text.slice(0, text.indexOf('\n'))));
    });
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code} and said nothing`)));
  });
  return { said, done: () => child.kill() };
}

/** Runs a script to its result with a fresh folder for a store as one more argument; `more` follow it. */
export async function runInFolder(script, args, more = []) {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-webhooks-'));
  try {
    return await startScript(script, [...args, folder, ...more]).said;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
