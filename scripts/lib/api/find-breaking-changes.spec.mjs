import { describe, expect, it } from '@jest/globals';
import { findBreakingChanges } from './find-breaking-changes.mjs';

/** @typedef {import('./find-breaking-changes.mjs').Description} Description */

/** @returns {Description} */
const makeDescription = () => ({
  paths: {
    '/runs/{id}': {
      get: {
        operationId: 'runs.get',
        security: [],
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
          { name: 'fields', in: 'query', schema: { type: 'string', enum: ['all', 'few'] } },
        ],
        responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Run' } } } } },
      },
      patch: {
        operationId: 'runs.update',
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Change' } } } },
        responses: { 204: {} },
      },
    },
  },
  components: {
    schemas: {
      Run: {
        type: 'object',
        properties: {
          id: { type: 'string' },
          error: { type: ['string', 'null'] },
          nodes: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
        },
        required: ['id', 'error'],
      },
      Change: {
        type: 'object',
        additionalProperties: false,
        properties: {
          name: { type: 'string', maxLength: 255 },
          priority: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
        },
      },
    },
  },
});

/**
 * @param {(description: any) => void} edit
 * @returns {string[]}
 */
function changesAfter(edit) {
  const later = makeDescription();
  edit(later);
  return findBreakingChanges(makeDescription(), later);
}

describe('findBreakingChanges', () => {
  it('finds nothing if nothing changed, or if everything is only extended', () => {
    expect(changesAfter(() => undefined)).toEqual([]);
    const extended = changesAfter(({ paths, components }) => {
      paths['/new'] = { get: { operationId: 'new', responses: { 200: {} } } };
      paths['/runs/{id}'].get.parameters.push({ name: 'deep', in: 'query', schema: { type: 'boolean' } });
      paths['/runs/{id}'].get.parameters[1].schema.enum.push('none');
      components.schemas.Run.properties.cost = { type: 'number' };
      components.schemas.Run.properties.error = { type: 'string' };
      components.schemas.Change.properties.color = { type: 'string' };
      components.schemas.Change.properties.name.maxLength = 1000;
      components.schemas.Change.properties.priority.anyOf.push({ type: 'string' });
    });
    expect(extended).toEqual([]);
  });

  it.each([
    [(/** @type {any} */ d) => delete d.paths['/runs/{id}'].get, 'GET /runs/{id} was removed.'],
    [(/** @type {any} */ d) => (d.paths['/runs/{id}'].get.operationId = 'x'), 'called x'],
    [(/** @type {any} */ d) => delete d.paths['/runs/{id}'].get.security, 'requires credentials'],
    [(/** @type {any} */ d) => d.paths['/runs/{id}'].get.parameters.pop(), 'the query parameter fields was removed'],
    [
      (/** @type {any} */ d) => (d.paths['/runs/{id}'].get.parameters[1].required = true),
      'the query parameter fields is now required',
    ],
    [(/** @type {any} */ d) => d.paths['/runs/{id}'].get.parameters[1].schema.enum.pop(), 'no longer accepts few'],
    [
      (/** @type {any} */ d) => (d.paths['/runs/{id}'].patch.requestBody.required = true),
      'a request body is now required',
    ],
    [(/** @type {any} */ d) => (d.paths['/runs/{id}'].patch.responses = { 200: {} }), 'no longer responds with 204'],
    [(/** @type {any} */ d) => delete d.components.schemas.Run.properties.error, 'response.error was removed'],
    [
      (/** @type {any} */ d) => (d.components.schemas.Run.required = ['id']),
      'response.error is no longer always present',
    ],
    [
      (/** @type {any} */ d) => (d.components.schemas.Run.properties.id.type = 'integer'),
      'response.id has the type integer instead of string',
    ],
    [
      (/** @type {any} */ d) => (d.components.schemas.Run.properties.id.type = ['string', 'null']),
      'response.id has the type string or null instead of string',
    ],
    [
      (/** @type {any} */ d) => delete d.components.schemas.Run.properties.nodes.items.properties.name,
      'response.nodes[].name was removed',
    ],
    [(/** @type {any} */ d) => delete d.components.schemas.Change.properties.name, 'request.name was removed'],
    [(/** @type {any} */ d) => (d.components.schemas.Change.required = ['name']), 'request.name is now required'],
    [
      (/** @type {any} */ d) => (d.components.schemas.Change.properties.name.maxLength = 9),
      'maxLength of request.name is 9 instead of 255',
    ],
    [
      (/** @type {any} */ d) => d.components.schemas.Change.properties.priority.anyOf.pop(),
      'request.priority has fewer alternatives',
    ],
  ])('finds a change that breaks clients (%#)', (edit, text) => {
    expect(changesAfter(edit)).toEqual([expect.stringContaining(text)]);
  });
});
