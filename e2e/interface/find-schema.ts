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
  /** The alternative schemas of the value at this place. Empty if the place does not exist. */
  schemas: Schema[];
  isRequired: boolean;
  /** Whether the object also accepts properties that the schema does not name. */
  isOpen: boolean;
}

/** The alternatives of a schema; the schema itself if it has none. */
export function alternatives(schema: Schema): Schema[] {
  const either = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return either.length === 0 ? [schema] : either.flatMap(alternatives);
}

/** Finds the place in a schema that a name such as `data.connections[].source` refers to. */
export function findPlace(root: Schema, name: string): Place {
  const steps = name.replaceAll('[]', '.[]').split('.');
  return steps.reduce<Place>(descend, { schemas: alternatives(root), isRequired: true, isOpen: false });
}

function descend({ schemas }: Place, name: string): Place {
  if (name === '[]') return { schemas: schemas.flatMap(itemsOf), isRequired: true, isOpen: false };
  const objects = schemas.filter(({ properties, type }) => properties ?? type === 'object');
  const found = objects.flatMap(({ properties }) => properties?.[name] ?? []);
  return {
    schemas: found.flatMap(alternatives),
    isRequired: objects.length > 0 && objects.every(({ required }) => required?.includes(name) ?? false),
    // A schema without constraints accepts any property.
    isOpen: schemas.some(isOpen),
  };
}

const itemsOf = ({ items }: Schema): Schema[] => (items ? alternatives(items) : []);
const isOpen = ({ type, properties, additionalProperties = true }: Schema): boolean =>
  (type === undefined || type === 'object' || properties !== undefined) && additionalProperties !== false;
