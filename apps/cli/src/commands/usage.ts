import { Option, type Command } from 'commander';
import type { BillingPeriod, BillingUsage } from '@millrace/client';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { CliError } from '../cli-error.js';
import { writeAtomically } from '../files/write-atomically.js';
import { pickDefined } from '../pick-defined.js';
import { type Fields, formatRecords, print, printDone, printList, toJson } from '../print-records.js';
import { addCommand } from './command-group.js';
import { parseTime } from './parse-time.js';

/** The operations of the API that this command uses, as methods of the client. */
export const OPERATIONS = ['usage.list', 'usage.export', 'periods.list'];

const SUMS: Fields<Pick<BillingUsage, 'execution_units' | 'cpu_seconds' | 'subjobs' | 'runs'>> = {
  UNITS: (usage) => usage.execution_units,
  'CPU SECONDS': (usage) => usage.cpu_seconds,
  SUBJOBS: ({ subjobs }) => subjobs,
  RUNS: ({ runs }) => runs,
};
const GROUPS: Record<'day' | 'workflow' | 'space', Fields<BillingUsage>> = {
  day: { DAY: ({ day }) => day, ...SUMS },
  workflow: { WORKFLOW: (usage) => usage.workflow_name ?? usage.workflow, SPACE: (usage) => usage.space_name, ...SUMS },
  space: { SPACE: (usage) => usage.space_name ?? usage.space, ...SUMS },
};
const PERIODS: Fields<BillingPeriod> = {
  MONTH: ({ month }) => month,
  UNITS: (period) => period.execution_units,
  CREDITS: (period) => period.credits_used,
  'CPU SECONDS': (period) => period.cpu_seconds,
  SUBJOBS: ({ subjobs }) => subjobs,
};

interface Options {
  json?: boolean;
  from?: string;
  to?: string;
  by: 'day' | 'workflow' | 'space' | 'month';
  csv?: boolean;
  output?: string;
}

/** Shows the usage of the vault in execution units. */
export function addUsage(program: Command, context: CliContext): void {
  addCommand(program, 'usage', 'show the usage of the vault by day, workflow, space or month', [
    'usage',
    'usage --from 2026-11-01 --to 2026-12-01 --by workflow',
    'usage --by space --csv --output usage.csv',
  ])
    .option('--from <time>', 'start date or time (default: start of this month)', parseTime)
    .option('--to <time>', 'end date or time, exclusive (default: now)', parseTime)
    .addOption(
      new Option('--by <group>', 'what the usage is grouped by')
        .choices(['day', 'workflow', 'space', 'month'])
        .default('day'),
    )
    .option('--csv', 'print CSV')
    .option('-o, --output <file>', 'write the CSV to a file')
    .action(async ({ json, from, to, by, csv, output }: Options) => {
      const client = await connect(context.env);
      if (by === 'month') {
        if (csv || output !== undefined || from !== undefined || to !== undefined)
          throw new CliError('--by month has no CSV, and lists all months: use it without --csv, --from and --to.');
        const { results } = await client.periods.list();
        return printList(results, PERIODS, { json, empty: 'No usage yet.' });
      }
      const query = pickDefined({ from, to, group_by: by });
      if (csv || output !== undefined) {
        const { body } = await client.usage.export(query);
        if (output === undefined) for await (const chunk of body) await print(chunk);
        else {
          await writeAtomically(output, body);
          await printDone(`Wrote ${output}.`, { file: output }, { json });
        }
        return;
      }
      const results: BillingUsage[] = [];
      let total: unknown;
      for await (const page of client.usage.list(query).pages()) {
        results.push(...page.results);
        total = page.total;
      }
      if (json) return print(toJson({ results, total }));
      const { execution_units: units = 0, runs = 0 } = (total ?? {}) as { execution_units?: number; runs?: number };
      await print(results.length === 0 ? 'No usage in this period.\n' : formatRecords(results, GROUPS[by]));
      if (results.length > 0) await print(`Total: ${units} units, ${runs} runs\n`);
    });
}
