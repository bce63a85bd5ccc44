import { describe, expect, it } from '@jest/globals';
import { checkAnswer, checkFailure } from './check-answer.js';
import { FIELDS_OF_EACH_KIND } from './fields-of-each-kind.js';
import type { Row } from './row.js';
import type { Answer } from './send-documented.js';

const ROW: Row = {
  status: 200,
  answer: { ...FIELDS_OF_EACH_KIND, about: 'any', '*': 'any' },
};
const GOOD = { id: '1', kind: 'A', size: 1.5, count: 2, tags: ['a'], none: null, about: 7, more: true };

const answer = (body: unknown, more: Partial<Answer> = {}): Answer => ({
  ...{ status: 200, type: 'application/json; charset=utf-8', text: JSON.stringify(body) },
  ...more,
});

describe('checkAnswer', () => {
  it('accepts a response as documented', () => expect(checkAnswer(ROW, answer(GOOD))).toEqual([]));

  it.each<[string, object]>([
    ['id is missing', { id: undefined }],
    ['id is null, not string, req', { id: null }],
    ['id is 7, not string, req', { id: 7 }],
    ['kind is "C", not enum A B, req', { kind: 'C' }],
    ['size is "1", not number', { size: '1' }],
    ['size is null, not number', { size: null }],
    ['count is 1.5, not integer', { count: 1.5 }],
    ['tags is ["a",1], not array of string', { tags: ['a', 1] }],
    ['tags is {}, not array of string', { tags: {} }],
    ['none is missing', { none: undefined }],
  ])('%s', (problem, changed) => {
    expect(checkAnswer(ROW, answer({ ...GOOD, ...changed }))).toEqual([problem]);
  });

  it('requires that fields without a value are omitted', () => {
    const { size: _, ...others } = GOOD;
    expect(checkAnswer(ROW, answer(others), ['size'])).toEqual([]);
    expect(checkAnswer(ROW, answer(GOOD), ['size'])).toEqual(['size is there']);
  });

  it('checks the status, the content type and the body', () => {
    expect(checkAnswer(ROW, answer(GOOD, { status: 201 }))).toEqual([expect.stringContaining('is 201, not 200')]);
    expect(checkAnswer({}, answer({}, { status: 404 }))).toEqual([expect.stringContaining('is 404, not a success')]);
    expect(checkAnswer(ROW, answer(GOOD, { type: 'text/html' }))).toEqual([expect.stringContaining('is text/html')]);
    expect(checkAnswer(ROW, answer([]))).toEqual(['is array, not an object']);
    const deleted: Row = { status: 204, answer: 'nothing' };
    expect(checkAnswer(deleted, answer(null, { status: 204, text: '' }))).toEqual([]);
    expect(checkAnswer(deleted, answer({}, { status: 204 }))).toEqual(['has a body']);
  });
});

describe('checkFailure', () => {
  const failed = (body: object, status = 400) => answer(body, { status });

  it('requires a code and a message, and allows details', () => {
    expect(checkFailure(400, failed({ code: 'a', message: 'b' }))).toEqual([]);
    expect(checkFailure(400, failed({ code: 'a', message: 'b', details: {} }))).toEqual([]);
    expect(checkFailure(400, failed({ code: 'a' }))).toEqual(['message is missing']);
    expect(checkFailure(400, failed({ code: 'a', message: 'b', details: 'c' }))).toHaveLength(1);
    expect(checkFailure(404, failed({ code: 'a', message: 'b' }))).toHaveLength(1);
  });
});
