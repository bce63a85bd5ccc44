import { z } from 'zod';

/** Values for the inputs of a run, by primitive id or label. */
export const inputValues = z.record(z.string(), z.union([z.string(), z.boolean()], 'must be a string, true or false'));
