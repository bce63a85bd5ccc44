import { Document, Scalar, visit } from 'yaml';

/** A line of nothing but spaces, or spaces before the first one: as block scalars these would not come back as they are. */
const FRAGILE = /^\s|\n[ \t]+(?:\n|$)/;

/** Any JSON value as YAML that reads back to it, in the core schema. */
export function writeYaml(value: unknown): string {
  const document = new Document(value, { schema: 'core', aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (_, scalar) => {
      if (typeof scalar.value === 'string' && FRAGILE.test(scalar.value)) scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
  // Lines are not folded: what is a line of a script is one here.
  return document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER });
}
