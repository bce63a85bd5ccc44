import { typeNameOf } from './render-types.mjs';

/** @typedef {import('./read-operations.mjs').Method} Method */

/**
 * An interface for each resource with its methods, and one with all resources.
 * @param {Method[]} methods
 * @param {Record<string, string>} tags what each resource is about
 */
export function renderResources(methods, tags) {
  const resources = Object.groupBy(methods, ({ resource }) => resource);
  const interfaces = Object.entries(resources).map(
    ([resource, own = []]) =>
      `/** ${tags[resource]} */\nexport interface ${interfaceOf(resource)} {\n${own.map(renderMethod).join('\n')}}\n`,
  );
  const all = Object.keys(resources).map((resource) => `  readonly ${resource}: ${interfaceOf(resource)};\n`);
  return [
    '/** The methods of the client, as the contract declares its operations. Generated. */',
    "import type { List } from '../list.js';",
    "import type { DownloadOptions, MethodOptions, QueryOptions } from '../method-options.js';",
    "import type { Download } from '../read-download.js';",
    "import type { Transfers } from '../transfers.js';",
    "import type * as types from './types.js';\n",
    ...interfaces,
    `export interface Resources {\n${all.join('')}}\n`,
  ].join('\n');
}

const interfaceOf = (/** @type {string} */ resource) =>
  `${resource.charAt(0).toUpperCase()}${resource.slice(1)}Resource`;

/** @param {Method} method */
function renderMethod(method) {
  return `${renderComment(method)}  ${method.name}${renderSignature(method)};\n`;
}

/** @param {Method} method */
function renderSignature(method) {
  const { transfer, resource, name } = method;
  const isDownload = isDownloaded(method);
  if (transfer !== 'json' && !isDownload) return `: Transfers['${resource}.${name}']`;
  const [query, body, response] = [
    typeNameOf(method, 'Query'),
    typeNameOf(method, 'Body'),
    typeNameOf(method, 'Response'),
  ];
  const input = renderInput(method, query, body);
  const options = isDownload
    ? 'DownloadOptions'
    : query !== null && body !== null
      ? `QueryOptions<types.${query}>`
      : 'MethodOptions';
  const parameters = [
    ...method.parameters.map((parameter) => `${parameter.name}: string`),
    ...(input === null ? [] : [input]),
    `options?: ${options}`,
  ];
  return `(${parameters.join(', ')}): ${isDownload ? 'Promise<Download>' : renderResult(method, response)}`;
}

/**
 * A log is text as well, but it has a method of its own that follows it.
 * @param {Method} method
 */
const isDownloaded = ({ transfer, operation }) =>
  ['download', 'archive'].includes(transfer) || (transfer === 'text' && operation !== 'runs.subjobs.logs');

/**
 * @param {Method} method
 * @param {string | null} query
 * @param {string | null} body
 */
function renderInput(method, query, body) {
  if (body !== null) return `input${method.isBodyRequired ? '' : '?'}: types.${body}`;
  if (query === null) return null;
  const isRequired = /** @type {any} */ (method.query).required.length > 0;
  return `query${isRequired ? '' : '?'}: types.${query}`;
}

/**
 * @param {Method} method
 * @param {string | null} response
 */
function renderResult({ pages }, response) {
  if (response === null) return 'Promise<void>';
  return pages === null ? `Promise<types.${response}>` : `List<types.${response}>`;
}

/** @param {Method} method */
function renderComment({ summary, description, httpMethod, path, parameters }) {
  const lines = [
    `${summary}.`,
    ...(description === undefined ? [] : ['', ...description.split('\n')]),
    '',
    `\`${httpMethod} ${path}\``,
    ...parameters.flatMap((parameter) =>
      parameter.description === undefined ? [] : [`@param ${parameter.name} ${parameter.description}`],
    ),
  ];
  return `  /**\n${lines.map((line) => `   * ${line.replaceAll('*/', '*\\/')}`.trimEnd()).join('\n')}\n   */\n`;
}
