import type { RegistryServer, RegistryServerOptions } from './registry/server/server.js';

export { type Clock, systemClock } from './platform/kernel/clock.js';
export { ConfigError, type ConfigProblem } from './platform/kernel/errors.js';
export type { Ids } from './platform/kernel/ids.js';
export { createOutbound, type Outbound, type OutboundOptions } from './platform/net/fetch.js';
export {
  canonicalTargetUri,
  createKeyDirectory,
  createMemoryNonces,
  createRevocation,
  createVerifier,
  type KeyDirectory,
  type KeyRing,
  type KeyRingOptions,
  NO_REVOCATION,
  NONCE_LIMITS,
  type NonceStore,
  openKeyRing,
  type PublicJwk,
  type Purpose,
  type ReceivedRequest,
  receivedHeaders,
  SIGNATURE_CODES,
  type SignatureCode,
  type SignedHeaders,
  type SigningAgent,
  type SigningKey,
  STEPS,
  signatureChallenge,
  signHmac,
  signRequest,
  type Verdict,
  type Verifier,
  type VerifierOptions,
  verifyHmac,
} from './platform/signing/index.js';
export { type ProtocolNames, protocolNames } from './protocol/names.js';
export { a2aEnvelope, detectFormat, mcpEnvelope, resultOf, type TaskUpdate } from './protocol/webhook-envelope.js';
export {
  createReceiver,
  openReceiverFolder,
  openSenderKeys,
  type ReceivedEvent,
  type Receiver,
  type ReceiverOptions,
  type SenderKeys,
} from './receiver/index.js';
export {
  type AnswerOf,
  type ArgsOf,
  createRegistryClient,
  type OperationName,
  type RegistryClient,
  type RegistryClientOptions,
  RegistryError,
  type RegistryErrorCode,
} from './registry/client/index.js';
export type { IndexQuestion } from './registry/mirror/lookup/question.js';
export { type Mirror, type MirrorLag, type MirrorOptions, openMirror } from './registry/mirror/mirror.js';
export { type MirrorOf, type MirrorOfOptions, openMirrorOf } from './registry/mirror/open.js';
export { createOriginKeys, createOriginReader, type OriginKeys, pinnedBy } from './registry/mirror/origin-keys.js';
export type { FeedSource, OriginReader } from './registry/mirror/source.js';
export type { RegistryServer, RegistryServerOptions } from './registry/server/server.js';
export type { AdServerLine, ContractAdServer } from './seller/adserver/contract/ad-server.js';
export { type ContractResult, tryContract } from './seller/adserver/contract/run.js';
export {
  AdServerSettingsError,
  OrderRefusedError,
  RetryLaterError,
  UnknownOutcomeError,
} from './seller/adserver/errors.js';
export type {
  AdServerAdapter,
  AdServerModule,
  AdServerOptions,
  CallContext,
  SettingsFault,
} from './seller/adserver/port/adapter.js';
export type {
  Availability,
  AvailabilityRequest,
  BookContext,
  CheckContext,
  CheckVerdict,
  ImportedProduct,
  InspectedOrder,
  InspectedPackage,
  MappingProblem,
  Objection,
  Ping,
  ProductMapping,
} from './seller/adserver/port/answers.js';
export type { AdServerDeclaration, ReportHabits } from './seller/adserver/port/declaration.js';
export type {
  BookedOrder,
  DeliveryAnswer,
  DeliveryContext,
  DeliveryRequest,
  DeliveryRow,
} from './seller/adserver/port/delivery.js';
export type { RestAnswer } from './seller/adserver/rest/answer.js';
export { RestRefusedError } from './seller/adserver/rest/errors.js';
export { RestClient, type RestRequest, type RestService } from './seller/adserver/rest/rest-client.js';
export { resolveSettings, type Settings, type SettingsSources } from './seller/config/settings.js';
export type { OrderChange } from './seller/domain/booking/changes.js';
export type { ResolvedCreative } from './seller/domain/booking/creatives.js';
export type { ForeignIds } from './seller/domain/booking/foreign-ids.js';
export type {
  GoalUnit,
  LiveOrder,
  LivePackage,
  OrderGoal,
  OrderPrice,
  OrderState,
} from './seller/domain/booking/live-order.js';
export type { MediaBuy, Package } from './seller/domain/media-buy/media-buy.js';
export type { Tenant } from './seller/domain/tenant/tenant.js';
export { createServer, type SellerServer, type ServerOptions } from './seller/server.js';
export { artifactBody, listChangeBody, revocationBody } from './seller/webhooks/events/payloads.js';

/** Opens a registry on a data folder; its program is loaded with the first one. Throws ConfigError when the folder is taken. */
export async function createRegistryServer(options: RegistryServerOptions): Promise<RegistryServer> {
  const server = await import('./registry/server/server.js');
  return server.createRegistryServer(options);
}
