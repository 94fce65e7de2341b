import type { Generated } from '../../../platform/database/kysely.js';

/** Columns as the driver returns them. `doc` is the noun as JSON; the other columns are there to find, order and guard it. */
export type SellerTables = {
  account: {
    seq: Generated<number>;
    owner: string;
    account_id: string;
    natural_key: string;
    /** JSON of the tenant file's entry, where the account came from there. */
    configured: string | null;
    doc: string;
  };
  media_buy: {
    seq: Generated<number>;
    owner: string;
    account_id: string;
    media_buy_id: string;
    status: string;
    revision: number;
    /** Revision that the ad server knows; below `revision` the booking is pending. */
    booked_revision: number;
    /** When the clock moves it next, ms since the epoch. */
    due_at: number | null;
    created_at: number;
    /** When it was completed, canceled or rejected, ms since the epoch. */
    ended_at: number | null;
    doc: string;
  };
  /** What each owner has stored of each noun; triggers count it. */
  owner_usage: { owner: string; noun: string; count: number; bytes: number };
  /** How many creatives and tasks each owner has of an account, a kind (the protocol of tasks) and a state; triggers count them. */
  list_count: { owner: string; list: string; account_id: string; kind: string; status: string; count: number };
  /** What packages were sold at, each version of an offer once, under the digest of its text. */
  terms: {
    seq: Generated<number>;
    digest: string;
    doc: string;
  };
  media_buy_event: {
    seq: Generated<number>;
    media_buy_id: string;
    revision: number;
    doc: string;
  };
  creative: {
    seq: Generated<number>;
    owner: string;
    account_id: string;
    creative_id: string;
    name: string;
    status: string;
    format: string;
    /** `|a|b|`, so that one tag is found with LIKE. */
    tags: string;
    created_date: string;
    updated_date: string;
    /** Milliseconds; when its files are looked at again. */
    recheck_at: number | null;
    /** `|a|b|`, the ids of the rights that it relies on. */
    rights: string | null;
    doc: string;
  };
  assignment: {
    seq: Generated<number>;
    owner: string;
    account_id: string;
    creative_id: string;
    media_buy_id: string;
    package_id: string;
    weight: number | null;
    assigned_date: string;
  };
  /** Every buy that a creative was ever assigned to; it outlives the assignment. */
  creative_use: {
    seq: Generated<number>;
    owner: string;
    account_id: string;
    creative_id: string;
    media_buy_id: string;
  };
  feedback: {
    seq: Generated<number>;
    owner: string;
    media_buy_id: string;
    received_at: number;
    doc: string;
  };
  idempotency: {
    seq: Generated<number>;
    /** Of the owner and the key. */
    digest: string;
    /** Of what the request asked for. */
    hash: string;
    /** The stored answer; null once only the tombstone is left. */
    response: string | null;
    created_at: number;
    expires_at: number;
  };
  webhook_event: {
    seq: Generated<number>;
    idempotency_key: string;
    owner: string;
    tenant: string;
    media_buy_id: string | null;
    task_id: string | null;
    notification_type: string | null;
    notification_id: string | null;
    sequence_number: number | null;
    /** Of an event that tells where a buy stands: the buy's revision. */
    revision: number | null;
    /** JSON: where the registration is looked up at every attempt, or the registration itself. */
    channel: string;
    /** The queue that it waits in: origin of the registered URL, digests of the principal and the path. */
    endpoint: string;
    size_bytes: number;
    state: string;
    /** Why it is dead, or why its last attempt failed. */
    reason: string | null;
    created_at: number;
    /** Nothing that was tried is posted from here on, ms since the epoch. */
    expires_at: number;
    /** When it is due, ms; null once nothing is left to do. */
    next_attempt_at: number | null;
    /** When it was claimed, ms; null while nobody has it. */
    claimed_at: number | null;
    /** Names the claim, by which alone its result is taken. */
    claim: string | null;
    /** When others may claim it, ms by the clock that leases are judged by. */
    claimed_until: number | null;
    /** When it was first claimed, ms. */
    first_attempt_at: number | null;
    attempts: number;
    /** Answers so far that are retried only so often. */
    refusals: number;
    /** Names what it tells of, while a later event may still take its place. */
    merge_key: string | null;
    /** When it was delivered or given up, ms. */
    finished_at: number | null;
  };
  /** The exact text that is posted, every time. It lies apart, for the rest of an event is written with every attempt. */
  webhook_body: { event_seq: number; body: string };
  webhook_attempt: {
    seq: Generated<number>;
    event_seq: number;
    owner: string;
    media_buy_id: string | null;
    attempt: number;
    fired_at: number;
    completed_at: number;
    status: string;
    url: string;
    http_status_code: number | null;
    response_time_ms: number | null;
    error_message: string | null;
  };
  /** The last number given out in a stream of reports. */
  webhook_sequence: { stream: string; last: number };
  /** Channels that their receiver has called gone, where the tenant heeds that, at the URL they had. */
  webhook_pause: { channel: string; url: string; paused_at: number };
  task: {
    seq: Generated<number>;
    task_id: string;
    owner: string;
    account_id: string;
    task_type: string;
    protocol: string;
    status: string;
    /** 1 where the buyer registered for its events. */
    has_webhook: number;
    created_at: number;
    updated_at: number;
    /** When the clock decides, ms since the epoch; null once it is decided. */
    due_at: number | null;
    /** The request's context and what it is about, in lower case, to be searched. */
    words: string;
    doc: string;
  };
  a2a_task: {
    seq: Generated<number>;
    task_id: string;
    owner: string;
    context_id: string;
    /** Null of a task that goes on, with which the row stays; ms since the epoch of one that was over. */
    expires_at: number | null;
    /** The answer of one that was over. */
    doc: string | null;
  };
  a2a_push: { seq: Generated<number>; task_id: string; config_id: string; doc: string };
  deployment: {
    seq: Generated<number>;
    owner: string;
    /** Empty where it was made for no account. */
    account_id: string;
    signal_agent_segment_id: string;
    /** `destinationKey` of its destination. */
    place: string;
    /** The buyer's account there; empty where none was named. */
    seat: string;
    doc: string;
  };
  report_stream: {
    media_buy_id: string;
    owner: string;
    frequency: string;
    delay_ms: number;
    next_from: number;
    due_at: number;
    is_late: number;
    delays: Generated<number>;
    promised_at: number | null;
    last: string | null;
  };
  /** How far a buy is on its way into the ad server; `doc` has the ids that it has there. Times in ms. */
  order_booking: {
    media_buy_id: string;
    owner: string;
    state: string;
    revision: number;
    attempts: number;
    first_at: number;
    next_at: number | null;
    is_unsure: number;
    doc: string;
  };
  /** The id that a package has in the seller's ad server, as a person entered it. */
  order_line: { package_id: string; media_buy_id: string; line_id: string };
  /** Since when an order waits for a person, when it is looked at again, and when somebody was reminded of it. Times in ms. */
  order_wait: { media_buy_id: string; owner: string; since: number; next_at: number; reminded_at: number | null };
  /** Up to when the delivery of a buy was read from its ad server, and when it is read next; null once no more comes. Times in ms. */
  delivery_pull: {
    media_buy_id: string;
    owner: string;
    through_ms: number;
    next_at: number | null;
    /** Since when it could not be read, and why for people; null once it could. */
    failing_since: number | null;
    trouble: string | null;
  };
  /** When an ad server is asked what it has of a buy, and since when it has that otherwise than it was booked; `doc` says how. Times in ms. */
  order_inspection: {
    media_buy_id: string;
    owner: string;
    next_at: number | null;
    drift_since: number | null;
    doc: string;
  };
  /** A report that an ad server is asked for; `doc` has the buys, the days and the handle. Times in ms. */
  report_job: {
    job_id: string;
    tenant: string;
    next_at: number;
    expires_at: number;
    attempts: number;
    doc: string;
  };
  content_stream: { media_buy_id: string; owner: string; frequency: string; next_from: number; due_at: number };
  report_period: {
    media_buy_id: string;
    from_ms: number;
    to_ms: number;
    impressions: number;
    spend: number;
    checked_at: number;
  };
  usage: {
    seq: Generated<number>;
    owner: string;
    account_id: string;
    received_at: number;
    doc: string;
  };
  /** What the subscribers of a tenant's feed (`product` or `signal`) were told last. */
  wholesale_feed: { seq: Generated<number>; tenant: string; feed: string; version: string; doc: string };
  /** The subscribers of an account, sealed. */
  account_subscriber: { seq: Generated<number>; owner: string; account_id: string; doc: string };
  governance_agent: { seq: Generated<number>; owner: string; account_id: string; doc: string };
  governance_approval: {
    seq: Generated<number>;
    owner: string;
    account_id: string;
    /** The media buy or signal that was let through. */
    reference: string;
    decided_at: number;
    doc: string;
  };
  /** Creatives that were built. */
  build_variant: {
    seq: Generated<number>;
    owner: string;
    build_variant_id: string;
    expires_at: number;
    doc: string;
    /** A digest of the picture or page that was drawn. */
    drawn: string | null;
  };
  /** Rights that a brand agent granted. */
  rights_grant: {
    seq: Generated<number>;
    owner: string;
    grant_id: string;
    /** Whose books it is in: a tenant's, or those of a sandbox. */
    scope: string;
    rights_id: string;
    status: string;
    is_exclusive: number;
    /** When it ends, ms; the last moment there is where no end is agreed on. */
    ends_at: number;
    /** When creatives that rely on it are to be looked at, ms. */
    follow_at: number | null;
    doc: string;
  };
  governance_plan: { seq: Generated<number>; owner: string; plan_id: string; ends_at: number; doc: string };
  /** What an action has of its plan's budget. */
  governed_action: {
    seq: Generated<number>;
    owner: string;
    plan_seq: number;
    action_id: string;
    purchase_type: string;
    /** URL of the seller; empty where only a buyer's agent asked. */
    seller: string;
    /** The one channel that it is on; empty for several. */
    channel: string;
    committed: number;
    held: number;
    /** Until when the hold counts, in ms; null for until it is reported. */
    held_until: number | null;
    doc: string;
  };
  /** The log of a plan: rows are added and never changed. */
  governance_entry: {
    seq: Generated<number>;
    owner: string;
    plan_seq: number;
    action_id: string;
    entry_id: string;
    kind: string;
    verdict: string;
    findings: number;
    is_escalated: number;
    doc: string;
  };
  /** What a buyer accepts as content beside its ads; `scope` is where, as JSON. */
  content_standard: { seq: Generated<number>; owner: string; standards_id: string; scope: string; doc: string };
  /** The lists that the packages of a buy target, as they were read last; sealed. */
  followed_list: {
    seq: Generated<number>;
    owner: string;
    media_buy_id: string;
    package_id: string;
    dimension: string;
    /** When it is read again, in ms; null for never. */
    next_read_at: number | null;
    doc: string;
  };
  /** The property and collection lists of a governance agent. */
  inventory_list: {
    seq: Generated<number>;
    owner: string;
    account_id: string;
    kind: string;
    list_id: string;
    /** In lower case. */
    name: string;
    /** SHA-256 of the token by which sellers read it. */
    token_digest: string;
    doc: string;
  };
  /** What a list is made of, and what that came to. */
  inventory_list_content: { list_seq: number; owner: string; rules: string; entries: string };
  audience: {
    seq: Generated<number>;
    owner: string;
    account_id: string;
    audience_id: string;
    doc: string;
    /** Set once it was removed (ms): its members are cleared from then on, and it with the last of them. */
    clear_from: Generated<number | null>;
  };
  /** The members of an audience that came with the same identifiers, counted by triggers. */
  audience_group: { audience_seq: number; identifiers: string; count: number };
  audience_member: {
    seq: Generated<number>;
    audience_seq: number;
    external_id: string;
    /** 1 where one of its identifiers is known here. */
    matched: number;
    /** JSON: the types of its identifiers, and whether each is known here. The identifiers themselves are not kept. */
    identifiers: string;
  };
  event_source: { seq: Generated<number>; owner: string; account_id: string; event_source_id: string; doc: string };
  logged_event: {
    seq: Generated<number>;
    owner: string;
    source_seq: number;
    event_type: string;
    event_id: string;
    is_test: number;
    /** 1 where its user is known here. */
    matched: number;
    received_at: number;
    doc: string;
  };
  catalog: { seq: Generated<number>; owner: string; account_id: string; catalog_id: string; doc: string };
  /** The master keys that secrets are sealed with; `proof` is a known text under the key. */
  sealing: {
    key_id: string;
    proof: string;
    is_complete: number;
    /** Until when a process is taken to seal with it (ms), where several share the database. */
    used_until: number;
  };
  /** What buyers were shown, as each buyer's negotiation left it. */
  proposal: {
    seq: Generated<number>;
    owner: string;
    /** Natural key of the account that it was shown for; empty where it was for all of its owner's. */
    account_key: string;
    proposal_id: string;
    /** When its offer ends, ms; null where it does not, and once it was bought. */
    expires_at: number | null;
    doc: string;
  };
  /** Previews and sheets; `body` is empty and `size` 0 once one expired. Times in ms. */
  preview: { id: string; owner: string; expires_at: number; size: number; body: string };
  /** How many previews an owner has, and their bytes; of all owners, with the media files, under the empty owner. */
  preview_usage: { owner: string; count: number; bytes: number };
  /** Copies of media, under the digest of their bytes with an ending. */
  media_file: { name: string; owner: string; type: string; size: number; expires_at: number };
  /** Apart, for the rest of a media file is written whenever it is promised anew. */
  media_bytes: { name: string; bytes: Uint8Array };
  /** How far the spend of a buy is booked; days from the epoch, in UTC. */
  spend_booking: {
    media_buy_id: string;
    owner: string;
    account_id: string;
    currency: string;
    day: number | null;
    day_cents: number;
    start_day: number | null;
    end_day: number | null;
    /** 1 where it is still to be booked though the buy does not run. */
    pending: number;
  };
  /** What an account spent on a day in a currency, and how many of its running buys start and end on it. */
  account_day: {
    owner: string;
    account_id: string;
    currency: string;
    day: number;
    cents: number;
    starts: number;
    ends: number;
  };
  /** When all running buys of an owner were last booked, ms. */
  spend_round: { owner: string; at: number };
  /** What people entered that a package delivered on a day (from the epoch, UTC); `creative_id` is empty for all creatives together. */
  entered_delivery: {
    media_buy_id: string;
    package_id: string;
    day: number;
    creative_id: string;
    /** The moment that it counts from, ms. */
    at_ms: number;
    impressions: number;
    spend_cents: number;
    clicks: number | null;
    views: number | null;
    completed_views: number | null;
    conversions: number | null;
    /** Figures of vendors, in the form that they are entered in. */
    vendor_metrics: string | null;
  };
  /** How much is held of a product on a day (ms of its midnight, UTC): impressions, or sales of an exclusive product. */
  inventory_day: { scope: string; product_id: string; day_ms: number; amount: number };
  /** What a package holds, or a line of a proposal or of a request that waits; `runs` is JSON. */
  inventory_hold: {
    package_id: string;
    /** A media buy, an owner's proposal, or a task. */
    holder_id: string;
    scope: string;
    product_id: string;
    runs: string;
    /** When it ends by itself, ms. */
    expires_at: number | null;
    /** The industry that it keeps others of out, and whose it is: the domain of a brand. */
    category: string | null;
    advertiser: string | null;
  };
  /** What a running package asks for, as JSON. */
  inventory_demand: { package_id: string; media_buy_id: string; scope: string; product_id: string; stretches: string };
  /** By how much all that is asked for of a product at a price changes at a moment, impressions a day. */
  inventory_demand_change: {
    scope: string;
    product_id: string;
    at_ms: number;
    /** Thousandths of a currency's unit for 1000 impressions. */
    price_level: number;
    per_day: number;
  };
  /** Buys from before inventory was held, until they hold theirs. */
  inventory_backlog: { media_buy_id: string };
  /** What sandbox principals have arranged for themselves, one row per thing. */
  sandbox_item: {
    seq: Generated<number>;
    owner: string;
    kind: string;
    item_key: string;
    doc: string;
  };
  /** Secrets of the server, sealed, where several processes share the database; see `store/shared/secrets.ts`. */
  shared_secret: { seq: Generated<number>; name: string; version: number; sealed: string };
  /** Nonces of signed calls until they expire (ms), where several processes share the database. */
  nonce: { digest: string; expires_at: number };
  /** One row as long as a copy of another store is being made here. */
  unfinished_copy: { id: number };
  /** How often the rows of an owner were changed, where several processes share the database; triggers count it. */
  state_version: { noun: 'proposal' | 'sandbox_item'; owner: string; version: number };
  /** Which process does what one process at a time does; `idle_ms` is how long nobody had it before. */
  lease: { name: string; holder: string; fence: number; until_ms: number; idle_ms: number | null };
  /** The processes that share the database. */
  process: { id: string; version: string; ahead_ms: number; started_ms: number; seen_ms: number };
  /** The people who may use the console. */
  console_user: { seq: Generated<number>; name: string; role: string; verifier: string; created_at: number };
  /** Who is signed in to the console, by the digest of the secret in the cookie. Times in ms. */
  console_session: {
    digest: string;
    actor: string;
    origin: string;
    role: string;
    created_at: number;
    seen_at: number;
    expires_at: number;
  };
  /** What people were alerted of, and are to be. Times in ms. */
  alert: {
    tenant: string;
    way: string;
    kind: string;
    subject: string;
    event_id: string;
    told_at: number | null;
    next_at: number | null;
    attempts: number;
    expires_at: number;
  };
  /** What the authorization server remembers, each under the digest of its id, which may be a secret. Times in ms. */
  oauth_item: {
    id: string;
    model: string;
    grant_id: string | null;
    uid: string | null;
    doc: string;
    consumed_at: number | null;
    expires_at: number;
  };
  /** What somebody let a client do as a principal. Times in ms. */
  oauth_grant: {
    grant_id: string;
    tenant: string;
    principal: string;
    expires_at: number;
    doc: string;
  };
  /** What was committed under a grant on a day of UTC, in hundredths of the currency of its limit. Times in ms. */
  oauth_spend: { grant_id: string; day: number; cents: number; ends_at: number };
  /** Links by which buyers look at their own things; see `domain/console/portal-link.ts`. */
  portal_link: {
    link_id: string;
    owner: string;
    created_by: string;
    created_at: number;
    expires_at: number;
    revoked_at: number | null;
  };
  /** When the keys of buyers were used last (ms), by the beginning of their SHA-256. */
  key_use: { tenant: string; key_id: string; used_at: number; expires_at: number };
  /** Up to when (ms) entries of the audit have outlived their retention: a trigger refuses to delete later ones. One row. */
  audit_floor: { id: number; at: number };
  /** What people did. Nothing of it is ever changed: a trigger refuses that. */
  audit_entry: {
    seq: Generated<number>;
    act_id: string;
    at: number;
    actor: string;
    action: string;
    subject: string;
    phase: string;
    detail: string;
  };
};
