import { SECOND_MS } from '../../platform/kernel/clock.js';
import type { AlertMail } from '../domain/alert/alert.js';
import type { AlertMessage } from './message.js';

const TIMEOUT_MS = 20 * SECOND_MS;

/** Sends a message to the people of a tenant. Throws what the mail server says, without the password. */
export async function sendMail(settings: AlertMail, { key, text, title }: AlertMessage): Promise<void> {
  const transport = await openTransport(settings);
  const { from, to } = settings;
  const domain = from.slice(from.lastIndexOf('@') + 1).replace(/>$/, '');
  try {
    await transport.sendMail({ from, to: [...to], subject: title, text, messageId: `<${key}@${domain}>` });
  } finally {
    transport.close();
  }
}

/** Signs in at the mail server and leaves again; nothing is sent. Throws what it says. */
export async function tryMail(settings: AlertMail): Promise<void> {
  const transport = await openTransport(settings);
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

async function openTransport({ host, isNear, isSecure, password = '', port, user }: AlertMail) {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    host,
    port,
    secure: isSecure,
    requireTLS: !isSecure && !isNear,
    opportunisticTLS: isNear,
    auth: user === undefined ? undefined : { user, pass: password },
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
