import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { notifications, runs, subjobs, users, versions, workflows } from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { vaultOf } from './support/open-sandbox.js';
import { readPage } from './support/read-page.js';
import { recordSecret } from './support/record-secret.js';
import { REPOSITORY } from './support/repository.js';
import { runPage, type ExecutedBlock } from './support/run-page.js';
import { signUp, systemUrl, type Account } from './support/sign-up.js';

const folder = mkdtempSync(join(tmpdir(), 'millrace-docs-'));
symlinkSync(join(REPOSITORY, 'examples'), join(folder, 'examples'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Replaces `npx millrace` by the command line of this checkout, which reads the password for a sign-up from `$PASSWORD`. */
const PRELUDE = `
npx() { shift; node "$REPOSITORY/apps/cli/bin/millrace.mjs" "$@" <<< "\${PASSWORD:-}"; }`;

/** Whether a value matches the one on a page: "…" matches any text, and fields that the page omits are not compared. */
function resembles(shown: unknown, actual: unknown): boolean {
  if (typeof shown === 'string') return typeof actual === 'string' && toPattern(shown).test(actual);
  if (Array.isArray(shown)) {
    return (
      Array.isArray(actual) && shown.length === actual.length && shown.every((item, at) => resembles(item, actual[at]))
    );
  }
  if (typeof shown !== 'object' || shown === null) return Object.is(shown, actual);
  if (typeof actual !== 'object' || actual === null) return false;
  return Object.entries(shown).every(([key, value]) => resembles(value, (actual as Record<string, unknown>)[key]));
}

const toPattern = (shown: string): RegExp =>
  new RegExp(
    `^${shown
      .split('…')
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join('[^]*')}$`,
  );

/** Parses the JSON at the end of an output, which may begin with progress. */
function parseEnd(output: string): unknown {
  const lines = output.trimEnd().split('\n');
  for (const at of lines.keys()) {
    try {
      return JSON.parse(lines.slice(at).join('\n'));
    } catch {
      // The JSON begins on a later line.
    }
  }
  throw new Error(`No JSON at the end of:\n${output}`);
}

function expectOutput({ line, output, expected }: ExecutedBlock): void {
  if (!expected) return;
  if (expected.language === 'json') {
    const actual = parseEnd(output);
    if (!resembles(JSON.parse(expected.text), actual))
      throw new Error(`Line ${line} prints\n${JSON.stringify(actual, null, 2)}\nbut the page shows\n${expected.text}`);
    return;
  }
  // The last lines, because progress comes before them.
  const lines = output.trimEnd().split('\n').slice(-expected.text.trimEnd().split('\n').length).join('\n');
  if (!toPattern(expected.text.trimEnd()).test(lines))
    throw new Error(`Line ${line} prints\n${output}\nbut the page shows\n${expected.text}`);
}

/** The variables that the commands of a page use, in addition to `$MILLRACE_URL` and `$MILLRACE_TOKEN`. */
type Setup = (account: Account) => Promise<Record<string, string>>;

const script = (source: string, more: object = {}) => ({ type: 'SCRIPT', script: { source }, ...more });

async function saveWorkflow({ client, space }: Account, data: object): Promise<string> {
  const { id } = await client.call(workflows.createWorkflow, {
    params: { spaceId: space },
    body: { name: 'Documented' },
  });
  await client.call(versions.saveVersion, { params: { id }, body: { data: { connections: [], ...data } } });
  return id;
}

const withAccount: Setup = () => Promise.resolve({});

/** `$WORKFLOW` has one STRING input with the label `domain`. */
const withWorkflow: Setup = async (account) => {
  const primitiveNodes = { 'string-input-1': { type: 'STRING', label: 'domain', value: 'example.com' } };
  const nodes = { 'echo-1': script('echo "$1"', { inputs: { domain: { type: 'STRING', order: 1 } } }) };
  const connections = [{ source: { id: 'output/string-input-1/output' }, destination: { id: 'input/echo-1/domain' } }];
  return { WORKFLOW: await saveWorkflow(account, { primitiveNodes, nodes, connections }) };
};

/** In `$RUN` the node `resolve-1` has failed three times, as `$SUBJOB`. */
const withFailedRun: Setup = async (account) => {
  const nodes = { 'resolve-1': script('echo no such host >&2; exit 4', { retries: 2 }) };
  const id = await saveWorkflow(account, { nodes });
  const run = await account.client.call(runs.createRun, { params: { id }, body: {} });
  await eventually(async () => {
    const { status } = await account.client.call(runs.getRun, { params: { id: run.id } });
    expect(status).toBe('FAILED');
  });
  const { results } = await account.client.call(subjobs.listSubjobs, { params: { id: run.id } });
  return { RUN: run.id, SUBJOB: results[0]?.id ?? '' };
};

/** A run of `$WORKFLOW` has failed, and its author has been notified. */
const withNotification: Setup = async (account) => {
  const id = await saveWorkflow(account, { nodes: { 'resolve-1': script('exit 4') } });
  await account.client.call(runs.createRun, { params: { id }, body: {} });
  await eventually(async () => {
    const { unseen_count: unseen } = await account.client.call(notifications.listNotifications, {});
    expect(unseen).toBe(1);
  });
  return { WORKFLOW: id };
};

/** The node `scan-1` of `$WORKFLOW`, in `$SPACE`, finds two hosts. */
const withScan: Setup = async (account) => {
  const [first, second] = ['{"host": "a.example", "port": 80}', '{"host": "b.example", "port": 443}'];
  const nodes = { 'scan-1': script(`printf '%s\\n' '${first}' '${second}'`) };
  return { SPACE: account.space, WORKFLOW: await saveWorkflow(account, { nodes }) };
};

const withVault: Setup = async (account) => ({ VAULT: await vaultOf(account) });

const PAGES: [string, Setup][] = [
  ['docs/reference/api.md', withAccount],
  ['docs/guides/billing.md', withAccount],
  ['docs/guides/hooks.md', withWorkflow],
  ['docs/guides/live-tables.md', withScan],
  ['docs/guides/notifications.md', withNotification],
  ['docs/guides/retention.md', withAccount],
  ['docs/guides/runs.md', withFailedRun],
  ['docs/guides/sandbox.md', withVault],
  ['docs/guides/schedules.md', withWorkflow],
  ['docs/guides/secrets.md', withAccount],
  ['docs/guides/webhooks.md', withAccount],
];

describe('the commands on a page and their documented output', () => {
  it.each(PAGES)('are correct in %s', async (page, setup) => {
    const account = await signUp();
    const { token } = await account.client.call(users.regenerateToken, {});
    const blocks = await runPage(readPage(page), {
      cwd: folder,
      prelude: PRELUDE,
      env: { MILLRACE_URL: account.url, MILLRACE_TOKEN: token, XDG_CONFIG_HOME: folder, ...(await setup(account)) },
      replace: {},
    });
    expect(blocks.length).toBeGreaterThan(0);
    for (const block of blocks) expectOutput(block);
  });
});

describe('docs/get-started.md', () => {
  it('leads from an account to a table of results', async () => {
    const password = 'correct horse battery';
    recordSecret(password);
    const blocks = await runPage(readPage('docs/get-started.md'), {
      cwd: folder,
      prelude: PRELUDE,
      env: { HOME: folder, XDG_CONFIG_HOME: join(folder, 'config'), PASSWORD: password },
      replace: { 'http://127.0.0.1:8080': systemUrl(), 'you@example.org': `docs-${Date.now()}@example.org` },
    });
    expect(blocks.length).toBeGreaterThan(7);
    for (const block of blocks) expectOutput(block);
  });
});
