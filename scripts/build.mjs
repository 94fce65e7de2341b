/**
 * Builds `dist`: what tsc writes, and the command folded into few files. Builds nothing when `dist` was made of the same files, and says
 * nothing unless it fails; `--force` builds in any case. The digest of those files is the build that `--version` shows.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = path.join(root, 'dist/.built-from');
const inputs = [
  'package-lock.json',
  'package.json',
  'scripts/copy-fonts.mjs',
  'rolldown.config.js',
  'tsconfig.build.json',
  'tsconfig.json',
];

const digest = digestOfInputs();
if (process.argv.includes('--force') || readStamp() !== digest) build();

function build() {
  rmSync(path.join(root, 'dist'), { recursive: true, force: true });
  run('typescript', 'tsc', ['-p', 'tsconfig.build.json']);
  run('rolldown', 'rolldown', ['-c', '--log-level', 'silent']);
  run('fonts', path.join(root, 'scripts/copy-fonts.mjs'), []);
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, digest);
}

function run(name, bin, args) {
  const script = path.isAbsolute(bin) ? bin : findBin(name, bin);
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { cwd: root, encoding: 'utf8' });
  if (status === 0) return;
  process.stderr.write(`${stdout}${stderr}\nThe build failed in ${bin}.\n`);
  process.exit(1);
}

function findBin(name, bin) {
  const folder = path.join(root, 'node_modules', name);
  const { bin: bins } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  return path.join(folder, typeof bins === 'string' ? bins : bins[bin]);
}

function digestOfInputs() {
  const hash = createHash('sha256');
  const sources = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => path.join('src', file))
    .sort();
  for (const file of [...inputs, ...sources])
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(root, file)))
      .update('\0');
  return hash.digest('hex');
}

function readStamp() {
  try {
    return readFileSync(stamp, 'utf8');
  } catch {
    return undefined;
  }
}
