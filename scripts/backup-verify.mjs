import { prepareRuntime } from './lib/backup/prepare-runtime.mjs';
import { parseArguments } from './lib/parse-arguments.mjs';
import { runMain, UserError } from './lib/report.mjs';

const USAGE = `npm run backup:verify -- DIR [options]   checks a backup; exits with code 1 if it has problems

  DIR            a backup, or a folder with backups, of which the newest is checked
  --keys FILE    the keys, if they are not in the backup
  --help         show this help

It checks every checksum, that the backup has every object to which a row refers, and that the keys open the encrypted
values. It reads the whole backup, and needs no database.`;

await runMain(async () => {
  const { values, positionals } = parseArguments(
    { options: { keys: { type: 'string' }, help: { type: 'boolean' } }, allowPositionals: true },
    USAGE,
  );
  const [folder] = positionals;
  if (values.help) return console.log(USAGE);
  if (folder === undefined || positionals.length > 1) throw new UserError(`Name one backup.\n\n${USAGE}`, 2);
  const report = (/** @type {string} */ line) => console.log(line);
  if (await prepareRuntime(report)) return Number(process.exitCode);
  const { explainFailure } = await import('./lib/backup/explain-failure.mjs');
  const { readInstallation, resolvePath } = await import('./lib/backup/installation.mjs');
  const { verifyBackup } = await import('./lib/backup/verify/verify-backup.mjs');
  const source = resolvePath(folder, process.env);
  const keysFile = values.keys === undefined ? undefined : resolvePath(values.keys, process.env);
  const { problems } = await explainFailure(source, () =>
    verifyBackup({ source, keysFile, installation: readInstallation(process.env), report }),
  );
  if (problems.length === 0) return console.log('\nThe backup is complete.');
  for (const problem of problems) console.error(problem);
  return 1;
});
