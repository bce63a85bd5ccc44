import { z } from 'zod';
import { getMe } from '@millrace/contracts/auth/users';
import { sandboxExit, startSandbox } from '@millrace/contracts/runs/sandbox';
import { ToolError } from '../tool-error.js';
import { defineTool } from '../tool.js';
import { OutputBuffer } from './output-buffer.js';

const stream = z.object({
  text: z.string(),
  omitted_characters: z.int().describe('Left out in the middle; write long output to a file and read parts of it'),
});

export const runCommand = defineTool({
  name: 'run_sandbox_command',
  title: 'Run a shell command in a sandbox',
  description:
    'Runs a bash command in an isolated workspace, and returns what it printed and its exit code. Use it to try a script before ' +
    'it becomes a step of a workflow. Files remain between commands of the same `session`. It starts the sandbox if needed; ' +
    '`stop_sandbox` ends it, and it ends itself when it is idle.',
  input: z.strictObject({
    command: z.string().min(1).max(65_536),
    session: z.string().min(1).max(200).default('mcp').describe('Name of the workspace; any text'),
    workflow_id: z.string().min(1).optional().describe('Use the sandbox of a workflow instead of `session`'),
    timeout_seconds: z.int().min(1).max(3_600).default(45),
  }),
  output: z.object({ session_id: z.string(), stdout: stream, stderr: stream, exit: sandboxExit }),
  isDestructive: true,
  isOpenWorld: true,
  run: async (call, { command, session, workflow_id: workflowId, timeout_seconds: seconds }) => {
    const { client, signal } = call;
    const { vault } = await client.call(getMe, { signal });
    const owner = workflowId === undefined ? { agentSessionId: session } : { workflowId };
    const { sessionId } = await client.call(startSandbox, { body: { vaultId: vault, ...owner }, signal });
    if (sessionId === undefined)
      throw new ToolError('unavailable', 'The sandbox did not start. Try again in 5 seconds.');
    const body = { sessionId, command, timeout_seconds: seconds };
    const printed = { stdout: new OutputBuffer(), stderr: new OutputBuffer() };
    for await (const event of client.sandboxes.exec(body, { signal })) {
      if (event.type === 'exit') {
        const [stdout, stderr] = [printed.stdout.read(), printed.stderr.read()];
        return { content: { session_id: sessionId, stdout, stderr, exit: event.exit } };
      }
      printed[event.type].append(event.text);
      const message = `${printed.stdout.length + printed.stderr.length} characters printed`;
      await call.reportProgress({ done: printed.stdout.length + printed.stderr.length, message });
    }
    throw new ToolError('unavailable', 'The connection to the sandbox was lost, and the command was ended.');
  },
});
