import type { AdServerModules } from '../../seller/adserver/adapters.js';
import type { Environment } from '../../seller/config/draft.js';
import type { Settings } from '../../seller/config/settings.js';
import { taskNames } from '../../seller/tasks/index.js';

/** Returns what the tenant files that the settings name are read with. */
export function inspectedFiles(settings: Settings, env: Environment, adServers: AdServerModules) {
  return {
    directory: settings.tenantsDir,
    env,
    baseUrl: settings.baseUrl,
    protocolName: settings.protocolName,
    preview: settings.protocolPreview,
    development: settings.development,
    taskNames: taskNames(settings.protocolName),
    adServers,
  };
}
