import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * The entry point of all images: `start-app.mjs <name>` runs one service, or `migrate`, `init`, `rotate`, `admin`, `backup`, `verify`
 * or `restore`, in this process. It adds the variables that `init` wrote for the service, unless they are already set.
 */
const SECRETS = '/secrets/env.json';
const PROGRAMS = {
  migrate: '../libs/persistence/dist/migrate.js',
  init: './init-secrets.mjs',
  rotate: '../scripts/secrets-rotate.mjs',
  backup: '../scripts/backup.mjs',
  verify: '../scripts/backup-verify.mjs',
  restore: '../scripts/restore.mjs',
  admin: '../scripts/admin.mjs',
};
const MIGRATIONS = new URL('../prisma/migrations', import.meta.url);
/** For the message only. The image of one role has some of them. */
const SERVICES = ['gateway', 'auth', 'workflows', 'runs', 'worker', 'datasets', 'billing', 'notifications'];

const name = process.argv[2] ?? '';
if (!/^[a-z]+$/.test(name) || !isInImage(name)) {
  const available = [...SERVICES, ...Object.keys(PROGRAMS)].filter(isInImage);
  console.error(`Service "${name}" does not exist in this image. It has: ${available.join(', ')}.`);
  process.exit(2);
}

// Compose passes an empty string if a variable of the host is not set.
for (const [variable, value] of Object.entries(process.env)) if (value === '') delete process.env[variable];
if (existsSync(SECRETS)) Object.assign(process.env, { ...JSON.parse(readFileSync(SECRETS, 'utf8')), ...process.env });
if (name === 'worker') await prepareForSteps(process.env);
// The arguments after the name belong to the program.
process.argv.splice(2, 1);
// A worker on another machine than the installation joins at its first start.
const joins = name === 'worker' && process.env.MILLRACE_JOIN_URL !== undefined;
if (joins) process.argv.splice(2, 0, 'join', '--if-needed');
await import(
  joins ? new URL('../apps/worker/dist/join/main.js', import.meta.url).href : pathToFileURL(fileOf(name)).href
);

/** @param {string} program */
function isInImage(program) {
  // Every image has the program, and only one has the migrations.
  return existsSync(fileOf(program)) && (program !== 'migrate' || existsSync(fileURLToPath(MIGRATIONS)));
}

/** @param {string} program */
function fileOf(program) {
  const path = /** @type {Record<string, string>} */ (PROGRAMS)[program] ?? `../bundle/${program}.js`;
  return fileURLToPath(new URL(path, import.meta.url));
}

/**
 * As root, prepares the container for the sandboxes and limits of steps, and protects the object store from the users that
 * run steps. Other users cannot do this; the worker then refuses to start if it cannot isolate steps.
 * @param {NodeJS.ProcessEnv} env
 */
async function prepareForSteps({ WORKER_EXECUTOR, WORKER_ISOLATION, STORAGE_DIR }) {
  if (process.getuid?.() !== 0) return;
  const { prepareContainer } = await import('../libs/isolation/dist/prepare/prepare-container.js');
  const runsStepsHere = (WORKER_EXECUTOR || 'sandbox') === 'sandbox';
  for (const problem of runsStepsHere ? prepareContainer(WORKER_ISOLATION !== 'off') : [])
    console.warn(`This container is restricted: ${problem}`);
  // A volume of an earlier version may be readable by other users.
  if (STORAGE_DIR && existsSync(STORAGE_DIR)) chmodSync(STORAGE_DIR, 0o700);
}
