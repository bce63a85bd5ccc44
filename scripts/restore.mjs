import { prepareRestore } from './lib/backup/prepare-runtime.mjs';
import { parseArguments } from './lib/parse-arguments.mjs';
import { runMain, UserError } from './lib/report.mjs';

const USAGE = `npm run restore -- DIR [options]   restores a backup into an installation that does not run

  DIR            a backup, or a folder with backups, of which the newest is restored
  --keys FILE    the keys, if they are not in the backup
  --force        replace the data that the installation has
  --help         show this help

Environment: MILLRACE_DATA_DIR (.millrace); with servers of your own also DATABASE_URL (the owner of the database),
MILLRACE_SECRET, SECRETS_KEY_FILE, STORAGE_DIR or STORAGE_URL, with the values that the services will have.`;

await runMain(async () => {
  const { values, positionals } = parseArguments(
    {
      options: { keys: { type: 'string' }, force: { type: 'boolean' }, help: { type: 'boolean' } },
      allowPositionals: true,
    },
    USAGE,
  );
  const [source] = positionals;
  if (values.help) return console.log(USAGE);
  if (source === undefined || positionals.length > 1) throw new UserError(`Name one backup.\n\n${USAGE}`, 2);
  const report = (/** @type {string} */ line) => console.log(line);
  if (await prepareRestore(report, process.env)) return Number(process.exitCode);
  const { explainFailure } = await import('./lib/backup/explain-failure.mjs');
  const { readInstallation, resolvePath } = await import('./lib/backup/installation.mjs');
  const { restoreBackup } = await import('./lib/backup/restore/restore-backup.mjs');
  const installation = readInstallation(process.env);
  const { folder, notes } = await explainFailure(installation.layout.dir, () =>
    restoreBackup({
      installation,
      source: resolvePath(source, process.env),
      keysFile: values.keys === undefined ? undefined : resolvePath(values.keys, process.env),
      force: values.force === true || process.env.npm_config_force === 'true',
      report,
    }),
  );
  console.log(`\n${folder} is restored.`);
  for (const note of notes) console.log(note);
  console.log(
    'Start Millrace. Runs that were under way continue; mails and webhooks since the backup may be sent again.',
  );
});
