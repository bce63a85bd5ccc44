import { ROOT } from './lib/layout.mjs';
import { runMain } from './lib/report.mjs';
import { runCommand } from './lib/run-command.mjs';
import { findDeadLinks } from './lint/find-dead-links.mjs';
import { findPhrases } from './lint/find-phrases.mjs';

const MAX_SUBJECT_LENGTH = 72;
const MAX_SHOWN = 3;

/** Checks all pages for dead links, pages and comments for unclear phrases, and warns of long subjects of commits since the last release. */
await runMain(async () => {
  const pages = await listFiles('*.md');
  const commented = await listFiles('*.prisma', '*.pl', '*.yaml', '*.yml');
  const problems = [
    ...pages.flatMap((page) => findDeadLinks(ROOT, page)),
    ...[...pages, ...commented].flatMap((file) => findPhrases(ROOT, file)),
  ];
  for (const problem of problems) console.error(problem);
  for (const warning of await findLongSubjects()) console.warn(warning);
  return problems.length === 0 ? 0 : 1;
});

/** @param {string[]} patterns */
function listFiles(...patterns) {
  return lines('git', 'ls-files', '--cached', '--others', '--exclude-standard', ...patterns);
}

async function findLongSubjects() {
  const [tag] = await lines('git', 'describe', '--tags', '--abbrev=0', '--match', 'v*');
  const subjects = await lines('git', 'log', '--format=%s', ...(tag ? [`${tag}..HEAD`] : []));
  const long = subjects.filter((subject) => subject.length > MAX_SUBJECT_LENGTH);
  if (long.length === 0) return [];
  const since = tag ? `since ${tag}` : 'so far';
  return [
    `warning: commits ${since} whose subject has more than ${MAX_SUBJECT_LENGTH} characters: ${long.length}, such as:`,
    ...long.slice(0, MAX_SHOWN).map((subject) => `  ${subject}`),
  ];
}

/** @param {[string, ...string[]]} command */
async function lines(...[program, ...args]) {
  const { code, output } = await runCommand(program, args, { cwd: ROOT });
  return code === 0 ? output.split('\n').filter(Boolean) : [];
}
