export type { AdServer, Delivered, LiveBuy, PackageDelivery, Window } from './adserver/port.js';
export { resolveSettings, type Settings, type SettingsSources } from './config/settings.js';
export type { MediaBuy, Package } from './domain/media-buy.js';
export type { Tenant } from './domain/tenant.js';
export type { Clock } from './kernel/clock.js';
export { ConfigError, type ConfigProblem } from './kernel/errors.js';
export type { Ids } from './kernel/ids.js';
export { createServer, type SellerServer, type ServerOptions } from './server.js';
