/** The proof of an event's sender; `rfc9421` unless the registration asks for a legacy scheme. */
export type ChannelMode = 'rfc9421' | 'hmac-sha256' | 'bearer';

/** The members of a registration that come back in each of its events. */
export type Echo = { readonly operation_id?: string; readonly token?: string };
