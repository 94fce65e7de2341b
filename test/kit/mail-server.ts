import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterUse } from './after-use.js';

/** A message as it was received: who it is for, and its whole text. */
type ReceivedMail = {
  readonly to: readonly string[];
  readonly from: string;
  readonly text: string;
  readonly user: string;
};

/** A real mail server that takes what comes for whoever signs in with its password. */
export type MailServer = { readonly url: string; readonly mails: readonly ReceivedMail[] };

/** Starts a mail server on the loopback, without TLS. It is closed after its use. */
export async function startMailServer(password: string): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ password: given, username = '' }, _session, done) =>
      given === password ? done(null, { user: username }) : done(new Error('the password is wrong')),
    onData: (stream, { envelope, user }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        mails.push({ to, from, text: Buffer.concat(chunks).toString('utf8'), user: String(user) });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterUse(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}`, mails };
}
