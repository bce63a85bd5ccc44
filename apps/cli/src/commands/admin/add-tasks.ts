import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { AdminTask, AdminTaskPart, MillraceClient } from '@millrace/client';
import { EXIT } from '../../cli-context.js';
import { CliError } from '../../cli-error.js';
import { pickDefined } from '../../pick-defined.js';
import { type Fields, formatRecords, formatTime, print, printList, toJson } from '../../print-records.js';
import type { CommandGroup } from '../command-group.js';
import { parseCount } from '../parse-number.js';

const POLL_INTERVAL_MS = 1_000;

const COLUMNS: Fields<AdminTask> = {
  ID: ({ id }) => id,
  KIND: ({ kind }) => kind,
  STATE: ({ state }) => state,
  VIOLATIONS: ({ violations }) => violations,
  STARTED: (task) => formatTime(task.created_date),
  ENDED: (task) => formatTime(task.finished_date),
};
const PARTS: Fields<AdminTaskPart> = {
  SERVICE: ({ service }) => service,
  STATE: ({ state }) => state,
  DONE: ({ done, total }) => `${done}/${total}`,
  ERROR: ({ error }) => error,
};

interface Options {
  json?: boolean;
  wait?: boolean;
  number?: number;
}

/** Adds commands that start checks and reindexes, and that show them. */
export function addTasks(group: CommandGroup): void {
  group
    .add('check', 'check the invariants of the stored data', ['admin check', 'admin check runs billing'])
    .argument('[services...]', 'services to check; all by default')
    .option('--no-wait', 'print the id of the task instead of waiting for its end')
    .action(async (services: string[], options: Options) => {
      const client = await group.connect();
      await follow(client, await client.adminTasks.check(chooseServices(services)), options);
    });
  group
    .add('reindex', 'rebuild indexes and update statistics', [
      'admin reindex runs',
      'admin reindex --index runs.task_pkey',
    ])
    .argument('[services...]', 'services whose indexes are rebuilt; all by default')
    .option('--index <name>', 'only this index, such as runs.task_pkey (repeatable)', collect)
    .option('--no-wait', 'print the id of the task instead of waiting for its end')
    .action(async (services: string[], { index, ...options }: Options & { index?: string[] }) => {
      const client = await group.connect();
      const body = { ...chooseServices(services), ...pickDefined({ indexes: index }) };
      await follow(client, await client.adminTasks.reindex(body), options);
    });
  const tasks = group.parent
    .command('tasks')
    .description('show and cancel checks and reindexes')
    .addHelpText('after', '\nExample:\n  millrace admin tasks list');
  addTask(group, tasks);
}

function addTask(group: CommandGroup, parent: Command): void {
  parent
    .command('list')
    .description('list checks and reindexes, newest first')
    .option('--json', 'print JSON')
    .option('-n, --number <n>', 'number of tasks', parseCount, 20)
    .addHelpText('after', '\nExample:\n  millrace admin tasks list')
    .action(async ({ json, number = 20 }: Options) => {
      const client = await group.connect();
      const tasks = await client.adminTasks.list({ page_size: Math.min(number, 1000) }).toArray(number);
      await printList(tasks, COLUMNS, { json, empty: 'No tasks.' });
    });
  for (const [name, description] of [
    ['get', 'show a task with its findings'],
    ['cancel', 'cancel a task after the step that it is working on'],
  ] as const) {
    parent
      .command(name)
      .description(description)
      .argument('<id>', 'id of the task')
      .option('--json', 'print JSON')
      .addHelpText('after', `\nExample:\n  millrace admin tasks ${name} 01996a52-5cb0-7aaa-9f10-1a2b3c4d5e6f`)
      .action(async (id: string, options: Options) => {
        const client = await group.connect();
        await printTask(await (name === 'get' ? client.adminTasks.get(id) : client.adminTasks.cancel(id)), options);
      });
  }
}

type Services = { services: AdminTaskPart['service'][] };

const chooseServices = (services: string[]): Partial<Services> =>
  services.length > 0 ? { services: services as Services['services'] } : {};

const collect = (value: string, former: string[] = []): string[] => [...former, value];

/** Waits for the end of a task. @throws CliError with exit code 1 if something is violated or could not be carried out */
async function follow(client: MillraceClient, started: AdminTask, options: Options): Promise<void> {
  if (options.wait === false) return printTask(started, options);
  let task = started;
  while (task.state === 'running') {
    await sleep(POLL_INTERVAL_MS);
    task = await client.adminTasks.get(task.id);
  }
  await printTask(task, options);
  const problems = findProblems(task).length;
  if (task.state === 'done' && problems === 0) return;
  const text = task.state === 'done' ? `${problems} problems were found.` : `The task is ${task.state}.`;
  throw new CliError(text, { exitCode: EXIT.runFailed });
}

const findProblems = ({ parts }: AdminTask) =>
  parts.flatMap(({ service, findings }) =>
    findings.filter(({ status }) => status !== 'ok').map((finding) => ({ service, ...finding })),
  );

async function printTask(task: AdminTask, { json }: Options): Promise<void> {
  if (json) return print(toJson(task));
  const lines = findProblems(task).map(({ service, name, status, count, examples = [], error }) => {
    const detail = status === 'violated' ? `${count} violations, such as ${examples.join(', ')}` : (error ?? '');
    return `${service}: ${name}: ${detail}\n`;
  });
  const head = `Task ${task.id}: ${task.kind} is ${task.state}.\n\n`;
  await print(`${head}${formatRecords(task.parts, PARTS)}${lines.length > 0 ? '\n' : ''}${lines.join('')}`);
}
