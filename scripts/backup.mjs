import { prepareRuntime } from './lib/backup/prepare-runtime.mjs';
import { parseArguments } from './lib/parse-arguments.mjs';
import { runMain, UserError } from './lib/report.mjs';

const USAGE = `npm run backup -- DIR [options]   saves all data into a new folder in DIR, while Millrace runs

  --keys FILE      write the keys of encrypted values to FILE instead of the backup
  --without-keys   do not save the keys; without them, nobody can read the encrypted values of the backup
  --help           show this help

Objects that an earlier backup in DIR has are not copied again: the backups share their files by hard links. Delete a backup
with rm -r. Environment: MILLRACE_DATA_DIR (.millrace); with servers of your own also DATABASE_URL, MILLRACE_SECRET,
SECRETS_KEY_FILE, STORAGE_DIR or STORAGE_URL, with the values that the services have.`;

await runMain(async () => {
  const { values, positionals } = parseArguments(
    {
      options: { keys: { type: 'string' }, 'without-keys': { type: 'boolean' }, help: { type: 'boolean' } },
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
  const report = (/** @type {string} */ line) => console.log(line);
  if (await prepareRuntime(report)) return Number(process.exitCode);
  const { explainFailure } = await import('./lib/backup/explain-failure.mjs');
  const { readInstallation, resolvePath } = await import('./lib/backup/installation.mjs');
  const { createBackup } = await import('./lib/backup/create/create-backup.mjs');
  const target = resolvePath(folder, process.env);
  const keys =
    values.keys === undefined
      ? values['without-keys']
        ? 'absent'
        : 'included'
      : { file: resolvePath(values.keys, process.env) };
  const created = await explainFailure(target, () =>
    createBackup({ installation: readInstallation(process.env), folder: target, keys, report }),
  );
  console.log(`\nThe backup is ${created.folder}`);
  if (keys === 'included') console.log('It contains the keys: who can read it can read all secrets.');
  console.log(`Check it with: npm run backup:verify -- ${created.folder}`);
  const { missing, missingCount } = created.objects;
  if (missingCount === 0) return 0;
  console.error(
    `\nObjects that are missing in the object store or damaged there: ${missingCount}, such as ${missing[0]}.`,
  );
  console.error('The backup has everything else. Files, outputs and logs with these contents cannot be read.');
  return 1;
});
