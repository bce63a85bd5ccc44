import type { Operation, ToolMark } from '@millrace/contracts/kit/operation';
import { restOperations } from '@millrace/contracts/registry';
import { downloadOutput } from '@millrace/contracts/runs/outputs';
import { createRun } from '@millrace/contracts/runs/runs';
import { execInSandbox, startSandbox } from '@millrace/contracts/runs/sandbox';
import { readLogs, stopSubjob } from '@millrace/contracts/runs/subjobs';
import { exportWorkflow, importWorkflow } from '@millrace/contracts/workflows/exchange';
import { saveWorkflowFile, validateWorkflowFile } from '@millrace/contracts/workflows/workflow-files';

export type MarkedOperation = Operation & { tool: ToolMark };

export const isMarked = (operation: Operation): operation is MarkedOperation => operation.tool !== null;

/** Operations whose tool combines several of them. */
const COMPOSED = new Map<string, string>(
  (
    [
      [createRun, 'run_workflow'],
      [stopSubjob, 'stop_subjob'],
      [readLogs, 'read_log'],
      [downloadOutput, 'read_output'],
      [startSandbox, 'run_sandbox_command'],
      [execInSandbox, 'run_sandbox_command'],
      [exportWorkflow, 'read_workflow'],
      [importWorkflow, 'create_workflow'],
      [saveWorkflowFile, 'save_workflow'],
      [validateWorkflowFile, 'validate_workflow'],
    ] as const
  ).map(([{ name }, tool]) => [name, tool]),
);

/** Replaces requests in a text, such as `GET /runs/{id}`, by the tools that send them. */
export const nameRequests = (text: string): string =>
  text.replaceAll(/`(GET|POST|PUT|PATCH|DELETE) (\/[^`]*)`/g, (request, method: string, path: string) => {
    const target = restOperations.find((operation) => operation.method === method && operation.path === path);
    const tool = target && (target.tool?.name ?? COMPOSED.get(target.name));
    return tool === undefined ? request : `\`${tool}\``;
  });
