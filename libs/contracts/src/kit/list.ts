import { z } from 'zod';
import { text } from './fields.js';

export const PAGE_SIZE = { default: 200, max: 1000 } as const;

export const pageNumber = z.coerce
  .number()
  .int()
  .min(1)
  .max(1_000_000)
  .default(1)
  .describe('Number of the page, from 1');

/** The parameter `page_size`, of records or of rows. */
export const pageSize = (defaultSize: number = PAGE_SIZE.default, max: number = PAGE_SIZE.max) =>
  z.coerce
    .number()
    .int()
    .min(1)
    .max(max)
    .default(defaultSize)
    .describe(`Maximum number of results per page, 1 to ${max}`);

export interface Order {
  field: string;
  descending: boolean;
}

/**
 * Query of a list: `page` from 1, `page_size`, `search`, and `ordering`, a comma-separated list of `[-]field`.
 * `ordering` is parsed to `Order[]`. Services add the id as the last criterion, so pages never overlap.
 * @param fields names that `ordering` accepts
 */
export function listQuery<F extends z.ZodRawShape>(
  fields: readonly string[],
  options: { ordering: string; filters: F },
) {
  return z.strictObject({
    page: pageNumber,
    page_size: pageSize(),
    search: text(255)
      .default('')
      .describe(
        'Return only records that contain this text in their name, their description or the fields that the operation ' +
          'names, ignoring case. Empty means no filter.',
      ),
    ordering: z
      .string()
      .default(options.ordering)
      .describe(`Comma-separated fields; a leading \`-\` sorts in descending order. Fields: ${fields.join(', ')}`)
      .transform((value, context) => parseOrdering(value, fields, context)),
    ...options.filters,
  });
}

function parseOrdering(value: string, fields: readonly string[], context: z.RefinementCtx): Order[] {
  const orders: Order[] = [];
  for (const part of value.split(',').filter((piece) => piece !== '')) {
    const descending = part.startsWith('-');
    const field = descending ? part.slice(1) : part;
    if (!fields.includes(field)) {
      context.addIssue({ code: 'custom', message: `cannot order by "${field}"; choose from ${fields.join(', ')}` });
      return z.NEVER;
    }
    orders.push({ field, descending });
  }
  return orders;
}

const page = <R extends z.ZodType>(record: R) =>
  z.object({
    results: z.array(record),
    count: z.number().int().describe('Number of records on all pages'),
    next: z.string().nullable().optional().describe('URL of the next page'),
    previous: z.string().nullable().optional().describe('URL of the previous page'),
  });

/**
 * A page of records. The service returns `results` and `count`; the gateway adds the links. If the record has an id, such as
 * `Run`, the page has the id `RunPage`.
 */
export const pageOf = <R extends z.ZodType>(record: R) => nameAfter(page(record), record, 'Page');

/** Like `pageOf`, but a missing link is omitted instead of null (`list: 'optional-links'`). */
export const pageWithOptionalLinks = <R extends z.ZodType>(record: R) =>
  nameAfter(
    page(record).extend({
      next: z.string().optional().describe('URL of the next page'),
      previous: z.string().optional().describe('URL of the previous page'),
    }),
    record,
    'Page',
  );

/** Gives a schema the id of a record with a suffix, if the record has one. */
function nameAfter<S extends z.ZodType>(schema: S, record: z.ZodType, suffix: string): S {
  const id = record.meta()?.id;
  return id === undefined ? schema : schema.meta({ id: `${id}${suffix}` });
}

/** The parameter `cursor` of a list whose last page costs as much as its first one. */
export const listCursor = z
  .string()
  .min(1)
  .max(10_000)
  .optional()
  .describe(
    'The `cursor` of the previous page, in a request that is otherwise the same. Each page then costs the same, and `page` is ' +
      'used for the links only',
  );

/** A page of a list with the parameter `cursor`. */
export const pageWithCursor = <R extends z.ZodType>(record: R) =>
  nameAfter(
    page(record).extend({
      cursor: z.string().nullable().optional().describe('Cursor of the next page; null on the last page'),
    }),
    record,
    'Page',
  );

export interface ListQuery {
  page: number;
  page_size: number;
  search: string;
  ordering: Order[];
}
