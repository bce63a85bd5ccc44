import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { secrets } from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { collectSpans, type ReceivedSpan, type SpanCollector } from './support/collect-spans.js';
import { startOwnSystem, type OwnSystem } from './support/own-system.js';
import { makeWorkflow, script, waitForEnd } from './support/run-workflow.js';
import { rawRequest, signUp, type Account } from './support/sign-up.js';

const SECRET = `secret-${randomBytes(8).toString('hex')}`;

let collector: SpanCollector;
let system: OwnSystem;
let account: Account;
beforeAll(async () => {
  collector = await collectSpans();
  system = await startOwnSystem({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }, { separate: [] });
  account = await signUp(system.url);
  await account.client.call(secrets.createSecretVariable, {
    body: { name: 'KEY', value: SECRET, scope_type: 'vault' },
  });
});
afterAll(async () => {
  await system.stop();
  await collector.close();
});

/** Starts a run as a client that traces its own work. @returns the trace and the run after its end */
async function runTraced(): Promise<{ trace: string; span: string; run: string }> {
  const [trace, span] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  const workflow = await makeWorkflow(account, {
    nodes: {
      'list-1': script('', { script: { source: 'echo "$KEY" >&2; seq 3', environment: { KEY: '${{vars.KEY}}' } } }),
      'each-1': script('echo "$1"', {
        inputs: { item: { type: 'STRING', order: 1, command: '' } },
        distribution: { input: 'item', mode: 'line' },
      }),
      'end-1': script('cat in/*/*/*'),
    },
    edges: [
      ['list-1/file', 'each-1/item'],
      ['each-1/folder', 'end-1/folder/each-1'],
    ],
  });
  const { body } = await rawRequest(account, 'POST', `/api/workflows/${workflow}/runs`, {
    body: '{}',
    headers: { traceparent: `00-${trace}-${span}-01` },
  });
  const run = String(body['id']);
  await waitForEnd(account.client, run);
  return { trace, span, run };
}

it('a run is one trace, from the request of its client to each of its steps', async () => {
  const { trace, span, run } = await runTraced();
  await eventually(() => {
    const spans = collector.spansOf(trace);
    const names = spans.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'POST /api/workflows/:id/runs',
        'operation runs.runs.create',
        'operation workflows.versions.loadForRun',
        'event runs.run.started',
        'job runs.dispatch',
      ]),
    );
    // Every subjob of the run: one of the list, three children, one at the end.
    expect(names.filter((name) => name === 'step script')).toHaveLength(5);
    expect(spans.filter((one) => rootOf(spans, one) !== span)).toEqual([]);
    const steps = spans.filter(({ name }) => name === 'step script');
    expect(new Set(steps.map((step) => attributeOf(step, 'millrace.run')))).toEqual(new Set([run]));
  });
});

it('spans contain no credential and no secret variable', async () => {
  await runTraced();
  await eventually(() => expect(collector.text().includes('operation auth.sessions.signup')).toBe(true));
  const hidden = [SECRET, account.access, account.refresh, account.password, account.email];
  expect(hidden.filter((secret) => collector.text().includes(secret))).toEqual([]);
});

it('log lines of a traced request name its trace', async () => {
  const { trace } = await runTraced();
  const logs = join(system.folder, 'logs');
  await eventually(() => {
    const text = readdirSync(logs)
      .map((name) => readFileSync(join(logs, name), 'utf8'))
      .join('\n');
    const lines = text.split('\n').filter((line) => line.includes(`"traceId":"${trace}"`));
    const messages = lines.map((line) => (JSON.parse(line) as { message: string }).message);
    expect(messages).toEqual(expect.arrayContaining(['Request handled', 'Operation handled', 'Job processed']));
  });
});

/** The span of another service from which a span descends. */
function rootOf(spans: ReceivedSpan[], { parentSpanId }: ReceivedSpan): string | undefined {
  const parent = spans.find(({ spanId }) => spanId === parentSpanId);
  return parent ? rootOf(spans, parent) : parentSpanId;
}

const attributeOf = (span: ReceivedSpan, name: string): unknown =>
  Object.values(span.attributes.find(({ key }) => key === name)?.value ?? {})[0];
