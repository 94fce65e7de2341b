/** Signed calls that are sent again, late, elsewhere or with another body. */
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { signRequest } from '../../dist/platform/signing/index.js';

const KID = 'attacked-1';

/** A buyer's agent that signs: its key, and where it is published. */
async function openSigner() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const jwk = {
    ...publicKey.export({ format: 'jwk' }),
    kid: KID,
    alg: 'EdDSA',
    use: 'sig',
    key_ops: ['verify'],
    adcp_use: 'request-signing',
  };
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ keys: [jwk] }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    key: { kid: KID, alg: 'ed25519', privateKey, publicJwk: jwk },
    jwksUri: `http://127.0.0.1:${server.address().port}/jwks.json`,
    close: () => server.close(),
  };
}

const BODY = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'get_media_buys', arguments: {} },
});

/** A signed request, ready to be sent as often as one likes; `bend` changes what is sent of what was signed. */
function signedRequest(context, signer, { path = '/sales/mcp', url, sign = {}, ...bend } = {}) {
  const signed = { method: 'POST', url: url ?? `${context.target.origin}${path}`, contentType: 'application/json' };
  const headers = signRequest({ ...signed, body: Buffer.from(BODY) }, signer.key, {
    tag: 'adcp/request-signing/v1',
    nowSeconds: Math.floor(Date.now() / 1000),
    nonce: randomBytes(16).toString('base64url'),
    ...sign,
  });
  return {
    method: 'POST',
    path,
    body: BODY,
    ...bend,
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
  };
}

/** The principal whose agent signs, in the sandbox: its keys may lie on this machine. */
function addSigner(tenant, jwksUri) {
  const sandboxed = tenant.principals.find(({ sandbox }) => sandbox);
  sandboxed.signer = { agent_url: `https://agent.attacked.example/${randomUUID()}`, jwks_uri: jwksUri };
}

const TAKEN = /^200/;
const REFUSED = /^401 .*signature_(?!replayed)/;
const REPLAYED = /^401 .*signature_replayed/;

export const rows = [
  {
    id: 'signature-replay',
    what: 'A signed call sent twice, 20 times at once, again after kill -9 and after SIGTERM, late, early, elsewhere, with another body',
    short: true,
    target: 'own',
    async run(context) {
      const signer = await openSigner();
      const bend = (tenant) => addSigner(tenant, signer.jwksUri);
      let server = await context.launch({ development: true, bend });
      await context.watch(server);
      const wrong = [];
      let asked = 0;
      const expect = async (what, request, isRight) => {
        asked += 1;
        const { headers, status, text } = await context.send(request);
        const shown = `${status} ${headers['www-authenticate'] ?? ''}`;
        if (!isRight.test(shown)) wrong.push(`${what}: ${shown} ${text.slice(0, 200)}`);
      };
      const nonce = randomBytes(16).toString('base64url');
      const now = Math.floor(Date.now() / 1000);
      const good = signedRequest(context, signer, { sign: { nonce } });
      await expect('a good one', good, TAKEN);
      await expect('it again', good, REPLAYED);
      await expect('its nonce', signedRequest(context, signer, { sign: { nonce, nowSeconds: now + 1 } }), REPLAYED);
      await expect(
        'its nonce elsewhere',
        signedRequest(context, signer, { path: '/signals/mcp', sign: { nonce } }),
        REPLAYED,
      );
      await expect('expired', signedRequest(context, signer, { sign: { nowSeconds: now - 400 } }), REFUSED);
      await expect('of tomorrow', signedRequest(context, signer, { sign: { nowSeconds: now + 86_400 } }), REFUSED);
      await expect('sent elsewhere', { ...signedRequest(context, signer), path: '/signals/mcp' }, REFUSED);
      await expect('with a query', { ...signedRequest(context, signer), path: '/sales/mcp?a=b' }, REFUSED);
      await expect('another body', signedRequest(context, signer, { body: BODY.replace('{}', '{"a":1}') }), REFUSED);
      const url = 'https://another.example/sales/mcp';
      await expect('for another host', signedRequest(context, signer, { url }), REFUSED);
      const burst = signedRequest(context, signer);
      const together = await context.inTurn(20, 20, () => context.send(burst));
      const taken = together.filter(({ status }) => status === 200).length;
      if (taken !== 1) wrong.push(`of one call 20 times at once ${taken} were let in`);

      const { dataDir, folder, port } = server;
      for (const end of ['kill', 'stop']) {
        await context.leave();
        await server[end]();
        server = await context.launch({ development: true, dataDir, folder, port });
        await context.watch(server);
        await expect(`after ${end}`, good, REPLAYED);
        await expect(`another after ${end}`, burst, REPLAYED);
        await expect(`a new one after ${end}`, signedRequest(context, signer), TAKEN);
      }
      signer.close();
      return {
        held: wrong.length === 0,
        figures: wrong.slice(0, 3).join('; ') || `${asked} as they should; of one call 20 times at once 1 was let in`,
      };
    },
  },
];
