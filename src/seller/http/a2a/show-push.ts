import type { TaskPushNotificationConfig } from 'a2a-sdk';
import { isObject } from '../../../platform/kernel/json/json.js';
import type { A2aPush } from '../../domain/task/a2a.js';

/** Returns a registration as it is shown: without its credentials. */
export function showPush(taskId: string, { config, config_id }: A2aPush): TaskPushNotificationConfig {
  const { authentication, token, url } = config;
  const [scheme] = isObject(authentication) && Array.isArray(authentication.schemes) ? authentication.schemes : [];
  return {
    tenant: '',
    taskId,
    id: config_id,
    url: String(url),
    token: typeof token === 'string' ? token : '',
    authentication: scheme === undefined ? undefined : { scheme: String(scheme), credentials: '' },
  };
}
