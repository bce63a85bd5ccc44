import type { z } from 'zod';
import { toErrorDetails, ValidationError } from '@millrace/contracts/kit/api-error';
import { workflowDocument } from '@millrace/contracts/workflows/exchange';
import { versionData } from '@millrace/contracts/workflows/versions';
import { readJsonText } from '../yaml/read-json-text.js';
import type { YamlThreads } from '../yaml/yaml-threads.js';

/**
 * Reads an imported document, sent as YAML text or as JSON, and validates its shape. @throws ValidationError, ApiError
 */
export async function readDocument(
  body: unknown,
  threads: Pick<YamlThreads, 'read'>,
): Promise<z.output<typeof workflowDocument>> {
  const { yaml } = body as { yaml?: unknown };
  const document = typeof yaml === 'string' ? (readJsonText(yaml) ?? (await threads.read(yaml, 'body.yaml'))) : body;
  const parsed = workflowDocument.safeParse(document);
  if (!parsed.success) throw new ValidationError(toErrorDetails(parsed.error, 'body'));
  const data = versionData.safeParse(parsed.data.data);
  if (!data.success) throw new ValidationError(toErrorDetails(data.error, 'body.data'));
  return parsed.data;
}
