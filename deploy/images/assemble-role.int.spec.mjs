import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../../scripts/lib/layout.mjs';
import { runCommand } from '../../scripts/lib/run-command.mjs';
import { assembleRole } from './assemble-role.mjs';
import { ROLES } from './roles.mjs';

/** What every program of a role prints without settings: it has loaded all modules, and nothing else was missing. */
const PROGRAMS = {
  gateway: { gateway: 'The environment of the gateway service is not valid' },
  service: {
    auth: 'The environment of the auth service is not valid',
    workflows: 'The environment of the workflows service is not valid',
    runs: 'The environment of the runs service is not valid',
    datasets: 'The environment of the datasets service is not valid',
    billing: 'The environment of the billing service is not valid',
    notifications: 'The environment of the notifications service is not valid',
    rotate: 'DATABASE_URL',
    migrate: 'It has: auth, workflows, runs, datasets, billing, notifications, init, rotate.',
  },
  worker: { worker: 'The environment of the worker service is not valid' },
  migrate: { migrate: 'Set DATABASE_URL' },
};

describe('a role', () => {
  it('is described for every image', () => {
    expect(Object.keys(PROGRAMS).sort()).toEqual(Object.keys(ROLES).sort());
  });

  it.each(Object.entries(PROGRAMS))('%s contains all that its programs load', async (name, programs) => {
    const folder = mkdtempSync(join(tmpdir(), `millrace-role-`));
    try {
      assembleRole(ROOT, name, folder);
      const outputs = Object.entries(programs).map(async ([program, expected]) => {
        const args = [join(folder, 'deploy/start-app.mjs'), program];
        const { output } = await runCommand(process.execPath, args, { env: {}, cwd: folder });
        expect(output).toContain(expected);
      });
      await Promise.all(outputs);
      expect(listMissingImports(folder, 'deploy/init-secrets.mjs')).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/**
 * Modules that a program imports by a path and that are not there. For a program that would change this machine.
 * @param {string} folder
 * @param {string} program
 */
function listMissingImports(folder, program) {
  const file = join(folder, program);
  if (!existsSync(file)) return [];
  const paths = [...readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g)].map((match) => match[1] ?? '');
  return paths.filter((path) => !existsSync(join(folder, 'deploy', path)));
}
