import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findDependents } from '../build/find-dependents.mjs';
import { listWorkspaces } from '../build/list-workspaces.mjs';
import { ROOT } from '../layout.mjs';
import { parseArguments } from '../parse-arguments.mjs';
import { UserError } from '../report.mjs';
import { runCommand } from '../run-command.mjs';
import { SHARE } from './choose-share.mjs';
import { chooseBrowserTests, listBrowserTests } from './list-browser-tests.mjs';
import { findRelatedTests, listTests } from './run-jest.mjs';

export const USAGE = `npm test -- [paths] [options]   the tests below the paths; without paths the checks, all short tests, one of two
                                browser tests, and one of ${SHARE} long suites, different ones each time

  --all                all tests and checks (npm run test:all)
  --fast               pure tests and checks only (npm run test:fast)
  --changed [commit]   the tests that changes since a commit can affect; default: HEAD, that is, uncommitted changes
  --watch              run the tests below the paths again after each edit (npm run test:watch -- libs/graph)
  -t <text>            only tests whose title matches
  --help               show this`;

/** All tests depend on these files. */
const AFFECTS_ALL = /^(prisma|\.ci)\/|^(package(-lock)?|tsconfig(\.base)?|turbo)\.json$|^(jest\.config\.mjs|\.swcrc)$/;
/** The processes of a whole system depend on these files. */
const AFFECTS_SYSTEM = /^(apps|libs|scripts|deploy|e2e\/support)\/(?!.*\.(spec|md)\b)/;
/** The REST API and the services do not depend on these files. */
const AFFECTS_BROWSER = /^apps\/dashboard\/(?!.*\.(spec|md)\b)/;
/** Jest finds the tests of these files by their imports; documents concern no test but those that name them. */
const IMPORTABLE = /\.(ts|mjs|md)$/;
const DOCUMENTS = /\.md$|^examples\//;

/**
 * @typedef {object} Choice
 * @property {string[]} [jestArgs] missing if no test of Jest runs
 * @property {string[]} browserTests paths of browser tests from the repository's root
 * @property {string} [title] only tests whose title matches
 * @property {boolean} repeat run a few failed browser tests of many again
 * @property {boolean} all nothing is left out
 * @property {boolean} share only a share of the long suites runs, and some cases of long ones
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
  if (values.all && argv.length > 1)
    throw new UserError(`--all stands alone, because it leaves nothing out.\n\n${USAGE}`);
  const { all = false, fast = false, watch = false, help = false, testNamePattern: title } = values;
  const titles = title ? [`--testNamePattern=${title}`] : [];
  const paths = values.changed === undefined ? positionals : [];
  const pure = fast ? ['--testPathIgnorePatterns', '/node_modules/', '/dist/', '\\.(int|e2e)\\.spec\\.', '--'] : [];
  const jestArgs = [...titles, ...pure, ...paths];
  const lint = paths.length === 0 && titles.length === 0 && !watch;
  const allBrowserTests = fast || watch ? [] : listBrowserTests();
  // A person who chose a few tests sees their failures at once and repeats them as needed.
  const share = lint && !all && !fast && values.changed === undefined;
  const choice = { watch, help, all, share, repeat: paths.length === 0 && !title, ...(title && { title }) };
  if (values.changed === undefined)
    return { ...choice, jestArgs, browserTests: chooseBrowserTests(allBrowserTests, paths), lint };
  const changed = await listChanges(values.changed || positionals[0] || 'HEAD');
  const tests = await affectedTests(changed, env);
  return {
    ...choice,
    ...jestArgsFor(tests, titles),
    browserTests: affectsBrowserTests(changed) ? allBrowserTests : [],
    lint: true,
  };
}

/**
 * @param {string[]} tests absolute paths of test files
 * @param {string[]} titles options that choose by title
 * @returns {{ jestArgs?: string[] }} nothing if there are no tests: without a path, Jest would run all
 */
export function jestArgsFor(tests, titles) {
  return tests.length > 0 ? { jestArgs: [...titles, '--passWithNoTests', '--runTestsByPath', ...tests] } : {};
}

/** @param {string[]} argv */
function parse(argv) {
  const options = /** @type {const} */ ({
    all: { type: 'boolean' },
    fast: { type: 'boolean' },
    changed: { type: 'string' },
    watch: { type: 'boolean' },
    testNamePattern: { type: 'string', short: 't' },
    help: { type: 'boolean' },
  });
  // The value of `--changed` is optional, which parseArgs does not support.
  const args = argv.map((argument) => (argument === '--changed' ? '--changed=' : argument));
  return parseArguments({ args, options, allowPositionals: true }, USAGE);
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
  const dataOwners = foldersOfData(changed);
  const system = changed.some((path) => AFFECTS_SYSTEM.test(path) && !AFFECTS_BROWSER.test(path));
  const documents = changed.filter((path) => DOCUMENTS.test(path));
  return all.filter(
    (test) =>
      related.has(test) ||
      (system && test.includes('.e2e.spec.')) ||
      readsDocument(test, documents) ||
      dataOwners.some((folder) => test.startsWith(join(ROOT, folder, '/'))),
  );
}

/**
 * @param {string[]} changed
 * @returns {boolean} whether a change can affect browser tests
 */
export function affectsBrowserTests(changed) {
  return changed.some((path) => [AFFECTS_ALL, AFFECTS_SYSTEM, AFFECTS_BROWSER].some((pattern) => pattern.test(path)));
}

/**
 * The folders of the packages that contain a changed file that nothing imports (such as a module's YAML file or a Perl
 * program), and of the packages that depend on them.
 * @param {string[]} changed
 */
function foldersOfData(changed) {
  const workspaces = listWorkspaces(ROOT);
  const data = changed.filter((path) => !IMPORTABLE.test(path) && !AFFECTS_BROWSER.test(path));
  const owners = workspaces.filter(({ folder }) => data.some((path) => path.startsWith(`${folder}/`)));
  const affected = findDependents(workspaces, new Set(owners.map(({ name }) => name)));
  return workspaces.filter(({ name }) => affected.has(name)).map(({ folder }) => folder);
}

/** The suite that imports this makes networks, for which it needs the program `ip`. */
const NETWORKS = 'support/network-namespaces.js';

/**
 * @param {string[]} tests absolute paths of test files
 * @returns {boolean} whether one of them makes network namespaces
 */
export const needsNetworks = (tests) => tests.some((test) => readFileSync(test, 'utf8').includes(NETWORKS));

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
