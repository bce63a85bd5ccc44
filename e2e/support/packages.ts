import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from './repository.js';

const run = promisify(execFile);

/** Runs npm in a folder, without what a surrounding npm has set. @returns its standard output */
export async function runNpm(cwd: string, ...args: string[]): Promise<string> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));
  const { stdout } = await run('npm', [...args, '--no-audit', '--no-fund', '--prefer-offline'], { cwd, env });
  return stdout;
}

/**
 * Packs a package of this repository.
 * @param folder of the package, such as `libs/client`
 * @param target the folder of the tarball
 * @returns the path of the tarball, and the paths in it
 */
export async function pack(folder: string, target: string): Promise<{ tarball: string; files: string[] }> {
  const output = await runNpm(join(REPOSITORY, folder), 'pack', '--json', '--pack-destination', target);
  const [packed] = JSON.parse(output) as { filename: string; files: { path: string }[] }[];
  if (!packed) throw new Error(`npm pack printed ${output}`);
  const tarball = join(target, packed.filename.replace(/^@/, '').replace('/', '-'));
  return { tarball, files: packed.files.map(({ path }) => path) };
}

/**
 * Packs a package of this repository, and installs it in an empty project, as a user does.
 * @returns the paths in the package
 */
export async function installPacked(project: string, folder: string): Promise<string[]> {
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'empty', private: true, type: 'module' }));
  const { tarball, files } = await pack(folder, project);
  await runNpm(project, 'install', tarball);
  return files;
}

/** The versions of Node.js that the packages support besides the one that runs the tests. */
export const OTHER_NODES = ['20.20.2', '22.23.3'];

/** Installs a version of Node.js. @returns the path of its binary */
export async function installNode(folder: string, version: string): Promise<string> {
  const platform = `${process.platform === 'darwin' ? 'bin-' : ''}${process.platform}-${process.arch}`;
  const project = join(folder, version);
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'node-binary', private: true }));
  await runNpm(project, 'install', `node-${platform}@${version}`);
  return join(project, 'node_modules', `node-${platform}`, 'bin', 'node');
}

/** Runs a program with a version of Node.js. @returns its output */
export async function runProgram(node: string, program: string, env: Record<string, string>): Promise<string> {
  const { stdout } = await run(node, [program], { env: { PATH: process.env.PATH ?? '', ...env }, timeout: 120_000 });
  return stdout;
}
