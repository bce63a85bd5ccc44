import { Document, Scalar, visit } from 'yaml';
import type { z } from 'zod';
import type { EXPORT_FORMATS, workflowDocument } from '@millrace/contracts/workflows/exchange';

export type WorkflowDocument = z.input<typeof workflowDocument>;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const MEDIA_TYPES: Record<ExportFormat, string> = {
  yaml: 'application/yaml; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

/** Spaces that a file may hold for being readable. Data that is nested 500 levels deep would otherwise swell to gigabytes. */
const MOST_SPACES = 4 * 1024 * 1024;

/** A workflow as text that `readYaml`, or a JSON parser, reads back to the same value. JSON is YAML, too (YAML 1.2, 1.3). */
export function writeDocument(document: WorkflowDocument, format: ExportFormat): string {
  if (countSpaces(document, 0) > MOST_SPACES) return `${JSON.stringify(document)}\n`;
  if (format === 'json') return `${JSON.stringify(document, null, 2)}\n`;
  return writeYaml(document);
}

/** A line of nothing but spaces, or spaces before the first one: as block scalars these would not come back as they are. */
const FRAGILE = /^\s|\n[ \t]+(?:\n|$)/;

function writeYaml(value: unknown): string {
  const document = new Document(value, { schema: 'core', aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (_, scalar) => {
      if (typeof scalar.value === 'string' && FRAGILE.test(scalar.value)) scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
  // Lines are not folded: what is a line of a script is one here.
  return document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER });
}

/** How much the lines of a value are indented, in all. */
function countSpaces(value: unknown, depth: number): number {
  const indent = 2 * (depth + 1);
  if (typeof value === 'string') return indent * value.split('\n').length;
  if (typeof value !== 'object' || value === null) return indent;
  return Object.values(value).reduce<number>((sum, item) => sum + countSpaces(item, depth + 1), indent);
}
