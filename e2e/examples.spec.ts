import { readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { expandConnection } from '@millrace/cli/files/expand-connection';
import { findInput } from '@millrace/cli/files/resolve-inputs';
import { type FileData, readWorkflowFile, type WorkflowFile } from '@millrace/cli/files/workflow-file';
import { validateWorkflow } from '@millrace/graph/check/validate-workflow';
import { expandUses } from '@millrace/library/expand-uses';
import { readBuiltIns } from '@millrace/library/read-built-ins';

const EXAMPLES = fileURLToPath(new URL('../examples', import.meta.url));
const files = readdirSync(EXAMPLES).filter((name) => name.endsWith('.yaml'));

const builtIns = new Map(
  (await readBuiltIns()).map(({ id, type, file: { name }, definition }) => [
    name,
    { ...definition, id, type, name, version: 1 },
  ]),
);
const findBuiltIn = ({ uses }: { uses: string }) => builtIns.get(uses) ?? { message: `no module ${uses}` };

/** The server expands the connections of a file. */
const expand = ({ connections, ...data }: FileData) => ({ ...data, connections: connections.map(expandConnection) });

/** The workflow that the server would receive. A module is keyed by its file's path, which the command line replaces by its id. */
async function load(
  path: string,
  modules: Record<string, { workflow_id: string; data: unknown }>,
): Promise<WorkflowFile> {
  const file = await readWorkflowFile(path);
  for (const node of Object.values(file.workflow.nodes)) {
    if (node.workflow === undefined) continue;
    const inner = resolve(dirname(path), node.workflow);
    modules[inner] = { workflow_id: inner, data: expand((await load(inner, modules)).workflow) };
    node.workflow = inner;
  }
  return file;
}

it.each(files)('the example %s is a valid workflow, and its documented inputs and outputs exist', async (name) => {
  const modules = {};
  const { workflow, execute } = await load(join(EXAMPLES, name), modules);
  const filled = expandUses(expand(workflow), findBuiltIn);
  expect(filled.problems).toEqual([]);
  expect(validateWorkflow(filled.data, { modules })).toEqual({ errors: [], warnings: [] });
  for (const key of Object.keys(execute.inputs)) expect(findInput(workflow, key).kind).toBe('primitive');
  const labels = Object.entries(workflow.nodes).flatMap(([key, { meta }]) => {
    const { label } = (meta ?? {}) as { label?: string };
    // A label that equals the node's own name does not make a named output.
    return label === undefined || label === key.replace(/-\d+$/, '') ? [] : [label];
  });
  for (const output of execute.outputs ?? []) expect(labels).toContain(output);
});
