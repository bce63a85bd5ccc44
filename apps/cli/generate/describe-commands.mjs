// The client and the command line are made from the same reading of the contract.
import { readOperations } from '../../../libs/client/generate/read-operations.mjs';

/**
 * Describes each operation as a command.
 * @returns {import('../src/derived/operation-command.js').OperationCommand[]}
 */
export function describeCommands() {
  const { methods, schemas } = readOperations();
  return methods.map((method) => ({
    resource: kebab(method.resource),
    name: kebab(method.name),
    clientMethod: `${method.resource}.${method.name}`,
    operation: method.operation,
    method: method.httpMethod,
    path: method.path,
    summary: method.summary,
    ...(method.description !== undefined && { description: method.description }),
    ...(method.isPublic && { isPublic: true }),
    ...(method.pages !== null && { pages: method.pages }),
    ...(method.transfer !== 'json' && { transfer: method.transfer }),
    ...(method.response === null && { hasNoJson: true }),
    params: method.parameters.map(({ key, name }) => ({ key, name: kebab(name) })),
    query: toFields(method.query, schemas),
    body: toFields(method.body, schemas),
  }));
}

/**
 * The fields of an object, as options.
 * @param {any} written
 * @param {Record<string, any>} schemas
 */
function toFields(written, schemas) {
  const schema = resolve(written, schemas);
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { type, description, enum: values } = resolve(property, schemas);
    return {
      name,
      type: typeof type === 'string' ? type : 'any',
      ...(typeof description === 'string' && { description }),
      ...(Array.isArray(values) && { values: values.filter((value) => value !== null).map(String) }),
      ...(schema.required?.includes(name) && { isRequired: true }),
      ...(hasSecret(property, schemas) && { isSecret: true }),
    };
  });
}

/**
 * Whether a value contains a secret.
 * @param {any} written
 * @param {Record<string, any>} schemas
 * @returns {boolean}
 */
function hasSecret(written, schemas) {
  const { format, properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = resolve(written, schemas);
  const parts = [...Object.values(properties), ...(items ? [items] : []), ...anyOf, ...oneOf, ...allOf];
  return format === 'password' || parts.some((part) => hasSecret(part, schemas));
}

/**
 * @param {any} schema
 * @param {Record<string, any>} schemas
 * @returns {any}
 */
function resolve(schema, schemas) {
  const name = /^#\/components\/schemas\/(.+)$/.exec(schema?.$ref ?? '')?.[1];
  const { $ref: _, ...rest } = schema ?? {};
  return name === undefined ? (schema ?? {}) : { ...resolve(schemas[name], schemas), ...rest };
}

const kebab = (/** @type {string} */ text) => text.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
