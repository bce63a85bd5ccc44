import { z } from 'zod';
import { requires } from '../kit/access.js';
import { timestampInput } from '../kit/fields.js';
import { PAGE_SIZE, pageOf } from '../kit/list.js';
import { operation } from '../kit/operation.js';

export const USAGE_GROUPS = ['day', 'workflow', 'space'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

const sums = {
  execution_units: z.number().int(),
  cpu_seconds: z.number(),
  subjobs: z.number().int().describe('Attempts at subjobs; a retry is another one'),
  runs: z.number().int(),
};

const usage = z
  .object({
    day: z.iso.date().optional().describe('UTC'),
    workflow: z.string().optional(),
    workflow_name: z.string().optional().describe('Absent where it is gone'),
    space: z.string().optional().describe('Where the workflow was then'),
    space_name: z.string().optional().describe('Absent where it is gone'),
    ...sums,
  })
  .meta({ id: 'BillingUsage' });

const range = {
  from: timestampInput
    .optional()
    .describe('Not before; absent is the beginning of the current month (UTC); at most 366 days before `to`'),
  to: timestampInput.optional().describe('Before; absent is now'),
  group_by: z.enum(USAGE_GROUPS).default('day'),
};

export const listUsage = operation('billing.usage.list', {
  method: 'GET',
  path: '/billing/usage',
  summary: 'What was used by day, or by workflow or space with those that used most first',
  access: requires('vault.administer'),
  query: z.strictObject({
    ...range,
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    page_size: z.coerce.number().int().min(1).max(PAGE_SIZE.max).default(PAGE_SIZE.default),
  }),
  response: pageOf(usage).extend({ total: z.object(sums).describe('Of the whole time, whatever the page') }),
  list: 'nullable-links',
});

export const exportUsage = operation('billing.usage.export', {
  method: 'GET',
  path: '/billing/usage.csv',
  summary: 'The same as CSV, in the order of days or ids',
  access: requires('vault.administer'),
  query: z.strictObject({
    ...range,
    after: z.string().max(64).optional().describe('Only lines after this day or id'),
  }),
  response: z.object({
    content: z.string().describe('Some lines; the first time the names of the columns before them'),
    next: z.string().nullable().describe('What to ask for the lines after these with; null where there are none'),
  }),
  transfer: 'text',
  responseTypes: ['text/csv'],
});

export const listPeriods = operation('billing.periods.list', {
  method: 'GET',
  path: '/billing/periods',
  summary: 'What was used in each calendar month (UTC), the latest first; months without usage are not listed',
  access: requires('vault.administer'),
  response: z.object({
    results: z.array(
      z
        .object({
          month: z.string().describe('`2026-01`'),
          execution_units: z.number().int(),
          credits_used: z.number(),
          cpu_seconds: z.number(),
          subjobs: z.number().int(),
        })
        .meta({ id: 'BillingPeriod' }),
    ),
  }),
});
