import type { Command } from 'commander';
import { pagePaths } from '@millrace/contracts/kit/page-paths';
import { chooseServer } from '../account/choose-server.js';
import { canOpenBrowser, openBrowser } from '../account/open-browser.js';
import type { CliContext } from '../cli-context.js';
import { CliError } from '../cli-error.js';
import { printDone } from '../print-records.js';
import { isId } from '../resolve-names.js';
import { addCommand } from './command-group.js';

/** This command calls no operation. */
export const OPERATIONS: string[] = [];

const { run, workflow, module, table } = pagePaths;
const PAGES = { run, workflow, module, table };

/** Opens the page of a record in the browser. */
export function addOpen(program: Command, { env }: CliContext): void {
  addCommand(program, 'open', 'open the page of a run or another record in the browser', [
    'open 42',
    'open table 0192f0c1-7d2e-7a1b-9c3d-2f4e6a8b0c1d',
  ])
    .argument('[kind-or-run]', `number of a run, or one of ${Object.keys(PAGES).join(', ')}`)
    .argument('[id]', 'its number or id')
    .action(async (kind: string | undefined, id: string | undefined, { json }: { json?: boolean }) => {
      const url = `${await chooseServer(env)}${choosePath(kind, id)}`;
      await printDone(url, { url }, { json });
      const { platform } = process;
      if (canOpenBrowser({ platform, isTerminal: process.stderr.isTTY, hasDisplay: env.hasDisplay }))
        openBrowser(url, platform);
    });
}

/** The path of a page: the home page, of a run by its number, or of a record by its kind and id. */
export function choosePath(kind: string | undefined, id: string | undefined): string {
  if (kind === undefined) return pagePaths.home;
  if (/^\d+$/.test(kind) && id === undefined) return pagePaths.run(kind);
  if (!Object.hasOwn(PAGES, kind) || id === undefined)
    throw new CliError(`Use the number of a run, or a kind and an id: ${Object.keys(PAGES).join(', ')}.`);
  if (kind === 'run' ? !/^\d+$/.test(id) : !isId(id)) throw new CliError(`"${id}" is not the id of a ${kind}.`);
  return PAGES[kind as keyof typeof PAGES](id);
}
