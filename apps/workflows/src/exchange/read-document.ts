import type { z } from 'zod';
import { detailsOf, ValidationError } from '@millrace/contracts/kit/api-error';
import { workflowDocument } from '@millrace/contracts/workflows/exchange';
import { versionData } from '@millrace/contracts/workflows/versions';
import { readYamlField } from './read-yaml.js';

/** What came as YAML text or as JSON, checked as far as its shape goes. @throws ValidationError */
export function readDocument(body: unknown): z.output<typeof workflowDocument> {
  const { yaml } = body as { yaml?: unknown };
  const given = typeof yaml === 'string' ? readYamlField(yaml, 'body.yaml') : body;
  const parsed = workflowDocument.safeParse(given);
  if (!parsed.success) throw new ValidationError(detailsOf(parsed.error, 'body'));
  const data = versionData.safeParse(parsed.data.data);
  if (!data.success) throw new ValidationError(detailsOf(data.error, 'body.data'));
  return parsed.data;
}
