/**
 * A network that lies, within a namespace: a name server, a web server on a public address, listeners on addresses inside. Its one argument
 * is a folder with `key.pem` and `certificate.pem`; it answers `{ hits, reached, asked }` to whoever connects to the socket `seen` there,
 * and hands connections to the socket `door` on to the port that is the second argument. The third is a list of addresses, as JSON.
 */
import dgram from 'node:dgram';
import { readFileSync } from 'node:fs';
import https from 'node:https';
import net from 'node:net';
import path from 'node:path';

const [folder, port, addresses = '[]'] = process.argv.slice(2);
/** Somebody's address on the public network, which is nobody's in here. */
const PUBLIC = '93.184.215.14';
const INSIDE = ['127.0.0.1', '169.254.169.254', '10.0.0.1'];
const seen = { hits: {}, reached: 0, asked: {} };

/** A name that rebinds is public when it is first asked for, and inside from then on. */
function addressesOf(name) {
  const asked = (seen.asked[name] ?? 0) + 1;
  seen.asked[name] = asked;
  if (name.startsWith('inside')) return ['127.0.0.1'];
  if (name.startsWith('mixed')) return [PUBLIC, '127.0.0.1'];
  return name.startsWith('rebind') && asked > 1 ? ['127.0.0.1'] : [PUBLIC];
}

const names = dgram.createSocket('udp4', (query, from) => {
  const labels = [];
  let at = 12;
  while (query[at] > 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + query[at]));
    at += 1 + query[at];
  }
  const question = query.subarray(12, at + 5);
  const isA = query.readUInt16BE(at + 1) === 1;
  const addresses = isA ? addressesOf(labels.join('.').toLowerCase()) : [];
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(addresses.length, 6);
  const answers = addresses.map((address) =>
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.')]),
  );
  names.send(Buffer.concat([head, question, ...answers]), from.port, from.address);
});
names.bind(53, '127.0.0.1');

const identity = {
  key: readFileSync(path.join(folder, 'key.pem')),
  cert: readFileSync(path.join(folder, 'certificate.pem')),
};

const AWAY = JSON.parse(addresses);

/** `/to/<status>/<address>` leads there, all of `away-<n>` to the address of that number; anything else is a JSON list. */
const web = https.createServer(identity, (request, response) => {
  const { host } = request.headers;
  seen.hits[host] = (seen.hits[host] ?? 0) + 1;
  request.resume();
  const away = AWAY[Number(/^away-(\d+)\./.exec(host)?.[1] ?? -1)];
  const [, status = 302, address = away] = /^\/to\/(\d+)\/(.*)$/.exec(request.url) ?? [];
  const headers = { connection: 'close', 'content-type': 'application/json' };
  if (address === undefined) response.writeHead(200, headers);
  else response.writeHead(Number(status), { ...headers, location: decodeURIComponent(address) });
  response.end('[]');
});
web.listen(443, PUBLIC);

for (const host of INSIDE) {
  for (const inside of [80, 443]) {
    const listener = net.createServer((socket) => {
      seen.reached += 1;
      socket.destroy();
    });
    listener.listen(inside, host);
  }
}

net.createServer((socket) => socket.end(JSON.stringify(seen))).listen(path.join(folder, 'seen'));
net
  .createServer((socket) => {
    const onward = net.connect(Number(port), '127.0.0.1');
    for (const one of [socket, onward]) one.on('error', () => socket.destroy() && onward.destroy());
    socket.pipe(onward).pipe(socket);
  })
  .listen(path.join(folder, 'door'), () => console.log('ready'));
