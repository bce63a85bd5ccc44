import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../scripts/lib/layout.mjs';
import { parseFlags } from '../scripts/lib/parse-flags.mjs';
import { runMain, UserError } from '../scripts/lib/report.mjs';
import { findSource } from './images/find-source.mjs';
import { ROLES } from './images/roles.mjs';

const USAGE = `node deploy/build-images.mjs [options]   builds the image of every role

  --help   show this help

The images are millrace-gateway, millrace-service, millrace-migrate and millrace-worker, each with the tags <version> and
latest, and with labels for version, revision and source.

Environment: IMAGE_PREFIX (millrace), such as registry.example.org/millrace; SOURCE (address of the remote "origin").`;

await runMain(async () => {
  const { help } = parseFlags(['help'], process.argv.slice(2), process.env, USAGE);
  if (help) return console.log(USAGE);
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const prefix = process.env['IMAGE_PREFIX'] || 'millrace';
  const values = { REVISION: git('rev-parse', 'HEAD'), SOURCE: findSource(process.env, git) };
  const buildArguments = Object.entries(values).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]);
  for (const role of Object.keys(ROLES)) {
    const tags = [version, 'latest'].flatMap((tag) => ['--tag', `${prefix}-${role}:${tag}`]);
    const options = ['--file', 'deploy/Dockerfile', '--target', role, ...buildArguments, ...tags];
    const { status } = spawnSync('docker', ['build', ...options, '.'], { cwd: ROOT, stdio: 'inherit' });
    if (status !== 0) throw new UserError(`The image of the role ${role} was not built.`);
  }
});

/** @param {string[]} args */
function git(...args) {
  try {
    return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return 'unknown';
  }
}
