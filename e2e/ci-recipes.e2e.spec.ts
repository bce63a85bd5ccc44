import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { pack } from './support/packages.js';
import { recordSecret } from './support/record-secret.js';
import { REPOSITORY } from './support/repository.js';
import { signUp, type Account } from './support/sign-up.js';

const ACTION = join(REPOSITORY, 'integrations/github-action');
const TEMPLATE = join(REPOSITORY, 'integrations/gitlab/millrace.yml');

/** Prints its input, and fails if that is "broken". */
const WORKFLOW = `
name: Greet
workflow:
  primitiveNodes:
    string-input-1: { type: STRING, label: name, value: nobody }
  nodes:
    greet-1:
      type: SCRIPT
      inputs: { name: { type: STRING, order: 1 } }
      script: { source: 'test "$1" != broken && echo "hello $1"' }
      meta: { label: greeting }
  connections:
    - { from: string-input-1/output, to: greet-1/name }
`;

let folder: string;
let cli: string;
let account: Account;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-ci-'));
  ({ tarball: cli } = await pack('apps/cli', folder));
  account = await signUp();
  recordSecret(account.access);
  writeFileSync(join(folder, 'greet.yaml'), WORKFLOW);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a script as a runner does: in the checkout, with an environment of its own. */
function runScript(script: string, variables: Record<string, string>) {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    npm_config_cache: process.env.npm_config_cache ?? '',
    ...variables,
  };
  const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', script], {
    ...{ cwd: folder, env, encoding: 'utf8' as const, timeout: 120_000 },
  });
  return { code: status, output: `${stdout}${stderr}` };
}

interface Action {
  inputs: Record<string, { default?: string; required?: boolean }>;
  runs: { steps: { run: string; env: Record<string, string> }[] };
}

describe('the GitHub Action', () => {
  const action = parse(readFileSync(join(ACTION, 'action.yml'), 'utf8')) as Action;

  function runAction(given: Record<string, string>) {
    const values = Object.entries(action.inputs).map(([name, input]) => [name, given[name] ?? input.default ?? '']);
    const inputs = Object.fromEntries(values) as Record<string, string>;
    const [step] = action.runs.steps;
    const env = Object.entries(step?.env ?? {}).map(([name, value]) => [
      name,
      value.replace(/^\$\{\{ inputs\.(\w+) \}\}$/, (_, input: string) => inputs[input] ?? ''),
    ]);
    const output = join(folder, 'outputs');
    writeFileSync(output, '');
    const runner = { GITHUB_ACTIONS: 'true', GITHUB_ACTION_PATH: ACTION, GITHUB_OUTPUT: output };
    const result = runScript(step?.run ?? '', { ...(Object.fromEntries(env) as Record<string, string>), ...runner });
    return { ...result, outputs: readFileSync(output, 'utf8') };
  }
  const access = () => ({ url: account.url, token: account.access, cli, workflow: 'greet.yaml' });

  it('runs a workflow file, downloads its outputs, and reports the run', () => {
    const { code, output, outputs } = runAction({ ...access(), inputs: 'name=world', download: 'results' });
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
    expect(outputs).toMatch(/^run=\d+\nstatus=COMPLETED\n$/);
    expect(readFileSync(join(folder, 'results/greeting/output.txt'), 'utf8')).toBe('hello world\n');
  });

  it('fails with an annotation if the run fails', () => {
    const { code, output, outputs } = runAction({ ...access(), inputs: 'name=broken' });
    expect(code).toBe(1);
    expect(output).toMatch(/^::error .*greet-1/m);
    expect(outputs).toMatch(/^run=\d+\nstatus=FAILED\n$/);
  });

  it('fails without a run if the token is wrong, and does not print the token', () => {
    const { code, output, outputs } = runAction({ ...access(), token: 'not-a-token-of-anybody' });
    expect(code).toBe(3);
    expect(output).not.toContain('not-a-token-of-anybody');
    expect(outputs).toBe('');
  });

  it('passes inputs on as they are, whatever they contain', () => {
    const { code } = runAction({ ...access(), inputs: 'name=$(touch escaped) "quoted" \\ `x`', download: 'quoted' });
    expect(code).toBe(0);
    expect(readFileSync(join(folder, 'quoted/greeting/output.txt'), 'utf8')).toBe(
      'hello $(touch escaped) "quoted" \\ `x`\n',
    );
  });
});

describe('the GitLab template', () => {
  const { variables, script } = (
    parse(readFileSync(TEMPLATE, 'utf8')) as Record<string, { variables: Record<string, string>; script: string[] }>
  )['.millrace'] ?? { variables: {}, script: [] };
  const runJob = (own: Record<string, string>) =>
    runScript(script.join('\n'), {
      ...{ ...variables, MILLRACE_URL: account.url, MILLRACE_TOKEN: account.access, MILLRACE_CLI: cli },
      ...{ GITLAB_CI: 'true', CI: 'true', MILLRACE_WORKFLOW: 'greet.yaml', ...own },
    });

  it('runs a workflow file with its inputs, and downloads the outputs', () => {
    const { code, output } = runJob({ MILLRACE_INPUTS: 'name=world\n' });
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
    expect(readFileSync(join(folder, 'millrace-outputs/greeting/output.txt'), 'utf8')).toBe('hello world\n');
  });

  it('fails the job if the run fails', () => {
    expect(runJob({ MILLRACE_INPUTS: 'name=broken' }).code).toBe(1);
  });
});
