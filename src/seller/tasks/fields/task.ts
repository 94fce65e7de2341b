import { beyond, fieldsOf, honored, type Members } from './field.js';
import { ACCOUNT, ACCOUNT_REF, ENVELOPE, PAGINATION } from './shared.js';

const STATUS = 'tasks/task/get-task-status.ts';
const LIST = 'tasks/task/list-tasks.ts';

/** The fields of get_task_status. */
export const GET_TASK_STATUS: Members = {
  ...ENVELOPE,
  account: ACCOUNT,
  ...fieldsOf(['task_id', 'include_history', 'include_result'], honored(STATUS)),
};

/** The fields of list_tasks. */
export const LIST_TASKS: Members = {
  ...ENVELOPE,
  account: ACCOUNT,
  filters: honored(
    LIST,
    fieldsOf(
      [
        'protocol',
        'protocols',
        'status',
        'statuses',
        'task_type',
        'task_types',
        'created_after',
        'created_before',
        'updated_after',
        'updated_before',
        'task_ids',
        'context_contains',
        'has_webhook',
      ],
      honored(LIST),
    ),
  ),
  sort: honored(LIST, fieldsOf(['field', 'direction'], honored(LIST))),
  include_history: honored(LIST),
  pagination: PAGINATION,
};

/** The fields of the capabilities. */
export const GET_CAPABILITIES: Members = {
  ...ENVELOPE,
  protocols: honored('tasks/capabilities/get-capabilities.ts'),
};

/** The fields of comply_test_controller; what `params` may hold, each scenario says. */
export const COMPLY_TEST_CONTROLLER: Members = {
  ...ENVELOPE,
  ...beyond({ idempotency_key: honored('idempotency/key.ts') }),
  account: honored('tasks/pipeline/resolve-account.ts', {
    ...beyond(ACCOUNT_REF),
    sandbox: honored('tasks/pipeline/resolve-account.ts'),
  }),
  scenario: honored('sandbox/controller/comply-test-controller.ts'),
  params: honored('sandbox/controller/comply-test-controller.ts', 'whole'),
};
