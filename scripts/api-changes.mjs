import { DESCRIPTION_FILE, findLastRelease, listBreakingChanges } from './lib/api/list-breaking-changes.mjs';
import { parseArguments } from './lib/parse-arguments.mjs';
import { runMain } from './lib/report.mjs';

const USAGE = `npm run api:changes [-- commit]   lists the changes of the REST API since a commit that break clients

  commit   a commit or tag; default: the last release

It compares ${DESCRIPTION_FILE}, and fails if there are such changes.`;

await runMain(async () => {
  const { values, positionals } = parseArguments(
    { options: { help: { type: 'boolean' } }, allowPositionals: true },
    USAGE,
  );
  if (values.help) return console.log(USAGE);
  const commit = positionals[0] ?? (await findLastRelease());
  if (commit === null) return console.log('There is no release yet, so nothing can break.');
  const changes = await listBreakingChanges(commit);
  console.log(changes.length === 0 ? `No breaking changes since ${commit}.` : changes.join('\n'));
  return changes.length === 0 ? 0 : 1;
});
