import { prepareRuntime } from './lib/backup/prepare-runtime.mjs';
import { parseArguments } from './lib/parse-arguments.mjs';
import { runMain, UserError } from './lib/report.mjs';

const USAGE = `npm run backup -- DIR [options]   saves all data into a new folder in DIR, while Millrace runs

  --keys FILE      write the keys of encrypted values to FILE instead of the backup
  --without-keys   do not save the keys; without them, nobody can read the encrypted values of the backup
  --verify         check the new backup, as npm run backup:verify does
  --keep N         then delete the backups of this installation that are older than its N newest ones without problems
  --help           show this help

Objects that an earlier backup in DIR has are not copied again: the backups share their files by hard links. Delete a backup
with rm -r, or let --keep do it. Environment: MILLRACE_DATA_DIR (.millrace); with servers of your own also DATABASE_URL,
MILLRACE_SECRET, SECRETS_KEY_FILE, STORAGE_DIR or STORAGE_URL, with the values that the services have.

Exit code: 3 if the backup was made and has problems, which its file problems.txt lists; 1 if it was not made.`;

const HAS_PROBLEMS = 3;

await runMain(async () => {
  const { values, positionals } = parseArguments(
    {
      options: {
        ...{ keys: { type: 'string' }, 'without-keys': { type: 'boolean' } },
        ...{ verify: { type: 'boolean' }, keep: { type: 'string' }, help: { type: 'boolean' } },
      },
      allowPositionals: true,
    },
    USAGE,
  );
  const [folder] = positionals;
  if (values.help) return console.log(USAGE);
  if (folder === undefined || positionals.length > 1)
    throw new UserError(`Name one folder for backups.\n\n${USAGE}`, 2);
  if (values.keys !== undefined && values['without-keys'])
    throw new UserError('--keys and --without-keys exclude each other.', 2);
  if (values.keep !== undefined && !/^[1-9]\d{0,5}$/.test(values.keep))
    throw new UserError(`--keep must be a number from 1 to 999999 (got ${values.keep}).`, 2);
  const report = (/** @type {string} */ line) => console.log(line);
  if (await prepareRuntime(report)) return Number(process.exitCode);
  const { explainFailure } = await import('./lib/backup/explain-failure.mjs');
  const { readInstallation, resolvePath } = await import('./lib/backup/installation.mjs');
  const { createBackup } = await import('./lib/backup/create/create-backup.mjs');
  const { deleteOldBackups, writeProblems } = await import('./lib/backup/folder/backup-folder.mjs');
  const { isBackupOf } = await import('./lib/backup/folder/keys.mjs');
  const { verifyBackup } = await import('./lib/backup/verify/verify-backup.mjs');
  const target = resolvePath(folder, process.env);
  const keysFile = values.keys === undefined ? undefined : resolvePath(values.keys, process.env);
  const keys = values['without-keys'] ? 'absent' : keysFile === undefined ? 'included' : { file: keysFile };
  const installation = readInstallation(process.env);
  const created = await explainFailure(target, () => createBackup({ installation, folder: target, keys, report }));
  console.log(`\nThe backup is ${created.folder}`);
  if (keys === 'included') console.log('It contains the keys: who can read it can read all secrets.');
  const source = created.folder;
  const problems = describeMissing(created.objects);
  if (values.verify) {
    const verified = await explainFailure(source, () => verifyBackup({ source, keysFile, installation, report }));
    problems.push(...verified.problems);
  } else console.log(`Check it with: npm run backup:verify -- ${source}`);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) {
    writeProblems(source, problems);
    return HAS_PROBLEMS;
  }
  if (values.verify) console.log('\nThe backup is complete.');
  if (values.keep === undefined) return 0;
  const isOwn = (/** @type {string} */ path) => isBackupOf(path, installation.secret ?? '');
  const old = deleteOldBackups({ folder: target, keep: Number(values.keep), created: source, isOwn });
  for (const deleted of old) console.log(`Deleted ${deleted}`);
  return 0;
});

/**
 * @param {import('./lib/backup/folder/manifest.mjs').ObjectTotals} objects
 * @returns {string[]}
 */
function describeMissing({ missing, missingCount }) {
  if (missingCount === 0) return [];
  return [
    `\nObjects that are missing in the object store or damaged there: ${missingCount}, such as ${missing[0]}.`,
    'The backup has everything else. Files, outputs and logs with these contents cannot be read.',
  ];
}
