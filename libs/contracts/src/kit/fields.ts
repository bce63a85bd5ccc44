import { z } from 'zod';

const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** Text that Postgres can hold: no NUL, no half of a surrogate pair. */
export const text = (max: number, min = 0) =>
  z
    .string()
    .min(min)
    .max(max)
    .refine((value) => !value.includes('\0'), 'must not contain a NUL character')
    .refine((value) => !LONE_SURROGATE.test(value), 'must not contain half of a surrogate pair');

export const name = text(255, 1);
export const description = text(2000);
export const color = text(64);

/** A moment as RFC 3339 in UTC with milliseconds. */
export const timestamp = z.iso.datetime();

/** In a path: a UUID; anything else cannot exist, so it is 404 rather than 400. */
export const idParams = z.strictObject({ id: z.string() });

/** In a path typed as number: a decimal integer; anything else is 400. */
export const numericId = z
  .string()
  .regex(/^\d{1,18}$/, 'must be a decimal integer')
  .meta({ format: 'int64' });

/** A record's own numeric id, written as a string. */
export const numericString = z.string().regex(/^\d+$/);

export const queryFlag = z.enum(['true', 'false']).transform((value) => value === 'true');

/** True where `value` or anything inside it is text that Postgres cannot hold. */
export function hasUnstorableText(value: unknown): boolean {
  const rest: unknown[] = [value];
  while (rest.length > 0) {
    const next = rest.pop();
    if (typeof next === 'string') {
      if (next.includes('\0') || LONE_SURROGATE.test(next)) return true;
    } else if (next !== null && typeof next === 'object') {
      for (const [key, inner] of Object.entries(next)) rest.push(key, inner);
    }
  }
  return false;
}
