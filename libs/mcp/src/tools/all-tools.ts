import { restOperations } from '@millrace/contracts/registry';
import { deriveTool } from './derive-tool.js';
import { readDocsPage } from './docs/read-docs.js';
import { isMarked } from './name-requests.js';
import { readLog } from './runs/read-log.js';
import { readOutput } from './runs/read-output.js';
import { runWorkflow, waitForRun } from './runs/run-workflow.js';
import { stopSubjobTool } from './runs/stop-subjob.js';
import { runCommand } from './sandbox/run-command.js';
import type { Tool } from './tool.js';
import { createWorkflow } from './workflows/create-workflow.js';
import { readWorkflow } from './workflows/read-workflow.js';
import { saveWorkflow } from './workflows/save-workflow.js';
import { validateWorkflow } from './workflows/validate-workflow.js';

/** Tools that combine operations. All others are marked operations of the contract. */
const COMPOSED = [
  ...[readWorkflow, validateWorkflow, createWorkflow, saveWorkflow],
  ...[runWorkflow, waitForRun, stopSubjobTool, readLog, readOutput],
  ...[runCommand, readDocsPage],
];

/** Every tool by its name. */
export const TOOLS: ReadonlyMap<string, Tool> = collect([
  ...COMPOSED,
  ...restOperations.filter(isMarked).map(deriveTool),
]);

function collect(tools: Tool[]): Map<string, Tool> {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  if (byName.size < tools.length) throw new Error('Two tools have the same name');
  return byName;
}
