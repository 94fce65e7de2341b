/** The buyer's side of webhooks: usable without a seller. */
export { resultOf } from '../protocol/webhook-envelope.js';
export type { Receipt } from './answers.js';
export type { LegacyEndpoint, ReceiverEndpoint, SignedEndpoint } from './endpoints.js';
export type { EnvelopeKind } from './envelope.js';
export { openReceiverFolder } from './folder.js';
export type { ReceiptHandler, ReceivedEvent } from './handling.js';
export { openSenderKeys, type SenderKeys, type SenderKeysOptions } from './keys.js';
export {
  createReceiver,
  RECEIVER_BOUNDS,
  type Receiver,
  type ReceiverBounds,
  type ReceiverOptions,
} from './receiver.js';
export type { HandlingResult, NewReceivedEvent, StoredEvent } from './store/statements.js';
export type { AddResult, ForgetBefore, ReceiverLimits, ReceiverStore } from './store/store.js';
