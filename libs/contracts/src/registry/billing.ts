import * as budget from '../billing/budget.js';
import * as billingCustomer from '../billing/customer.js';
import * as billingEvents from '../billing/events.js';
import * as ledger from '../billing/ledger.js';
import * as paymentMethods from '../billing/payment-methods.js';
import * as plans from '../billing/plans.js';
import * as usage from '../billing/usage.js';
import { collect } from './collect.js';

/** What the service billing declares. */
export const billingContracts = collect([paymentMethods, ledger, billingCustomer, plans, budget, usage, billingEvents]);
