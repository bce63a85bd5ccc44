import { callApi } from '../../support/call-api.js';
import { signUp } from '../../support/sign-up.js';
import type { BILLING } from '../table/billing.js';
import type { Example } from '../world.js';

const YEAR = new Date().getUTCFullYear();

export const BILLING_EXAMPLES: Record<keyof typeof BILLING, Example> = {
  // The vault has all limits, so that all fields have a value.
  'GET /billing/customer': async () => {
    const as = await signUp();
    await callApi(as, 'PUT /billing/plan', { plan: 'team' });
    await callApi(as, 'PUT /billing/budget', { cloud_usage_limit: 9_000, stop_running: false });
    const used = { execution_units: 0, credits_used: 0 };
    return { as, expected: { plan: 'team', cloud_usage_limit: 9_000, restricted: false, is_active: true, ...used } };
  },
  'POST /billing/payment-methods': () => ({
    body: {
      card_number: '4242424242424242',
      exp_month: 12,
      exp_year: YEAR + 2,
      cvc: '123',
      cardholder_name: 'Ann Example',
    },
    expected: { last4: '4242', card_ending_in: '4242', brand: 'visa', cardholder_name: 'Ann Example' },
  }),
};
