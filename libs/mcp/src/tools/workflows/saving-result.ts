import { z } from 'zod';
import { MillraceError } from '@millrace/client';
import { fileProblem } from '@millrace/contracts/workflows/workflow-files';
import { fitResult } from '../fit-result.js';

/** One node is a script, the other one a module of the library. */
export const EXAMPLE = `name: Lines
data:
  nodes:
    list-1: {type: SCRIPT, script: {source: "printf 'b\\\\na\\\\n'"}}
    sort-1: {uses: sort-lines}
  connections:
    - {from: list-1/file, to: sort-1/file}`;

export const yaml = z
  .string()
  .min(1)
  .describe(
    `The whole workflow as YAML, for example: \`${EXAMPLE}\`. A script finds ` +
      'what it is connected to in `in/<node>/`; its standard output is its `file`. Format: `read_docs` with the page ' +
      '`reference/workflow-data.md`',
  );

/** Problems of a workflow, as a result that a model corrects its file by. */
export const problems = {
  errors: z.array(fileProblem).describe('Fix these: with them a workflow is not saved, or a run refuses it'),
  warnings: z.array(fileProblem).describe('Likely mistakes'),
  omitted: z
    .record(z.string(), z.int())
    .optional()
    .describe('For a list that would make the result too long: number of problems that are left out at its end'),
};

/** Shortens the lists of problems if there are thousands. */
export const fitProblems = <T extends Record<string, unknown>>(content: T): T => fitResult(content, undefined) as T;

type Problems = z.output<z.ZodObject<typeof problems>>;

/**
 * The problems in a refusal of a workflow or of its file. A problem of the whole file, such as a wrong indentation, has the code
 * `invalid_file`.
 * @returns null for any other failure
 */
export function readProblems(error: unknown): Problems['errors'] | null {
  if (!(error instanceof MillraceError) || error.code !== 'validation_error') return null;
  const { errors, line, column, ...fields } = error.details ?? {};
  if (Array.isArray(errors)) return errors as Problems['errors'];
  const isFile = Object.keys(fields).some((field) =>
    /^body\.(yaml|name|description|data|millrace)\b|^body$/.test(field),
  );
  if (!isFile) return null;
  return Object.entries(fields).map(([field, message]) => ({
    code: 'invalid_file',
    message: field === 'body' ? `The file ${String(message)}.` : String(message),
    ...(!['body', 'body.yaml'].includes(field) && { path: field.replace(/^body\.(data\.)?/, '') }),
    ...(typeof line === 'number' && { line }),
    ...(typeof column === 'number' && { column }),
  }));
}
