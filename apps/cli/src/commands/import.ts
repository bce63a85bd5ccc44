import type { Command } from 'commander';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { explainUnreadableFile } from '../files/explain-unreadable-file.js';
import { readWorkflowFile } from '../files/workflow-file.js';
import { pickDefined } from '../pick-defined.js';
import { printDone } from '../print-records.js';
import { findProject } from '../resolve-names.js';
import { findSpaceOrDefault } from './choose-space.js';
import { addCommand } from './command-group.js';

/** The operations of the API that this command uses, as methods of the client. */
export const OPERATIONS = ['workflows.import'];

interface Options {
  json?: boolean;
  space?: string;
  project?: string;
  name?: string;
}

/** Creates a new workflow from a file. */
export function addImport(program: Command, context: CliContext): void {
  addCommand(program, 'import', 'create a new workflow from a workflow file', [
    'import port-scan.yaml',
    'import port-scan.yaml --space Research --name "Port scan 2"',
  ])
    .argument('<file>', 'workflow file in YAML or JSON, such as an export')
    .option('--space <space>', 'space of the workflow (default: the playground)')
    .option('--project <project>', 'project of the workflow')
    .option('--name <name>', 'name of the workflow (default: that in the file)')
    .action(async (path: string, options: Options) => {
      const file = await readWorkflowFile(path);
      const client = await connect(context.env);
      const space = await findSpaceOrDefault(client, options.space);
      const project = options.project === undefined ? undefined : await findProject(client, options.project, space);
      const query = pickDefined({ space, project, name: options.name });
      const workflow = await explainUnreadableFile(path, client.workflows.import({ yaml: file.text }, { query }));
      await printDone(
        `Imported "${workflow.name}" (${workflow.id}) into the space "${workflow.space_name}".`,
        ...([workflow, options] as const),
      );
    });
}
