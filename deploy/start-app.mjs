import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The entry point of the image: `start-app.mjs <name>` runs one service, or `single`, `migrate`, `init` or `rotate`, in this
 * process. What `init` made for the service completes the environment; a variable that is set stands.
 */
const SECRETS = '/secrets/env.json';
const OTHERS = {
  migrate: '../libs/persistence/dist/migrate.js',
  init: './init-secrets.mjs',
  rotate: '../scripts/secrets-rotate.mjs',
};

const name = process.argv[2] ?? 'single';
const path = /** @type {Record<string, string>} */ (OTHERS)[name] ?? `../apps/${name}/dist/main.js`;
const main = new URL(path, import.meta.url);
if (!/^[a-z]+$/.test(name) || !existsSync(fileURLToPath(main))) {
  console.error(`No such service: ${name}`);
  process.exit(2);
}

// Compose passes on an empty string where a variable of the host is not set.
for (const [variable, value] of Object.entries(process.env)) if (value === '') delete process.env[variable];
if (existsSync(SECRETS)) Object.assign(process.env, { ...JSON.parse(readFileSync(SECRETS, 'utf8')), ...process.env });
if (['worker', 'single'].includes(name)) await prepareForSteps(process.env);
// What follows the name is for the program itself.
process.argv.splice(2, 1);
await import(main.href);

/**
 * What only root can do for the steps that a worker runs: sandboxes and limits in a container, and a store that the users of
 * steps cannot read. An ordinary user starts without, and the worker refuses if steps cannot be isolated.
 * @param {NodeJS.ProcessEnv} env
 */
async function prepareForSteps({ WORKER_ISOLATION, STORAGE_DIR }) {
  if (process.getuid?.() !== 0) return;
  const { prepareContainer } = await import('../libs/isolation/dist/prepare/prepare-container.js');
  for (const problem of prepareContainer(WORKER_ISOLATION !== 'off'))
    console.warn(`This container is restricted: ${problem}`);
  // A volume of an earlier version may be open to others.
  if (STORAGE_DIR && existsSync(STORAGE_DIR)) chmodSync(STORAGE_DIR, 0o700);
}
