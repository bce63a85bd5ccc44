import { describeApi } from '@millrace/contracts/openapi/describe-api';
import { SchemaCollection } from '@millrace/contracts/openapi/schema-collection';
import { restOperations } from '@millrace/contracts/registry';
import { statusChange } from '@millrace/contracts/runs/runs';
import { sandboxExit } from '@millrace/contracts/runs/sandbox';

/**
 * @typedef {object} Parameter
 * @property {string} key its name in the path
 * @property {string} name its name in the method, such as `runId`
 * @property {string | undefined} description
 */

/**
 * One method of the client.
 * @typedef {object} Method
 * @property {string} resource such as `runs`
 * @property {string} name such as `list`
 * @property {string} typeName prefix of the names of its types, such as `RunsList`
 * @property {string} operation name of the operation
 * @property {string} httpMethod
 * @property {string} path
 * @property {string} summary
 * @property {string | undefined} description
 * @property {boolean} isPublic
 * @property {Parameter[]} parameters those of the path, in its order
 * @property {object | null} query JSON Schema
 * @property {object | null} body JSON Schema
 * @property {boolean} isBodyRequired
 * @property {object | null} response JSON Schema; null without JSON
 * @property {'links' | 'cursor' | null} pages how the next page is requested
 * @property {number | undefined} maxPageSize
 * @property {string} transfer
 */

/** What streams contain. The API description has no schemas of it. */
const STREAMED = { RunChange: statusChange, SandboxExit: sandboxExit };

/** Transfers that no client uses: payment providers send signed requests. */
const NOT_FOR_CLIENTS = ['signed'];

/**
 * Reads what the client needs of each operation from its contract and from the API description.
 * @returns {{ methods: Method[]; schemas: Record<string, object>; tags: Record<string, string> }}
 */
export function readOperations() {
  const api = /** @type {any} */ (describeApi());
  const operations = restOperations.filter(({ transfer }) => !NOT_FOR_CLIENTS.includes(transfer));
  const methods = operations.map((operation) =>
    toMethod(operation, api.paths[operation.path][operation.method.toLowerCase()]),
  );
  methods.sort((a, b) => compare(a.resource, b.resource) || compare(a.name, b.name));
  const streamed = Object.entries(STREAMED).map(([name, schema]) => [
    name,
    new SchemaCollection().describe(schema, 'output'),
  ]);
  const schemas = { ...api.components.schemas, ...Object.fromEntries(streamed) };
  return { methods, schemas, tags: readTags(api) };
}

/**
 * @param {import('@millrace/contracts/kit/operation').AnyOperation} operation
 * @param {any} described
 * @returns {Method}
 */
function toMethod(operation, described) {
  const [resource = '', name = ''] = operation.clientMethod.split('.');
  const hasJsonBody = ['json', 'events'].includes(operation.transfer);
  const response = described.responses[operation.status]?.content?.['application/json']?.schema ?? null;
  const query = toObject(described.parameters.filter((/** @type {any} */ { in: place }) => place === 'query'));
  return {
    ...{ resource, name, typeName: pascal(resource) + pascal(name), operation: operation.name },
    ...{ httpMethod: operation.method, path: operation.path, transfer: operation.transfer },
    ...{ summary: operation.summary, description: operation.description },
    isPublic: operation.access.kind === 'public',
    parameters: toParameters(operation.path, described.parameters),
    query,
    body: hasJsonBody ? (described.requestBody?.content['application/json'].schema ?? null) : null,
    isBodyRequired: described.requestBody?.required === true,
    response,
    maxPageSize: query?.properties.page_size?.maximum,
    pages: operation.list !== null ? 'links' : query !== null && 'cursor' in query.properties ? 'cursor' : null,
  };
}

/**
 * `/runs/{id}/subjobs/{subjobId}` has the parameters `runId` and `subjobId`; a path with one parameter keeps its name.
 * @param {string} path
 * @param {any[]} described
 * @returns {Parameter[]}
 */
function toParameters(path, described) {
  const found = [...path.matchAll(/([^/]+)\/\{(\w+)\}/g)];
  return found.map(([, segment = '', key = '']) => {
    const singular = segment.replace(/ies$/, 'y').replace(/s$/, '');
    const name = key === 'id' && found.length > 1 ? `${singular}Id` : key;
    return {
      key,
      name,
      description: described.find((entry) => entry.in === 'path' && entry.name === key)?.description,
    };
  });
}

/**
 * The query as one object; null if there is none.
 * @param {any[]} parameters
 * @returns {any}
 */
function toObject(parameters) {
  if (parameters.length === 0) return null;
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(
      parameters.map(({ name, description, schema }) => [name, { ...schema, ...(description && { description }) }]),
    ),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

/**
 * The description of the tag of each resource.
 * @param {any} api
 */
function readTags(api) {
  const descriptions = Object.fromEntries(api.tags.map((/** @type {any} */ tag) => [tag.name, tag.description]));
  /** @type {Record<string, string>} */
  const tags = {};
  for (const { clientMethod, path, method } of restOperations) {
    const [resource = ''] = clientMethod.split('.');
    const [tag] = api.paths[path][method.toLowerCase()].tags;
    tags[resource] ??= `${tag}: ${descriptions[tag]}`;
  }
  return tags;
}

const pascal = (/** @type {string} */ text) => text.charAt(0).toUpperCase() + text.slice(1);
const compare = (/** @type {string} */ a, /** @type {string} */ b) => (a < b ? -1 : a > b ? 1 : 0);
