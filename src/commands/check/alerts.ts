import { outboundOnDemand } from '../../platform/net/outbound.js';
import { tryMail } from '../../seller/alerts/mail.js';
import { tryAlertWebhook } from '../../seller/alerts/webhook.js';
import type { Settings } from '../../seller/config/settings.js';
import type { Tenant } from '../../seller/domain/tenant/tenant.js';
import type { OnlineFindings } from './ad-servers.js';

/** Asks the mail servers and webhooks that alerts go to whether they are there; nothing is sent. */
export async function tryAlerts(
  tenants: readonly Tenant[],
  { development }: Pick<Settings, 'development'>,
): Promise<OnlineFindings> {
  const outbound = outboundOnDemand({ development });
  const lines: string[] = [];
  const problems: string[] = [];
  const attempt = async (at: string, says: string, run: () => Promise<void>): Promise<void> => {
    try {
      await run();
      lines.push(`${at.split(' ')[0]}  ${says}`);
    } catch (error) {
      problems.push(`${at}: ${error instanceof Error ? error.message : String(error)}\n  Check its settings.`);
    }
  };
  try {
    for (const { alerts, path } of tenants) {
      const { email, webhook } = alerts ?? {};
      const at = `/${path}/mcp`;
      if (email !== undefined)
        await attempt(`${at} alerts.email`, `alerts by mail: ${email.host} takes them`, () => tryMail(email));
      if (webhook !== undefined) {
        const says = `alerts by webhook: ${new URL(webhook.url).hostname} answers`;
        await attempt(`${at} alerts.webhook`, says, () => tryAlertWebhook(outbound, webhook));
      }
    }
    return { lines, problems };
  } finally {
    await outbound.close();
  }
}
