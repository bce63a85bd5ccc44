import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../layout.mjs';
import { UserError } from '../report.mjs';
import { runCommand } from '../run-command.mjs';
import { findRelatedTests, listTests } from './run-jest.mjs';

export const USAGE = `npm test -- [paths] [options]   all tests and checks, or the tests below the paths

  --fast               pure tests and checks only (npm run test:fast)
  --changed [commit]   the tests that changes since a commit can affect; default: HEAD, that is, uncommitted changes
  --watch              run the tests below the paths again after each edit (npm run test:watch -- libs/graph)
  -t <text>            only tests whose title matches
  --help               show this`;

/** All tests depend on these files. */
const AFFECTS_ALL = /^(prisma|\.ci)\/|^(package(-lock)?|tsconfig(\.base)?|turbo)\.json$|^(jest\.config\.mjs|\.swcrc)$/;
/** The processes of a whole system depend on these files. */
const AFFECTS_SYSTEM = /^(apps|libs|scripts|deploy|e2e\/support)\/(?!.*\.(spec|md)\b)/;
const DOCUMENTS = /\.md$|^examples\//;

/**
 * @typedef {object} Choice
 * @property {string[]} jestArgs
 * @property {boolean} lint
 * @property {boolean} watch
 * @property {boolean} help
 */

/**
 * Reads the arguments of `npm test`.
 * @param {string[]} argv
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Choice>}
 */
export async function chooseTests(argv, env) {
  const { values, positionals } = parse(argv);
  const { fast = false, watch = false, help = false } = values;
  const titles = values.testNamePattern ? [`--testNamePattern=${values.testNamePattern}`] : [];
  const paths = values.changed === undefined ? positionals : [];
  const pure = fast ? ['--testPathIgnorePatterns', '/node_modules/', '/dist/', '\\.(int|e2e)\\.spec\\.', '--'] : [];
  const jestArgs = [...titles, ...(watch ? ['--watch'] : []), ...pure, ...paths];
  const lint = paths.length === 0 && titles.length === 0 && !watch;
  if (values.changed === undefined) return { jestArgs, lint, watch, help };
  const changed = await listChanges(values.changed || positionals[0] || 'HEAD');
  const tests = await affectedTests(changed, env);
  return { jestArgs: [...titles, '--passWithNoTests', '--runTestsByPath', ...tests], lint: true, watch, help };
}

/** @param {string[]} argv */
function parse(argv) {
  try {
    return parseArgs({
      // The value of `--changed` is optional, which parseArgs does not support.
      args: argv.map((argument) => (argument === '--changed' ? '--changed=' : argument)),
      options: {
        fast: { type: 'boolean' },
        changed: { type: 'string' },
        watch: { type: 'boolean' },
        testNamePattern: { type: 'string', short: 't' },
        help: { type: 'boolean' },
      },
      allowPositionals: true,
    });
  } catch (error) {
    throw new UserError(`${/** @type {Error} */ (error).message}\n\n${USAGE}`, 2);
  }
}

/**
 * @param {string} commit
 * @returns {Promise<string[]>} paths of files that differ from the commit, including deleted and untracked ones
 */
async function listChanges(commit) {
  const git = async (/** @type {string[]} */ ...args) => {
    const { code, output } = await runCommand('git', args, { cwd: ROOT });
    if (code !== 0) throw new UserError(`git ${args.join(' ')} failed:\n${output.trimEnd()}`);
    return output.split('\n').filter(Boolean);
  };
  return [
    ...(await git('diff', '--name-only', '--no-renames', commit, '--')),
    ...(await git('ls-files', '--others', '--exclude-standard')),
  ];
}

/**
 * @param {string[]} changed
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string[]>} absolute paths of test files
 */
export async function affectedTests(changed, env) {
  const all = await listTests([], env);
  if (changed.some((path) => AFFECTS_ALL.test(path))) return all;
  const related = new Set(
    await findRelatedTests(
      changed.map((path) => join(ROOT, path)),
      env,
    ),
  );
  const system = changed.some((path) => AFFECTS_SYSTEM.test(path));
  const documents = changed.filter((path) => DOCUMENTS.test(path));
  return all.filter(
    (test) => related.has(test) || (system && test.includes('.e2e.spec.')) || readsDocument(test, documents),
  );
}

/**
 * A test that reads a document contains its path.
 * @param {string} test
 * @param {string[]} documents
 */
function readsDocument(test, documents) {
  if (documents.length === 0) return false;
  const source = readFileSync(test, 'utf8');
  const readsExamples = documents.some((path) => path.startsWith('examples/')) && source.includes('examples');
  return readsExamples || documents.some((path) => source.includes(path));
}
