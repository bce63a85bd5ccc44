import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { toErrorDetails } from './api-error.js';
import { listQuery } from './list.js';

const problemOf = (schema: z.ZodType, value: unknown): unknown => {
  const { error } = z.object({ field: schema }).safeParse({ field: value });
  return error && toErrorDetails(error)['field'];
};

describe('describeIssue', () => {
  it.each<[z.ZodType, unknown, string]>([
    [z.string(), undefined, 'is required'],
    [z.string(), 7, 'must be a string (got number)'],
    [z.number(), null, 'must be a number (got null)'],
    [z.boolean(), 'yes', 'must be true or false (got string)'],
    [z.array(z.string()), {}, 'must be an array (got object)'],
    [z.record(z.string(), z.string()), [], 'must be an object (got array)'],
    [z.number().int(), 1.5, 'must be a whole number (got 1.5)'],
    [z.coerce.number().int(), 'x', 'must be a number'],
    [z.number().min(1), 0, 'must be at least 1 (got 0)'],
    [z.number().max(10), 11, 'must be at most 10 (got 11)'],
    [z.number().positive(), 0, 'must be greater than 0 (got 0)'],
    [z.number().multipleOf(5), 7, 'must be a multiple of 5'],
    [z.string().min(1), '', 'must not be empty'],
    [z.string().min(10), 'abc', 'must be at least 10 characters long (got 3)'],
    [z.string().max(2), 'abc', 'must be at most 2 characters long (got 3)'],
    [z.array(z.string()).min(1), [], 'must have at least 1 item (got 0)'],
    [z.array(z.string()).max(2), ['a', 'b', 'c'], 'must have at most 2 items (got 3)'],
    [z.enum(['csv', 'json']), 'xml', 'must be one of csv, json (got "xml")'],
    [z.enum(['csv', 'json']), undefined, 'is required and must be one of csv, json'],
    [z.literal('card'), 'cash', 'must be card (got "cash")'],
    [z.uuid(), 'x', 'must be a UUID'],
    [z.email(), 'x', 'must be an email address'],
    [z.iso.datetime(), 'x', 'must be a date and time such as 2026-01-31T12:00:00Z'],
    [z.string().regex(/^a$/), 'b', 'must match the pattern /^a$/'],
    [z.string().regex(/^a$/, 'must be the letter a'), 'b', 'must be the letter a'],
    [z.union([z.string(), z.number()]), [], 'must be a string or a number (got array)'],
    [z.union([z.literal('all'), z.array(z.string())]), 7, 'does not match any of the accepted forms'],
  ])('describes a violation of %# in plain words', (schema, value, problem) => {
    expect(problemOf(schema, value)).toBe(problem);
  });

  it('quotes a text only if the accepted ones are listed, and then only its beginning', () => {
    expect(problemOf(z.string().max(3), 'hunter2')).not.toContain('hunter');
    expect(problemOf(z.enum(['a', 'b']), 'x'.repeat(1_000))).toBe(`must be one of a, b (got "${'x'.repeat(40)}…")`);
  });

  it('suggests the known field that an unknown one resembles', () => {
    const { error } = z.strictObject({ parallelism: z.number().optional() }).safeParse({ paralelism: 1, other: 2 });
    expect(error && toErrorDetails(error, 'body')).toEqual({
      'body.paralelism': 'is not a known field; did you mean `parallelism`?',
      'body.other': 'is not a known field',
    });
  });

  it('names the fields that a list can be ordered by', () => {
    const { error } = listQuery(['name', 'size'], { ordering: 'name', filters: {} }).safeParse({ ordering: 'nmae' });
    expect(error && toErrorDetails(error)['ordering']).toBe('cannot order by "nmae"; choose from name, size');
  });
});
