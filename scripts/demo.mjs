import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createReadStream, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { showProgress } from './lib/install/show-progress.mjs';
import { dataLayout, resolveDataDir, ROOT } from './lib/layout.mjs';
import { parseArguments } from './lib/parse-arguments.mjs';
import { runMain, UserError } from './lib/report.mjs';
import { readJson } from './lib/write-json.mjs';

/**
 * Counts words on real input: splits a text into 1,000 parts, runs `tr | grep | sort | uniq -c` on each part, and adds up
 * the results. Then it does the same with one plain shell pipeline. Both results must be identical.
 */
const PARTS = 1_000;

const WORDS = `tr -cs 'A-Za-z' '\\n' | tr 'A-Z' 'a-z' | grep -v '^$'`;
const TOTALS = `sort -k1,1nr -k2,2`;
const REFERENCE = `${WORDS} | sort | uniq -c | awk '{ print $1 "\\t" $2 }' | ${TOTALS}`;

const script = (/** @type {string} */ source) => ({
  type: 'SCRIPT',
  script: { environment: { LC_ALL: 'C' }, source },
});

const WORKFLOW = {
  primitiveNodes: { 'http-input-1': { type: 'FILE', label: 'text' } },
  nodes: {
    'words-1': {
      // A part without a letter is not a failure, but grep exits with 1 if it finds nothing.
      ...script(`cat in/http-input-1/* | { ${WORDS} || true; }`),
      distribution: { input: 'file', mode: 'batch', splits: PARTS },
    },
    'count-1': script(`sort in/words-1/* | uniq -c | awk '{ print $1 "\\t" $2 }'`),
    'total-1': {
      ...script(
        `find in/count-1 -type f -exec cat {} + |
          awk -F '\\t' '{ sum[$2] += $1 } END { for (word in sum) print sum[word] "\\t" word }' | ${TOTALS}`,
      ),
      meta: { label: 'words' },
    },
  },
  connections: [
    ['output/http-input-1/output', 'input/words-1/file'],
    ['output/words-1/file', 'input/count-1/file'],
    ['output/count-1/folder', 'input/total-1/folder'],
  ].map(([source, destination]) => ({ source: { id: source }, destination: { id: destination } })),
};

/** @typedef {import('../libs/client/src/client.ts').MillraceClient} Client */

/** @returns {Promise<typeof import('../libs/client/src/index.ts')>} */
async function importClient() {
  const path = join(ROOT, 'libs', 'client', 'dist', 'index.js');
  if (!existsSync(path)) throw new UserError('Millrace is not built yet. Run: npm run up');
  return import(pathToFileURL(path).href);
}

/** @returns {string} */
function findServer() {
  const state = readJson(dataLayout(resolveDataDir(process.env)).state);
  const url = process.env.MILLRACE_URL || state?.address;
  if (!url) throw new UserError('Millrace is not running. Start it with: npm run up');
  return url;
}

/**
 * The input of the demo: the file of the command line, or else the licences and the word lists of this machine.
 * @param {string | undefined} file
 * @returns {string[]}
 */
function findTexts(file) {
  if (file !== undefined) {
    const path = resolve(process.env.INIT_CWD ?? '.', file);
    if (!existsSync(path)) throw new UserError(`The file ${path} does not exist.`);
    return [path];
  }
  const list = (/** @type {string} */ folder) =>
    existsSync(folder)
      ? readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
          entry.isFile() ? [join(folder, entry.name)] : [],
        )
      : [];
  const found = [...list('/usr/share/common-licenses'), ...list('/usr/share/dict')].sort();
  return found.length > 0 ? found : [join(ROOT, 'LICENSE')];
}

/**
 * @param {string} command
 * @param {string} [input] file
 * @returns {Promise<Buffer>}
 */
async function shell(command, input) {
  const child = spawn('sh', ['-c', command], {
    env: { ...process.env, LC_ALL: 'C' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.on('error', () => undefined);
  if (input === undefined) child.stdin.end();
  else createReadStream(input).pipe(child.stdin);
  return buffer(child.stdout);
}

/** @param {string} url */
async function signUp(url) {
  const { ConnectionError, MillraceClient, MillraceError } = await importClient();
  const body = { email: `demo-${randomUUID()}@example.org`, password: randomUUID(), name: 'Demo' };
  try {
    const { access } = await new MillraceClient({ baseUrl: url }).sessions.signup(body);
    return new MillraceClient({ baseUrl: url, token: access });
  } catch (error) {
    if (error instanceof ConnectionError)
      throw new UserError(`No server responds at ${url}. Start Millrace with: npm run up`);
    if (error instanceof MillraceError)
      throw new UserError(`The demo cannot create an account at ${url}: ${error.message}`);
    throw error;
  }
}

/**
 * Uploads the text and the workflow, and starts the run.
 * @param {Client} client
 * @param {string} file
 * @returns {Promise<string>} id of the run
 */
async function startRun(client, file) {
  await client.files.upload('demo/text.txt', () => Readable.toWeb(createReadStream(file)));
  let space;
  // A new account's first space is created a moment after the account.
  for (; !space; await sleep(100)) [space] = (await client.spaces.list()).results;
  const { id } = await client.workflows.create(space.id, { name: 'Words of this machine' });
  await client.versions.save(id, { data: WORKFLOW });
  const inputs = { text: 'millrace://file/demo/text.txt' };
  return (await client.workflows.run(id, { inputs })).id;
}

/**
 * @param {Client} client
 * @param {string} id of the run
 * @returns {Promise<Buffer>} its output
 */
async function waitForOutput(client, id) {
  let done = 0;
  const stopProgress = showProgress(() => `  ${done} of ${2 * PARTS} subjobs`, { plainEveryMs: 2_000 });
  try {
    for await (const event of client.runs.events(id)) {
      if (event.type === 'end') break;
      if (event.change.status === 'SUCCEEDED' && event.change.task_index) done += 1;
    }
  } finally {
    stopProgress();
  }
  const run = await client.runs.get(id);
  if (run.status !== 'COMPLETED')
    throw new UserError(`The run ended with the status ${run.status}: ${run.error ?? ''}`);
  const named = await client.outputs.listOfRun(id, { named: 'true' });
  const { body } = await client.outputs.download(named.results[0].id);
  return buffer(body);
}

/** @param {Buffer} text */
const firstLines = (text) => text.toString('latin1').split('\n').slice(0, 12);

/**
 * @param {Buffer} millrace
 * @param {Buffer} reference
 */
function showSideBySide(millrace, reference) {
  const right = firstLines(reference);
  console.log(`\n  ${'Millrace'.padEnd(28)}plain shell`);
  firstLines(millrace).forEach((line, index) => {
    console.log(`  ${line.replace('\t', '  ').padEnd(28)}${(right[index] ?? '').replace('\t', '  ')}`);
  });
}

const USAGE = `npm run demo -- [file]   counts the words of a text, or of the texts of this machine, in ${PARTS} parts on a running system

  --help   show this help`;

await runMain(async () => {
  const { values, positionals } = parseArguments(
    { options: { help: { type: 'boolean' } }, allowPositionals: true },
    USAGE,
  );
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const url = findServer();
  const texts = findTexts(positionals[0]);
  const folder = mkdtempSync(join(tmpdir(), 'millrace-demo-'));
  try {
    const file = join(folder, 'text.txt');
    writeFileSync(file, await shell(`cat ${texts.map((path) => `'${path.replaceAll("'", `'\\''`)}'`).join(' ')}`));
    const lines = (await shell('wc -l', file)).toString().trim();
    console.log(
      `${texts.length} ${texts.length === 1 ? 'text' : 'texts'} with ${lines} lines, in ${PARTS} parts, on ${url}`,
    );
    const client = await signUp(url);
    const start = performance.now();
    console.log('  Uploading the text and starting the run');
    const output = await waitForOutput(client, await startRun(client, file));
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log('  Counting the words with a plain shell pipeline');
    const reference = await shell(REFERENCE, file);
    showSideBySide(output, reference);
    console.log(
      `\n  ${output.toString('latin1').split('\n').length - 1} words, ${output.length} bytes, in ${seconds} s`,
    );
    if (output.equals(reference)) {
      console.log('  Both results are identical.');
      return 0;
    }
    console.log('  The results are NOT identical.');
    return 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
