/** Mounts and a network of a row's own, so that a disk can be full and a network can lie without anybody else's noticing. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { endWithRun } from '../../bench/targets.mjs';

/** Returns why there are no namespaces on this machine; undefined where there are. They need no more rights than a user's own. */
export function whyNoNamespaces() {
  const tools = [
    ['unshare', '--map-root-user', '--mount', '--net', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'],
    ['nsenter', '--version'],
    ['ip', '-Version'],
    ['openssl', 'version'],
  ];
  const failed = tools.find(([program, ...args]) => spawnSync(program, args).status !== 0);
  return failed && `\`${failed.join(' ')}\` does not work here`;
}

/**
 * Opens a mount namespace, and with `net` a network of its own, and runs `setup` (of sh) in it. Returns `{ pid, wrap(command), run(script),
 * seen(file), close() }`: `wrap` changes a command line so that it runs inside, `run` runs a script of sh there, `seen` is the path
 * under which the rest of the machine sees a file of it.
 */
export async function openNamespace({ net = false, setup = 'true' } = {}) {
  const kinds = ['--map-root-user', '--mount', ...(net ? ['--net'] : [])];
  const holder = spawn('unshare', [...kinds, 'sh', '-c', `{ ${setup}; } >&2 && echo ready && exec sleep infinity`], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endWithRun(holder);
  let errors = '';
  holder.stderr.on('data', (chunk) => (errors += chunk));
  const ended = once(holder, 'exit').then(() => {
    throw new Error(`no namespace was made: ${errors}`);
  });
  await Promise.race([once(holder.stdout, 'data'), ended]);
  ended.catch(() => undefined);
  const { pid } = holder;
  const enter = ['nsenter', '--target', String(pid), '--user', '--preserve-credentials', '--mount'];
  const inside = [...enter, ...(net ? ['--net'] : [])];
  const wrap = (command) => [...inside, ...command];
  return {
    pid,
    wrap,
    run: (script) => {
      const [program, ...args] = wrap(['sh', '-c', script]);
      return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    },
    seen: (file) => `/proc/${pid}/root${file}`,
    close: () => holder.kill('SIGKILL'),
  };
}
