import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { users } from '@millrace/contracts/resources';
import { runNpm, runProgram } from './support/packages.js';
import { readPrograms } from './support/read-programs.js';
import { REPOSITORY } from './support/repository.js';
import { signUp, systemUrl } from './support/sign-up.js';

/** openapi-typescript 7 needs the compiler API of TypeScript 5, which TypeScript 7 does not have. */
const PACKAGES = ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3'];
const STORED = join(REPOSITORY, 'docs/reference/openapi.json');

/** The program of the guide that uses the generated client. */
const program = readPrograms('docs/guides/client.md').find((code) => code.includes('openapi-fetch')) ?? '';

let project: string;
beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'millrace-generated-'));
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'empty', private: true, type: 'module' }));
  await runNpm(project, 'install', ...PACKAGES);
  generate('millrace.d.ts', `${systemUrl()}/api/openapi.json`);
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

/** Runs a program of an npm package. @returns its output, which includes its errors */
function runBinary(root: string, command: string, ...args: string[]): string {
  const binary = join(root, 'node_modules/.bin', command);
  const { stdout, stderr, status } = spawnSync(binary, args, { cwd: project, encoding: 'utf8' });
  return status === 0 ? stdout : `${command} ended with ${status}: ${stdout}${stderr}`;
}

/** Generates the types of a client. */
function generate(file: string, description: string): void {
  const output = runBinary(project, 'openapi-typescript', description, '--output', file);
  expect(output).not.toContain('ended with');
}

function compile(code: string, options: object = {}): string {
  writeFileSync(join(project, 'program.ts'), code);
  const types = { types: ['node'], typeRoots: [join(REPOSITORY, 'node_modules/@types')] };
  const compilerOptions = { strict: true, target: 'es2022', module: 'nodenext', lib: ['es2023', 'dom'], ...types };
  const config = { compilerOptions: { ...compilerOptions, ...options }, files: ['program.ts'] };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config));
  return runBinary(REPOSITORY, 'tsc', '-p', project);
}

describe('a client generated from the description that the system serves', () => {
  it('is the one that is generated from the stored description', () => {
    generate('stored.d.ts', STORED);
    const [served, stored] = ['millrace.d.ts', 'stored.d.ts'].map((file) => readFileSync(join(project, file), 'utf8'));
    expect(stored).toBe(served);
  });

  it.each([
    ['Node.js', {}],
    ['a bundler', { module: 'esnext', moduleResolution: 'bundler' }],
    ['strict optional properties', { exactOptionalPropertyTypes: true }],
  ])('fits the program of the guide for %s', (__, options) => {
    expect(compile(program, { noEmit: true, ...options })).toBe('');
  });

  it('refuses an unknown path, filter and field', () => {
    const wrong = [
      `await client.GET('/no-such-path', {});`,
      `await client.GET('/runs', { params: { query: { creation_type: 'NONE' } } });`,
      `await client.POST('/workflows/{id}/runs', { params: { path }, body: { parallelism: 'two' } });`,
      `console.log(run.no_such_field);`,
    ];
    const errors = compile([program, ...wrong].join('\n'), { noEmit: true });
    const lineOf = (index: number) => program.split('\n').length + index + 1;
    const lines = [...errors.matchAll(/program\.ts\((\d+),/g)].map(([, line]) => Number(line));
    expect([...new Set(lines)]).toEqual(wrong.map((__, index) => lineOf(index)));
  });

  it('starts a run, lists runs with filters and handles an error', async () => {
    const { client } = await signUp();
    const { token } = await client.call(users.regenerateToken);
    expect(compile(program)).toBe('');
    const env = { MILLRACE_URL: systemUrl(), MILLRACE_TOKEN: token };
    const output = await runProgram(process.execPath, join(project, 'program.js'), env);
    expect(output.trimEnd().split('\n')).toEqual([
      'First API',
      '1 of First',
      expect.stringMatching(/^400 validation_error \{"body\.parallelism":/),
    ]);
  });
});
