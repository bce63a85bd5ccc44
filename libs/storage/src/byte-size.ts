import { z } from 'zod';

export const UNITS = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };

/** A setting that counts bytes: a number of them, or of binary units: `500M`, `4G`. */
export const byteSize = z
  .string()
  .regex(/^\d{1,15}[KMGT]?$/, 'must be a number of bytes, or end in K, M, G or T')
  .transform((text) => parseInt(text, 10) * UNITS[text.replace(/\d+/, '') as keyof typeof UNITS])
  .refine(Number.isSafeInteger, 'is more than can be counted');
