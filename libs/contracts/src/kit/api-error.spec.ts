import { expect, it } from '@jest/globals';
import { z } from 'zod';
import { toErrorDetails } from './api-error.js';

const problemsOf = (schema: z.ZodType, value: unknown) => {
  const { error } = schema.safeParse(value);
  return error ? toErrorDetails(error, 'body') : {};
};

it('every field that is wrong is named by its place', () => {
  const schema = z.strictObject({ a: z.string(), b: z.strictObject({ c: z.number() }) });
  expect(problemsOf(schema, { a: 1, b: { c: 'x', d: 1 }, e: 1 })).toEqual({
    'body.a': expect.stringContaining('expected string'),
    'body.b.c': expect.stringContaining('expected number'),
    'body.b.d': 'is not a known field',
    'body.e': 'is not a known field',
  });
});

it('of several shapes the closest says what is wrong', () => {
  const schema = z.union([
    z.strictObject({ yaml: z.string() }),
    z.looseObject({ name: z.string(), data: z.object({}) }),
  ]);
  expect(problemsOf(schema, { yaml: 7 })).toEqual({ 'body.yaml': expect.stringContaining('expected string') });
  expect(problemsOf(schema, { name: 7, data: {} })).toEqual({
    'body.name': expect.stringContaining('expected string'),
  });
  expect(problemsOf(z.object({ a: schema }), { a: { name: 'x' } })).toEqual({ 'body.a.data': expect.any(String) });
});

it('where no shape comes close, the whole is named', () => {
  expect(problemsOf(z.union([z.string(), z.number()]), {})).toEqual({ body: 'Invalid input' });
});
