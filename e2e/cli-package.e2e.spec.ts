import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { installNode, installPacked, OTHER_NODES } from './support/packages.js';
import { script, toData } from './support/run-workflow.js';
import { signUp } from './support/sign-up.js';

let folder: string;
let installed: string;
let files: string[];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-cli-package-'));
  files = await installPacked(join(folder, 'project'), 'apps/cli');
  installed = join(folder, 'project/node_modules/@millrace/cli');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const readManifest = () =>
  JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as { version: string; dependencies?: object };

it('the package has its code, its licenses and its README, and installs nothing else', () => {
  const others = files.filter((path) => !/^dist\/(docs\/.+\.md|[\w-]+\.js)$/.test(path));
  expect(others.toSorted()).toEqual(['README.md', 'bin/millrace.mjs', 'dist/THIRD-PARTY-LICENSES.txt', 'package.json']);
  expect(readManifest().dependencies).toBeUndefined();
});

it.each([process.versions.node, ...OTHER_NODES])(
  'a workflow runs from an empty folder with Node.js %s',
  async (version) => {
    const node = version === process.versions.node ? process.execPath : await installNode(folder, version);
    const { url, access } = await signUp();
    const cwd = mkdtempSync(join(folder, 'empty-'));
    const env = { PATH: process.env.PATH, HOME: cwd, MILLRACE_URL: url, MILLRACE_TOKEN: access };
    const millrace = async (...args: string[]) =>
      (await promisify(execFile)(node, [join(installed, 'bin/millrace.mjs'), ...args], { cwd, env })).stdout;
    const workflow = toData({ nodes: { 'hello-1': script('echo hello', { meta: { label: 'greeting' } }) } });
    writeFileSync(join(cwd, 'hello.yaml'), JSON.stringify({ name: 'Hello', workflow }));
    expect(await millrace('--version')).toBe(`${readManifest().version}\n`);
    expect(await millrace('validate', 'hello.yaml')).toBe('hello.yaml: no problems\n');
    expect(await millrace('run', 'hello.yaml', '--watch', '--download', 'out')).toContain('COMPLETED in');
    expect(readFileSync(join(cwd, 'out/greeting/output.txt'), 'utf8')).toBe('hello\n');
    expect(await millrace('doctor')).not.toContain('FAIL');
  },
);
