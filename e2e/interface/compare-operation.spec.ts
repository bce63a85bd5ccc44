import { describe, expect, it } from '@jest/globals';
import { compareOperation, type DescribedOperation } from './compare-operation.js';
import { FIELDS_OF_EACH_KIND } from './fields-of-each-kind.js';
import type { Schema } from './find-schema.js';
import type { Row } from './row.js';

const ROW: Row = {
  path: { id: 'number' },
  query: { page: 'integer, default 1' },
  body: {
    name: 'string, req, 1..255',
    note: 'string or null, max 20',
    'parts[].id': 'string, req',
    '*': 'any',
  },
  status: 200,
  response: FIELDS_OF_EACH_KIND,
  errors: [400, 500],
  minVaultRole: 'space_admin',
};

const text = (more: Schema = {}): Schema => ({ type: 'string', ...more });
const PART: Schema = { type: 'object', properties: { id: text() }, required: ['id'] };
const BODY: Schema = {
  type: 'object',
  properties: {
    name: text({ minLength: 1, maxLength: 255 }),
    note: { anyOf: [text({ maxLength: 20 }), { type: 'null' }] },
    parts: { type: 'array', items: PART },
  },
  required: ['name'],
};
const RESPONSE: Schema = {
  type: 'object',
  properties: {
    id: text(),
    kind: text({ enum: ['B', 'A'] }),
    size: { type: 'integer' },
    count: { type: 'integer' },
    tags: { type: 'array', items: text() },
    none: text(),
    more: text(),
  },
  required: ['id', 'kind', 'more'],
};

interface Parts {
  id: Schema;
  page: Schema;
  body: Schema;
  response: Schema;
  status: string;
  errors: string[];
  role: string;
}

function describeWith(changed: Partial<Parts>): DescribedOperation {
  const parts = { id: { type: 'integer' }, page: { type: 'integer', default: 1 }, body: BODY, response: RESPONSE };
  const { id, page, body, response, status, errors, role } = {
    ...{ ...parts, status: '200', errors: ['400', '404', '413', '429', '500'], role: 'space_admin' },
    ...changed,
  };
  return {
    parameters: [
      { name: 'id', in: 'path', required: true, schema: id },
      { name: 'page', in: 'query', required: false, schema: page },
    ],
    requestBody: { required: true, content: { 'application/json': { schema: body } } },
    responses: {
      [status]: { content: { 'application/json': { schema: response } } },
      ...Object.fromEntries(errors.map((code) => [code, {}])),
    },
    'x-svc-min-vault-role': role,
  };
}

const withProperty = (schema: Schema, name: string, property: Schema | undefined): Schema => {
  const { [name]: _, ...others } = schema.properties ?? {};
  return { ...schema, properties: property ? { ...others, [name]: property } : others };
};
const inBody = (name: string, property?: Schema): Partial<Parts> => ({ body: withProperty(BODY, name, property) });
const inResponse = (name: string, property?: Schema): Partial<Parts> => ({
  response: withProperty(RESPONSE, name, property),
});

it('compareOperation accepts a description that agrees with the document, or allows more where permitted', () => {
  expect(compareOperation(ROW, describeWith({}))).toEqual([]);
});

describe('compareOperation reports:', () => {
  it.each<[string, Partial<Parts>]>([
    ['path.id is string, not number', { id: text() }],
    ['query.page has the default 0, not 1', { page: { type: 'integer', default: 0 } }],
    ['body.name is missing', inBody('name')],
    ['body.name is integer, not string', inBody('name', { type: 'integer' })],
    ['body.name is not required', { body: { ...BODY, required: [] } }],
    ['body.note is required', { body: { ...BODY, required: ['name', 'note'] } }],
    ['body.parts is required and not documented', { body: { ...BODY, required: ['name', 'parts'] } }],
    ['body.name has at least 0 characters, not 1', inBody('name', text({ maxLength: 255 }))],
    ['body.name has at most 99 characters, not 255', inBody('name', text({ minLength: 1, maxLength: 99 }))],
    ['body.note is string, not string or null', inBody('note', text({ maxLength: 20 }))],
    ['body.parts[].id is missing', inBody('parts', { type: 'array', items: { type: 'object' } })],
    ['body.parts[].id is not required', inBody('parts', { type: 'array', items: { ...PART, required: [] } })],
    ['body.* accepts no further properties', { body: { ...BODY, additionalProperties: false } }],
    ['response.size is missing', inResponse('size')],
    ['response.count is number, not integer', inResponse('count', { type: 'number' })],
    ['response.id is string or null, not string', inResponse('id', { type: ['string', 'null'] })],
    ['response.id is any, not string', inResponse('id', {})],
    ['response.kind is not required', { response: { ...RESPONSE, required: ['id'] } }],
    ['response.kind is one of A B C, not of A B', inResponse('kind', text({ enum: ['A', 'B', 'C'] }))],
    [
      'response.tags is an array of number, not of string',
      inResponse('tags', { type: 'array', items: { type: 'number' } }),
    ],
    ['responds with 201, not 200', { status: '201' }],
    ['does not list 500', { errors: ['400'] }],
    ['lists 409', { errors: ['400', '409', '500'] }],
    ['requires owner, not space_admin', { role: 'owner' }],
  ])('%s', (problem, changed) => {
    expect(compareOperation(ROW, describeWith(changed))).toEqual([problem]);
  });

  it('requires no credentials', () => {
    expect(compareOperation(ROW, { ...describeWith({}), security: [] })).toEqual(['requires no credentials']);
  });

  it('responds with a body', () => {
    const row: Row = { status: 204, response: 'nothing' };
    expect(compareOperation(row, { responses: { 204: { content: { 'application/json': { schema: {} } } } } })).toEqual([
      'responds with a body',
    ]);
  });
});
