import { chownSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../report.mjs';
import { lastLines, runCommand } from '../run-command.mjs';

/**
 * Creates a database cluster with one superuser and one database, both named millrace, unless it exists. It is created under
 * another name and renamed when it is complete, so an interrupted first start leaves no incomplete cluster.
 * @param {{ folder: string, home: string, user: import('./postgres-user.mjs').PostgresUser, password: string, env: NodeJS.ProcessEnv, durable: boolean }} options
 */
export async function createCluster({ folder, home, user, password, env, durable }) {
  if (existsSync(join(folder, 'PG_VERSION'))) return;
  const draft = `${folder}.new`;
  const passwordFile = `${folder}.password`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user.owner) for (const path of [draft, passwordFile]) chownSync(path, user.owner.uid, user.owner.gid);
  const run = (/** @type {string} */ name, /** @type {string[]} */ args, /** @type {string} */ input = '') => {
    const { command, ...rest } = user.wrap(join(home, 'bin', name), args);
    return runOrFail(command, rest.args, { ...rest, env, input, cwd: draft });
  };
  try {
    await run('initdb', [
      ...INITDB,
      ...(durable ? [] : ['--no-sync']),
      `--pgdata=${draft}`,
      `--pwfile=${passwordFile}`,
    ]);
    await run('postgres', ['--single', '-D', draft, 'postgres'], 'CREATE DATABASE millrace;\n');
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(draft, folder);
}

/** The built-in locale sorts the same on every machine and release, so an update of the C library breaks no index. */
const INITDB = [
  '--username=millrace',
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
];

/**
 * @param {string} command
 * @param {string[]} args
 * @param {Parameters<typeof runCommand>[2]} options
 */
async function runOrFail(command, args, options) {
  const { code, output } = await runCommand(command, args, options);
  if (code !== 0) throw new UserError(`PostgreSQL could not create its database:\n${lastLines(output, 15)}`);
}
