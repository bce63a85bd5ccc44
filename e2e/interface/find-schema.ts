/** JSON Schema, as far as the description uses it. */
export interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  minLength?: number;
  maxLength?: number;
  default?: string | number | boolean;
}

export interface Place {
  /** What may stand there: the alternatives of the schema. None where there is no such place. */
  schemas: Schema[];
  isRequired: boolean;
  /** Properties that have no name may stand beside it. */
  isOpen: boolean;
}

/** What a schema allows: itself, or each of its alternatives. */
export function alternatives(schema: Schema): Schema[] {
  const either = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return either.length === 0 ? [schema] : either.flatMap(alternatives);
}

/** The place in a schema that a name such as `data.connections[].source` leads to. */
export function findPlace(root: Schema, name: string): Place {
  const steps = name.replaceAll('[]', '.[]').split('.');
  return steps.reduce<Place>(step, { schemas: alternatives(root), isRequired: true, isOpen: false });
}

function step({ schemas }: Place, name: string): Place {
  if (name === '[]') return { schemas: schemas.flatMap(itemsOf), isRequired: true, isOpen: false };
  const objects = schemas.filter(({ properties, type }) => properties ?? type === 'object');
  const found = objects.flatMap(({ properties }) => properties?.[name] ?? []);
  return {
    schemas: found.flatMap(alternatives),
    isRequired: objects.length > 0 && objects.every(({ required }) => required?.includes(name) ?? false),
    // Of a schema without any constraint nothing is closed.
    isOpen: schemas.some(isOpen),
  };
}

const itemsOf = ({ items }: Schema): Schema[] => (items ? alternatives(items) : []);
const isOpen = ({ type, properties, additionalProperties = true }: Schema): boolean =>
  (type === undefined || type === 'object' || properties !== undefined) && additionalProperties !== false;
