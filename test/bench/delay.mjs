/** A client far away: a TCP proxy that holds every byte back for a while, in both directions. */
import net from 'node:net';

/** Hands everything on `ms` later and in order. */
function carry(from, to, ms) {
  from.on('data', (bytes) => setTimeout(() => to.writable && to.write(bytes), ms));
  from.on('close', () => setTimeout(() => to.destroy(), ms));
  from.on('error', () => from.destroy());
}

/**
 * Opens a proxy to a target on this machine with a round trip of `ms` more. Answers the target as it is seen through
 * the proxy, and `close()`. The addresses in answers stay those of the target itself.
 */
export async function openFarAway(target, ms) {
  const sockets = new Set();
  const server = net.createServer({ noDelay: true }, (near) => {
    const far = net.connect({ port: target.port, host: '127.0.0.1', noDelay: true });
    for (const socket of [near, far]) sockets.add(socket.once('close', () => sockets.delete(socket)));
    carry(near, far, ms / 2);
    carry(far, near, ms / 2);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target.url);
  url.port = String(server.address().port);
  return {
    target: { ...target, url: url.href },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
