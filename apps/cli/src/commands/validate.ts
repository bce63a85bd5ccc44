import type { Command } from 'commander';
import type { MillraceClient, Workflow, WorkflowsValidateResponse } from '@millrace/client';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { describeProblem } from '../describe-problem.js';
import { locateProblem } from '../files/locate-problem.js';
import { readText, readWorkflowFile, type WorkflowFile } from '../files/workflow-file.js';
import type { Position } from '../files/yaml-positions.js';
import { YamlPositions } from '../files/yaml-positions.js';
import { print, toJson } from '../print-records.js';
import { findWorkflow } from '../resolve-names.js';
import { findSpaceOrDefault } from './choose-space.js';
import { addCommand } from './command-group.js';

/** The operations of the API that this command uses, as methods of the client. */
export const OPERATIONS = ['workflows.validate'];

const INVALID = 1;

interface Options {
  json?: boolean;
  workflow?: string;
  space?: string;
}

type Problem = WorkflowsValidateResponse['errors'][number];
interface Located extends Problem, Partial<Position> {
  severity: 'error' | 'warning';
}

/** Reports all problems of a workflow file. The server finds them; nothing is saved. */
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
      const found = await validate(client, file, options);
      const positions = new YamlPositions(await readText(path));
      const prefix = file.exportedFrom === undefined ? 'workflow' : 'data';
      const locate = (severity: Located['severity']) => (problem: Problem) => ({
        ...{ severity, ...problem },
        ...locateProblem(positions, prefix, problem),
      });
      const problems: Located[] = [...found.errors.map(locate('error')), ...found.warnings.map(locate('warning'))];
      await print(options.json ? toJson(problems) : formatProblems(path, problems, found));
      if (found.errors.length > 0) context.exitCode = INVALID;
    });
}

/** A problem per line, in the form that editors and terminals link to: `file:line:column: error: …`. */
export function formatProblems(
  path: string,
  problems: readonly Located[],
  { more_problems: more }: WorkflowsValidateResponse,
): string {
  if (problems.length === 0) return `${path}: no problems\n`;
  const sorted = problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
  const lines = sorted.map(({ severity, line, column, ...problem }) => {
    const place = line === undefined ? path : `${path}:${line}:${column}`;
    return `${place}: ${severity}: ${describeProblem(problem)}\n`;
  });
  return lines.join('') + (typeof more === 'number' && more > 0 ? `${more} more problems\n` : '');
}

/** The API validates the data of an existing workflow. For a file without one, an empty workflow exists for that time. */
async function validate(
  client: MillraceClient,
  file: WorkflowFile,
  options: Options,
): Promise<WorkflowsValidateResponse> {
  const body = { data: file.workflow };
  const known = await findKnown(client, file, options);
  if (known !== undefined) return client.workflows.validate(known, body);
  const space = await findSpaceOrDefault(client, options.space);
  const { id } = await client.workflows.create(space, { name: `${file.name} (validation)`.slice(-255) });
  try {
    return await client.workflows.validate(id, body);
  } finally {
    await client.workflows.delete(id);
  }
}

async function findKnown(client: MillraceClient, file: WorkflowFile, options: Options): Promise<string | undefined> {
  if (options.workflow !== undefined) return findWorkflow(client, options.workflow);
  const origin = file.exportedFrom?.workflow;
  const found = origin === undefined ? null : await client.workflows.get(origin).catch(() => null);
  if (found) return found.id;
  const isNamed = ({ name }: Workflow) => name === file.name;
  const query = { search: file.name, ordering: 'created_date' };
  for await (const workflow of client.workflows.listInSpace(await findSpaceOrDefault(client, options.space), query))
    if (isNamed(workflow)) return workflow.id;
  return undefined;
}
