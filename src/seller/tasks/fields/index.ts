import { isDeepStrictEqual } from 'node:util';
import { fieldPath, isObject, pointerStep } from '../../../platform/kernel/json/json.js';
import { type Issue, TaskError } from '../../../protocol/errors.js';
import { RELEASE_TABLE } from '../../../protocol/releases.js';
import type { TaskRequest } from '../../context.js';
import type { Parsed } from '../pipeline/stages.js';
import type { Tool } from '../pipeline/tool.js';
import { GET_ACCOUNT_FINANCIALS, LIST_ACCOUNTS, REPORT_USAGE, SYNC_ACCOUNTS, SYNC_GOVERNANCE } from './account.js';
import {
  ACQUIRE_RIGHTS,
  GET_BRAND_IDENTITY,
  GET_RIGHTS,
  SEARCH_BRANDS,
  UPDATE_RIGHTS,
  VERIFY_BRAND_CLAIM,
  VERIFY_BRAND_CLAIMS,
} from './brand.js';
import { LOG_EVENT, SYNC_AUDIENCES, SYNC_CATALOGS, SYNC_EVENT_SOURCES } from './buyer-data.js';
import {
  CALIBRATE_CONTENT,
  CREATE_CONTENT_STANDARDS,
  GET_CONTENT_STANDARDS,
  GET_MEDIA_BUY_ARTIFACTS,
  LIST_CONTENT_STANDARDS,
  UPDATE_CONTENT_STANDARDS,
  VALIDATE_CONTENT_DELIVERY,
} from './content.js';
import {
  BUILD_CREATIVE,
  GET_CREATIVE_DELIVERY,
  GET_CREATIVE_FEATURES,
  LIST_CREATIVES,
  LIST_TRANSFORMERS,
  PREVIEW_CREATIVE,
  SYNC_CREATIVES,
  VALIDATE_INPUT,
} from './creative.js';
import type { Members, Refused } from './field.js';
import { CHECK_GOVERNANCE, GET_PLAN_AUDIT_LOGS, REPORT_PLAN_OUTCOME, SYNC_PLANS } from './governance.js';
import {
  CREATE_COLLECTION_LIST,
  CREATE_PROPERTY_LIST,
  DELETE_LIST,
  GET_LIST,
  LIST_LISTS,
  UPDATE_COLLECTION_LIST,
  UPDATE_PROPERTY_LIST,
  VALIDATE_PROPERTY_DELIVERY,
} from './inventory-lists.js';
import {
  CREATE_MEDIA_BUY,
  GET_MEDIA_BUY_DELIVERY,
  GET_MEDIA_BUYS,
  PROVIDE_PERFORMANCE_FEEDBACK,
  UPDATE_MEDIA_BUY,
} from './media-buy.js';
import { ADDED_FIELDS } from './preview/added.js';
import {
  ACCEPT_PROPOSAL,
  BUY_PRODUCTS,
  CONTROL_MEDIA_BUY,
  DECLINE_PROPOSALS,
  LIST_PRODUCTS,
  REFINE_PROPOSALS,
  REQUEST_PROPOSALS,
} from './preview/compact.js';
import { GET_PRODUCTS, LIST_CREATIVE_FORMATS } from './product.js';
import { ACTIVATE_SIGNAL, GET_SIGNALS } from './signal.js';
import { COMPLY_TEST_CONTROLLER, GET_CAPABILITIES, GET_TASK_STATUS, LIST_TASKS } from './task.js';

/** The table of every field of every task's request: honored, carried or refused. See docs/protocol/fields.md. */
export const TASK_FIELDS: Readonly<Record<string, Members>> = {
  get_capabilities: GET_CAPABILITIES,
  get_products: GET_PRODUCTS,
  list_creative_formats: LIST_CREATIVE_FORMATS,
  create_media_buy: CREATE_MEDIA_BUY,
  update_media_buy: UPDATE_MEDIA_BUY,
  get_media_buys: GET_MEDIA_BUYS,
  get_media_buy_delivery: GET_MEDIA_BUY_DELIVERY,
  get_media_buy_artifacts: GET_MEDIA_BUY_ARTIFACTS,
  provide_performance_feedback: PROVIDE_PERFORMANCE_FEEDBACK,
  sync_creatives: SYNC_CREATIVES,
  list_creatives: LIST_CREATIVES,
  get_creative_delivery: GET_CREATIVE_DELIVERY,
  build_creative: BUILD_CREATIVE,
  preview_creative: PREVIEW_CREATIVE,
  validate_input: VALIDATE_INPUT,
  list_transformers: LIST_TRANSFORMERS,
  get_signals: GET_SIGNALS,
  activate_signal: ACTIVATE_SIGNAL,
  list_accounts: LIST_ACCOUNTS,
  sync_accounts: SYNC_ACCOUNTS,
  get_account_financials: GET_ACCOUNT_FINANCIALS,
  sync_governance: SYNC_GOVERNANCE,
  report_usage: REPORT_USAGE,
  sync_audiences: SYNC_AUDIENCES,
  sync_event_sources: SYNC_EVENT_SOURCES,
  log_event: LOG_EVENT,
  sync_catalogs: SYNC_CATALOGS,
  get_task_status: GET_TASK_STATUS,
  list_tasks: LIST_TASKS,
  sync_plans: SYNC_PLANS,
  check_governance: CHECK_GOVERNANCE,
  report_plan_outcome: REPORT_PLAN_OUTCOME,
  get_plan_audit_logs: GET_PLAN_AUDIT_LOGS,
  get_creative_features: GET_CREATIVE_FEATURES,
  create_content_standards: CREATE_CONTENT_STANDARDS,
  list_content_standards: LIST_CONTENT_STANDARDS,
  get_content_standards: GET_CONTENT_STANDARDS,
  update_content_standards: UPDATE_CONTENT_STANDARDS,
  calibrate_content: CALIBRATE_CONTENT,
  validate_content_delivery: VALIDATE_CONTENT_DELIVERY,
  create_property_list: CREATE_PROPERTY_LIST,
  validate_property_delivery: VALIDATE_PROPERTY_DELIVERY,
  get_property_list: GET_LIST,
  update_property_list: UPDATE_PROPERTY_LIST,
  list_property_lists: LIST_LISTS,
  delete_property_list: DELETE_LIST,
  create_collection_list: CREATE_COLLECTION_LIST,
  get_collection_list: GET_LIST,
  update_collection_list: UPDATE_COLLECTION_LIST,
  list_collection_lists: LIST_LISTS,
  delete_collection_list: DELETE_LIST,
  list_products: LIST_PRODUCTS,
  request_proposals: REQUEST_PROPOSALS,
  refine_proposals: REFINE_PROPOSALS,
  decline_proposals: DECLINE_PROPOSALS,
  buy_products: BUY_PRODUCTS,
  accept_proposal: ACCEPT_PROPOSAL,
  control_media_buy: CONTROL_MEDIA_BUY,
  get_brand_identity: GET_BRAND_IDENTITY,
  search_brands: SEARCH_BRANDS,
  verify_brand_claim: VERIFY_BRAND_CLAIM,
  verify_brand_claims: VERIFY_BRAND_CLAIMS,
  get_rights: GET_RIGHTS,
  acquire_rights: ACQUIRE_RIGHTS,
  update_rights: UPDATE_RIGHTS,
  comply_test_controller: COMPLY_TEST_CONTROLLER,
};

const REFUSALS = new Map(Object.entries(TASK_FIELDS).map(([task, members]) => [task, collectRefusals(members)]));

const ADDED_REFUSALS = new Map(Object.entries(ADDED_FIELDS).map(([task, members]) => [task, collectRefusals(members)]));

/** Refuses a call that has a field which its task refuses whatever its value. Throws the code of the first; `issues` names all of them. */
export function refuseFields({ tool, request, call }: Pick<Parsed<Tool>, 'tool' | 'request' | 'call'>): void {
  const task = typeof tool.name === 'string' ? tool.name : 'get_capabilities';
  const refusals = REFUSALS.get(task);
  if (refusals !== undefined) refuseIn(refusals, request);
  const added = RELEASE_TABLE[call.to.release].isPreview ? ADDED_REFUSALS.get(task) : undefined;
  if (added !== undefined) refuseIn(added, request);
}

/** The refused fields of a task, and the ways to them. */
type Refusals = ReadonlyMap<string, Refused | Refusals>;

/** Fields of one request that are refused. */
type RefusedField = { readonly path: readonly (string | number)[]; readonly field: Refused };

/** Most fields that one error names. */
const MAX_NAMED_FIELDS = 10;

/** Returns what of a task's fields is refused by the table alone. */
function collectRefusals(members: Members): Refusals {
  const refusals = new Map<string, Refused | Refusals>();
  for (const [name, field] of Object.entries(members)) {
    if (field.use === 'refused' && field.by === undefined) refusals.set(name, field);
    if (field.use !== 'honored' || field.members === undefined || field.members === 'whole') continue;
    const within = collectRefusals(field.members);
    if (within.size > 0) refusals.set(name, within);
  }
  return refusals;
}

/** Refuses a request that has fields of `refusals`. Throws the code of the first; `issues` names all of them. */
function refuseIn(refusals: Refusals, request: TaskRequest): void {
  const refused: RefusedField[] = [];
  findIn(request, refusals, [], refused);
  const [first] = refused;
  if (first === undefined) return;
  const { code, because, instead } = first.field;
  throw new TaskError(code, because, {
    field: fieldPath(first.path),
    suggestion: instead,
    issues: refused.map(toIssue),
  });
}

function findIn(value: unknown, refusals: Refusals, path: RefusedField['path'], refused: RefusedField[]): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) findIn(item, refusals, [...path, index], refused);
    return;
  }
  if (!isObject(value)) return;
  for (const [name, field] of refusals) {
    const names = name === '*' ? Object.keys(value) : [name];
    for (const own of names) {
      const member = value[own];
      if (refused.length >= MAX_NAMED_FIELDS || member === undefined) continue;
      if (field instanceof Map) findIn(member, field, [...path, own], refused);
      else if (asksForSomething(member, field as Refused))
        refused.push({ path: [...path, own], field: field as Refused });
    }
  }
}

function asksForSomething(value: unknown, { unless }: Refused): boolean {
  if (value === null || (Array.isArray(value) && value.length === 0)) return false;
  return !unless.some((harmless) => isDeepStrictEqual(harmless, value));
}

function toIssue({ path, field }: RefusedField): Issue {
  return { pointer: path.map(pointerStep).join(''), message: field.because, keyword: 'not' };
}
