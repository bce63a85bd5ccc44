import { stringify } from 'yaml';
import type { z } from 'zod';
import type { EXPORT_FORMATS, workflowDocument } from '@millrace/contracts/workflows/exchange';

export type WorkflowDocument = z.input<typeof workflowDocument>;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const MEDIA_TYPES: Record<ExportFormat, string> = {
  yaml: 'application/yaml; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

/** A workflow as text that `readYaml`, or a JSON parser, reads back to the same value. */
export function writeDocument(document: WorkflowDocument, format: ExportFormat): string {
  if (format === 'json') return `${JSON.stringify(document, null, 2)}\n`;
  // Lines are not folded: what is a line of a script is one here.
  return stringify(document, { schema: 'core', lineWidth: 0, aliasDuplicateObjects: false });
}
