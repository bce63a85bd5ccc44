import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Command } from 'commander';
import { type MillraceClient, NotFoundError } from '@millrace/client';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { CliError } from '../cli-error.js';
import { listLocalChanges } from '../files/local-changes.js';
import { mergeExport } from '../files/merge-export.js';
import { parseExport } from '../files/parse-export.js';
import { VersionsFile } from '../files/versions-file.js';
import { readText, readWorkflowFile, type WorkflowFile } from '../files/workflow-file.js';
import { writeAtomically } from '../files/write-atomically.js';
import { pickDefined } from '../pick-defined.js';
import { printDone } from '../print-records.js';
import { findWorkflow } from '../resolve-names.js';
import { addCommand } from './command-group.js';

/** The operations of the API that this command uses, as methods of the client. */
export const OPERATIONS = ['workflows.get', 'workflows.export', 'versions.get'];

interface Options {
  json?: boolean;
  force?: boolean;
}

/** Writes a workflow to a file, which can be under version control. */
export function addPull(program: Command, context: CliContext): void {
  addCommand(program, 'pull', 'write the latest version of a workflow to a file, or update the file', [
    'pull "Port scan"',
    'pull "Port scan" workflows/port-scan.yaml',
    'pull "Port scan" port-scan.yaml --force',
  ])
    .argument('<workflow>', 'id or name of the workflow')
    .argument('[file]', 'file to write (default: the name of the workflow, with .yaml)')
    .option('--force', 'discard the changes of the file')
    .action(async (name: string, path: string | undefined, { json, force = false }: Options) => {
      const client = await connect(context.env);
      const workflow = await client.workflows.get(await findWorkflow(client, name));
      if (workflow.latest_version_info === undefined)
        throw new CliError(`The workflow "${workflow.name}" has no version yet.`);
      const format = path?.endsWith('.json') ? 'json' : 'yaml';
      const download = await client.workflows.export(workflow.id, { format, form: 'compact' });
      const file = path ?? download.name ?? `${workflow.id}.yaml`;
      const exported = await download.text();
      const content = parseExport(exported);
      const key = { server: client.baseUrl, workflow: workflow.id, file: resolve(file) };
      const versions = new VersionsFile(context.env.versionsFile);
      const saved = await versions.find(key);
      const text = await chooseText(client, { file, exported, content, workflow: workflow.id, saved, force });
      if (text !== null) await writeAtomically(file, text);
      const pulled = {
        workflow: workflow.id,
        version: content.metadata.version,
        file,
        changed: text !== null,
      };
      await versions.store(key, pulled.version).catch(() => undefined);
      const { version_number: number } = content.metadata;
      const sentence = text === null ? `${file} is up to date` : `Wrote ${file}`;
      await printDone(`${sentence}: version ${number} of "${workflow.name}".`, pulled, { json });
    });
}

interface Pull {
  file: string;
  /** The export of the server, as text and parsed. */
  exported: string;
  content: ReturnType<typeof parseExport>;
  workflow: string;
  /** The version that this file was last saved as or read from on this machine. A file written by hand names none itself. */
  saved: string | undefined;
  force: boolean;
}

/**
 * Chooses the new text of the file, or null if the file stays as it is.
 * @throws CliError if the file has changes that would be lost
 */
async function chooseText(
  client: MillraceClient,
  { file, exported, content, workflow, saved, force }: Pull,
): Promise<string | null> {
  const current = await readText(file).catch((error: unknown) => {
    if (error instanceof CliError && error.message.endsWith('does not exist.')) return null;
    throw error;
  });
  if (current === null) return exported;
  if (current === exported) return null;
  if (force) {
    const readable = await readWorkflowFile(file).catch(() => null);
    const isOther = readable?.exportedFrom?.workflow !== workflow && saved === undefined;
    return readable === null || isOther ? exported : merge({ exported, content }, current, readable);
  }
  const local = await readWorkflowFile(file);
  const { workflow: data, exportedFrom } = local;
  const base = exportedFrom?.workflow === workflow ? exportedFrom.version : saved;
  const version = base === undefined ? null : await findData(client, workflow, base);
  if (base === undefined || version === null)
    throw new CliError(
      `${file} exists, and was not pulled from this workflow.\n  To replace it: the same command with --force`,
    );
  const changes = listLocalChanges(version, data);
  if (changes.length > 0) {
    throw new CliError(
      `${file} has changes that are not on the server:\n${changes.map((line) => `  ${line}\n`).join('')}` +
        `  To save them:     millrace push ${file}\n  To discard them:  the same command with --force`,
    );
  }
  if (base === content.metadata.version) return null;
  const { data: latest } = await client.versions.get(workflow, content.metadata.version);
  const [before, after] = [nodesOf(version), nodesOf(latest)];
  const unchanged = Object.keys(after).filter((name) => isDeepStrictEqual(before[name], after[name]));
  return merge({ exported, content }, current, local, new Set(unchanged));
}

const nodesOf = (data: Record<string, unknown>): Record<string, unknown> =>
  (data['nodes'] ?? {}) as Record<string, unknown>;

/** Changes a file to the version on the server. A file that was written by hand keeps its own form. */
function merge(
  { exported, content }: Pick<Pull, 'exported' | 'content'>,
  text: string,
  { exportedFrom }: WorkflowFile,
  unchanged?: ReadonlySet<string>,
): string {
  const { name, description, data } = content;
  const target = exportedFrom === undefined ? pickDefined({ name, description, workflow: data }) : content;
  try {
    return mergeExport(text, target, unchanged);
  } catch {
    // An anchor was removed to which an alias of the file refers.
    return exported;
  }
}

async function findData(client: MillraceClient, workflow: string, version: string) {
  try {
    return (await client.versions.get(workflow, version)).data;
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}
