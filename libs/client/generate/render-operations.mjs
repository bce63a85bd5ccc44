import { typeNameOf } from './render-types.mjs';

/** @typedef {import('./read-operations.mjs').Method} Method */

/** The largest page of almost all lists, as in `src/each-page.ts`. */
const DEFAULT_MAX_PAGE_SIZE = 1000;

/**
 * A constant for each resource with its operations. Bundlers drop the resources that a program does not use.
 * @param {Method[]} methods
 */
export function renderOperations(methods) {
  const resources = Object.groupBy(methods, ({ resource }) => resource);
  const constants = Object.entries(resources).map(
    ([resource, own = []]) => `export const ${resource} = {\n${own.map(renderOperation).join('')}};\n`,
  );
  return [
    '/** Every operation of the API by resource and method, as the contract declares them. Generated. */',
    "import type { Operation } from '../operation.js';",
    "import type * as types from './types.js';\n",
    ...constants,
  ].join('\n');
}

/** @param {Method} method */
function renderOperation(method) {
  const { parameters, operation, httpMethod, path, isPublic, pages, maxPageSize, transfer, query, body } = method;
  const params =
    parameters.length === 0 ? 'unknown' : `{ ${parameters.map(({ key }) => `${key}: string`).join('; ')} }`;
  const type = (/** @type {'Query' | 'Body' | 'Response'} */ part) => {
    const name = typeNameOf(method, part);
    return name === null ? (part === 'Response' ? 'null' : 'unknown') : `types.${name}`;
  };
  const takes = body !== null ? 'body' : query !== null ? 'query' : null;
  const fields = [
    `name: '${operation}', method: '${httpMethod}', path: '${path}'`,
    ...(isPublic ? ["access: { kind: 'public' }"] : []),
    ...(takes === null ? [] : [`takes: '${takes}'`]),
    ...(pages === null ? [] : [`pages: '${pages}'`]),
    ...(maxPageSize === undefined || maxPageSize === DEFAULT_MAX_PAGE_SIZE ? [] : [`maxPageSize: ${maxPageSize}`]),
    ...(transfer === 'json' ? [] : [`transfer: '${transfer}'`]),
  ];
  return `  ${method.name}: { ${fields.join(', ')} } as Operation<${params}, ${type('Query')}, ${type('Body')}, ${type('Response')}>,\n`;
}
