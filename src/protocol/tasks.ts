/** The protocol that each task belongs to, and with it the task types that a poll or an event may name. */
export const TASK_PROTOCOLS = {
  create_media_buy: 'media-buy',
  update_media_buy: 'media-buy',
  buy_products: 'media-buy',
  accept_proposal: 'media-buy',
  control_media_buy: 'media-buy',
  request_proposals: 'media-buy',
  refine_proposals: 'media-buy',
  decline_proposals: 'media-buy',
  media_buy_delivery: 'media-buy',
  sync_creatives: 'media-buy',
  get_creative_delivery: 'media-buy',
  get_products: 'media-buy',
  sync_event_sources: 'media-buy',
  sync_audiences: 'media-buy',
  sync_catalogs: 'media-buy',
  log_event: 'media-buy',
  build_creative: 'creative',
  activate_signal: 'signals',
  get_signals: 'signals',
  create_property_list: 'governance',
  update_property_list: 'governance',
  get_property_list: 'governance',
  list_property_lists: 'governance',
  delete_property_list: 'governance',
  sync_accounts: 'governance',
  get_account_financials: 'governance',
  get_brand_identity: 'brand',
  search_brands: 'brand',
  get_rights: 'brand',
  acquire_rights: 'brand',
} as const satisfies Record<string, string>;
/** A task type of the table. */
export type TaskType = keyof typeof TASK_PROTOCOLS;

/** States of a task that outlives its call. */
export const TASK_STATUSES = [
  'submitted',
  'working',
  'input-required',
  'completed',
  'failed',
  'canceled',
  'rejected',
] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** The legal moves; nothing leaves a state that names none. A person may also turn down what was asked for more. */
export const TASK_MOVES: Record<TaskStatus, readonly TaskStatus[]> = {
  submitted: ['working', 'input-required', 'completed', 'failed', 'canceled', 'rejected'],
  working: ['input-required', 'completed', 'failed', 'canceled'],
  'input-required': ['working', 'submitted', 'completed', 'failed', 'canceled', 'rejected'],
  completed: [],
  failed: [],
  canceled: [],
  rejected: [],
};

/** Whether nothing can change a task in this state any more. */
export function isOver(status: TaskStatus): boolean {
  return TASK_MOVES[status].length === 0;
}

/** Whether an answer opens a task that goes on after it. */
export function isOngoing(
  answer: Readonly<Record<string, unknown>>,
): answer is { readonly status: TaskStatus; readonly task_id: string } {
  const status = TASK_STATUSES.find((one) => one === answer.status);
  return typeof answer.task_id === 'string' && status !== undefined && !isOver(status);
}
