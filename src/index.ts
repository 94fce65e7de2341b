import type { RegistryServer, RegistryServerOptions } from './registry/server/server.js';

export { type Clock, systemClock } from './platform/kernel/clock.js';
export { ConfigError, type ConfigProblem } from './platform/kernel/errors.js';
export type { Ids } from './platform/kernel/ids.js';
export { createOutbound, type Outbound, type OutboundOptions } from './platform/net/fetch.js';
export {
  createKeyDirectory,
  type KeyDirectory,
  type SigningAgent,
} from './platform/signing/directory/key-directory.js';
export { signHmac, verifyHmac } from './platform/signing/hmac.js';
export type { PublicJwk, Purpose, SigningKey } from './platform/signing/keys/jwk.js';
export { type KeyRing, type KeyRingOptions, openKeyRing } from './platform/signing/keys/key-ring.js';
export { type SignedHeaders, signRequest } from './platform/signing/sign.js';
export { canonicalTargetUri } from './platform/signing/target-uri.js';
export { SIGNATURE_CODES, type SignatureCode, signatureChallenge } from './platform/signing/verify/codes.js';
export { createMemoryNonces, NONCE_LIMITS, type NonceStore } from './platform/signing/verify/nonces.js';
export { type ReceivedRequest, receivedHeaders } from './platform/signing/verify/received.js';
export { createRevocation, NO_REVOCATION } from './platform/signing/verify/revocation.js';
export type { VerifierOptions } from './platform/signing/verify/verification.js';
export {
  createVerifier,
  STEPS,
  type Verdict,
  type Verifier,
} from './platform/signing/verify/verify.js';
export { type ProtocolNames, protocolNames } from './protocol/names.js';
export { a2aEnvelope, detectFormat, mcpEnvelope, resultOf, type TaskUpdate } from './protocol/webhook-envelope.js';
export { openReceiverFolder } from './receiver/folder.js';
export type { ReceivedEvent } from './receiver/handling.js';
export { openSenderKeys, type SenderKeys } from './receiver/keys.js';
export { createReceiver, type Receiver, type ReceiverOptions } from './receiver/receiver.js';
export {
  createRegistryClient,
  type RegistryClient,
  type RegistryClientOptions,
} from './registry/client/client.js';
export { RegistryError, type RegistryErrorCode } from './registry/client/error.js';
export type { AnswerOf, ArgsOf, OperationName } from './registry/client/operations.js';
export type { IndexQuestion } from './registry/mirror/index/question.js';
export { type Mirror, type MirrorLag, type MirrorOptions, openMirror } from './registry/mirror/mirror.js';
export { type MirrorOf, type MirrorOfOptions, openMirrorOf } from './registry/mirror/open.js';
export { createOriginKeys, createOriginReader, type OriginKeys, pinnedBy } from './registry/mirror/origin-keys.js';
export type { FeedSource, OriginReader } from './registry/mirror/source.js';
export type { RegistryServer, RegistryServerOptions } from './registry/server/server.js';
export type {
  AdServer,
  CreativeDelivery,
  Delivered,
  LiveBuy,
  PackageDelivery,
  Window,
} from './seller/adserver/port.js';
export { resolveSettings, type Settings, type SettingsSources } from './seller/config/settings.js';
export type { MediaBuy, Package } from './seller/domain/media-buy/media-buy.js';
export type { Tenant } from './seller/domain/tenant/tenant.js';
export { createServer, type SellerServer, type ServerOptions } from './seller/server.js';
export { artifactBody, listChangeBody, revocationBody } from './seller/webhooks/events/payloads.js';

/** Opens a registry on a data folder; its program is loaded with the first one. Throws ConfigError when the folder is taken. */
export async function createRegistryServer(options: RegistryServerOptions): Promise<RegistryServer> {
  const server = await import('./registry/server/server.js');
  return server.createRegistryServer(options);
}
