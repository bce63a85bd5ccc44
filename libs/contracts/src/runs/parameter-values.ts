import { z } from 'zod';

/** Longer texts belong into a file. */
const MAX_TEXT = 100_000;
const MAX_NAME = 1_000;
/** Nodes, and parameters of a node, in one request. */
const MAX_ENTRIES = 1_000;

const value = z.union([z.string().max(MAX_TEXT), z.number(), z.boolean(), z.null()], {
  error: `must be text of at most ${MAX_TEXT} characters, a number, true, false or null`,
});

const boundedRecord = <Value extends z.ZodType>(values: Value) =>
  z
    .record(z.string().min(1).max(MAX_NAME), values)
    .refine((entries) => Object.keys(entries).length > 0, 'must not be empty')
    .refine((entries) => Object.keys(entries).length <= MAX_ENTRIES, `must have at most ${MAX_ENTRIES} entries`);

/** Values of parameters by node and parameter. */
export const parameterValues = boundedRecord(boundedRecord(value));
