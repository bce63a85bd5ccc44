import type { Command } from 'commander';
import type { FileProblem, MillraceClient, VersionsValidateFileResponse } from '@millrace/client';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { describeProblem } from '../describe-problem.js';
import { explainUnreadableFile } from '../files/explain-unreadable-file.js';
import { findByName, findOrigin } from '../files/find-workflow-of-file.js';
import { readWorkflowFile, type WorkflowFile } from '../files/workflow-file.js';
import { print, toJson } from '../print-records.js';
import { findSpaceOrDefault } from './choose-space.js';
import { addCommand } from './command-group.js';

/** The operations of the API that this command uses, as methods of the client. */
export const OPERATIONS = ['versions.validateFile'];

const INVALID = 1;

interface Options {
  json?: boolean;
  workflow?: string;
  space?: string;
}

type Problem = FileProblem & { severity: 'error' | 'warning' };

/** Reports all problems of a workflow file. The server finds and locates them; nothing is saved. */
export function addValidate(program: Command, context: CliContext): void {
  addCommand(program, 'validate', 'report all problems of a workflow file, without saving it', [
    'validate port-scan.yaml',
    'validate port-scan.yaml --json',
  ])
    .argument('<file>', 'workflow file in YAML or JSON')
    .option('--workflow <workflow>', 'the workflow (default: the one that the file names, else by its name)')
    .option('--space <space>', 'space with the secret variables that the file uses (default: the playground)')
    .addHelpText('after', '\nThe exit code is 1 if the file has errors. Warnings do not change it.')
    .action(async (path: string, options: Options) => {
      const file = await readWorkflowFile(path);
      const client = await connect(context.env);
      const { errors, warnings } = await validate(client, path, file, options);
      const problems: Problem[] = [
        ...errors.map((error) => ({ severity: 'error' as const, ...error })),
        ...warnings.map((warning) => ({ severity: 'warning' as const, ...warning })),
      ];
      await print(options.json ? toJson(problems) : formatProblems(path, problems));
      if (errors.length > 0) context.exitCode = INVALID;
    });
}

/** A problem per line, in the form that editors and terminals link to: `file:line:column: error: …`. */
export function formatProblems(path: string, problems: readonly Problem[]): string {
  if (problems.length === 0) return `${path}: no problems\n`;
  const sorted = problems.toSorted((a, b) => rank(a) - rank(b) || (a.column ?? 0) - (b.column ?? 0));
  const lines = sorted.map(({ severity, line, column, ...problem }) => {
    const place = line === undefined ? path : `${path}:${line}:${column}`;
    return `${place}: ${severity}: ${describeProblem(problem)}\n`;
  });
  return lines.join('');
}

/** Problems of the whole file are first, and how many problems are not listed is last. */
const rank = ({ code, line = 0 }: Problem): number => (code === 'more_problems' ? Number.MAX_SAFE_INTEGER : line);

async function validate(
  client: MillraceClient,
  path: string,
  file: WorkflowFile,
  options: Options,
): Promise<VersionsValidateFileResponse> {
  const target = await findTarget(client, file, options);
  return explainUnreadableFile(path, client.versions.validateFile({ yaml: file.text, ...target }));
}

/** The workflow that the file is a version of, if the server has it; otherwise the space of a new one. */
async function findTarget(
  client: MillraceClient,
  file: WorkflowFile,
  options: Options,
): Promise<{ workflow: string } | { space: string }> {
  const origin = await findOrigin(client, file, options.workflow);
  if (origin !== undefined) return { workflow: origin.id };
  const space = await findSpaceOrDefault(client, options.space);
  const found = await findByName(client, space, file);
  return found === undefined ? { space } : { workflow: found.id };
}
