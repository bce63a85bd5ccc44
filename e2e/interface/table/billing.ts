import { FEW_ERRORS, USUAL_ERRORS, type Row } from '../row.js';

/** Usage and payment methods of a vault. */
export const BILLING = {
  'GET /billing/customer': {
    status: 200,
    response: {
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
    errors: USUAL_ERRORS,
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
    response: {
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
    errors: FEW_ERRORS,
  },
} as const satisfies Record<string, Row>;
