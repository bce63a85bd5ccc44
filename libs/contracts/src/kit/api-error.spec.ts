import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { toErrorDetails } from './api-error.js';

const problemsOf = (schema: z.ZodType, value: unknown) => {
  const { error } = schema.safeParse(value);
  return error ? toErrorDetails(error, 'body') : {};
};

describe('toErrorDetails', () => {
  it('names every wrong field by its path', () => {
    const schema = z.strictObject({ a: z.string(), b: z.strictObject({ c: z.number() }) });
    expect(problemsOf(schema, { a: 1, b: { c: 'x', d: 1 }, e: 1 })).toEqual({
      'body.a': 'must be a string (got number)',
      'body.b.c': 'must be a number (got string)',
      'body.b.d': 'is not a known field',
      'body.e': 'is not a known field',
    });
  });

  it('reports the closest alternative of a union', () => {
    const schema = z.union([
      z.strictObject({ yaml: z.string() }),
      z.looseObject({ name: z.string(), data: z.object({}) }),
    ]);
    expect(problemsOf(schema, { yaml: 7 })).toEqual({ 'body.yaml': 'must be a string (got number)' });
    expect(problemsOf(schema, { name: 7, data: {} })).toEqual({ 'body.name': 'must be a string (got number)' });
    expect(problemsOf(z.object({ a: schema }), { a: { name: 'x' } })).toEqual({ 'body.a.data': 'is required' });
  });

  it('names the whole value if no alternative of a union is close', () => {
    expect(problemsOf(z.union([z.string(), z.number()]), {})).toEqual({
      body: 'must be a string or a number (got object)',
    });
  });
});
