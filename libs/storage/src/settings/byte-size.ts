import { z } from 'zod';

export const UNITS = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };

/** A variable in bytes: a number, or with a binary unit such as `500M` or `4G`. */
export const byteSize = z
  .string()
  .regex(/^\d{1,15}[KMGT]?$/, 'must be a number of bytes, optionally with the unit K, M, G or T')
  .transform((text) => parseInt(text, 10) * UNITS[text.replace(/\d+/, '') as keyof typeof UNITS])
  .refine(Number.isSafeInteger, 'must be below 2^53 bytes');
