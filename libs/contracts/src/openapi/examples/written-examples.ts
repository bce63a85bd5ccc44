import type { OperationExamples } from './operation-example.js';

/** Examples of operations that a test system cannot execute, with the reason. */
export const UNEXECUTABLE = {
  'auth.google.redeem': 'only Google can sign a user in',
  'datasets.loads.retry': 'no request makes a load fail that a test system accepts',
  'billing.stripeEvents.take': 'only Stripe can sign an event, and a test system has another payment provider',
} as const satisfies Record<string, string>;

export const WRITTEN_EXAMPLES: Record<keyof typeof UNEXECUTABLE, OperationExamples[string]> = {
  'auth.google.redeem': {
    request: { type: 'application/json', value: { ticket: 'example-ticket' } },
    response: {
      type: 'application/json',
      value: {
        access: 'example-access',
        refresh: 'example-refresh',
        expiresAt: '2026-01-15T09:15:00.000Z',
        user: {
          id: '01996a52-0000-7000-8000-000000000001',
          email: 'user1@example.org',
          name: 'Ann Example',
          vault: '01996a52-0000-7000-8000-000000000002',
          vault_role: 'owner',
          is_google: true,
          mfa_enabled: false,
          created_date: '2026-01-15T09:00:00.000Z',
        },
      },
    },
  },
  'datasets.loads.retry': {
    params: { id: '01996a52-0000-7000-8000-000000000003', loadId: '1001' },
    response: {
      type: 'application/json',
      value: {
        id: '1001',
        dataset: '01996a52-0000-7000-8000-000000000003',
        status: 'PENDING',
        run: '1002',
        revision: 0,
        partial: false,
        workflow: '01996a52-0000-7000-8000-000000000004',
        version: '01996a52-0000-7000-8000-000000000005',
        node: 'scan-1',
        output_name: 'output.txt',
        reporting_node: '01996a52-0000-7000-8000-000000000006',
        parts: { total: 0, read: 0 },
        bytes: { total: 0, read: 0 },
        rows_read: 0,
        rows_rejected: 0,
        rows_new: 0,
        rows_changed: 0,
        rows_unchanged: 0,
        rows_gone: 0,
        created_date: '2026-01-15T09:00:00.000Z',
      },
    },
  },
  'billing.stripeEvents.take': {
    request: {
      type: 'application/json',
      value: { id: 'evt_example', object: 'event', type: 'payment_method.detached', data: { object: {} } },
    },
    response: { type: 'application/json', value: { received: true } },
  },
};
