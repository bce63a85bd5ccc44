import { compareSchemas } from './compare-schemas.mjs';

/**
 * @typedef {import('./compare-schemas.mjs').Schema} Schema
 * @typedef {{ name: string, in: string, required?: boolean, schema: Schema }} Parameter
 * @typedef {Record<string, { schema?: Schema }>} Content
 * @typedef {{ operationId: string, parameters?: Parameter[], requestBody?: { required?: boolean, content: Content }, responses: Record<string, { content?: Content }>, security?: unknown[] }} Operation
 * @typedef {{ paths: Record<string, Record<string, Operation>>, components: { schemas: Record<string, Schema> } }} Description OpenAPI 3.1, as far as it is compared
 */

/**
 * Finds changes of an API that break a client that was written for the earlier description.
 * @param {Description} before
 * @param {Description} after
 * @returns {string[]} sentences that begin with the operation, in the order of the earlier description
 */
export function findBreakingChanges(before, after) {
  return Object.entries(before.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, earlier]) => {
      const title = `${method.toUpperCase()} ${path}`;
      const later = after.paths[path]?.[method];
      if (!later) return [`${title} was removed.`];
      return compareOperations(earlier, later, before, after).map((change) => `${title}: ${change}`);
    }),
  );
}

/**
 * @param {Operation} earlier
 * @param {Operation} later
 * @param {Description} before
 * @param {Description} after
 */
function compareOperations(earlier, later, before, after) {
  const compare = compareSchemas(before.components.schemas, after.components.schemas);
  return [
    ...(earlier.operationId === later.operationId ? [] : [`the operation is now called ${later.operationId}.`]),
    ...(earlier.security?.length === 0 && later.security?.length !== 0 ? ['it now requires credentials.'] : []),
    ...compareParameters(earlier.parameters ?? [], later.parameters ?? [], compare),
    ...compareBodies(earlier.requestBody, later.requestBody, compare),
    ...compareResponses(earlier.responses, later.responses, compare),
  ];
}

/**
 * @param {Parameter[]} earlier
 * @param {Parameter[]} later
 * @param {ReturnType<typeof compareSchemas>} compare
 */
function compareParameters(earlier, later, compare) {
  const find = (/** @type {Parameter[]} */ list, /** @type {Parameter} */ one) =>
    list.find((other) => other.name === one.name && other.in === one.in);
  const removed = earlier.flatMap((one) => {
    const other = find(later, one);
    if (!other) return [`the ${one.in} parameter ${one.name} was removed.`];
    return compare('request', one.name, one.schema, other.schema);
  });
  const required = later
    .filter((one) => one.required && !find(earlier, one)?.required)
    .map((one) => `the ${one.in} parameter ${one.name} is now required.`);
  return [...removed, ...required];
}

/**
 * @param {Operation['requestBody']} earlier
 * @param {Operation['requestBody']} later
 * @param {ReturnType<typeof compareSchemas>} compare
 */
function compareBodies(earlier, later, compare) {
  if (later?.required && !earlier?.required) return ['a request body is now required.'];
  return compareContents('request', earlier?.content ?? {}, later?.content ?? {}, compare);
}

/**
 * @param {Operation['responses']} earlier
 * @param {Operation['responses']} later
 * @param {ReturnType<typeof compareSchemas>} compare
 */
function compareResponses(earlier, later, compare) {
  const successes = Object.entries(earlier).filter(([status]) => status.startsWith('2'));
  return successes.flatMap(([status, response]) => {
    const other = later[status];
    if (!other) return [`it no longer responds with ${status}.`];
    return compareContents('response', response.content ?? {}, other.content ?? {}, compare);
  });
}

/**
 * @param {'request' | 'response'} side
 * @param {Content} earlier
 * @param {Content} later
 * @param {ReturnType<typeof compareSchemas>} compare
 */
function compareContents(side, earlier, later, compare) {
  return Object.entries(earlier).flatMap(([type, { schema = {} }]) => {
    const other = later[type];
    if (!other) return [`the ${side} no longer has the media type ${type}.`];
    return compare(side, side, schema, other.schema ?? {});
  });
}
