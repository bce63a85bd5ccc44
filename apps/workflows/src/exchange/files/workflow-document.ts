import type { z } from 'zod';
import { toErrorDetails, ValidationError } from '@millrace/contracts/kit/api-error';
import { type EXPORT_FORMATS, workflowDocument } from '@millrace/contracts/workflows/exchange';
import { versionData } from '@millrace/contracts/workflows/versions';
import { isRecord } from '@millrace/graph/data/is-record';
import { readJsonText } from '../yaml/read-json-text.js';
import type { YamlThreads } from '../yaml/yaml-threads.js';
import { expandConnections } from './compact-form.js';

export type WorkflowDocument = z.input<typeof workflowDocument>;
type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const MEDIA_TYPES: Record<ExportFormat, string> = {
  yaml: 'application/yaml; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

/**
 * For documents that are longer as JSON, in characters, YAML is too long to read for a person and takes seconds to
 * write and parse.
 */
const MAX_YAML_JSON_CHARACTERS = 1024 * 1024;

/**
 * Indentation that a file may have for readability. Data that is nested 500 levels deep would otherwise grow to
 * gigabytes.
 */
const MAX_INDENT_CHARACTERS = 4 * 1024 * 1024;

/**
 * A workflow as text that an import, or a JSON parser, reads back to the same value. JSON is also YAML (YAML 1.2, 1.3)
 * and replaces it if YAML would take too long.
 */
export async function writeDocument(
  document: WorkflowDocument,
  format: ExportFormat,
  threads: Pick<YamlThreads, 'write'>,
): Promise<string> {
  const json = JSON.stringify(document);
  if (countSpaces(document, 0) > MAX_INDENT_CHARACTERS) return `${json}\n`;
  const yaml = format === 'yaml' && json.length <= MAX_YAML_JSON_CHARACTERS ? await threads.write(json) : null;
  return yaml ?? `${JSON.stringify(document, null, 2)}\n`;
}

/** The indentation of all lines of a value together. */
function countSpaces(value: unknown, depth: number): number {
  const indent = 2 * (depth + 1);
  if (typeof value === 'string') return indent * value.split('\n').length;
  if (typeof value !== 'object' || value === null) return indent;
  return Object.values(value).reduce<number>((sum, item) => sum + countSpaces(item, depth + 1), indent);
}

/**
 * Reads an imported document, sent as YAML text or as JSON, and validates its shape. @throws ValidationError, ApiError
 */
export async function readDocument(
  body: unknown,
  threads: Pick<YamlThreads, 'read'>,
): Promise<z.output<typeof workflowDocument>> {
  const { yaml } = body as { yaml?: unknown };
  const file = typeof yaml === 'string' ? (readJsonText(yaml) ?? (await threads.read(yaml, 'body.yaml'))) : body;
  const parsed = workflowDocument.safeParse(expandFile(file));
  if (!parsed.success) throw new ValidationError(toErrorDetails(parsed.error, 'body'));
  const data = versionData.safeParse(parsed.data.data);
  if (!data.success) throw new ValidationError(toErrorDetails(data.error, 'body.data'));
  return parsed.data;
}

/**
 * Accepts what people and models write: connections in the compact form, no version of the format, and `workflow` instead
 * of `data`, as in a file of the command line. Its `execute` names files on the user's machine, so it is ignored.
 */
function expandFile(file: unknown): unknown {
  if (!isRecord(file)) return file;
  const { workflow, execute: _, ...rest } = file;
  const isForCommandLine = isRecord(workflow) && file['data'] === undefined;
  if (isForCommandLine) return { millrace: 1, ...rest, data: expandConnections(workflow) };
  const isWithoutVersion = file['millrace'] === undefined && isRecord(file['data']);
  return { ...(isWithoutVersion && { millrace: 1 }), ...file, data: expandConnections(file['data']) };
}

const MAX_NAME_LENGTH = 100;
/** Names of devices on Windows, with any extension (Microsoft, "Naming Files, Paths, and Namespaces"). */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/**
 * Makes a file name that every system accepts from the name of a workflow. Letters, digits, spaces and `._-()` stay.
 */
export function nameExport(workflow: string, format: ExportFormat): string {
  const replaced = workflow
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{N} ._()-]+/gu, '-')
    .replaceAll(/\.{2,}/g, '.');
  const short = [...replaced]
    .slice(0, MAX_NAME_LENGTH)
    .join('')
    .replaceAll(/^[. -]+|[. -]+$/g, '');
  const base = short === '' || DEVICE.test(short) ? `workflow${short && `-${short}`}` : short;
  return `${base}.${format}`;
}
