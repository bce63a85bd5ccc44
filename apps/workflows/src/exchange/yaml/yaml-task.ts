import { Document, isScalar, Scalar, visit } from 'yaml';
import { type FieldToLocate, locateFields } from './locate-fields.js';
import { readYaml, YamlError, type Place } from './read-yaml.js';

/** The task of a thread: read a YAML text, write the value of a JSON text as YAML, or locate fields in a workflow file. */
export interface YamlTask {
  kind: 'read' | 'write' | 'locate';
  text: string;
  /** For `locate`. */
  fields?: readonly FieldToLocate[];
}

/** The JSON of the value that was read, the YAML that was written, or the positions as JSON; else the problem and its position. */
export type YamlResult = { text: string } | { problem: string; at: Place | null };

export function runYamlTask({ kind, text, fields = [] }: YamlTask): YamlResult {
  try {
    if (kind === 'locate') return { text: JSON.stringify(locateFields(text, fields)) };
    return { text: kind === 'read' ? JSON.stringify(readYaml(text)) : writeYaml(JSON.parse(text)) };
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    return { problem: error.message, at: error.at };
  }
}

/** A line of spaces only, or leading whitespace: a block scalar would not preserve it. */
const FRAGILE = /^\s|\n[ \t]+(?:\n|$)/;

/** Any JSON value as YAML (core schema) that reads back to the same value. */
export function writeYaml(value: unknown): string {
  const document = new Document(value, { schema: 'core', aliasDuplicateObjects: false });
  visit(document, {
    Map: (_, map) => {
      // A compact connection has one line.
      if (map.items.map(({ key }) => isScalar(key) && key.value).join() === 'from,to') map.flow = true;
    },
    Scalar: (_, scalar) => {
      if (typeof scalar.value === 'string' && FRAGILE.test(scalar.value)) scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
  // No folding: each line of a script stays one line.
  return document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER });
}
