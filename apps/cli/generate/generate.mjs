import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeCommands } from './describe-commands.mjs';

/** Writes what the command line needs of each operation to `src/generated`, from the contract. */
const FOLDER = join(import.meta.dirname, '..', 'src', 'generated');

const commands = describeCommands();
const resources = [...new Set(commands.map(({ resource }) => resource))];
mkdirSync(FOLDER, { recursive: true });
writeFileSync(
  join(FOLDER, 'resources.ts'),
  `/** The resources of the API, as commands. Generated. */\nexport const RESOURCES: readonly string[] = ${JSON.stringify(resources)};\n`,
);
// A string that is parsed loads faster than an object literal.
writeFileSync(
  join(FOLDER, 'operations.ts'),
  `import type { OperationCommand } from '../derived/operation-command.js';

/** Every operation of the API, as a command. Generated. */
export const OPERATION_COMMANDS = JSON.parse(
  ${JSON.stringify(JSON.stringify(commands))},
) as OperationCommand[];
`,
);
