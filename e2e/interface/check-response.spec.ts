import { describe, expect, it } from '@jest/globals';
import { checkResponse, checkFailure } from './check-response.js';
import { FIELDS_OF_EACH_KIND } from './fields-of-each-kind.js';
import type { Row } from './row.js';
import type { ReceivedResponse } from './send-documented.js';

const ROW: Row = {
  status: 200,
  response: { ...FIELDS_OF_EACH_KIND, about: 'any', '*': 'any' },
};
const GOOD = { id: '1', kind: 'A', size: 1.5, count: 2, tags: ['a'], none: null, about: 7, more: true };

const response = (body: unknown, more: Partial<ReceivedResponse> = {}): ReceivedResponse => ({
  ...{ status: 200, type: 'application/json; charset=utf-8', text: JSON.stringify(body) },
  ...more,
});

describe('checkResponse', () => {
  it('accepts a response as documented', () => expect(checkResponse(ROW, response(GOOD))).toEqual([]));

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
  ])('reports "%s"', (problem, changed) => {
    expect(checkResponse(ROW, response({ ...GOOD, ...changed }))).toEqual([problem]);
  });

  it('requires that fields without a value are omitted', () => {
    const { size: _, ...others } = GOOD;
    expect(checkResponse(ROW, response(others), ['size'])).toEqual([]);
    expect(checkResponse(ROW, response(GOOD), ['size'])).toEqual(['size is present']);
  });

  it('checks the status, the content type and the body', () => {
    expect(checkResponse(ROW, response(GOOD, { status: 201 }))).toEqual([expect.stringContaining('is 201, not 200')]);
    expect(checkResponse({}, response({}, { status: 404 }))).toEqual([
      expect.stringContaining('is 404, not a success'),
    ]);
    expect(checkResponse(ROW, response(GOOD, { type: 'text/html' }))).toEqual([
      expect.stringContaining('is text/html'),
    ]);
    expect(checkResponse(ROW, response([]))).toEqual(['is array, not an object']);
    const deleted: Row = { status: 204, response: 'nothing' };
    expect(checkResponse(deleted, response(null, { status: 204, text: '' }))).toEqual([]);
    expect(checkResponse(deleted, response({}, { status: 204 }))).toEqual(['has a body']);
  });
});

describe('checkFailure', () => {
  const failure = (body: object, status = 400) => response(body, { status });

  it('requires a code and a message, and allows details', () => {
    expect(checkFailure(400, failure({ code: 'a', message: 'b' }))).toEqual([]);
    expect(checkFailure(400, failure({ code: 'a', message: 'b', details: {} }))).toEqual([]);
    expect(checkFailure(400, failure({ code: 'a' }))).toEqual(['message is missing']);
    expect(checkFailure(400, failure({ code: 'a', message: 'b', details: 'c' }))).toHaveLength(1);
    expect(checkFailure(404, failure({ code: 'a', message: 'b' }))).toHaveLength(1);
  });
});
