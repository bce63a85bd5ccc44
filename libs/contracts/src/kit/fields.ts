import { z } from 'zod';

/** Text that Postgres can store: without NUL and without half of a surrogate pair. */
export const text = (max: number, min = 0) =>
  z
    .string()
    .min(min)
    .max(max)
    .refine((value) => !value.includes('\0'), 'must not contain a NUL character')
    .refine((value) => value.isWellFormed(), 'must not contain half of a surrogate pair');

/**
 * Marks a field of a request as a secret, in the words of OpenAPI. Pages do not show what is typed, and the command line has no
 * option for it, because other users of a machine can list the arguments of processes.
 */
export const SECRET = { format: 'password', writeOnly: true } as const;

export const name = text(255, 1).describe('Name, 1 to 255 characters');
export const description = text(2000).describe('Description as plain text, at most 2,000 characters');
export const color = text(64).describe('Color in the user interface, such as `#3b82f6`; stored as written');
export const icon = text(255).describe('Name of an icon of the user interface; stored as written');

/** A point in time as RFC 3339 in UTC with milliseconds. */
export const timestamp = z.iso.datetime();

/** A point in time in a request. Postgres has no year 0, so it begins at the year 1. */
export const timestampInput = z.iso
  .datetime({ offset: true })
  .refine((text) => !text.startsWith('0000'), 'must not be before the year 1');

/**
 * A UUID in a path. Any other text cannot name a record, so the response is 404 rather than 400.
 * @param record such as `workflow`
 */
export const pathId = (record: string) => z.string().describe(`Id of the ${record}`);

/** The parameters of a path whose only parameter is the id of a record. */
export const idOf = (record: string) => z.strictObject({ id: pathId(record) });

/** A decimal integer that identifies a record; anything else is a 400. `toNumericId` converts it for a query. */
export const numericId = z
  .string()
  .regex(/^\d{1,1000}$/, 'must be a decimal integer')
  .meta({ format: 'int64' });

/** A numeric id in a path. @param record such as `run` */
export const numericPathId = (record: string) => numericId.describe(`Id of the ${record}`);

/** A numeric id of a record in a response, written as a string. */
export const numericString = z.string().regex(/^\d+$/);

/**
 * A decimal integer from 0 in a query. It accepts numbers as well, because a service parses what the gateway has
 * parsed.
 */
export const queryNumber = (max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value),
    z.number().int().min(0).max(max),
  ) as z.ZodType<number, number>;

export const queryFlag = z.enum(['true', 'false']).transform((value) => value === 'true');

/** The response of an operation that has nothing else to return. */
export const success = z.object({ success: z.boolean() }).meta({ id: 'Success' });

/** Number of subjobs of a run that run at once. */
export const parallelism = z.number().int().min(1).max(10_000);
