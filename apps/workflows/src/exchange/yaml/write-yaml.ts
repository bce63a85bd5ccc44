import { Document, Scalar, visit } from 'yaml';

/** A line of spaces only, or leading whitespace: a block scalar would not preserve it. */
const FRAGILE = /^\s|\n[ \t]+(?:\n|$)/;

/** Any JSON value as YAML (core schema) that reads back to the same value. */
export function writeYaml(value: unknown): string {
  const document = new Document(value, { schema: 'core', aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (_, scalar) => {
      if (typeof scalar.value === 'string' && FRAGILE.test(scalar.value)) scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
  // No folding: each line of a script stays one line.
  return document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER });
}
