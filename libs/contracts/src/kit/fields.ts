import { z } from 'zod';

/** Text that Postgres can hold: no NUL, no half of a surrogate pair. */
export const text = (max: number, min = 0) =>
  z
    .string()
    .min(min)
    .max(max)
    .refine((value) => !value.includes('\0'), 'must not contain a NUL character')
    .refine((value) => value.isWellFormed(), 'must not contain half of a surrogate pair');

export const name = text(255, 1);
export const description = text(2000);
export const color = text(64);

/** A moment as RFC 3339 in UTC with milliseconds. */
export const timestamp = z.iso.datetime();

/** A moment that somebody asks about; from the year 1 on, for Postgres knows no year 0. */
export const timestampInput = z.iso
  .datetime({ offset: true })
  .refine((text) => !text.startsWith('0000'), 'must not be before the year 1');

/** In a path: a UUID; anything else cannot exist, so it is 404 rather than 400. */
export const idParams = z.strictObject({ id: z.string() });

/** In a path typed as number: a decimal integer; anything else is 400. One that is too large for a record is none's. */
export const numericId = z
  .string()
  .regex(/^\d{1,1000}$/, 'must be a decimal integer')
  .transform((digits) => (digits.length > 18 ? '0' : digits))
  .meta({ format: 'int64' });

/** A record's own numeric id, written as a string. */
export const numericString = z.string().regex(/^\d+$/);

/** In a query: a decimal integer from 0 on. What was parsed may be parsed again, on its way from the gateway. */
export const queryNumber = (max: number) =>
  z.preprocess(
    (given) => (typeof given === 'string' && /^\d{1,16}$/.test(given) ? Number(given) : given),
    z.number().int().min(0).max(max),
  ) as z.ZodType<number, number>;

export const queryFlag = z.enum(['true', 'false']).transform((value) => value === 'true');
