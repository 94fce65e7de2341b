/** A client of a registry: usable without a seller. */
export {
  type BadgeFault,
  type BadgeVerdict,
  type BadgeVerification,
  type VerifiedBadge,
  verifyBadge,
} from './badge.js';
export { createRegistryClient, type RegistryClient, type RegistryClientOptions } from './client.js';
export { RegistryError, type RegistryErrorCode } from './error.js';
export type { AnswerOf, ArgsOf, OperationName } from './operations.js';
