import { type GetPromptResult, type Prompt, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

interface PromptDefinition extends Prompt {
  arguments: { name: string; description: string; required: boolean }[];
  write: (args: Record<string, string>) => string;
}

export const PROMPTS: readonly PromptDefinition[] = [
  {
    name: 'build_pipeline',
    title: 'Build a pipeline',
    description: 'Build a workflow from a description of its steps, run it, and show the result',
    arguments: [
      { name: 'goal', description: 'What the workflow does, in a sentence or two', required: true },
      { name: 'space', description: 'Name or id of the space; the first one by default', required: false },
    ],
    write: ({ goal, space }) => `Build a Millrace workflow that does this: ${goal}

1. Find the space${space ? ` "${space}"` : ''} with list_spaces. Read the page reference/workflow-data.md with read_docs.
2. Look for ready-made steps with search_library before you write scripts, and read their inputs with get_library_module.
3. Write the workflow as YAML, and check it with validate_workflow. Fix all errors, and consider the warnings.
4. Create it with create_workflow. Show the user what plan_run would do if the run contacts other systems or is expensive.
5. Run it with run_workflow. If it fails, use list_failures and read_log, fix the YAML, and save it with save_workflow.
6. Show the user the result with read_output, or with query_table if the workflow fills a Live Table.`,
  },
  {
    name: 'debug_failed_run',
    title: 'Debug a failed run',
    description: 'Find out why a run failed, and propose a fix',
    arguments: [{ name: 'run_id', description: 'Number of the run', required: true }],
    write: ({ run_id: run }) => `Find out why run ${run} of Millrace failed, and propose a fix.

1. Read the run with get_run, and the reasons of its failures with list_failures.
2. Read the log of one example of each reason with read_log: stderr first, then stdout. Use grep for long logs.
3. Read the workflow with read_workflow. If an earlier run succeeded (list_runs), compare both with compare_runs.
4. Explain the cause: the workflow, its inputs, or a system outside. Name the lines of the log that show it.
5. Propose the smallest fix. Change the workflow with save_workflow, or retry with retry_run, only after the user agrees. A retry
   keeps what succeeded.`,
  },
  {
    name: 'summarize_table_changes',
    title: 'Summarize what changed in a table',
    description: 'Summarize what the last run, or a given one, changed in a Live Table',
    arguments: [
      { name: 'table', description: 'Name or id of the Live Table', required: true },
      { name: 'run_id', description: 'Number of a run; the last one by default', required: false },
    ],
    write: ({
      table,
      run_id: run,
    }) => `Summarize what ${run ? `run ${run}` : 'the last run'} changed in the Live Table "${table}" of Millrace.

1. Find the table with list_tables, and read its columns with get_table.
2. Read the changes with list_table_changes${run ? ` (run ${run})` : ''}: its counts first, then the rows of each kind (new, changed, gone), page by page.
3. If there are many, group the rows with aggregate_table, for example \`_state = "new"\` by a column that matters.
4. Write a summary: the numbers, what is new and why it matters, what changed from what to what, and what is gone. Name rows that a
   person should look at. Do not guess what the data does not show.`,
  },
];

export const listPrompts = (): Prompt[] => PROMPTS.map(({ write: _, ...prompt }) => prompt);

export function getPrompt(name: string, args: Record<string, string> = {}): GetPromptResult {
  const prompt = PROMPTS.find((candidate) => candidate.name === name);
  if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt "${name}".`);
  const missing = prompt.arguments.filter(({ name: key, required }) => required && !args[key]);
  if (missing.length > 0) {
    const names = missing.map(({ name: key }) => `\`${key}\``).join(', ');
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The prompt "${name}" requires the argument ${names}.`);
  }
  const text = prompt.write(args);
  return { description: prompt.description ?? '', messages: [{ role: 'user', content: { type: 'text', text } }] };
}
