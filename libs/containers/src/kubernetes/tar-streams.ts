import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename, dirname } from 'node:path';
import { PassThrough, type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { SlotPaths } from '@millrace/isolation/folders/slot-folders';
import { TarGuard, type TarLimits } from './tar-guard.js';

const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' };

/** The `work` folder without its `out`, and `in`, as an archive for the folder of the step. Its errors are those of the stream. */
export function packInputs({ work, input }: SlotPaths): Readable {
  const child = spawn(
    'tar',
    [
      ...[
        '--create',
        '--warning=no-file-changed',
        '--format=gnu',
        '--numeric-owner',
        '--owner=0',
        '--group=0',
        '--anchored',
      ],
      ...['--exclude=./in', '--exclude=./out', '--directory', work, '.'],
      ...['--directory', dirname(input), basename(input)],
    ],
    { env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const output = new PassThrough();
  child.stdout.pipe(output, { end: false });
  // The stream may fail before anybody reads it.
  output.on('error', () => undefined);
  // Inputs are links to stored objects. Before version 1.35, tar ends with 1 if another step links the same object meanwhile.
  waitForTar(child, child.stderr, (code, message) => code === 1 && message === '').then(
    () => output.end(),
    (error: Error) => output.destroy(error),
  );
  output.on('close', () => child.kill('SIGKILL'));
  return output;
}

/** Extracts an untrusted archive into a folder. */
export interface Extraction {
  stream: Writable;
  /** @throws TarLimitError, TarRefusedError, or Error if `tar` fails */
  done: Promise<void>;
}

/** @param folder empty, and written to by nobody else */
export function extractOutputs(folder: string, limits: TarLimits): Extraction {
  const child = spawn(
    'tar',
    [
      ...['--extract', '--no-same-owner', '--no-same-permissions', '--no-overwrite-dir', '--touch'],
      ...['--delay-directory-restore', '--directory', folder],
    ],
    { env: ENVIRONMENT, stdio: ['pipe', 'ignore', 'pipe'] },
  );
  const guard = new TarGuard(limits);
  const ended = waitForTar(child, child.stderr);
  const done = pipeline(guard, feed(child.stdin)).then(
    () => ended,
    async (error: unknown) => {
      child.kill('SIGKILL');
      await ended.catch(() => undefined);
      throw error;
    },
  );
  done.catch(() => undefined);
  return { stream: guard, done };
}

/** Passes data to a program, which may stop reading before the end: its exit code says whether that was an error. */
function feed(stdin: Writable): Writable {
  stdin.on('error', () => undefined);
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => void stdin.write(chunk, () => done()),
    // Node destroys it when the program ends; the callback of its `end` is then never called.
    final: (done) => {
      if (stdin.closed) return done();
      stdin.once('close', () => done());
      stdin.end();
    },
  });
}

async function waitForTar(
  child: ChildProcess,
  stderr: Readable,
  isHarmless: (code: number | null, message: string) => boolean = () => false,
): Promise<void> {
  let message = '';
  stderr.setEncoding('utf8').on('data', (text: string) => (message = (message + text).slice(0, 1_000)));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (code !== 0 && !isHarmless(code, message))
    throw new Error(`tar failed with ${code ?? signal ?? 'no status'}: ${message.trim()}`);
}
