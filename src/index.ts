export type { AdServer, CreativeDelivery, Delivered, LiveBuy, PackageDelivery, Window } from './adserver/port.js';
export { resolveSettings, type Settings, type SettingsSources } from './config/settings.js';
export type { MediaBuy, Package } from './domain/media-buy.js';
export type { Tenant } from './domain/tenant.js';
export { type Clock, systemClock } from './kernel/clock.js';
export { ConfigError, type ConfigProblem } from './kernel/errors.js';
export { createOutbound, type Outbound, type OutboundOptions } from './kernel/fetch.js';
export type { Ids } from './kernel/ids.js';
export { type ProtocolNames, protocolNames } from './protocol/names.js';
export {
  createRegistryClient,
  type RegistryClient,
  type RegistryClientOptions,
} from './registry/client/client.js';
export { RegistryError, type RegistryErrorCode } from './registry/client/error.js';
export type { AnswerOf, ArgsOf, OperationName } from './registry/client/operations.js';
export { type Mirror, type MirrorLag, type MirrorOptions, openMirror } from './registry/snapshot/mirror.js';
export { type MirrorOf, type MirrorOfOptions, openMirrorOf } from './registry/snapshot/open.js';
export { createOriginKeys, createOriginReader, type OriginKeys, pinnedBy } from './registry/snapshot/origin-keys.js';
export type { IndexQuestion } from './registry/snapshot/question.js';
export type { FeedSource, OriginReader } from './registry/snapshot/source.js';
export { createRegistryServer } from './registry-face.js';
export type { RegistryServer, RegistryServerOptions } from './registry-server.js';
export { createServer, type SellerServer, type ServerOptions } from './server.js';
export { SIGNATURE_CODES, type SignatureCode, signatureChallenge } from './signing/codes.js';
export { signHmac, verifyHmac } from './signing/hmac.js';
export type { PublicJwk, Purpose, SigningKey } from './signing/jwk.js';
export { createKeyDirectory, type KeyDirectory, type KnownAgent } from './signing/jwks.js';
export { type KeyRing, type KeyRingOptions, openKeyRing } from './signing/keys.js';
export { createMemoryNonces, NONCE_LIMITS, type NonceStore } from './signing/nonces.js';
export { type ReceivedRequest, receivedHeaders } from './signing/received.js';
export { createRevocation, NO_REVOCATION } from './signing/revocation.js';
export { type SignedHeaders, signRequest } from './signing/sign.js';
export { canonicalTargetUri } from './signing/target-uri.js';
export { createVerifier, STEPS, type Verdict, type Verifier, type VerifierOptions } from './signing/verify.js';
export { a2aEnvelope, detectFormat, mcpEnvelope, type Notice, resultOf } from './webhooks/envelope.js';
export { artifactBody, listChangeBody, revocationBody } from './webhooks/payloads.js';
export { createReceiver, type Receiver, type ReceiverOptions } from './webhooks/receive.js';
export type { ReceivedEvent } from './webhooks/receive-handling.js';
export { openSenderKeys, type SenderKeys } from './webhooks/receive-keys.js';
export { openReceiverFolder } from './webhooks/receive-store.js';
