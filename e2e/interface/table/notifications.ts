import { USUAL_ERRORS, type Row } from '../row.js';

const TYPES =
  'enum MANUAL_RUN_COMPLETED SCHEDULED_RUN_COMPLETED RUN_FAILED WORKFLOW_RELEASED TOOL_RELEASED SCRIPT_RELEASED';

/** Notifications, and each user's choice of them. */
export const NOTIFICATIONS = {
  'PUT /notifications/{id}': {
    path: { id: 'string' },
    body: { seen: 'boolean' },
    status: 200,
    response: {
      id: 'string, req',
      notification_type: `${TYPES}, req`,
      type: 'string',
      title: 'string',
      message: 'string, req',
      seen: 'boolean',
      is_read: 'boolean',
      user_id: 'string',
      metadata: 'object',
      created_date: 'string, req',
    },
    errors: USUAL_ERRORS,
  },
  'DELETE /notifications/{id}': {
    path: { id: 'string' },
    status: 200,
    response: { success: 'boolean' },
    errors: USUAL_ERRORS,
  },
  'PUT /notification-config': {
    body: { config: 'string, req' },
    status: 200,
    response: {
      id: 'string, req',
      modified_date: 'string, req',
      user_info: 'string or number, req',
      config: 'object, req',
    },
    errors: USUAL_ERRORS,
  },
} as const satisfies Record<string, Row>;
