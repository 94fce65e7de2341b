/** What a row works with. */
import { cpuSeconds, newFolder, residentKiB } from '../../bench/targets.mjs';
import { openNamespace } from './namespace.mjs';
import { launch, launchRefused, PRINCIPALS } from './targets.mjs';
import { exchangeRaw, openRaw, pause, send } from './wire.mjs';

/**
 * Returns the context of a row:
 *
 *   isShort            whether this is the short run; `size(full, short)` chooses by it
 *   target             the watched server: host, port, origin, pid, dataDir, tenantsDir, log(), operator(), isAlive(), stop()
 *   principals         attacker and innocent (not sandboxes) and sandboxed: { id, token, account }, in every tenant
 *   call(task, args, { tenant, as, target, from, id })    a tools/call: { status, headers, text, ms, answer } (`answer`: structuredContent)
 *   send(options)      one HTTP request: { status, headers, text, ms }; options: method, path, headers, body, from, target, timeoutMs
 *   open(options)      a bare connection, held until the row ends: { socket, received(), ended }; options: text, from, reads, target
 *   exchange(text)     writes bytes, returns { text, closed }
 *   launch(options)    a server of the row's own, stopped with the row; see kit/targets.mjs. watch(target) has it watched until leave()
 *   namespace(options) mounts and a network of the row's own, ended with it; see kit/namespace.mjs
 *   launchRefused(options)   the same of a server that should refuse to start: { code, said }
 *   other(name)        the shared seller or registry beside the watched one
 *   folder(name)       a new folder on the disk; memory(target) MiB; cpu(target) seconds; pause(ms)
 *   atEnd(end)         runs `end` when all of that is over
 *   inTurn(count, width, run)   runs `run(index)` `count` times, `width` at a time
 */
export function openContext({ row, isShort, targets, watch }) {
  const sockets = [];
  const launched = [];
  const namespaces = [];
  const endings = [];
  const context = {
    id: row.id,
    isShort,
    size: (full, short) => (isShort ? short : full),
    principals: PRINCIPALS,
    get target() {
      return watch.target;
    },
    send: ({ target = watch.target, ...options }) => send(target, options),
    open: ({ target = watch.target, ...options } = {}) => {
      const opened = openRaw(target, options);
      sockets.push(opened.socket);
      return opened;
    },
    exchange: (text, { target = watch.target, ...options } = {}) => exchangeRaw(target, text, options),
    call: async (task, args, options = {}) =>
      readAnswer(await send(options.target ?? watch.target, asCall(task, args, options))),
    launch: async (options) => {
      const target = await launch(options ?? {});
      launched.push(target);
      return target;
    },
    launchRefused: (options) => launchRefused(options ?? {}),
    watch: (target) => watch.start(target),
    leave: () => watch.leave(),
    namespace: async (options) => {
      const opened = await openNamespace(options);
      namespaces.push(opened);
      return opened;
    },
    other: (name) => targets.ready(name),
    folder: (name) => newFolder(name),
    memory: (target = watch.target) => residentKiB(target.pid) / 1024,
    cpu: (target = watch.target) => cpuSeconds(target.pid),
    pause,
    atEnd: (end) => endings.push(end),
    inTurn,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await Promise.all(launched.map((target) => target.stop()));
      for (const namespace of namespaces) namespace.close();
      for (const end of endings) end();
    },
  };
  return context;
}

/** Returns a tools/call as a request. `as` is a principal, or undefined for nobody. */
function asCall(task, args, { tenant = 'sales', as = PRINCIPALS.attacker, from, id = 1, headers = {}, agent } = {}) {
  return {
    method: 'POST',
    path: `/${tenant}/mcp`,
    from,
    agent,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(as === null ? {} : { authorization: `Bearer ${as.token}` }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: task, arguments: args } }),
  };
}

function readAnswer(response) {
  try {
    return { ...response, answer: JSON.parse(response.text).result?.structuredContent };
  } catch {
    return { ...response, answer: undefined };
  }
}

async function inTurn(count, width, run) {
  const results = new Array(count);
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const index = next++;
      results[index] = await run(index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, count) }, lane));
  return results;
}
