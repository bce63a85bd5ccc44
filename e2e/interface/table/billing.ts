import { FEW, USUAL, type Row } from '../row.js';

/** What a vault has used and how it pays. */
export const BILLING = {
  'GET /billing/customer': {
    status: 200,
    answer: {
      id: 'string, req',
      vault_id: 'string',
      vault_info: 'string',
      restricted: 'boolean',
      cloud_usage_limit: 'number',
      execution_units: 'number',
      plan: 'string',
      is_active: 'boolean',
      credits_remaining: 'number',
      credits_used: 'number',
    },
    errors: USUAL,
  },
  'POST /billing/payment-methods': {
    body: {
      card_number: 'string, req',
      exp_month: 'integer, req',
      exp_year: 'integer, req',
      cvc: 'string, req',
      cardholder_name: 'string, req',
    },
    status: 200,
    answer: {
      id: 'string, req',
      type: 'string',
      vault_info: 'string',
      card_ending_in: 'string',
      last4: 'string',
      brand: 'string',
      cardholder_name: 'string',
      subscription_amount: 'number',
      active: 'boolean',
      is_default: 'boolean',
    },
    errors: FEW,
  },
} as const satisfies Record<string, Row>;
