import { z } from 'zod';
import { requires } from '../kit/access.js';
import { timestampInput } from '../kit/fields.js';
import { pageNumber, pageOf, pageSize } from '../kit/list.js';
import { operation } from '../kit/operation.js';

export const USAGE_GROUPS = ['day', 'workflow', 'space'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

const sums = {
  execution_units: z.number().int(),
  cpu_seconds: z.number(),
  subjobs: z.number().int().describe('Attempts at subjobs; every retry counts'),
  runs: z.number().int(),
};

const usage = z
  .object({
    day: z.iso.date().optional().describe('UTC'),
    workflow: z.string().optional(),
    workflow_name: z.string().optional().describe('Absent if it was deleted'),
    space: z.string().optional().describe('Space of the workflow at that time'),
    space_name: z.string().optional().describe('Absent if it was deleted'),
    ...sums,
  })
  .meta({ id: 'BillingUsage' });

const range = {
  from: timestampInput
    .optional()
    .describe('Start of the period; defaults to the start of the current month (UTC). At most 366 days before `to`.'),
  to: timestampInput.optional().describe('End of the period (exclusive); defaults to now'),
  group_by: z
    .enum(USAGE_GROUPS)
    .default('day')
    .describe('What each result adds up: a day (UTC), a workflow or a space'),
};

export const listUsage = operation('billing.usage.list', {
  method: 'GET',
  path: '/billing/usage',
  summary: 'List usage by day, workflow or space',
  description: 'Workflows and spaces are sorted by usage, highest first.',
  access: requires('vault.administer'),
  query: z.strictObject({
    ...range,
    page: pageNumber,
    page_size: pageSize(),
  }),
  response: pageOf(usage).extend({
    total: z.object(sums).describe('Totals of the whole period, regardless of the page'),
  }),
  list: 'nullable-links',
});

export const exportUsage = operation('billing.usage.export', {
  method: 'GET',
  path: '/billing/usage.csv',
  summary: 'Export usage as CSV',
  description: 'Same content as `GET /billing/usage`, sorted by day or id.',
  access: requires('vault.administer'),
  query: z.strictObject({
    ...range,
    after: z.string().max(64).optional().describe('Return only lines after this day or id'),
  }),
  response: z.object({
    content: z.string().describe('Lines of the file; the first part starts with the column names'),
    next: z.string().nullable().describe('Value of `after` for the next part; null at the end'),
  }),
  transfer: 'text',
  responseTypes: ['text/csv'],
});

export const listPeriods = operation('billing.periods.list', {
  method: 'GET',
  path: '/billing/periods',
  summary: 'List usage by calendar month',
  description: 'Months are in UTC, latest first. Months without usage are omitted.',
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
