import type { Command } from 'commander';
import type { NodeComparison, OutputComparison, RunComparison, TableComparison } from '@millrace/client';
import { formatDuration } from '@millrace/contracts/runs/format-duration';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { formatTable } from '../format-table.js';
import { addCommand } from './command-group.js';
import { findTable, formatRow, formatTables, listTables } from './compare-tables.js';
import { parseRunNumber } from './parse-number.js';

/** The operations of the API that these commands use, as methods of the client. */
export const OPERATIONS = ['compare.get', 'compare.nodes', 'compare.outputs', 'runTables.compare', 'runTables.rows'];

/** The largest page of the server. */
const MAX_NODES = 1000;
const MAX_OUTPUTS = 20;

interface Options {
  json?: boolean;
  tables?: boolean;
  rows?: string;
}

export function addCompare(parent: Command, { env }: CliContext): void {
  addCommand(parent, 'compare', 'show what differs between two runs', [
    'run compare 41 42',
    'run compare 41 42 --rows hosts',
  ])
    .argument('<a>', 'number of the first run', parseRunNumber)
    .argument('<b>', 'number of the second run', parseRunNumber)
    .option('--tables', 'show only the Live Tables')
    .option('--rows <table>', 'list the rows of a Live Table that differ, by its name or id')
    .addHelpText('after', '\nWith --rows, --json prints a line for each row.')
    .action(async (id: string, otherId: string, { json, tables: onlyTables, rows }: Options) => {
      const client = await connect(env);
      const params = { id, otherId };
      const tables = await listTables(client, params);
      if (rows !== undefined) {
        const { dataset } = findTable(tables, rows);
        for await (const row of client.runTables.rows(id, otherId, dataset)) {
          process.stdout.write(json ? `${JSON.stringify(row)}\n` : formatRow(row));
        }
        return;
      }
      if (onlyTables) {
        process.stdout.write(json ? `${JSON.stringify(tables, null, 2)}\n` : formatTables(tables));
        return;
      }
      const comparison = await client.compare.get(params.id, params.otherId);
      const nodes = await client.compare.nodes(params.id, params.otherId, { page_size: MAX_NODES });
      const query = {
        page_size: MAX_OUTPUTS,
        change: 'changed,only_in_a,only_in_b',
      };
      const outputs = await client.compare.outputs(params.id, params.otherId, query);
      const found = { ...comparison, node_list: nodes.results, output_list: outputs.results, table_list: tables };
      process.stdout.write(
        json
          ? `${JSON.stringify(found, null, 2)}\n`
          : formatComparison({ comparison, nodes: nodes.results, outputs: outputs.results, tables }),
      );
    });
}

interface Found {
  comparison: RunComparison;
  nodes: readonly NodeComparison[];
  outputs: readonly OutputComparison[];
  tables: readonly TableComparison[];
}

/** Formats a comparison: the runs, what went in, the nodes that differ, the first outputs that differ, and the tables. */
export function formatComparison({ comparison, nodes, outputs, tables }: Found): string {
  const { a, b, outputs: counts } = comparison;
  const changed = nodes.filter(isDifferent);
  const total = counts.changed + counts.only_in_a + counts.only_in_b;
  return [
    formatTable(
      ['', 'A', 'B'],
      [
        ['run', a.id, b.id],
        ['status', a.status, b.status],
        ['took', formatTime(a.duration_ms), formatTime(b.duration_ms)],
        ['units', String(a.execution_units), String(b.execution_units)],
        ['failed', String(a.run_insights.failed), String(b.run_insights.failed)],
      ],
    ),
    `${describeVersion(comparison)}\n${formatInputs(comparison)}`,
    `${nodes.length - changed.length} of ${nodes.length} nodes have the same status, children and outputs\n`,
    changed.length > 0 ? `\n${formatTable(['NODE', 'A', 'B', 'TOOK', 'OUTPUTS'], changed.map(toNodeRow))}` : '',
    `\n${counts.same} outputs are the same, ${counts.changed} changed, ${counts.only_in_a} only in A, ${counts.only_in_b} only in B\n`,
    ...outputs.map(({ change, node, path, a: inA, b: inB }) => {
      const child = (inA ?? inB)?.task_index;
      return `  ${change.padEnd(9)}  ${node}${child === undefined ? '' : ` #${child}`}  ${path}\n`;
    }),
    total > outputs.length ? `  ${total - outputs.length} more\n` : '',
    tables.length > 0 ? `\n${formatTables(tables)}` : '',
  ].join('');
}

function isDifferent({ a, b, outputs }: NodeComparison): boolean {
  if (!a || !b || a.status !== b.status || a.children !== b.children) return true;
  return outputs.changed + outputs.only_in_a + outputs.only_in_b > 0;
}

function describeVersion({ version, same_plan: isSamePlan }: RunComparison): string {
  if (isSamePlan) return 'Both executed the same version.';
  if (!version) return 'The versions cannot be compared.';
  const { added, removed, changed } = version.nodes;
  if (version.same) return 'The versions are the same; a module, or parameters of a run, changed.';
  const lists = [
    ...added.map((name) => `+ ${name}`),
    ...removed.map((name) => `- ${name}`),
    ...changed.map(({ name, fields }) => `~ ${name}: ${fields.join(', ')}`),
  ];
  return ['The versions differ:', ...lists.map((line) => `  ${line}`)].join('\n');
}

function formatInputs({ inputs: { added, removed, changed } }: RunComparison): string {
  const lines = [
    ...added.map((input) => `+ ${nameOf(input)}`),
    ...removed.map((input) => `- ${nameOf(input)}`),
    ...changed.map((input) => `~ ${nameOf(input)}: ${valueOf(input.before)} → ${valueOf(input.after)}`),
  ];
  return lines.length === 0
    ? 'The inputs are the same.\n'
    : `The inputs differ:\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

const nameOf = ({ id, label }: { id: string; label?: string | undefined }): string => label ?? id;
const valueOf = ({ value, sha256 }: { value?: unknown; sha256?: string | undefined }): string =>
  [value === undefined ? '' : JSON.stringify(value), sha256?.slice(0, 12) ?? ''].filter(Boolean).join(' ');

const formatTime = (ms: number | undefined): string => (ms === undefined ? '' : formatDuration(ms));

function toNodeRow({ node, a, b, outputs }: NodeComparison): string[] {
  const took = [a, b].map((side) => formatTime(side?.duration_ms)).join(' → ');
  const changes = `${outputs.same} same, ${outputs.changed} changed, ${outputs.only_in_a} only in A, ${outputs.only_in_b} only in B`;
  return [node, describeSide(a), describeSide(b), took, changes];
}

function describeSide(side: NodeComparison['a']): string {
  if (!side) return '-';
  const failed = side.child_statuses?.['FAILED'];
  const children = side.children === undefined ? '' : ` ${side.children}${failed ? ` (${failed} failed)` : ''}`;
  return `${side.status ?? 'none'}${children}`;
}
