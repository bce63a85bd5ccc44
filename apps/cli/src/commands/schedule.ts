import type { Command } from 'commander';
import type { Schedule, ScheduleTick } from '@millrace/client';
import type { CliContext } from '../cli-context.js';
import { notFound } from '../cli-error.js';
import { confirm } from '../confirm.js';
import { pickDefined } from '../pick-defined.js';
import { type Fields, formatTime, printDone, printList, printRecord } from '../print-records.js';
import { findWorkflow } from '../resolve-names.js';
import { collectInputs } from './collect-assignments.js';
import { CommandGroup } from './command-group.js';
import { parseCount, parseCountUpTo } from './parse-number.js';
import { parseTime } from './parse-time.js';

/** The operations of the API that these commands use, as methods of the client. */
export const OPERATIONS = ['workflows.get', 'schedules.set', 'schedules.delete', 'schedules.listTicks'];

const FIELDS: Fields<Schedule> = {
  CRON: ({ cron }) => cron,
  'TIME ZONE': ({ timezone }) => timezone,
  'EVERY (MINUTES)': (schedule) => schedule.repeat_period,
  START: (schedule) => formatTime(schedule.start_date),
  ENABLED: ({ enabled }) => enabled,
  NEXT: (schedule) => formatTime(schedule.next_date),
  PARALLELISM: ({ parallelism }) => parallelism,
  INPUTS: ({ inputs }) => inputs && Object.entries(inputs).map(([name, value]) => `${name}=${value}`),
  'LAST TICK': ({ last_tick: tick }) =>
    tick && [formatTime(tick.date), tick.status, tick.reason].filter(Boolean).join(' '),
};
const TICK_COLUMNS: Fields<ScheduleTick> = {
  DATE: ({ date }) => formatTime(date),
  STATUS: ({ status }) => status,
  RUN: ({ run }) => run,
  REASON: ({ reason }) => reason,
};

interface Options {
  json?: boolean;
  cron?: string;
  timezone?: string;
  every?: number;
  start?: string;
  parallelism?: number;
  set?: Record<string, string>;
  disabled?: boolean;
  number?: number;
  yes?: boolean;
}

const WORKFLOW = ['<workflow>', 'id or name of the workflow'] as const;

/** Commands about the schedule of a workflow. */
export function addSchedule(program: Command, context: CliContext): void {
  const group = new CommandGroup(program, context, 'schedule', 'show and set the schedule of a workflow');
  group
    .add('get', 'show the schedule of a workflow', ['schedule get "Port scan"'])
    .argument(...WORKFLOW)
    .action(async (name: string, { json }: Options) => {
      const client = await group.connect();
      const { schedule_info: schedule } = await client.workflows.get(await findWorkflow(client, name));
      if (schedule) await printRecord(schedule, FIELDS, { json });
      else await printDone('The workflow has no schedule.', null, { json });
    });
  group
    .add('set', 'create or replace the schedule of a workflow', [
      'schedule set "Port scan" --cron "0 6 * * 1" --timezone Europe/Paris',
      'schedule set "Port scan" --every 30 --set hosts=example.org',
    ])
    .argument(...WORKFLOW)
    .option('--cron <expression>', 'when runs start, such as "0 6 * * 1" for Mondays at 6:00')
    .option('--timezone <zone>', 'time zone of --cron, such as Europe/Paris')
    .option('--every <minutes>', 'start a run at this interval instead', parseCount)
    .option('--start <time>', 'first date or time', parseTime)
    .option('-p, --parallelism <n>', 'maximum number of subjobs of a run at the same time', parseCountUpTo(10_000))
    .option('-s, --set <input=value>', 'set an input of the runs; can be repeated', collectInputs)
    .option('--disabled', 'start no runs until it is set again without this option')
    .action(async (name: string, options: Options) => {
      const client = await group.connect();
      const { cron, timezone, every, start, parallelism, set, disabled } = options;
      const times = { cron, timezone, repeat_period: every, start_date: start };
      const body = pickDefined({ ...times, parallelism, inputs: set, enabled: !disabled });
      const schedule = await client.schedules.set(await findWorkflow(client, name), body);
      await printRecord(schedule, FIELDS, options);
    });
  group
    .add('delete', 'delete the schedule of a workflow', ['schedule delete "Port scan" --yes'])
    .argument(...WORKFLOW)
    .option('-y, --yes', 'do not ask')
    .action(async (name: string, { json, yes }: Options) => {
      const client = await group.connect();
      const workflow = await client.workflows.get(await findWorkflow(client, name));
      if (!workflow.schedule_info) throw notFound(`The workflow "${workflow.name}" has no schedule.`);
      await confirm(`Delete the schedule of "${workflow.name}"?`, yes);
      await client.schedules.delete(workflow.id);
      await printDone(
        `Deleted the schedule of "${workflow.name}".`,
        { workflow: workflow.id, deleted: true },
        { json },
      );
    });
  group
    .add('ticks', 'list when the schedule started a run, or why it did not', ['schedule ticks "Port scan" -n 10'])
    .argument(...WORKFLOW)
    .option('-n, --number <n>', 'number of ticks, latest first', parseCount, 50)
    .action(async (name: string, { json, number }: Options) => {
      const client = await group.connect();
      const ticks = await client.schedules.listTicks(await findWorkflow(client, name)).toArray(number);
      await printList(ticks, TICK_COLUMNS, { json, empty: 'No ticks yet.' });
    });
}
