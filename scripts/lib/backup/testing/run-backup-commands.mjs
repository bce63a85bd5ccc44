import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiskStore } from '../../../../libs/storage/src/disk/disk-store.ts';
import { ROOT } from '../../layout.mjs';
import { runCommand } from '../../run-command.mjs';

export const SECRET = 'secret of the tests of backups, 32 characters';

/** An installation with an external Postgres and a folder for objects, as the commands see it. */
export class TestInstallation {
  folder = mkdtempSync(join(tmpdir(), 'backup-'));
  backups = join(this.folder, 'backups');
  objects = join(this.folder, 'objects');
  store = new DiskStore(this.objects);

  /** @param {string} databaseUrl */
  constructor(databaseUrl) {
    this.env = {
      ...{ PATH: process.env.PATH, HOME: process.env.HOME, CI: 'true', DATABASE_URL: databaseUrl },
      ...{ MILLRACE_DATA_DIR: join(this.folder, 'data'), STORAGE_DIR: this.objects, MILLRACE_SECRET: SECRET },
    };
    mkdirSync(this.env.MILLRACE_DATA_DIR);
  }

  /**
   * Runs `backup`, `backup-verify` or `restore` as a process.
   * @param {string} name
   * @param {string[]} args
   * @param {NodeJS.ProcessEnv} [more]
   */
  run(name, args, more = {}) {
    const options = { cwd: ROOT, env: { ...this.env, ...more } };
    return runCommand(process.execPath, [join(ROOT, 'scripts', `${name}.mjs`), ...args], options);
  }

  /** @param {string} name @param {string[]} args */
  start(name, args) {
    const options = /** @type {const} */ ({ cwd: ROOT, env: this.env, stdio: 'ignore' });
    return spawn(process.execPath, [join(ROOT, 'scripts', `${name}.mjs`), ...args], options);
  }

  /** The newest finished backup. */
  newest() {
    const names = readdirSync(this.backups).filter((name) => existsSync(join(this.backups, name, 'manifest.json')));
    return join(this.backups, names.sort().at(-1) ?? '');
  }

  manifest(folder = this.newest()) {
    return JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/**
 * The file of an object in a backup.
 * @param {string} backup
 * @param {string} sha256
 */
export const savedObject = (backup, sha256) => join(backup, 'objects', sha256.slice(0, 2), sha256.slice(2));
