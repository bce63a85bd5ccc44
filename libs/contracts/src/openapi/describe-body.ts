import { z } from 'zod';
import type { AnyOperation } from '../kit/operation.js';
import type { Json, SchemaCollection } from './schema-collection.js';

const ANY_OBJECT = { type: 'object', additionalProperties: true };
const TEXT = { schema: { type: 'string' } };
const BINARY = { schema: { type: 'string', format: 'binary' } };

/** Describes the body of a request; null if it has none. */
export function describeRequestBody(operation: AnyOperation, schemas: SchemaCollection): Json | null {
  const { transfer, body } = operation;
  if (transfer === 'upload') {
    const properties = {
      path: { type: 'string', description: 'Path from the top of the storage, such as `lists/hosts.txt`' },
      file: { type: 'string', format: 'binary', description: 'Content of the file' },
    };
    const schema = { type: 'object', properties, required: ['path', 'file'] };
    return { required: true, content: { 'multipart/form-data': { schema } } };
  }
  if (transfer === 'rows') {
    const json = { schema: { oneOf: [ANY_OBJECT, { type: 'array', items: ANY_OBJECT }] } };
    const types = { 'application/json': json, 'application/x-ndjson': TEXT, 'text/csv': TEXT };
    return { required: true, content: types };
  }
  if (transfer === 'signed') return { required: true, content: { 'application/json': { schema: ANY_OBJECT } } };
  if (transfer === 'raw') {
    return { required: false, content: { 'application/json': { schema: ANY_OBJECT }, '*/*': BINARY } };
  }
  if (transfer === 'content') return { required: true, content: { 'application/octet-stream': BINARY } };
  const { isEmpty, isRequired } = inspectBody(body);
  if (isEmpty) return null;
  const yaml = operation.acceptsYaml && { 'application/yaml': TEXT };
  return {
    required: isRequired,
    content: { 'application/json': { schema: schemas.describe(body, 'input') }, ...yaml },
  };
}

/** Whether a body has no fields, and whether it must be sent. */
function inspectBody(body: z.ZodType): { isEmpty: boolean; isRequired: boolean } {
  const schema = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' });
  return {
    isEmpty: schema.properties !== undefined && Object.keys(schema.properties).length === 0,
    isRequired: (schema.required ?? []).length > 0 || schema.anyOf !== undefined,
  };
}

/** Describes the content of a successful response by its media types; null if there is none. */
export function describeContent(operation: AnyOperation, schemas: SchemaCollection): Json | null {
  if (operation.status === 204) return null;
  switch (operation.transfer) {
    case 'download':
      return { 'application/octet-stream': BINARY };
    case 'archive':
      return { 'application/zip': BINARY };
    case 'text':
      return Object.fromEntries(operation.responseTypes.map((type) => [type, TEXT]));
    case 'events':
      return { 'text/event-stream': TEXT };
    default:
      return { 'application/json': { schema: schemas.describe(operation.response, 'output') } };
  }
}
