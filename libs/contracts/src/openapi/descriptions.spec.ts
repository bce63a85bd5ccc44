import { describe, expect, it } from '@jest/globals';
import { describeApi } from './describe-api.js';

interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

interface Parameter {
  name: string;
  in: string;
  description?: string;
}

interface DescribedOperation {
  operationId: string;
  summary: string;
  description?: string;
  parameters: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

interface Description {
  paths: Record<string, Record<string, DescribedOperation>>;
  components: { schemas: Record<string, Schema> };
}

const { paths, components } = describeApi() as unknown as Description;
const operations = Object.values(paths)
  .flatMap((methods) => Object.values(methods))
  .map((operation) => [operation.operationId, operation] as const);

const resolve = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (components.schemas[schema.$ref.replace('#/components/schemas/', '')] ?? {});

const alternativesOf = ({ anyOf = [], oneOf = [], allOf = [] }: Schema): Schema[] => [...anyOf, ...oneOf, ...allOf];

/** A nullable property has its description in the alternative that is not null. */
function isDescribed(schema: Schema): boolean {
  if (schema.description || resolve(schema).description) return true;
  const values = alternativesOf(schema).filter(({ type }) => type !== 'null');
  return values.length > 0 && values.every(isDescribed);
}

/** The paths of properties without a description, at all depths. */
function findUndescribed(schema: Schema, path: string): string[] {
  const resolved = resolve(schema);
  const properties = Object.entries(resolved.properties ?? {}).flatMap(([name, property]) => {
    const place = `${path}.${name}`;
    return [...(isDescribed(property) ? [] : [place]), ...findUndescribed(property, place)];
  });
  const items = resolved.items ? findUndescribed(resolved.items, `${path}[]`) : [];
  return [...properties, ...items, ...alternativesOf(resolved).flatMap((other) => findUndescribed(other, path))];
}

describe.each(operations)('%s', (_, { summary, description = '', parameters, requestBody }) => {
  it('has a description that adds something to its summary', () => {
    expect(description).toMatch(/\.$/);
    expect(description).not.toContain(summary);
  });

  it('has a description of each parameter', () => {
    const undescribed = parameters.filter((parameter) => !parameter.description);
    expect(undescribed.map((parameter) => `${parameter.in}.${parameter.name}`)).toEqual([]);
  });

  if (requestBody) {
    it('has a description of each property of its body', () => {
      const schemas = Object.values(requestBody.content).map(({ schema }) => schema);
      expect(schemas.flatMap((schema) => findUndescribed(schema, 'body'))).toEqual([]);
    });
  }
});
