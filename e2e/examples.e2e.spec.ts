import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Output, Run } from '@millrace/contracts/records';
import { versions } from '@millrace/contracts/resources';
import { REPOSITORY } from './support/repository.js';
import { runCli } from './support/run-cli.js';
import { signUp, type Account } from './support/sign-up.js';

let account: Account;
let folder: string;
beforeAll(async () => {
  account = await signUp();
  folder = mkdtempSync(join(tmpdir(), 'millrace-examples-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Result {
  run: Run;
  outputs: (Output & { file: string })[];
}

/** Runs an example with the command line. @returns its output, and the named outputs by label and path */
async function runExample(name: string, set: string[] = []) {
  const env = { MILLRACE_URL: account.url, MILLRACE_TOKEN: account.access, XDG_CONFIG_HOME: folder };
  const dir = join(folder, `${name}-${Math.random()}`);
  const args = ['run', `examples/${name}.yaml`, '--json', '--output', dir, ...set.flatMap((pair) => ['--set', pair])];
  const { code, stdout, stderr } = await runCli(args, { env });
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  const result = JSON.parse(stdout) as Result;
  const read = (label: string, path = 'output.txt') => readFileSync(join(dir, label, path), 'utf8');
  return { ...result, stderr, read };
}

/** Words and how often they occur, most frequent first. */
function countWords(text: string): [string, number][] {
  const counts = new Map<string, number>();
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
}

const asLines = (lines: string[]): string => lines.map((line) => `${line}\n`).join('');

describe('the example wordcount', () => {
  const words = (file: string, top: number) =>
    asLines(
      countWords(readFileSync(file, 'utf8'))
        .slice(0, top)
        .map(([word, count]) => `${count}\t${word}`),
    );

  it('finds the most frequent words of the license text', async () => {
    const { read, stderr } = await runExample('wordcount');
    expect(read('most frequent words')).toBe(words(join(REPOSITORY, 'LICENSE'), 20));
    expect(stderr).toMatch(/count-1 SUCCEEDED 8\/8/);
  });

  it('accepts another text and number without a new version of the workflow', async () => {
    const text = join(REPOSITORY, 'examples/texts/gettysburg.txt');
    const first = await runExample('wordcount', [`text=${text}`, 'top=3']);
    expect(first.read('most frequent words')).toBe(words(text, 3));
    const second = await runExample('wordcount', [`text=${text}`, 'top=7']);
    expect(second.run.workflow_version_info).toBe(first.run.workflow_version_info);
    expect(second.stderr).not.toContain('Uploading');
    const params = { id: second.run.workflow_info };
    expect((await account.client.call(versions.listVersions, { params })).count).toBe(1);
  });
});

describe('the example access-log', () => {
  /** The summary that the example must produce, computed independently. */
  function traffic(lines: number, seed: number, byPath: boolean): string {
    let state = seed;
    const next = (n: number) => (state = (state * 16807) % 2147483647) % n;
    const sums = new Map<string, number>();
    const add = (key: string, amount: number) => sums.set(key, (sums.get(key) ?? 0) + amount);
    for (let line = 0; line < lines; line += 1) {
      for (const octet of [4, 256, 256]) next(octet);
      const path = ['/', '/login', '/search', '/about', '/api/items'][next(5)];
      const status = [200, 200, 200, 200, 301, 404, 404, 500][next(8)];
      add('requests\tall', 1);
      add('bytes\tall', next(100_000));
      add(`status\t${status}`, 1);
      if (byPath) add(`path\t${path}`, 1);
    }
    return asLines([...sums].map(([key, sum]) => `${key}\t${sum}`).sort());
  }

  it('summarizes 12,000 lines', async () => {
    const { read } = await runExample('access-log');
    expect(read('traffic')).toBe(traffic(12_000, 42, true));
  });

  it('omits the paths if the flag is off', async () => {
    const { read } = await runExample('access-log', ['lines=500', 'seed=7', 'by path=false']);
    expect(read('traffic')).toBe(traffic(500, 7, false));
  });
});

describe('the example factors', () => {
  const numbers = [97, 1001, 65537, 2147483647, 600851475143, 1000000007, 123456789, 1024];
  function factors(number: number): number[] {
    const found: number[] = [];
    let rest = number;
    for (let divisor = 2; divisor * divisor <= rest; divisor += 1) {
      for (; rest % divisor === 0; rest /= divisor) found.push(divisor);
    }
    return rest > 1 ? [...found, rest] : found;
  }

  it.each([
    ['largest first', true],
    ['smallest first', false],
  ])('factors every number, %s', async (_, largestFirst) => {
    const { read } = await runExample('factors', [`largest first=${largestFirst}`]);
    const sorted = [...numbers].sort((a, b) => (largestFirst ? b - a : a - b));
    expect(read('factors')).toBe(asLines(sorted.map((number) => `${number}: ${factors(number).join(' ')}`)));
    const primes = numbers.filter((number) => factors(number).length === 1).sort((a, b) => a - b);
    expect(read('primes')).toBe(asLines(primes.map(String)));
  });
});

it('the example checksums computes the checksum of each file in the tree', async () => {
  const { read, outputs } = await runExample('checksums', ['files=30']);
  const expected = Array.from({ length: 30 }, (_, index) => {
    const i = index + 1;
    const text = asLines(Array.from({ length: i * 50 - i + 1 }, (__, line) => String(i + line)));
    return { hash: createHash('sha256').update(text).digest('hex'), name: `file ${i}.txt` };
  });
  expected.push({ hash: createHash('sha256').update('30 files\n').digest('hex'), name: 'output.txt' });
  const found = read('checksums').trimEnd().split('\n');
  const parsed = found.map((line) => ({ hash: line.slice(0, 64), name: line.split('/').at(-1) }));
  expect(parsed).toEqual(expected.sort((a, b) => (a.hash < b.hash ? -1 : 1)));
  expect(read('archive')).toBe('31\n');
  const archive = outputs.find(({ path }) => path === 'tree.tar.gz');
  expect(archive && existsSync(archive.file)).toBe(true);
});

describe('the example library-words', () => {
  const frequent = (top: number) =>
    asLines(
      countWords(readFileSync(join(REPOSITORY, 'examples/texts/gettysburg.txt'), 'utf8'))
        .slice(0, top)
        .map(([word, count]) => `${count}\t${word}`),
    );

  it('counts words with library modules, and sets their inputs', async () => {
    expect((await runExample('library-words')).read('frequent words')).toBe(frequent(10));
    const other = await runExample('library-words', ['count-1.top=3', 'lower-1.case=lower']);
    expect(other.read('frequent words')).toBe(frequent(3));
  });
});

it('the example compare-texts finds the words that two texts share, with a module that it uses twice', async () => {
  const counts = ['gettysburg', 'second-inaugural'].map(
    (name) => new Map(countWords(readFileSync(join(REPOSITORY, `examples/texts/${name}.txt`), 'utf8'))),
  );
  const shared = [...(counts[0] ?? [])].flatMap(([word, first]) => {
    const second = counts[1]?.get(word) ?? 0;
    return first >= 2 && second >= 2 ? [`${word}\t${first}\t${second}`] : [];
  });
  const { read, stderr } = await runExample('compare-texts');
  expect(shared.length).toBeGreaterThan(5);
  expect(read('shared words')).toBe(asLines(shared.sort()));
  expect(stderr).toContain('words-1/rank-1 SUCCEEDED');
});
